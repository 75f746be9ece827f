//! The state of a match and its outputs: text, JSON, game records, and the journal from which an
//! interrupted match is resumed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use serde::Serialize;
use serde_json::json;

use super::game_record::{EngineFailure, GameRecord, MoveRecord, PerEngine};
use super::settings::MatchSettings;
use super::totals::MatchTotals;
use soucie::files::named;
use soucie::files::printable::Printable;
use soucie::options::Options;
use soucie::records::{HeaderField, RecordResult, WinReason, record_game};
use soucie_program::error::CommandError;
use soucie_program::journal::{Journal, KnownEntries};

/// The interval between progress reports, in pairs of games and in time.
const PROGRESS_PAIRS: u64 = 25;
const PROGRESS_TIME: Duration = Duration::from_secs(30);

#[derive(Serialize)]
struct GameJson<'a> {
    names: &'a PerEngine<String>,
    result: &'static str,
    #[serde(flatten)]
    record: &'a GameRecord,
}

pub struct MatchReport<'a> {
    settings: &'a MatchSettings,
    options: &'a Options,
    totals: MatchTotals,
    /// The indices of the games to play.
    part: Range<usize>,
    /// The half points of each finished game.
    games: Vec<Option<usize>>,
    journal: Option<Journal>,
    record: Option<File>,
    json: Option<&'a mut (dyn Write + Send)>,
    text: Printable<&'a mut (dyn Write + Send)>,
    progress: ProgressReports,
}

struct ProgressReports {
    begun: Instant,
    /// The number of games read from the journal.
    resumed: u64,
    reported: Instant,
    /// The number of completed pairs at the last report.
    pairs: u64,
}

impl<'a> MatchReport<'a> {
    /// Begins a match, or resumes an interrupted one.
    ///
    /// JSON goes to `output` if it is requested; the text then goes to `errors`.
    pub fn begin(
        settings: &'a MatchSettings,
        options: &'a Options,
        names: PerEngine<String>,
        journal: Option<(KnownEntries, Journal)>,
        output: &'a mut (dyn Write + Send),
        errors: &'a mut (dyn Write + Send),
    ) -> Result<Self, CommandError> {
        let (resumed, journal) = journal.unzip();
        let (json, text) = if settings.json { (Some(output), errors) } else { (None, output) };
        let now = Instant::now();
        let mut report = Self {
            settings,
            options,
            totals: MatchTotals::new(names, settings.sequential_test()),
            part: settings.part()?,
            games: vec![None; settings.games],
            journal,
            record: None,
            json,
            text: Printable(text),
            progress: ProgressReports { begun: now, resumed: 0, reported: now, pairs: 0 },
        };
        // The records of the games of the journal.
        let mut records = String::new();
        if let Some(mut resumed) = resumed {
            while let Some(record) = resumed.take_next::<GameRecord>()? {
                let index = record.number.wrapping_sub(1);
                if !report.part.contains(&index) || report.is_finished(record.number) {
                    return Err(resumed.foreign_entry().into());
                }
                report.count(&record);
                records += &report.record_text(&record)?;
                report.write_game(&record)?;
            }
        }
        if let Some(path) = &settings.record {
            report.record = Some(resume_file(path, &records)?);
        }
        let (resumed, games) = (report.totals.games(), report.part.len());
        report.progress.resumed = resumed;
        report.progress.pairs = report.totals.pairs();
        if resumed > 0 {
            writeln!(report.text, "Resumed after {resumed} of {games} games.")?;
        }
        Ok(report)
    }

    /// Returns whether the game with this number, counted from 1, is finished.
    pub fn is_finished(&self, number: usize) -> bool {
        matches!(self.games.get(number.wrapping_sub(1)), Some(Some(_)))
    }

    /// Returns whether no games are left to play.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.totals.games() >= self.part.len() as u64
    }

    /// Returns whether the sequential test, if there is one, has ended.
    pub fn is_decided(&self) -> bool {
        self.totals.is_decided()
    }

    /// Records and reports a game that has just ended.
    pub fn game(&mut self, record: &GameRecord) -> Result<(), CommandError> {
        if let Some(journal) = &mut self.journal {
            journal.add(record)?;
        }
        self.count(record);
        let text = self.record_text(record)?;
        if let Some(file) = &mut self.record {
            file.write_all(text.as_bytes())?;
        }
        self.write_game(record)?;
        writeln!(self.text, "{}", self.finished(record))?;
        self.progress()?;
        Ok(self.text.flush()?)
    }

    /// Counts a game, and its pair if that is complete.
    fn count(&mut self, record: &GameRecord) {
        self.totals.add(record);
        let index = record.number.wrapping_sub(1);
        if let Some(game) = self.games.get_mut(index) {
            *game = Some(record.half_points());
        }
        // Games 1 and 2 have the indices 0 and 1, so `^ 1` gives the other game of the pair.
        if let [Some(one), Some(other)] =
            [index, index ^ 1].map(|at| self.games.get(at).copied().flatten())
        {
            self.totals.add_pair(one + other);
        }
    }

    /// Returns the result of a game as one line of text. 1-0 means a win of Black, who moves first.
    fn finished(&self, record: &GameRecord) -> String {
        let names = &self.totals.names;
        let (black, white) = (names.get(record.black), names.get(!record.black));
        let (number, result, reason) = (record.number, record.result(), &record.end.reason);
        format!("Finished game {number} ({black} vs {white}): {result} {{{reason}}}")
    }

    /// Returns the game in the format of `--record`; empty without that option.
    fn record_text(&self, record: &GameRecord) -> io::Result<String> {
        match self.settings.record {
            Some(_) => record_text(record, &self.totals.names, self.options),
            None => Ok(String::new()),
        }
    }

    /// Writes the JSON line of a game, if one is requested.
    fn write_game(&mut self, record: &GameRecord) -> io::Result<()> {
        let Self { json: Some(json), totals, .. } = self else { return Ok(()) };
        let line = GameJson { names: &totals.names, result: record.result(), record };
        write_json(json, &line)
    }

    /// Reports the score if a report is due and the match is not over.
    fn progress(&mut self) -> io::Result<()> {
        let (pairs, last) = (self.totals.pairs(), &self.progress);
        let (done, all) = (self.totals.games(), self.part.len() as u64);
        let is_due =
            pairs >= last.pairs + PROGRESS_PAIRS || last.reported.elapsed() >= PROGRESS_TIME;
        if !is_due || done >= all {
            return Ok(());
        }
        // Games from the journal took no time in this run.
        let played = done.saturating_sub(last.resumed).max(1);
        let left = last.begun.elapsed().as_secs_f64() * (all - done) as f64 / played as f64;
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        self.progress = ProgressReports { reported: Instant::now(), pairs, ..self.progress };
        let (score, elo, sprt) = self.totals.scores();
        let sprt = sprt.map_or(String::new(), |sprt| format!(", {sprt}"));
        writeln!(self.text, "{done} of {all} games, at most {left} left. {score}, {elo}{sprt}")
    }

    /// Reports the result of the match. Returns true if neither engine failed in any way.
    pub fn end(mut self) -> io::Result<bool> {
        if let Some(json) = &mut self.json {
            write_json(json, &json!({ "summary": self.totals.json() }))?;
        }
        self.text.write_all(self.totals.text().as_bytes())?;
        self.text.flush()?;
        Ok(self.totals.is_clean())
    }

    /// Reports the score of an interrupted match and how to resume it. `command` is the command
    /// line that started it.
    pub fn interrupted(mut self, command: &str) -> io::Result<()> {
        let (played, games) = (self.totals.games(), self.part.len());
        writeln!(self.text, "Interrupted after {played} of {games} games.")?;
        self.text.write_all(self.totals.text().as_bytes())?;
        if self.journal.is_some() {
            writeln!(self.text, "To continue: {command}")?;
        } else {
            let text = "The match cannot be continued: --resume FILE would keep its games";
            writeln!(self.text, "{text}")?;
        }
        self.text.flush()
    }

    pub fn remark(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.text, "{text}")?;
        self.text.flush()
    }
}

fn write_json(mut out: impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut out, object)?;
    writeln!(out)?;
    out.flush()
}

/// Opens an output file, or creates it, and completes it up to the end of `content`, the output for the
/// games of the journal. A file that contains anything else stays unchanged.
fn resume_file(path: &Path, content: &str) -> io::Result<File> {
    let resume = || {
        let mut file = File::options().append(true).create(true).open(path)?;
        let mut existing = Vec::new();
        // A pipe or a terminal has no content to compare.
        if file.metadata()?.is_file() {
            File::open(path)?.take(content.len() as u64 + 1).read_to_end(&mut existing)?;
        }
        let rest = content.as_bytes().strip_prefix(&*existing).ok_or_else(|| {
            io::Error::other("already exists with other games: name another file")
        })?;
        file.write_all(rest)?;
        Ok(file)
    };
    resume().map_err(|error| named(path, error))
}

/// Returns the record of a game with the variant and the rules of `options`.
fn record_text(
    record: &GameRecord,
    names: &PerEngine<String>,
    options: &Options,
) -> io::Result<String> {
    let made = record.moves.iter().map(|turn| turn.text.as_str());
    let moves: Vec<&str> = record.opening.moves.iter().map(String::as_str).chain(made).collect();
    let setup = record.opening.setup.as_deref();
    let game = record_game(options.variant, setup, &|rule| options.rule(rule), &moves);
    let none = || io::Error::other("no such game");
    let mut game = game.ok_or_else(none)?.map_err(io::Error::other)?;
    game.set_info(HeaderField::Event, "Engine match");
    game.set_info(HeaderField::Round, &record.number.to_string());
    game.set_info(HeaderField::Black, names.get(record.black));
    game.set_info(HeaderField::White, names.get(!record.black));
    game.set_outcome(record.winner().map_or(RecordResult::Drawn, RecordResult::Won));
    if let Some(failure) = record.end.failure {
        game.set_win_reason(match failure {
            EngineFailure::Time => WinReason::Time,
            EngineFailure::Illegal | EngineFailure::Crash | EngineFailure::Stall => {
                WinReason::Forfeit
            }
        });
    }
    let opening = record.opening.moves.len();
    if opening > 0 {
        game.add_comment(opening, "End of the opening.");
    }
    for (ply, turn) in (opening + 1..).zip(&record.moves) {
        game.add_comment(ply, &comment(turn));
    }
    game.add_comment(record.plies(), &record.end.reason);
    Ok(game.to_string())
}

/// Returns the comment of a move: score, depth and time, such as `+0.35/12 0.104s`.
fn comment(turn: &MoveRecord) -> String {
    let score = turn.reported.score.map(|score| score.to_string()).unwrap_or_default();
    let depth = turn.reported.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    format!("{score}{depth} {:.3}s", turn.time.as_secs_f64())
}
