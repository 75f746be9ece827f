//! Time management: limits, and the time manager.

use std::time::Duration;

use super::score::MAX_PLY;
use super::signals::Signals;
use crate::game::Side;
use crate::platform::Instant;

/// The limits of a search. All limits that are set apply. Without any, the search runs until it is
/// stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The depth to search, in plies.
    pub depth: Option<usize>,
    /// The number of nodes to visit.
    pub nodes: Option<u64>,
    /// Mate search: look only for a win in this many moves. The search ends when it has found one
    /// or proved that there is none.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The remaining time of each side.
    pub time: [Option<Duration>; 2],
    /// The increment per move of each side.
    pub increment: [Duration; 2],
    /// The number of moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Return only when stopped. Time limits do not apply; a limit of depth or nodes ends the
    /// work, not the wait.
    pub infinite: bool,
    /// Use the whole soft limit even with a single legal move.
    pub uses_all_time: bool,
    /// Ponder: search on the opponent's time. Time limits start when the opponent has moved.
    pub ponder: bool,
    /// The time lost between the engine and the clock for each move (move overhead).
    pub overhead: Duration,
}

impl Limits {
    /// Whether only a stop signal ends a search under these limits.
    pub fn is_endless(&self) -> bool {
        let timed = self.movetime.is_some() || self.time.iter().any(Option::is_some);
        let counted = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        self.infinite || !timed && !counted
    }

    /// Whether a node limit, a time limit or a stop command is to end the search by `side`.
    pub(super) fn ends_by_effort(&self, side: Side) -> bool {
        let timed = self.movetime.is_some() || self.clock(side).is_some();
        self.nodes.is_some() || timed || self.infinite
    }

    /// The remaining time of `side`. The opponent's is the best estimate of a missing one, where no
    /// other limit ends the search.
    fn clock(&self, side: Side) -> Option<Duration> {
        let is_limited = self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        self.time[side].or(self.time[!side].filter(|_| !is_limited))
    }

    /// The maximum depth, in plies.
    fn last_depth(&self) -> usize {
        self.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1)
    }
}

/// How the remaining time is divided among moves.
mod share {
    /// The number of moves that a game is expected to last from any point on.
    pub const MOVES_LEFT: f64 = 22.0;
    /// The largest part of the remaining time for one move.
    pub const MAX: f64 = 0.35;
    /// The hard limit as a multiple of the soft limit, where the remaining time allows it.
    pub const HARD: f64 = 4.0;
    /// The part of the increment for the move after it.
    pub const INCREMENT: f64 = 0.8;
    /// An iteration takes longer than the last one. It begins only before this part of the soft
    /// limit, as it would not finish otherwise.
    pub const NEW_ITERATION: f64 = 0.6;
}

/// The time manager: decides whether to begin an iteration, and when the search must stop.
pub struct TimeManager<'a> {
    started: Instant,
    signals: &'a Signals,
    depth: usize,
    nodes: u64,
    endless: bool,
    uses_all_time: bool,
    /// The time for a usual move: an iteration begins only before [`share::NEW_ITERATION`] of it.
    soft: Option<Duration>,
    /// The time after which the search must stop.
    hard: Option<Duration>,
}

impl<'a> TimeManager<'a> {
    /// Creates the time manager for a search by `side` that began at `started`.
    pub fn new(limits: &Limits, side: Side, started: Instant, signals: &'a Signals) -> Self {
        let time = limits.clock(side);
        let (soft, hard) = match limits.movetime {
            // A move time is not divided further. Only the remaining time can shorten it.
            Some(movetime) => {
                let left = time.map(|time| time.saturating_sub(limits.overhead));
                (None, Some(left.map_or(movetime, |left| left.min(movetime))))
            }
            None => time.map(|time| allocate(time, limits, side)).unzip(),
        };
        Self {
            started,
            signals,
            depth: limits.last_depth(),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            endless: limits.is_endless(),
            uses_all_time: limits.uses_all_time,
            soft,
            hard: hard.filter(|_| !limits.infinite),
        }
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time used: since the search began or, after pondering, since the opponent moved.
    fn used(&self) -> Duration {
        self.started.max(self.signals.ponder_hit_at()).elapsed()
    }

    /// The time after which the search must stop; `None` without a limit of time.
    pub fn hard_limit(&self) -> Option<Duration> {
        self.hard
    }

    pub fn node_limit(&self) -> u64 {
        self.nodes
    }

    /// Whether to begin the iteration of `depth` plies. `factor` scales the soft limit, 1 for a
    /// usual move.
    pub fn may_deepen(&self, depth: usize, factor: f64) -> bool {
        depth <= self.depth
            && !self.signals.is_stopped()
            && (self.signals.is_pondering()
                || self.endless
                || self
                    .soft
                    .is_none_or(|soft| self.used() < soft.mul_f64(factor * share::NEW_ITERATION)))
    }

    /// Whether the search must stop now, after `nodes` nodes.
    pub fn is_over(&self, nodes: u64) -> bool {
        self.signals.is_stopped()
            || nodes >= self.nodes
            || (!self.signals.is_pondering() && self.hard.is_some_and(|hard| self.used() >= hard))
    }

    /// Whether a single legal move may be played at once, because the search divides its time itself.
    pub fn may_end_early(&self) -> bool {
        self.soft.is_some() && !self.endless && !self.uses_all_time
    }

    /// Blocks while the search must not end by itself: see [`Signals::wait_until_end_allowed`].
    pub fn wait_until_end_allowed(&self) {
        self.signals.wait_until_end_allowed(self.endless);
    }
}

/// Returns the soft and the hard limit of the next move.
fn allocate(time: Duration, limits: &Limits, side: Side) -> (Duration, Duration) {
    let left = time.saturating_sub(limits.overhead).as_secs_f64();
    let increment = limits.increment[side].as_secs_f64();
    let moves = limits
        .moves_to_go
        .map_or(share::MOVES_LEFT, |n| f64::from(n.max(1)).min(share::MOVES_LEFT));
    let soft = left / moves + share::INCREMENT * increment;
    // The last move before a time control may use all of the time.
    let part = if limits.moves_to_go == Some(1) { 1.0 } else { share::MAX };
    let hard = (left * part).max(increment.min(left) * share::INCREMENT).min(soft * share::HARD);
    (Duration::from_secs_f64(soft.min(hard)), Duration::from_secs_f64(hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits_of(time: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> (u64, u64) {
        let limits = Limits {
            time: [Some(Duration::from_millis(time)); 2],
            increment: [Duration::from_millis(increment); 2],
            moves_to_go,
            overhead: Duration::from_millis(overhead),
            ..Limits::default()
        };
        let (soft, hard) = allocate(Duration::from_millis(time), &limits, Side::Black);
        (soft.as_millis() as u64, hard.as_millis() as u64)
    }

    #[test]
    fn both_limits_are_below_the_remaining_time() {
        for time in [0, 1, 5, 10, 21, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for overhead in [0, 20, 5_000] {
                        let (soft, hard) = limits_of(time, increment, moves_to_go, overhead);
                        assert!(soft <= hard, "{time} {increment} {moves_to_go:?} {overhead}");
                        assert!(hard <= time.saturating_sub(overhead));
                    }
                }
            }
        }
    }

    #[test]
    fn the_opponents_clock_limits_a_search_without_another_limit() {
        const OWN: Duration = Duration::from_millis(40);
        const OTHER: Duration = Duration::from_millis(30);
        let none = Limits::default();
        let rows = [
            (none.clone(), true),
            (Limits { mate: Some(3), ..none.clone() }, true),
            (Limits { moves_to_go: Some(2), ..none.clone() }, true),
            (Limits { ponder: true, ..none.clone() }, true),
            (Limits { movetime: Some(Duration::from_millis(200)), ..none.clone() }, false),
            (Limits { depth: Some(9), ..none.clone() }, false),
            (Limits { nodes: Some(9), ..none.clone() }, false),
            (Limits { mate: Some(3), depth: Some(9), ..none }, false),
        ];
        for (limits, stands_in) in rows {
            for side in Side::BOTH {
                let with = |own: Option<Duration>, other| {
                    let mut time = [None; 2];
                    (time[side], time[!side]) = (own, other);
                    Limits { time, ..limits.clone() }
                };
                let hard = |limits: &Limits| {
                    TimeManager::new(limits, side, Instant::now(), &Signals::new(false)).hard
                };
                let other_only = with(None, Some(OTHER));
                assert_eq!(other_only.clock(side), stands_in.then_some(OTHER), "{limits:?}");
                assert_eq!(hard(&other_only).is_some(), stands_in || limits.movetime.is_some());
                assert_eq!(with(Some(OWN), Some(OTHER)).clock(side), Some(OWN), "{limits:?}");
                assert!(hard(&with(Some(OWN), None)).is_some_and(|hard| hard <= OWN), "{limits:?}");
            }
        }
    }
}
