//! The search: a [`SearchRequest`] goes in, [`SearchEvent`]s come out.
//!
//! It knows no game, only what [`Position`] tells of a position. One worker is one thread; all
//! share the [`TranspositionTable`].
//!
//! What was tried, with figures: `src/search/experiments.md`.

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

/// What to search, and what with.
pub struct SearchRequest<'a, P: Position> {
    /// The position, in which the game is not over.
    pub root: P,
    /// The keys of the positions of the game before it, the first one first.
    pub history: &'a [u64],
    /// The root moves to look at; all of them where there are none.
    pub root_moves: &'a [P::Move],
    /// What the search may use.
    pub limits: &'a Limits,
    /// How it is to err.
    pub eval_noise: EvalNoise,
    /// When it was asked for.
    pub started: Instant,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// How many of the best root moves get a line of their own, at least 1.
    pub multipv: usize,
    /// What was learned before.
    pub table: &'a TranspositionTable,
    /// Who knows some positions for certain.
    pub tablebase: Option<&'a dyn Tablebase<P>>,
    /// What judges positions, made for this game; the game's own evaluation without it.
    pub network: Option<&'a Network>,
    /// How to reach it.
    pub signals: &'a Signals,
}

/// How a search errs on purpose, to play like a weaker player: it misjudges each position a
/// little, always the same one in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalNoise {
    /// How far from the evaluation a judgement may be; 0 for a search that errs in nothing.
    pub amplitude: i32,
    /// Another number makes other errors.
    pub seed: u64,
}

impl EvalNoise {
    /// The error for the position with this key: small ones are more likely than large ones.
    fn of(&self, key: u64) -> i32 {
        if self.amplitude == 0 {
            return 0;
        }
        let bits = mix(key ^ self.seed);
        let (one, other) = ((bits & 0xffff) as i64, (bits >> 16 & 0xffff) as i64);
        ((one - other) * i64::from(self.amplitude) / 0xffff) as i32
    }
}

/// What a search has to say while it runs.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchEvent<M> {
    /// The best line found.
    Line(PvLine<M>),
    /// The move that is looked at, said only in long searches.
    Current {
        /// The depth of the iteration, in plies.
        depth: usize,
        /// The root move.
        mv: M,
        /// Its place in the order of root moves, from 1.
        number: usize,
    },
    /// There is no win of the length that was looked for.
    NoMate {
        /// Whether that is sure. If not, a limit ended the search for it.
        certain: bool,
    },
}

/// The best line at some depth, or the best one that begins with another move.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine<M> {
    /// Its place among the lines of this depth, from 1.
    pub multipv: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The most plies that were looked ahead.
    pub seldepth: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// How the score is to be taken.
    pub bound: Bound,
    /// The positions visited so far.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The positions that the oracle knew.
    pub tb_hits: u64,
    /// How much of the table is in use, in thousandths.
    pub hashfull: u32,
    /// The best moves of both sides, never empty.
    pub pv: Vec<M>,
}

/// A move to play and the reply that is expected to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<M> {
    /// The move.
    pub best: M,
    /// What the opponent will answer, if anything is known.
    pub ponder: Option<M>,
}

/// The stack of a search thread: room for the deepest line of unoptimised code.
const STACK_SIZE: usize = 32 << 20;

impl<P: Position> SearchRequest<'_, P> {
    /// What tells the entries of this search from those of searches in which other positions may
    /// not come once more: a proof that leads through such a position is none. 0 for none.
    ///
    /// Who has announced a win goes on with the proofs of it: they lead nearer to the end with
    /// every move, so through no position that has come on the way.
    fn path_key(&self) -> u64 {
        let spent =
            || mate::exhausted_positions(self).into_iter().fold(0, |salt, key| salt ^ mix(key));
        let announced = self.table.announced_win(game_key(self.history.iter().copied()));
        announced.map_or_else(spent, |win| win.salt)
    }
}

/// A hash of the positions of a game, in their order.
fn game_key(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |way, key| mix(way ^ key))
}

/// Searches until a limit is reached or a signal ends it. At least one line is reported, and
/// the last first one begins with the chosen move. `None` only if there is no legal move.
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

/// Searches with all threads until the clock ends it.
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
            scope.spawn(|| task.table.touch_rest(entries, || halt.is_stopped()));
        }
        let choice = Worker::new(task, entries, clock, &halt, 0, salt).run(report);
        halt.stop();
        choice
    })
}

/// Ends the search where its thread dies, so that nobody waits for it for ever.
struct StopOnPanic<'a>(&'a Signals);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// What the end of the game is worth to `side`, `plies` after the root.
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
