//! The output files of records: annotated games, and the problems that their players missed.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::outputs::{Listener, standard, title};
use crate::error::note;
use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::report::{GameHead, GameReport, distance};
use soucie::analysis::review::{Mark, MoveReview};
use soucie::engine::uci_score::UciScore;
use soucie::files::atomic_file::AtomicFile;
use soucie::files::named;
use soucie::files::printable::{one_line, plural};
use soucie::game::TablebaseValue;
use soucie::options::Options;
use soucie::problems::check::Checker;
use soucie::problems::{CheckedGame, with_fault};
use soucie::records::{MoveMark, Record, RecordError, RecordFormat, record_game};

/// Records in a file, which has one format, that of the first record.
pub struct RecordFile {
    target: PathBuf,
    /// The output file; `None` once it is finished.
    file: Option<AtomicFile>,
    /// The format of its records; `None` before the first one.
    format: Option<RecordFormat>,
    /// The number of entries that it cannot contain.
    left_out: u64,
}

impl RecordFile {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let file = Some(AtomicFile::begin(target)?);
        Ok(Self { target: target.to_path_buf(), file, format: None, left_out: 0 })
    }

    /// Adds a record, or leaves it out if it has another format than the first one.
    pub fn add(&mut self, format: RecordFormat, record: &str) -> io::Result<()> {
        if *self.format.get_or_insert(format) != format {
            self.leave_out();
            return Ok(());
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(record.as_bytes()))
    }

    /// Counts an entry of the input that has no place in the file.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    pub fn error(&self, reason: &str) -> io::Error {
        named(&self.target, io::Error::other(reason.to_string()))
    }

    /// Replaces the target, and reports how many entries were left out. Without a record it returns false,
    /// and an existing file stays.
    pub fn end(&mut self) -> io::Result<bool> {
        let Some(format) = self.format else { return Ok(false) };
        if self.left_out > 0 {
            let count = plural(self.left_out, "entry is", "entries are");
            let target = self.target.display();
            let format = match format {
                RecordFormat::Sgf => "SGF",
                RecordFormat::Pdn => "PDN",
            };
            note(format_args!(
                "{target}: {count} left out: unreadable or not {format}, as the first one"
            ));
        }
        self.file.take().map_or(Ok(()), AtomicFile::finish)?;
        Ok(true)
    }
}

pub struct MissedProblems<'a> {
    file: RecordFile,
    checker: Checker<'a>,
    /// The ids of the problems in the file.
    known: HashSet<String>,
}

impl<'a> MissedProblems<'a> {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path, checker: Checker<'a>) -> io::Result<Self> {
        Ok(Self { file: RecordFile::begin(target)?, checker, known: HashSet::new() })
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let title = one_line(&title(&report.head)).to_string();
        let marked = report.moves.iter().filter(|review| review.is_marked());
        let fault = report.head.rules_fault.as_deref();
        let name = |number, side| with_fault(format!("{title}, move {number} of {side}"), fault);
        let plies = marked.map(|review| (review.ply - 1, name(review.number(), review.side)));
        let game = CheckedGame {
            variant: report.head.variant,
            rules: &report.record.as_ref().map(|record| record.rules()).unwrap_or_default(),
            setup: report.head.setup.as_deref(),
            moves: report.moves.iter().map(|review| review.mv.coordinate.as_str()).collect(),
            plies: plies.collect(),
        };
        for problem in game.problems(&self.checker)? {
            if self.known.insert(problem.id) {
                self.file.add(problem.format, &problem.text)?;
            }
        }
        Ok(())
    }
}

impl Listener for MissedProblems<'_> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => self.game(report),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if !self.file.end()? {
            note(self.file.error("not written: no problem was missed"));
        }
        Ok(())
    }
}

pub struct AnnotatedRecords<'a> {
    file: RecordFile,
    /// The name of the engine, and the limits of its searches.
    annotator: String,
    /// The rules of games whose record names none.
    options: &'a Options,
}

impl<'a> AnnotatedRecords<'a> {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path, annotator: String, options: &'a Options) -> io::Result<Self> {
        let file = RecordFile::begin(target)?;
        Ok(Self { file, annotator, options })
    }

    /// Creates a record for a game that was not read from one.
    fn new_record(&self, report: &GameReport) -> Option<Record> {
        let GameHead { variant, setup, .. } = &report.head;
        let moves: Vec<_> = report.moves.iter().map(|review| &review.mv.coordinate).collect();
        record_game(variant, setup.as_deref(), &self.rules(), &moves)?.ok()
    }

    fn rules(&self) -> impl Fn(&str) -> Option<u16> {
        |rule| self.options.rule(rule)
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let record = match &report.record {
            Some(record) => Some((**record).clone()),
            None => self.new_record(report),
        };
        let Some(mut record) = record else {
            self.file.leave_out();
            return Ok(());
        };
        record.set_rules(&self.rules());
        record.add_annotator(&self.annotator);
        record.set_application();
        for review in &report.moves {
            annotate(&mut record, review).map_err(io::Error::other)?;
        }
        if let Some(decision) = report.decided {
            record.add_comment(
                decision.ply,
                &format!("From here on {} is winning.", decision.winner),
            );
        }
        if let Some(error) = &report.error {
            record.add_comment(report.moves.len(), error);
        }
        self.file.add(record.format(), &record.to_string())
    }
}

impl Listener for AnnotatedRecords<'_> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => self.game(report)?,
            AnalysisEvent::Failure(_) => self.file.leave_out(),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        match self.file.end()? {
            true => Ok(()),
            false => Err(self.file.error("not written: no game to annotate")),
        }
    }
}

fn annotate(record: &mut Record, review: &MoveReview) -> Result<(), RecordError> {
    record.add_comment(review.ply, &scored(review.score, review.table));
    if let Some(mark) = review.mark {
        let move_mark = match mark {
            Mark::Mistake => MoveMark::Mistake,
            Mark::Blunder => MoveMark::Blunder,
        };
        record.add_mark(review.ply, move_mark);
    }
    if review.is_marked() {
        let score = scored(review.best_score, review.best_table);
        record.add_variation(review.ply, &standard(&review.best), &score)?;
    }
    Ok(())
}

/// A score, followed by the endgame table value if there is one.
fn scored(score: UciScore, table: Option<TablebaseValue>) -> String {
    match table {
        None => score.to_string(),
        Some(TablebaseValue::Won(plies)) => format!("{score}, table win{}", distance(plies)),
        Some(TablebaseValue::Lost(plies)) => format!("{score}, table loss{}", distance(plies)),
        Some(TablebaseValue::Drawn) => format!("{score}, table draw"),
    }
}
