//! The state of a match and its outputs: text, JSON, game records, and the journal from which an
//! interrupted match is resumed.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use serde::Serialize;
use serde_json::Value;

use super::appended::Appended;
use super::engine_id::{EngineId, PerEngine};
use super::game_record::{EngineStats, GameRecord};
use super::settings::{Settings, Target};
use super::sprt::Trial;
use super::tally::{Summary, Tally, finished};
use super::{MatchError, export};
use crate::files::printable::Printable;
use crate::options::Options;
use crate::tools::journal::{self, Journal, KnownEntries};

/// The interval between progress reports, in pairs of games and in time.
const PROGRESS_PAIRS: u64 = 25;
const PROGRESS_TIME: Duration = Duration::from_secs(30);

/// The destination of the JSON output.
enum Json<'a> {
    Output(&'a mut (dyn Write + Send)),
    File(Appended),
}

/// The JSON line of a game.
#[derive(Serialize)]
struct GameLine<'a> {
    names: PerEngine<&'a str>,
    result: &'static str,
    #[serde(flatten)]
    record: &'a GameRecord,
}

/// The JSON line at the end of a match.
#[derive(Serialize)]
struct SummaryLine<'a> {
    summary: Summary<'a>,
}

/// The state of a match and its outputs.
pub struct Report<'a> {
    settings: &'a Settings,
    options: &'a Options,
    names: PerEngine<String>,
    tally: Tally,
    /// The half points of each finished game.
    games: Vec<Option<usize>>,
    /// The sequential test, if one was requested.
    trial: Option<Trial>,
    journal: Option<Journal>,
    record: Option<Appended>,
    json: Option<Json<'a>>,
    words: Printable<&'a mut (dyn Write + Send)>,
    progress: Progress,
}

/// The state of the progress reports.
struct Progress {
    begun: Instant,
    /// The number of games read from the journal.
    known: u64,
    told: Instant,
    /// The number of completed pairs at the last report.
    pairs: u64,
}

impl<'a> Report<'a> {
    /// Begins a match, or resumes an interrupted one.
    ///
    /// `description` contains all that the games depend on. JSON goes to `output` if it is
    /// requested on standard output; the text then goes to `errors`.
    pub fn begin(
        settings: &'a Settings,
        options: &'a Options,
        names: PerEngine<String>,
        description: &Value,
        output: &'a mut (dyn Write + Send),
        errors: &'a mut (dyn Write + Send),
    ) -> Result<Self, MatchError> {
        let journal =
            settings.resume.as_ref().map(|path| journal::open(path, "match", description));
        let (known, journal) = journal.transpose()?.unzip();
        let record = settings.record.as_deref().map(Appended::open).transpose()?;
        let (json, words) = match &settings.json {
            None => (None, output),
            Some(Target::File(path)) => (Some(Json::File(Appended::open(path)?)), output),
            Some(Target::Stdout) => (Some(Json::Output(output)), errors),
        };
        let now = Instant::now();
        let progress = Progress { begun: now, known: 0, told: now, pairs: 0 };
        let games = vec![None; settings.games];
        let tally = Tally::default();
        let mut report = Self {
            settings,
            options,
            names,
            tally,
            games,
            trial: settings.sprt.map(Trial::new),
            journal,
            record,
            json,
            words: Printable(words),
            progress,
        };
        if let Some(known) = known {
            report.go_on(known)?;
        }
        Ok(report)
    }

    /// Counts the games from the journal.
    fn go_on(&mut self, mut known: KnownEntries) -> Result<(), MatchError> {
        while let Some(record) = known.next::<GameRecord>()? {
            if !matches!(self.games.get(record.number.wrapping_sub(1)), Some(None)) {
                return Err(known.alien().into());
            }
            self.count(&record)?;
        }
        let (known, games) = (self.tally.games(), self.settings.games);
        self.progress.known = known;
        self.progress.pairs = self.tally.pairs.len();
        if known > 0 {
            writeln!(self.words, "Resumed after {known} of {games} games.")?;
        }
        Ok(())
    }

    /// Returns an error if an existing output file contains more than the games of this match so
    /// far.
    pub fn check_files(&mut self) -> io::Result<()> {
        self.record.as_mut().map_or(Ok(()), Appended::end_of_old)?;
        match &mut self.json {
            Some(Json::File(file)) => file.end_of_old(),
            _ => Ok(()),
        }
    }

    /// Returns whether the game with this number, counted from 1, is finished.
    pub fn knows(&self, number: usize) -> bool {
        matches!(self.games.get(number.wrapping_sub(1)), Some(Some(_)))
    }

    /// Returns whether no games are left to play.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.tally.games() >= self.settings.games as u64
    }

    /// Returns whether the sequential test, if there is one, has ended.
    pub fn is_decided(&self) -> bool {
        self.trial.is_some_and(|trial| trial.is_decided())
    }

    /// Records and reports a game that has just ended.
    pub fn game(&mut self, record: &GameRecord) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.add(record)?;
        }
        self.count(record)?;
        writeln!(self.words, "{}", finished(record, &self.names))?;
        for seat in EngineId::BOTH {
            let (number, name) = (record.number, self.names.of(seat));
            let EngineStats { bad_lines, more_bad_lines, broken_promises, .. } =
                record.conduct.of(seat);
            for bad_line in bad_lines {
                writeln!(self.words, "Bad line in game {number} by {name}: {bad_line}")?;
            }
            if *more_bad_lines > 0 {
                writeln!(
                    self.words,
                    "Bad lines in game {number} by {name}: {more_bad_lines} more"
                )?;
            }
            for promise in broken_promises {
                writeln!(self.words, "Broken promise in game {number} by {name}: {promise}")?;
            }
        }
        self.progress()?;
        Ok(self.words.flush()?)
    }

    /// Counts a game, and its pair if that is complete, and writes the game to the record and JSON
    /// outputs.
    fn count(&mut self, record: &GameRecord) -> Result<(), MatchError> {
        self.tally.add(record);
        let place = record.number.wrapping_sub(1);
        if let Some(game) = self.games.get_mut(place) {
            *game = Some(record.half_points());
        }
        // Games 1 and 2 have the indices 0 and 1, so `^ 1` gives the other game of the pair.
        if let [Some(one), Some(other)] = [place, place ^ 1].map(|at| *self.games.get(at)?) {
            self.tally.pairs.add(one + other);
            if let Some(trial) = &mut self.trial {
                trial.weigh(&self.tally.pairs);
            }
        }
        if let Some(file) = &mut self.record {
            let text = export::text(record, &self.names, self.options)?;
            file.write_all(text.as_bytes())?;
        }
        let names = &self.names;
        let names = PerEngine { first: names.first.as_str(), second: names.second.as_str() };
        self.json.as_mut().map_or(Ok(()), |json| {
            json.say(&GameLine { names, result: record.result(), record })
        })?;
        Ok(())
    }

    /// Reports the score if a report is due and the match is not over.
    fn progress(&mut self) -> io::Result<()> {
        let (pairs, told) = (self.tally.pairs.len(), &self.progress);
        let (done, all) = (self.tally.games(), self.settings.games as u64);
        let is_due = pairs >= told.pairs + PROGRESS_PAIRS || told.told.elapsed() >= PROGRESS_TIME;
        if !is_due || done >= all {
            return Ok(());
        }
        // Games from the journal took no time in this run.
        let played = done.saturating_sub(told.known).max(1);
        let left = told.begun.elapsed().as_secs_f64() * (all - done) as f64 / played as f64;
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        self.progress = Progress { told: Instant::now(), pairs, ..self.progress };
        let (score, elo) = (self.tally.score(&self.names), self.tally.elo());
        write!(self.words, "{done} of {all} games, {left} left at most. {score}, {elo}")?;
        if let Some(trial) = self.trial {
            write!(self.words, ", {}", trial.describe(&self.tally.pairs))?;
        }
        writeln!(self.words)
    }

    /// Reports the result of the match. Returns true if neither engine failed in any way.
    pub fn end(mut self) -> io::Result<bool> {
        if let Some(json) = &mut self.json {
            json.say(&SummaryLine { summary: self.tally.summarise(&self.names, self.trial) })?;
        }
        self.words.write_all(self.tally.summary(&self.names, self.trial).as_bytes())?;
        self.words.flush()?;
        Ok(self.tally.is_clean())
    }

    /// Reports the score of an interrupted match and how to resume it. `command` is the command
    /// line that started it.
    pub fn interrupted(mut self, command: &str) -> io::Result<()> {
        let (played, games) = (self.tally.games(), self.settings.games);
        writeln!(self.words, "Interrupted after {played} of {games} games.")?;
        self.words.write_all(self.tally.summary(&self.names, self.trial).as_bytes())?;
        if self.journal.is_some() {
            writeln!(self.words, "To go on: {command}")?;
        } else {
            let text = "The match cannot be continued: --resume FILE keeps its games";
            writeln!(self.words, "{text}")?;
        }
        self.words.flush()
    }

    /// Prints a remark.
    pub fn remark(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.words, "{text}")?;
        self.words.flush()
    }
}

impl Json<'_> {
    fn say(&mut self, line: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        let output: &mut dyn Write = match self {
            Self::Output(output) => *output,
            Self::File(file) => file,
        };
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}
