//! `soucie-lab match`: plays two engines against each other over the protocol and supervises them.
//!
//! Workers take pairs of games from a shared counter. Each worker runs two engine processes
//! (`engine_process`, `pipes`) and plays the opening of the pair twice with colours
//! swapped (`play`). The results are reported and recorded (`report`), counted (`totals`) and
//! evaluated (`statistics`). The journals of the parts of a match are added up (`merge`).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod adjudicate;
mod engine_output;
mod engine_process;
pub mod game_record;
mod merge;
mod pipes;
mod play;
mod report;
pub mod settings;
mod statistics;
mod totals;

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{env, thread};

use serde_json::{Value, json};

use super::openings::{self, OpeningSet, OpeningSource};
use engine_process::{EngineProcess, EngineSlot};
use game_record::{EngineFailure, EngineId, GameRecord, PerEngine};
use pipes::EngineCommand;
use report::MatchReport;
use settings::{MatchCommand, MatchSettings, OpeningOrder};
use soucie::engine::open;
use soucie::engine::session::GameSession;
use soucie::files::printable::plural;
use soucie::options::{Options, Scope, scope};
use soucie_program::error::CommandError;
use soucie_program::{arguments, interrupt, journal};

/// The delay after a crash before the interrupt flag is read. A terminal sends an interrupt to the
/// engines as well, so the interrupt may have caused the crash.
const INTERRUPT_DELAY: Duration = Duration::from_millis(100);

/// Plays a match and returns true if it was completed and neither engine failed in any way.
///
/// The report goes to `output`, or to `errors` if JSON goes to `output`. An interrupt ends the
/// match with the score so far.
pub fn run(
    settings: &MatchSettings,
    output: &mut (dyn Write + Send),
    errors: &mut (dyn Write + Send),
) -> Result<bool, CommandError> {
    if let Some(MatchCommand::Merge(settings)) = &settings.command {
        return merge::run(settings, output);
    }
    let interrupted = interrupt::flag();
    settings.check_files()?;
    let part = settings.part()?;
    let mut options = Options::of_variant(settings.variant.as_deref())?;
    adopt_rules(settings, &mut options)?;
    let mut start = open(&options)?;
    let (openings, which) = choose_openings(settings, &*start)?;
    let (max_plies, plies) = (settings.max_plies, openings.most_plies());
    if max_plies <= plies {
        return Err(CommandError::Other(format!(
            "--max-plies {max_plies}: expected more than the {plies} plies of an opening"
        )));
    }
    let all_tables = |folder| arguments::all_tables(folder, options.variant);
    let tables = settings.tables.as_deref().map(all_tables).transpose()?;
    let engines = settings.engines()?;
    let names = PerEngine::each(|id| engines.get(id).name.clone());
    if let Some(tables) = &tables {
        start.set_tablebases(tables);
    }
    let journal = match &settings.journal.resume {
        None => None,
        Some(path) => {
            let engines = identify(&engines, &interrupted)?;
            let known = tables.as_ref().map(arguments::describe_tables);
            let description = settings.describe(engines, options.variant, which, known);
            Some(journal::open(path, "match", &description)?)
        }
    };
    let mut report = MatchReport::begin(settings, &options, names, journal, output, errors)?;
    remark_on(&openings, settings.games / 2, &mut report)?;
    let pairs = part.start / 2..part.end / 2;
    let is_over = report.is_decided();
    let pool = Pool {
        settings,
        variant: options.variant,
        engines,
        openings,
        next: AtomicUsize::new(if is_over { pairs.end } else { pairs.start }),
        pairs,
        report: Mutex::new(report),
        interrupted,
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

/// Starts each engine and returns what identifies it.
fn identify(
    engines: &PerEngine<EngineCommand>,
    interrupted: &Arc<AtomicBool>,
) -> Result<PerEngine<Value>, CommandError> {
    let identify = |engine: &EngineCommand| {
        EngineProcess::identify(engine, interrupted).map_err(|why| failed(engine, why))
    };
    Ok(PerEngine { first: identify(&engines.first)?, second: identify(&engines.second)? })
}

/// The error that an engine cannot be started.
fn failed(engine: &EngineCommand, why: String) -> CommandError {
    CommandError::Other(format!("engine {}: {why}", engine.name))
}

/// The command line of this process, quoted for a shell.
fn command_line() -> String {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into()).collect();
    // Quoting fails only on NUL, which a program argument cannot contain.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// Returns the openings, and their description, which is equal for equal openings.
fn choose_openings(
    settings: &MatchSettings,
    start: &dyn GameSession,
) -> Result<(OpeningSource, Value), CommandError> {
    let MatchSettings { seed, plies, order, .. } = *settings;
    let Some(path) = &settings.openings else {
        let which = json!({ "file": null, "plies": plies, "seed": seed });
        return Ok((OpeningSource::random(seed, plies), which));
    };
    let most = plies.map(|(_, most)| most as usize);
    let (openings, text) = openings::read_file(path, start, most)?;
    let seed = (order == OpeningOrder::Random).then_some(seed);
    let name = OpeningSet::find(path).map_or(String::new(), |set| format!("{} ", set.name));
    let file = format!("{name}{:08x}", crc32fast::hash(&text));
    let which = json!({ "file": file, "plies": plies, "seed": seed });
    Ok((OpeningSource::listed(openings, seed), which))
}

/// Warns if there are fewer openings than pairs. Deterministic engines then repeat games.
fn remark_on(openings: &OpeningSource, pairs: usize, report: &mut MatchReport) -> io::Result<()> {
    match openings {
        OpeningSource::Listed(listed) if listed.len() < pairs => {
            let count = plural(listed.len(), "opening", "openings");
            report.remark(&format!("{count} for {pairs} pairs of games: openings are repeated"))
        }
        _ => Ok(()),
    }
}

/// Copies the rule options of the engines to `options`, so that the referee uses the same rules.
fn adopt_rules(settings: &MatchSettings, options: &mut Options) -> Result<(), CommandError> {
    let rules = |id| -> Vec<(String, String)> {
        settings.options(id).filter(|(name, _)| scope(name) == Some(Scope::Rule)).cloned().collect()
    };
    let (first, second) = (rules(EngineId::First), rules(EngineId::Second));
    if first != second {
        let error = "both engines must be given the same rule options, in the same order";
        return Err(CommandError::Other(error.to_string()));
    }
    for (name, value) in first {
        options.set(&name, Some(&value))?;
    }
    Ok(())
}

struct Pool<'a> {
    settings: &'a MatchSettings,
    variant: &'static str,
    engines: PerEngine<EngineCommand>,
    openings: OpeningSource,
    pairs: Range<usize>,
    /// The index of the next pair. No pairs are left from the end of `pairs` on.
    next: AtomicUsize,
    report: Mutex<MatchReport<'a>>,
    interrupted: Arc<AtomicBool>,
}

impl Pool<'_> {
    /// Plays the match with up to `concurrency` workers.
    fn play(&self, start: &dyn GameSession) -> Result<(), CommandError> {
        let at_once = self.settings.concurrency.min(self.pairs.len());
        // A session is not shared between threads; each worker gets its own.
        let starts: Vec<_> = (0..at_once).map(|_| start.copy()).collect();
        // Engines are started only after all worker threads have been created.
        let may_begin = OnceLock::new();
        thread::scope(|scope| {
            let spawn = |start| {
                let work = || if *may_begin.wait() { self.work(start) } else { Ok(()) };
                thread::Builder::new().name("plays".to_string()).spawn_scoped(scope, work)
            };
            let workers: io::Result<Vec<_>> = starts.into_iter().map(spawn).collect();
            may_begin.get_or_init(|| workers.is_ok());
            let refused = |error| format!("cannot play {at_once} games at a time: {error}");
            for worker in workers.map_err(|error| CommandError::Other(refused(error)))? {
                worker.join().map_err(|_| io::Error::other("a worker thread panicked"))??;
            }
            Ok(())
        })
    }

    /// Plays pairs until none are left. An error ends the match for all workers.
    fn work(&self, start: Box<dyn GameSession>) -> Result<(), CommandError> {
        let result = self.play_pairs(&*start);
        if result.is_err() {
            self.end();
        }
        match result {
            // The interrupt also reached the engine, so the failed start is not an error.
            Err(CommandError::Other(_)) if self.is_interrupted() => Ok(()),
            result => result,
        }
    }

    fn play_pairs(&self, start: &dyn GameSession) -> Result<(), CommandError> {
        // The engines are started lazily, so that a finished match starts none.
        let mut engines = None;
        while let Some(pair) = self.next_pair().filter(|_| !self.is_interrupted()) {
            for (game, black) in (1..).zip(EngineId::BOTH) {
                let number = 2 * pair + game;
                if self.report(|report| report.is_finished(number)) {
                    continue;
                }
                let engines = match &mut engines {
                    Some(engines) => engines,
                    none => none.insert(self.start()?),
                };
                let opening = self.openings.for_pair(pair, start);
                let opening = opening.ok_or(CommandError::Other("no opening to play".into()))?;
                let record = play::play(self.settings, number, black, opening, start, engines);
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
    fn start(&self) -> Result<PerEngine<EngineSlot<'_>>, CommandError> {
        let slot = |id| EngineSlot::new(self.engines.get(id), self.variant, &self.interrupted);
        let mut slots = PerEngine::each(slot);
        for id in EngineId::BOTH {
            slots.get_mut(id).fill().map_err(|why| failed(self.engines.get(id), why))?;
        }
        Ok(slots)
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    fn was_interrupted(&self, record: &GameRecord) -> bool {
        if record.end.failure == Some(EngineFailure::Crash) {
            thread::sleep(INTERRUPT_DELAY);
        }
        self.is_interrupted()
    }

    fn next_pair(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Relaxed)).filter(|&pair| pair < self.pairs.end)
    }

    /// Prevents further pairs from starting.
    fn end(&self) {
        self.next.store(self.pairs.end, Relaxed);
    }

    fn report<T>(&self, use_report: impl FnOnce(&mut MatchReport) -> T) -> T {
        use_report(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
