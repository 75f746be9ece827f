//! The time and depth that a CECP client grants for the engine's moves.

use std::time::Duration;

use super::cecp_command::CecpTimeControl;
use crate::engine::{Limits, Side};
use crate::host::Instant;

/// The time control before the client sets one.
const TIME_CONTROL: CecpTimeControl =
    CecpTimeControl { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };

/// The clocks of the engine and of its opponent, and the other limits of a search for a move.
pub(super) struct CecpClock {
    time_control: CecpTimeControl,
    /// The own moves since the time control was set.
    own_moves: u32,
    /// The time left of the engine and of its opponent.
    left: [Duration; 2],
    /// When the engine's clock began to run for its current move.
    running_since: Instant,
    /// A fixed time per move, instead of the clocks.
    movetime: Option<Duration>,
    depth: Option<usize>,
}

impl CecpClock {
    pub(super) fn new() -> Self {
        Self {
            time_control: TIME_CONTROL,
            own_moves: 0,
            left: [TIME_CONTROL.base; 2],
            running_since: Instant::now(),
            movetime: None,
            depth: None,
        }
    }

    /// Resets the clocks for a new game and removes the depth limit.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        self.own_moves = 0;
        self.left = [self.time_control.base; 2];
    }

    pub(super) fn set_time_control(&mut self, time_control: CecpTimeControl) {
        self.time_control = time_control;
        self.own_moves = 0;
        self.left = [time_control.base; 2];
        self.movetime = None;
    }

    pub(super) fn set_movetime(&mut self, time: Duration) {
        self.movetime = Some(time);
    }

    pub(super) fn set_depth(&mut self, depth: usize) {
        self.depth = Some(depth);
    }

    /// Sets the time that the engine has left.
    pub(super) fn set_own_time(&mut self, time: Duration) {
        let [own, _] = &mut self.left;
        *own = time;
    }

    /// Sets the time that the opponent has left.
    pub(super) fn set_opponent_time(&mut self, time: Duration) {
        let [_, theirs] = &mut self.left;
        *theirs = time;
    }

    /// Starts the engine's clock.
    pub(super) fn start(&mut self) {
        self.running_since = Instant::now();
    }

    /// Stops the engine's clock after its move, until the client sends the time.
    pub(super) fn stop(&mut self) {
        self.own_moves = self.own_moves.wrapping_add(1);
        let CecpTimeControl { moves, base, increment } = self.time_control;
        let [own, _] = &mut self.left;
        *own = own.saturating_sub(self.running_since.elapsed()).saturating_add(increment);
        if self.own_moves.checked_rem(moves) == Some(0) {
            *own = own.saturating_add(base);
        }
    }

    /// The limits of a search for a move of the engine, which plays `side`.
    pub(super) fn limits(&self, side: Option<Side>) -> Limits {
        let mut limits = Limits { depth: self.depth, movetime: self.movetime, ..Limits::default() };
        if self.movetime.is_none() {
            let CecpTimeControl { moves, increment, .. } = self.time_control;
            let [own, theirs] = self.left.map(Some);
            limits.time = if side == Some(Side::Black) { [own, theirs] } else { [theirs, own] };
            limits.increment = [increment; 2];
            limits.moves_to_go = self.own_moves.checked_rem(moves).map(|made| moves - made);
        }
        limits
    }
}
