//! The engine as a player at the console.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::open::ConsoleSettings;
use crate::arguments::StrengthArguments;
use soucie::engine::event::{Disconnected, Event};
use soucie::engine::uci_score::UciScore;
use soucie::engine::{Engine, EngineError, default_tables};
use soucie::game::RuleSetting;
use soucie::options::{LIMIT_STRENGTH, MOVE_FORMAT, TABLE_PATH, VARIANT};
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
    best_moves: Receiver<Option<ConsoleMove>>,
    /// The time per move when no seed is set.
    movetime: Duration,
    pub(super) seed: Option<u64>,
    /// Set by Ctrl-C at a terminal.
    pub(super) interrupted: Option<Arc<AtomicBool>>,
}

/// The result of a search: the best move, and its score for the side that makes it.
pub(super) struct ConsoleMove {
    pub(super) mv: String,
    pub(super) score: Option<UciScore>,
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
        let mut score = None;
        let mut engine = Engine::new(move |event| match event {
            Event::Info(info) => {
                score = Some(info.score);
                Ok(())
            }
            Event::Best { best, .. } => {
                let found = best.map(|mv| ConsoleMove { mv, score: score.take() });
                sender.send(found).map_err(|_| Disconnected)
            }
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
    pub(super) fn find_move(&mut self) -> Result<ConsoleMove, EngineError> {
        let mut limits = Limits::default();
        match self.seed {
            None => limits.movetime = Some(self.movetime),
            Some(seed) => {
                limits.nodes = Some(SEEDED_NODES);
                // Entries from earlier searches would make the move depend on which earlier moves
                // the engine searched.
                self.engine.clear_table()?;
                self.engine.vary(Some(seed));
            }
        }
        self.engine.search(limits, &[])?;
        loop {
            match self.best_moves.recv_timeout(INTERRUPT_INTERVAL) {
                Ok(found) => return found.ok_or(EngineError::Died),
                Err(RecvTimeoutError::Timeout) if self.is_interrupted() => self.engine.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
            }
        }
    }

    /// Runs a search at full strength.
    pub(super) fn find_best_move(&mut self) -> Result<ConsoleMove, EngineError> {
        let is_limited = self.engine.options().limit_strength;
        self.engine.set_option(LIMIT_STRENGTH, Some("false"))?;
        let found = self.find_move();
        self.engine.set_option(LIMIT_STRENGTH, Some(&is_limited.to_string()))?;
        found
    }

    /// Whether Ctrl-C was pressed since the last line.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.as_ref().is_some_and(|interrupted| interrupted.load(Relaxed))
    }
}
