//! The search: a [`Task`] goes in, [`Report`]s come out.
//!
//! It knows no game, only what [`Game`] tells of a position. One worker is one thread; all
//! share the [`TranspositionTable`].
//!
//! What was tried, in self-play of the connection game at 3,000 nodes a move, 600 games each,
//! random openings with colours swapped; Elo of the engine with the change, 95 % interval:
//!
//! | change | Elo | kept |
//! |---|---|---|
//! | quiescence over captures left out | -31 ± 27 | no |
//! | quiescence of 3 plies instead of 8 | -1 ± 25 | no |
//! | mobility left out of the evaluation | -65 ± 27 | no |
//! | mobility worth twice as much | +13 ± 25 | yes |
//! | concentration worth half | -84 ± 27 | no |
//! | concentration worth nearly twice | +35 ± 26 | yes, and a little more |
//! | quads left out, quads worth twice | -35 ± 25, -22 ± 24 | no |
//! | centralisation left out, worth twice | -16 ± 27, -28 ± 25 | no |
//! | wider margins of futility (100 instead of 70) | -9 ± 24 | no |
//! | stronger late move reductions (0.8 instead of 0.4) | +2 ± 25 | no |
//! | late move pruning after half as many moves | +8 ± 24 | no |
//!
//! The same in the game of compulsory captures, 312 games from the 156 three-move openings that
//! are played:
//!
//! | change | Elo | kept |
//! |---|---|---|
//! | late move pruning left out | -39 ± 28 | no |
//! | futility pruning left out | -8 ± 27 | no |
//! | margin of reverse futility 120, 40 instead of 70 | -15 ± 25, -12 ± 28 | no |
//! | reverse futility to depth 3 instead of 6 | +5 ± 19 | no |
//! | late move reductions weaker (-0.4), stronger (1.0 instead of 0.4) | +11 ± 29, +3 ± 30 | no |
//! | no extension for forced replies | +6 ± 26 | no |
//! | one ply more where the opponent threatens to capture | +20 ± 27, at 6,000 nodes -10 ± 26 | no |
//! | the same, and no pruning there | -12 ± 28, at 6,000 nodes +15 ± 26 | no |
//!
//! With a network that judges positions, the connection game, 10,000 nodes a move where nothing
//! else is said; a question was given up once it was clear (a sequential test of 0 against 20 or
//! 25 Elo), which flatters what was accepted. All but the first three lines were measured with the
//! look at the horizon in place:
//!
//! | change | Elo | games | kept |
//! |---|---|---|---|
//! | no pruning under the threat to win at once | +44 ± 29 | 376 | yes |
//! | the same, and the reply to it one ply deeper | +47 ± 31, at 10 ms a move +37 ± 24 | 332, 500 | yes |
//! | also at the horizon, before quiescence | +17 ± 16 on top, at 10 ms a move +8 ± 26 | 1000, 500 | no: 39 % more nodes at depth 14 |
//! | history kept for the next search, three fifths of it | +54 ± 33, at 40,000 nodes +44 ± 32 | 326, 324 | yes |
//! | both that were kept, as they are now | +86 ± 25 | 500 | yes |
//! | margin of reverse futility 50 instead of 70 | +57 ± 37, with other openings +2 ± 23 | 204, 600 | no, not confirmed |
//! | stronger late move reductions (0.8 instead of 0.4) | -35 ± 34 | 276 | no |
//! | weaker late move reductions (0.1) | -6 ± 20 | 890 | no |
//! | late move reductions by product over 1.6 instead of 2.0 | -16 ± 26 | 546 | no |
//! | the same over 2.5 | +13 ± 18 | 1000 | no: 53 % more nodes at depth 14 |
//! | a ply more where a cut is expected | -7 ± 20 | 664 | no |
//! | captures reduced and pruned like other moves | -54 ± 40 | 176 | no |
//! | captures reduced by two plies less instead of one | -11 ± 23 | 584 | no |
//! | captures earlier in the order, by 3,000 of merit | +14 ± 15 in two runs | 1400 | no, not sure |
//! | no quiescence | +5 ± 18 | 1000 | no |
//! | singular extension and multi-cut from depth 5 | -32 ± 33 | 330 | no |
//! | the score of the table in place of the evaluation | -4 ± 23 | 496 | no |
//! | no null move | -31 ± 37 | 244 | no |
//! | evaluations corrected by what searches found with the same pieces of a side, 6,000 and 8,000 nodes | +24 ± 27, with other openings +3 ± 15 | 400, 1200 | no, not confirmed |
//! | fourteen numbers moved together, up what 18,000 games at 6,000 nodes showed (SPSA) | at 20,000 nodes +5 ± 24 | 500 | no |
//! | units of the network a third larger | +5 ± 19 | 800 | no |
//!
//! The same in the game of compulsory captures, 8,000 nodes a move, 312 games from the 156 openings:
//!
//! | change | Elo | kept |
//! |---|---|---|
//! | history kept for the next search, three fifths of it | -2 ± 23 | yes, for the other game |
//! | the same as it is now, five eighths | +9 ± 26 | yes |
//! | singular extension and multi-cut from depth 5 | -11 ± 24 | no |
//! | evaluations corrected by what searches found with the same pieces of a side | -5 ± 23 | no |
//!
//! And both games with later networks, 600 games of the connection game at 10,000 nodes a move and
//! 312 of the other at 8,000, each from its openings. Nothing of it was kept:
//!
//! | change | connection | compulsory captures |
//! |---|---|---|
//! | captures first tried four plies less deeply against a bound higher by 100 (ProbCut) | +12 ± 21 | -27 ± 24 |
//! | the same against one higher by 60 | -16 ± 24 | |
//! | the same by 100, with the first six moves of any kind | -2 ± 23 | -55 ± 24 |
//! | quiet moves of little merit left out near the horizon | 0 ± 4 | -7 ± 18 |
//! | two plies before the horizon, quiescence alone where little can be hoped for (razoring) | -1 ± 20 | -10 ± 22 |
//! | late moves a ply less deep where a side is no better off than a move ago | +10 ± 22 | -5 ± 23 |
//! | the same where the evaluation lies 300 below what is asked | -14 ± 19 | 0 ± 18 |
//! | late moves that join groups a ply deeper | +8 ± 23 | |
//! | the same, and those that divide groups a ply less deep | -6 ± 21 | |
//! | reductions added up in fractions of a ply | +8 ± 21 | -10 ± 20 |
//! | a ply more after a reduced search that surprises by 60 | -11 ± 22 | +8 ± 15 |
//! | moves that were tried in vain blamed half as much | +8 ± 22 | -20 ± 23 |
//! | aspiration windows of 15 instead of 30 | -6 ± 23 | -1 ± 24 |
//! | aspiration windows of 60 | -5 ± 23 | -20 ± 22 |
//! | wins looked for by proof search, 600 positions before each 30,000 | 0 ± 4 | |
//!
//! Two threads against one, the connection game, 50 ms a move: +30 ± 25 (186 games). They reached
//! depth 18 in 72 % of the time (six positions of the opening, each searched twice).
//!
//! More time for moves that are in doubt and less for clear ones, against the same for each, the
//! connection game, 1 s and 20 ms more with each move: -8 ± 25 (260 games). It was kept for what
//! players expect: an obvious reply comes quickly.

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
