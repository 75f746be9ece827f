//! `soucie match`: plays two engines against each other over the protocol and supervises them.
//!
//! Workers take pairs of games from a shared counter. Each worker runs two engine processes
//! ([`player`], [`pipes`]) and plays the opening of the pair ([`opening`], [`book`]) twice with
//! colours swapped ([`play`]). The results are reported and recorded ([`report`], [`export`]),
//! counted ([`tally`]) and evaluated statistically ([`stats`], [`sprt`]).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod adjudicate;
pub mod appended;
pub mod book;
mod cli_parsers;
pub mod engine_id;
pub mod export;
pub mod game_record;
mod lines;
mod mate_claims;
pub mod opening;
pub mod pipes;
pub mod play;
pub mod player;
pub mod report;
pub mod settings;
pub mod sprt;
pub mod stats;
pub mod tally;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use thiserror::Error;

use super::interrupt;
use super::journal::JournalError;
use super::words::plural;
use crate::engine::session::GameSession;
use crate::engine::{EngineError, open};
use crate::files::paths::Conflict;
use crate::files::regular;
use crate::options::{OptionError, Options};
use adjudicate::Tables;
use engine_id::{EngineId, PerEngine};
use game_record::{Failure, GameRecord};
use opening::Openings;
use play::GameSpec;
use player::EngineSlot;
use report::Report;
use settings::{Launch, Order, Settings};

/// The errors that prevent or abort a match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The command line of an engine cannot be parsed.
    #[error("'{0}' is no command line")]
    Command(String),
    /// An engine cannot be started or configured.
    #[error("engine {name}: {why}")]
    Start {
        /// The name of the engine.
        name: String,
        /// The cause.
        why: String,
    },
    /// An output file is also an input or another output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The openings cannot be read.
    #[error("{path}: {error}")]
    Openings {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A line of the file is not a valid opening.
    #[error("opening in line {number}: {why}")]
    Opening {
        /// The line number, from 1.
        number: usize,
        /// The cause.
        why: String,
    },
    /// No random opening leaves the game undecided, or the file contains no opening.
    #[error("there is no opening to play")]
    NoOpening,
    /// The endgame tables cannot be opened.
    #[error("tables: {0}")]
    Tables(String),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The two engines have different rule options.
    #[error("both engines must be given the same rule options, in the same order")]
    Rules,
    /// A variant or rule does not exist.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The start position cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The worker threads cannot be created.
    #[error("cannot play {at_once} games at a time: {error}")]
    Threads {
        /// The number of concurrent games requested.
        at_once: usize,
        /// The cause.
        error: io::Error,
    },
    /// Output cannot be written.
    #[error("output: {0}")]
    Output(#[from] io::Error),
}

/// The maximum size of an openings file, in bytes.
const MOST_OPENINGS: u64 = 16 << 20;

/// The delay after a crash before the interrupt flag is read. A terminal sends an interrupt to the
/// engines as well, so the interrupt may have caused the crash.
const INTERRUPT_DELAY: Duration = Duration::from_millis(100);

/// Plays a match and returns true if it was completed and neither engine failed in any way.
///
/// The report goes to `output`, or to `errors` if JSON goes to `output`. An interrupt ends the
/// match with the score so far.
pub fn run(
    settings: &Settings,
    output: &mut (dyn Write + Send),
    errors: &mut (dyn Write + Send),
) -> Result<bool, MatchError> {
    settings.check_files()?;
    let mut options = Options::default();
    if let Some(variant) = &settings.variant {
        options.set("UCI_Variant", Some(variant))?;
    }
    adopt_rules(settings, &mut options)?;
    let start = open(&options)?;
    let (openings, which) = choose_openings(settings, &*start)?;
    let folder = settings.tables.as_deref();
    let tables = folder.map(|folder| Tables::open(folder, &options)).transpose()?;
    let engines = settings.engines()?;
    let names =
        PerEngine { first: engines.first.name.clone(), second: engines.second.name.clone() };
    let known = tables.as_ref().map(Tables::describe);
    let description = settings.describe(&engines, options.variant, which, known);
    let mut report = Report::begin(settings, &options, names, &description, output, errors)?;
    let pairs = settings.games / 2;
    remark_on(&openings, pairs, &mut report)?;
    let is_over = report.is_decided();
    let pool = Pool {
        settings,
        variant: options.variant,
        engines,
        openings,
        tables,
        pairs,
        next: AtomicUsize::new(if is_over { pairs } else { 0 }),
        report: Mutex::new(report),
        interrupted: interrupt::flag(),
    };
    pool.play(&*start)?;
    let is_interrupted = pool.is_interrupted();
    let report = pool.report.into_inner().unwrap_or_else(PoisonError::into_inner);
    if is_interrupted && !report.is_over() {
        report.interrupted(&command_line())?;
        return Ok(false);
    }
    Ok(report.end()?)
}

/// The command line of this process, quoted for a shell.
fn command_line() -> String {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into()).collect();
    // Quoting fails only on NUL, which a program argument cannot contain.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// Returns the openings and their description, which is equal for equal openings.
fn choose_openings(
    settings: &Settings,
    start: &dyn GameSession,
) -> Result<(Openings, Value), MatchError> {
    let Settings { seed, plies, order, .. } = *settings;
    let Some(path) = &settings.openings else {
        let which = json!({ "file": null, "plies": plies, "seed": seed });
        return Ok((Openings::random(seed, plies), which));
    };
    let text = regular::read(path, MOST_OPENINGS);
    let text = text.map_err(|error| MatchError::Openings { path: path.clone(), error })?;
    let openings = book::read(&text, start, plies.map(|(_, most)| most as usize))?;
    let seed = (order == Order::Random).then_some(seed);
    let file = format!("{:08x}", crc32fast::hash(&text));
    let which = json!({ "file": file, "plies": plies, "seed": seed });
    Ok((book::ordered(openings, seed), which))
}

/// Warns if there are fewer openings than pairs. Deterministic engines then repeat games.
fn remark_on(openings: &Openings, pairs: usize, report: &mut Report) -> io::Result<()> {
    match openings {
        Openings::Listed(listed) if listed.len() < pairs => {
            let count = plural(listed.len(), "opening", "openings");
            report.remark(&format!("{count} for {pairs} pairs of games: they come again"))
        }
        _ => Ok(()),
    }
}

/// Copies the rule options of the engines to `options`, so that the referee uses the same rules.
fn adopt_rules(settings: &Settings, options: &mut Options) -> Result<(), MatchError> {
    let rules = |id| -> Vec<(String, String)> {
        settings.options(id).filter(|(name, _)| Options::is_rule(name)).cloned().collect()
    };
    let (first, second) = (rules(EngineId::First), rules(EngineId::Second));
    if first != second {
        return Err(MatchError::Rules);
    }
    for (name, value) in first {
        options.set(&name, Some(&value))?;
    }
    Ok(())
}

/// The state shared by the workers.
struct Pool<'a> {
    settings: &'a Settings,
    variant: &'static str,
    engines: PerEngine<Launch>,
    openings: Openings,
    tables: Option<Tables>,
    pairs: usize,
    /// The index of the next pair. No pairs are left if it is not less than `pairs`.
    next: AtomicUsize,
    report: Mutex<Report<'a>>,
    interrupted: Arc<AtomicBool>,
}

impl Pool<'_> {
    /// Plays the match with up to `concurrency` workers.
    fn play(&self, start: &dyn GameSession) -> Result<(), MatchError> {
        let at_once = self.settings.concurrency.min(self.pairs);
        // A session is not shared between threads; each worker gets its own.
        let starts: Vec<_> =
            (0..at_once).map(|_| start.with_moves(&[])).collect::<Result<_, _>>()?;
        // Engines are started only after all worker threads have been created.
        let may_begin = OnceLock::new();
        thread::scope(|scope| {
            let spawn = |start| {
                let work = || if *may_begin.wait() { self.work(start) } else { Ok(()) };
                thread::Builder::new().name("plays".to_string()).spawn_scoped(scope, work)
            };
            let workers: io::Result<Vec<_>> = starts.into_iter().map(spawn).collect();
            may_begin.get_or_init(|| workers.is_ok());
            for worker in workers.map_err(|error| MatchError::Threads { at_once, error })? {
                worker.join().map_err(|_| io::Error::other("a worker has died"))??;
            }
            Ok(())
        })
    }

    /// Plays pairs until none are left. An error ends the match for all workers.
    fn work(&self, start: Box<dyn GameSession>) -> Result<(), MatchError> {
        let result = self.play_pairs(&*start);
        if result.is_err() {
            self.end();
        }
        match result {
            // The interrupt also reached the engine, so the failed start is not an error.
            Err(MatchError::Start { .. }) if self.is_interrupted() => Ok(()),
            result => result,
        }
    }

    fn play_pairs(&self, start: &dyn GameSession) -> Result<(), MatchError> {
        // The engines are started lazily, so that a finished match starts none.
        let mut players = None;
        while let Some(pair) = self.next_pair().filter(|_| !self.is_interrupted()) {
            for (game, black) in (1..).zip(EngineId::BOTH) {
                let number = 2 * pair + game;
                if self.report(|report| report.knows(number)) {
                    continue;
                }
                let players = match &mut players {
                    Some(players) => players,
                    none => none.insert(self.start()?),
                };
                let opening = self.openings.of_pair(pair, start)?;
                let (settings, tables) = (self.settings, self.tables.as_ref());
                let fixture = GameSpec { number, black, opening, start, settings, tables };
                let record = fixture.play(players);
                if self.was_interrupted(&record) {
                    return Ok(());
                }
                self.report(|report| report.game(&record))?;
            }
            if self.report(|report| report.is_decided()) {
                self.end();
            }
        }
        Ok(())
    }

    /// Starts the two engines of a worker.
    fn start(&self) -> Result<PerEngine<EngineSlot<'_>>, MatchError> {
        self.report(|report| report.check_files())?;
        let chair = |id| EngineSlot::new(self.engines.of(id), self.variant, &self.interrupted);
        Ok(PerEngine { first: chair(EngineId::First)?, second: chair(EngineId::Second)? })
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Returns whether an interrupt has invalidated the game.
    fn was_interrupted(&self, record: &GameRecord) -> bool {
        if record.end.failure == Some(Failure::Crash) {
            thread::sleep(INTERRUPT_DELAY);
        }
        self.is_interrupted()
    }

    fn next_pair(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Relaxed)).filter(|&pair| pair < self.pairs)
    }

    /// Prevents further pairs from starting.
    fn end(&self) {
        self.next.store(self.pairs, Relaxed);
    }

    fn report<T>(&self, tell: impl FnOnce(&mut Report) -> T) -> T {
        tell(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
