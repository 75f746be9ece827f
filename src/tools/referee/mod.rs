//! `soucie match`: plays two engines against each other over the protocol and watches them.
//!
//! Workers take pairs of games from a common counter. Each has two engines at the end of pipes
//! ([`player`]) and plays the opening of the pair ([`opening`]) twice with colours swapped
//! ([`mod@play`]); what happens is counted ([`tally`]) and weighed ([`stats`]).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod opening;
pub mod play;
pub mod player;
pub mod seat;
pub mod settings;
pub mod stats;
pub mod tally;

use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use crate::engine::session::Session;
use crate::engine::{EngineError, open};
use crate::options::{OptionError, Options};
use opening::Openings;
use play::{End, Failure, Record, play};
use player::Player;
use seat::{Both, Seat};
use settings::{Launch, Settings};
use stats::Verdict;
use tally::{Tally, finished};

/// After so many pairs of games the score is told.
const PROGRESS: u64 = 25;

/// What can prevent a match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The command line of an engine cannot be read.
    #[error("'{0}' is no command line")]
    Command(String),
    /// An engine cannot be started, or not be set up.
    #[error("engine {name}: {why}")]
    Start {
        /// The engine.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The openings cannot be read.
    #[error("openings: {0}")]
    Openings(#[source] io::Error),
    /// An opening that is none.
    #[error("opening in line {number}: {why}")]
    Opening {
        /// The line.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// No random opening leaves the game open, or a file has none.
    #[error("there is no opening to play")]
    NoOpening,
    /// Engines that would play different games.
    #[error("both engines must be given the same rule options, in the same order")]
    Rules,
    /// There is no such variant or rule.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The game cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nobody listens.
    #[error("output: {0}")]
    Output(#[from] io::Error),
}

/// Plays a match and says on `output` what happens. True, if neither engine failed in any way.
pub fn run(settings: &Settings, output: &mut (dyn Write + Send)) -> Result<bool, MatchError> {
    let mut options = Options::default();
    if let Some(variant) = &settings.variant {
        options.set("UCI_Variant", Some(variant))?;
    }
    adopt_rules(settings, &mut options)?;
    let start = open(&options)?;
    let openings = match &settings.openings {
        Some(file) => {
            Openings::read(&fs::read_to_string(file).map_err(MatchError::Openings)?, &*start)?
        }
        None => Openings::Random { seed: settings.seed, plies: settings.plies },
    };
    let engines = settings.engines()?;
    let names = Both { first: engines.first.name.clone(), second: engines.second.name.clone() };
    let pairs = settings.games / 2;
    let pool = Pool {
        settings,
        variant: options.variant,
        engines,
        openings,
        pairs,
        next: AtomicUsize::new(0),
        report: Mutex::new(Report { settings, names, tally: Tally::default(), output }),
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.concurrency.min(pairs))
            // A session is for one thread; each worker gets its own.
            .map(|_| start.after(&[]).map(|start| scope.spawn(|| pool.work(start))))
            .collect();
        for worker in workers {
            let ended = worker?.join();
            ended.map_err(|_| io::Error::other("a worker has died"))??;
        }
        Ok::<_, MatchError>(())
    })?;
    let report = pool.report.into_inner().unwrap_or_else(PoisonError::into_inner);
    write!(report.output, "{}", report.tally.summary(&report.names, settings.sprt))?;
    report.output.flush()?;
    Ok(report.tally.is_clean())
}

/// Judges by the rules that the engines are told to play by.
fn adopt_rules(settings: &Settings, options: &mut Options) -> Result<(), MatchError> {
    let rules = |list: &[(String, String)]| -> Vec<(String, String)> {
        list.iter().filter(|(name, _)| Options::is_rule(name)).cloned().collect()
    };
    let (first, second) = (rules(&settings.first_options), rules(&settings.second_options));
    if first != second {
        return Err(MatchError::Rules);
    }
    for (name, value) in first {
        options.set(&name, Some(&value))?;
    }
    Ok(())
}

/// What the workers share.
struct Pool<'a> {
    settings: &'a Settings,
    variant: &'static str,
    engines: Both<Launch>,
    openings: Openings,
    pairs: usize,
    /// The pair that is played next; none, if it is beyond the last.
    next: AtomicUsize,
    report: Mutex<Report<'a>>,
}

impl Pool<'_> {
    /// Plays pairs until there are no more. An error ends the match for all.
    fn work(&self, start: Box<dyn Session>) -> Result<(), MatchError> {
        let result = self.play_pairs(&*start);
        if result.is_err() {
            self.end();
        }
        result
    }

    fn play_pairs(&self, start: &dyn Session) -> Result<(), MatchError> {
        let mut players =
            Both { first: self.start(Seat::First)?, second: self.start(Seat::Second)? };
        loop {
            let pair = self.next.fetch_add(1, Relaxed);
            if pair >= self.pairs {
                return Ok(());
            }
            let opening = self.openings.of_pair(pair, start)?;
            let mut half_points = 0;
            for (game, black) in (1..).zip(Seat::BOTH) {
                let (number, opening) = (2 * pair + game, opening.clone());
                let record = play(number, black, opening, start, self.settings, &mut players);
                if let End::Failed { side, failure, .. } = record.end {
                    self.replace(black.playing(side), failure, &mut players)?;
                }
                half_points += record.half_points();
                self.report(|report| report.game(&record))?;
            }
            if self.report(|report| report.pair(half_points))? != Verdict::Open {
                self.end();
            }
        }
    }

    fn start(&self, seat: Seat) -> Result<Player, MatchError> {
        Player::start(self.engines.of(seat), self.variant)
    }

    /// Starts an engine anew that has ended or cannot be relied on any more.
    fn replace(
        &self,
        seat: Seat,
        failure: Failure,
        players: &mut Both<Player>,
    ) -> Result<(), MatchError> {
        if matches!(failure, Failure::Crash | Failure::Stall) {
            players.of_mut(seat).kill();
            *players.of_mut(seat) = self.start(seat)?;
        }
        Ok(())
    }

    /// Lets no other pair begin.
    fn end(&self) {
        self.next.store(self.pairs, Relaxed);
    }

    fn report<T>(&self, tell: impl FnOnce(&mut Report) -> T) -> T {
        tell(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is known of the match, and where it is told.
struct Report<'a> {
    settings: &'a Settings,
    names: Both<String>,
    tally: Tally,
    output: &'a mut (dyn Write + Send),
}

impl Report<'_> {
    fn game(&mut self, record: &Record) -> io::Result<()> {
        self.tally.add(record);
        writeln!(self.output, "{}", finished(record, &self.names))?;
        for seat in Seat::BOTH {
            for bad_line in &record.conduct.of(seat).bad_lines {
                let name = self.names.of(seat);
                writeln!(self.output, "Bad line in game {} by {name}: {bad_line}", record.number)?;
            }
        }
        self.output.flush()
    }

    fn progress(&mut self) -> io::Result<()> {
        write!(self.output, "{}, {}", self.tally.score(&self.names), self.tally.elo())?;
        if let Some(sprt) = self.settings.sprt {
            write!(self.output, ", {}", sprt.describe(&self.tally.pairs))?;
        }
        writeln!(self.output)?;
        self.output.flush()
    }

    /// Counts a pair of games, and says whether the sequential test, if any, is decided.
    fn pair(&mut self, half_points: usize) -> io::Result<Verdict> {
        self.tally.pairs.add(half_points);
        if self.tally.pairs.len().is_multiple_of(PROGRESS) {
            self.progress()?;
        }
        let verdict = self.settings.sprt.map(|sprt| sprt.verdict(&self.tally.pairs));
        Ok(verdict.unwrap_or(Verdict::Open))
    }
}
