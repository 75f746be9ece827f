//! The output files of records: annotated games, and the problems that their players missed.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use super::outputs::{Listener, standard, title};
use crate::error::note;
use crate::record_file::RecordFile;
use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::report::{GameHead, GameReport, distance};
use soucie::analysis::review::{Mark, MoveReview};
use soucie::engine::uci_score::UciScore;
use soucie::files::printable::one_line;
use soucie::game::TablebaseValue;
use soucie::options::Options;
use soucie::problems::check::Checker;
use soucie::problems::{CheckedGame, with_fault};
use soucie::records::{MoveMark, Record, RecordError, record_game};

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
