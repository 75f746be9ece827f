//! The search: [`run`] takes a [`SearchRequest`] and reports [`SearchEvent`]s.
//!
//! It is independent of the game and uses only the [`Position`] trait. Each worker is one thread.
//! All threads share the [`TranspositionTable`].
//!
//! Experiments and their figures: `src/search/experiments.md`.

mod eval;
mod mate;
mod move_picker;
mod params;
pub mod proof;
mod pruning;
mod quiescence;
mod score;
mod searcher;
mod stability;
mod stack;
mod time;
mod tt;
mod worker;

use std::thread;
use std::time::{Duration, Instant};

pub use score::{Bound, MAX_PLY, Score};
pub use time::{Limits, Signals};
pub use tt::{OutOfMemory, TranspositionTable};

use crate::game::{Outcome, Position, Side, Tablebase, mix};
use crate::nnue::Network;
use time::TimeManager;
use tt::TtView;
use worker::Worker;

/// A position to search, with limits and resources.
pub struct SearchRequest<'a, P: Position> {
    /// The root position, in which the game is not over.
    pub root: P,
    /// The keys of the earlier positions of the game, the first one first.
    pub history: &'a [u64],
    /// The root moves to search; empty for all legal moves.
    pub root_moves: &'a [P::Move],
    /// The limits of the search.
    pub limits: &'a Limits,
    /// The noise added to the evaluation.
    pub eval_noise: EvalNoise,
    /// The time of the request, from which the time limits count.
    pub started: Instant,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The number of principal variations to report (MultiPV), at least 1.
    pub multipv: usize,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The tablebase, if there is one.
    pub tablebase: Option<&'a dyn Tablebase<P>>,
    /// A network for this game; `None` for the handcrafted evaluation.
    pub network: Option<&'a Network>,
    /// The signals to stop the search and to read its counters.
    pub signals: &'a Signals,
}

/// Deliberate evaluation errors that weaken the play. The error of a position is always the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalNoise {
    /// The largest error, in units of the evaluation; 0 for none.
    pub amplitude: i32,
    /// The seed of the errors.
    pub seed: u64,
}

impl EvalNoise {
    /// Returns the error for the position with this key. Small errors are more likely than large
    /// ones.
    fn of(&self, key: u64) -> i32 {
        if self.amplitude == 0 {
            return 0;
        }
        let bits = mix(key ^ self.seed);
        let (one, other) = ((bits & 0xffff) as i64, (bits >> 16 & 0xffff) as i64);
        ((one - other) * i64::from(self.amplitude) / 0xffff) as i32
    }
}

/// An event of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchEvent<M> {
    /// A principal variation.
    Line(PvLine<M>),
    /// The root move being searched; reported only in long searches.
    Current {
        /// The depth of the iteration, in plies.
        depth: usize,
        /// The root move.
        mv: M,
        /// The place of the move in the order of root moves, from 1.
        number: usize,
    },
    /// A mate search found no win within its number of moves.
    NoMate {
        /// Whether this is proved. If not, a limit ended the search.
        certain: bool,
    },
}

/// A principal variation with its score and search statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine<M> {
    /// The rank of the line at this depth, from 1.
    pub multipv: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The maximum ply reached (selective depth).
    pub seldepth: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The nodes visited so far, by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The tablebase hits so far.
    pub tb_hits: u64,
    /// The part of the transposition table filled by this search, in permille.
    pub hashfull: u32,
    /// The moves of the line, never empty.
    pub pv: Vec<M>,
}

/// The move to play and the expected reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<M> {
    /// The best move.
    pub best: M,
    /// The expected reply, to ponder on; `None` if unknown.
    pub ponder: Option<M>,
}

/// The stack size of a search thread, in bytes: enough for the deepest line of unoptimised code.
const STACK_SIZE: usize = 32 << 20;

impl<P: Position> SearchRequest<'_, P> {
    /// Returns the value mixed into the keys of transposition table entries, which separates
    /// searches by their exhausted positions. An exhausted position draws the game if it occurs
    /// again, so a proof that leads through it is invalid. 0 if there is none.
    ///
    /// After an announced win the key stays that of the announcing search, so that its proofs are
    /// found. Its proofs get nearer to the end with every move. They therefore lead through no
    /// position that has occurred since.
    fn path_key(&self) -> u64 {
        let spent =
            || mate::exhausted_positions(self).into_iter().fold(0, |salt, key| salt ^ mix(key));
        let announced = self.table.announced_win(game_key(self.history.iter().copied()));
        announced.map_or_else(spent, |win| win.salt)
    }
}

/// Returns a hash of the positions of a game, in their order.
fn game_key(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |way, key| mix(way ^ key))
}

/// Searches until a limit is reached or a signal stops the search, and returns the best move.
///
/// At least one line is reported. The last report of the first line begins with the returned move.
/// Returns `None` only if there is no legal move.
pub fn run<P: Position>(
    task: &SearchRequest<P>,
    report: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let mut table = task.table.new_search();
    let entries = table.view();
    let clock = TimeManager::new(task.limits, task.root.side(), task.started, task.signals);
    let choice = match task.limits.mate {
        Some(moves) => mate::run(task, moves, entries, &clock, report),
        None => search(task, entries, &clock, report),
    };
    drop(table);
    clock.wait_for_leave();
    choice
}

/// Searches with all threads until a limit ends the search.
fn search<P: Position>(
    task: &SearchRequest<P>,
    entries: TtView,
    clock: &TimeManager,
    report: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let halt = Signals::new(false);
    let salt = task.path_key();
    thread::scope(|scope| {
        for id in 1..task.threads {
            let halt = &halt;
            let helper = thread::Builder::new().stack_size(STACK_SIZE);
            let work = move || {
                let _alarm = StopOnPanic(task.signals);
                Worker::new(task, entries, clock, halt, id, salt).run(&mut |_| {});
            };
            if let Err(error) = helper.spawn_scoped(scope, work) {
                log::warn!("searching with {id} threads, no more can be had: {error}");
                break;
            }
        }
        if !task.table.is_touched() {
            let touch = || task.table.touch_rest(entries, || halt.is_stopped());
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, touch) {
                log::debug!("the pages of the table are touched by the search alone: {error}");
            }
        }
        let choice = Worker::new(task, entries, clock, &halt, 0, salt).run(report);
        halt.stop();
        choice
    })
}

/// Stops the search if its thread panics, so that no thread waits for it for ever.
struct StopOnPanic<'a>(&'a Signals);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Returns the score of an outcome for `side`, `plies` after the root.
fn outcome_score(ending: Outcome, side: Side, plies: usize) -> Score {
    match ending.winner {
        None => Score::DRAW,
        Some(winner) if winner == side => Score::win_in(plies),
        Some(_) => Score::loss_in(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_dies_ends_the_search() {
        let signals = Signals::new(false);
        thread::scope(|scope| {
            drop(StopOnPanic(&signals));
            assert!(!signals.is_stopped());
            let dies = || {
                let _alarm = StopOnPanic(&signals);
                std::panic::resume_unwind(Box::new("a fault"));
            };
            assert!(scope.spawn(dies).join().is_err());
        });
        assert!(signals.is_stopped());
    }
}
