//! The engine as a player at the console.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::open::ConsoleSettings;
use crate::arguments::StrengthArguments;
use soucie::analysis::analyser::Analyser;
use soucie::analysis::hint::Hint;
use soucie::engine::event::{Disconnected, Event};
use soucie::engine::{Engine, EngineError, default_tables};
use soucie::game::RuleSetting;
use soucie::options::{MOVE_FORMAT, TABLE_PATH, VARIANT};
use soucie::search::Limits;

/// The default maximum number of moves of each side.
pub(super) const MOVE_LIMIT: u16 = 60;

/// The node limit of the engine's moves when a seed is set. A time limit would make the moves
/// depend on the machine and its load.
const SEEDED_NODES: u64 = 100_000;

/// How often a search looks for Ctrl-C.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);

/// The engine of a game, and the moves that it chooses.
pub struct ConsoleEngine {
    pub(super) engine: Engine,
    best_moves: Receiver<Option<String>>,
    /// The time per move when no seed is set.
    movetime: Duration,
    pub(super) seed: Option<u64>,
    /// Set by Ctrl-C at a terminal.
    pub(super) interrupted: Option<Arc<AtomicBool>>,
}

/// The name of the rule that ends a game after a number of moves, where it has such a rule.
pub(super) const LIMIT_RULE: &str = "Move Limit";

/// The rules of the console, or in their place those that a record names.
pub(super) fn rules(limit: u16, named: &[RuleSetting]) -> Vec<RuleSetting> {
    // The move limit ends every game; the console has no draw by repetition.
    let own = [RuleSetting::number("Repetition Draw", 0), RuleSetting::number(LIMIT_RULE, limit)];
    own.into_iter().chain(named.iter().cloned()).collect()
}

impl ConsoleEngine {
    pub fn start(settings: &ConsoleSettings) -> Result<Self, EngineError> {
        let (sender, best_moves) = channel();
        let mut engine = Engine::new(move |event| match event {
            Event::Best { best, .. } => sender.send(best).map_err(|_| Disconnected),
            _ => Ok(()),
        })?;
        engine.set_option(VARIANT, Some(&settings.game.variant))?;
        engine.set_option(MOVE_FORMAT, Some("standard"))?;
        engine.set_rules(&rules(MOVE_LIMIT, &[]))?;
        match &settings.tables.tables {
            Some(folder) => {
                engine.set_option(TABLE_PATH, Some(&folder.to_string_lossy()))?;
                if let Some(unusable) = engine.take_warnings().into_iter().next() {
                    return Err(unusable);
                }
            }
            None => engine.set_default_tables(default_tables(settings.tables.default.clone())),
        }
        let StrengthArguments { level, elo } = settings.strength;
        engine.set_level(level.unwrap_or_default(), elo)?;
        engine.vary(None);
        engine.prepare_table(usize::MAX, &mut || false);
        Ok(Self { engine, best_moves, movetime: settings.time, seed: None, interrupted: None })
    }

    /// Runs a search and waits for its best move.
    pub(super) fn find_move(&mut self) -> Result<String, EngineError> {
        if let Some(seed) = self.seed {
            // Entries from earlier searches would make the move depend on which earlier moves the
            // engine searched.
            self.engine.clear_table()?;
            self.engine.vary(Some(seed));
        }
        self.engine.search(self.limits(), &[])?;
        wait(&mut self.engine, &self.best_moves, self.interrupted.as_ref())?
            .ok_or(EngineError::Died)
    }

    /// Searches at full strength for the best move and the reasons for it.
    pub(super) fn find_hint(&mut self) -> Result<Hint, EngineError> {
        let options = self.engine.options();
        let (players, hash) = (options.players(), options.hash);
        let analyser = Analyser { limits: self.limits(), options: options.search, players, hash };
        let session = self.engine.session().copy();
        let (sender, hints) = channel();
        self.engine.run_job(move |signals, _| {
            // The receiver waits.
            let _ = sender.send(Hint::find(&*session, &analyser, signals));
        })?;
        wait(&mut self.engine, &hints, self.interrupted.as_ref())??.ok_or(EngineError::Died)
    }

    fn limits(&self) -> Limits {
        match self.seed {
            None => Limits { movetime: Some(self.movetime), ..Limits::default() },
            Some(_) => Limits { nodes: Some(SEEDED_NODES), ..Limits::default() },
        }
    }

    /// Whether Ctrl-C was pressed since the last line.
    pub(super) fn is_interrupted(&self) -> bool {
        is_set(self.interrupted.as_ref())
    }
}

/// Waits for the result of a search, which Ctrl-C stops.
fn wait<T>(
    engine: &mut Engine,
    results: &Receiver<T>,
    interrupted: Option<&Arc<AtomicBool>>,
) -> Result<T, EngineError> {
    loop {
        match results.recv_timeout(INTERRUPT_INTERVAL) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) if is_set(interrupted) => engine.stop(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
        }
    }
}

fn is_set(interrupted: Option<&Arc<AtomicBool>>) -> bool {
    interrupted.is_some_and(|interrupted| interrupted.load(Relaxed))
}
