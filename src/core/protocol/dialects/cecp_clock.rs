//! The time and depth that a CECP client grants for the engine's moves.

use std::time::Duration;

use super::cecp_command::CecpTimeControl;
use crate::game::Side;
use crate::platform::Instant;
use crate::search::Limits;

/// The time control before the client sets one.
const TIME_CONTROL: CecpTimeControl =
    CecpTimeControl { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };

/// The clocks of the engine and of its opponent, and the other limits of a search for a move.
pub(super) struct CecpClock {
    time_control: CecpTimeControl,
    left: [Duration; 2],
    /// When the engine's clock began to run for its current move.
    running_since: Instant,
    /// A fixed time per move, instead of the clocks.
    pub(super) movetime: Option<Duration>,
    pub(super) depth: Option<usize>,
}

impl CecpClock {
    pub(super) fn new() -> Self {
        Self {
            time_control: TIME_CONTROL,
            left: [TIME_CONTROL.base; 2],
            running_since: Instant::now(),
            movetime: None,
            depth: None,
        }
    }

    /// Resets the clocks for a new game and removes the depth limit.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        self.left = [self.time_control.base; 2];
    }

    pub(super) fn set_time_control(&mut self, time_control: CecpTimeControl) {
        self.time_control = time_control;
        self.left = [time_control.base; 2];
        self.movetime = None;
    }

    pub(super) fn set_own_time(&mut self, time: Duration) {
        let [own, _] = &mut self.left;
        *own = time;
    }

    pub(super) fn set_opponent_time(&mut self, time: Duration) {
        let [_, theirs] = &mut self.left;
        *theirs = time;
    }

    pub(super) fn start(&mut self) {
        self.running_since = Instant::now();
    }

    /// Stops the engine's clock after its move, the last of this number in the game, until the
    /// client sends the time.
    pub(super) fn stop(&mut self, own_moves: usize) {
        self.deduct(self.running_since.elapsed(), own_moves);
    }

    /// Deducts the time of a move, and adds what the time control grants after it.
    fn deduct(&mut self, used: Duration, own_moves: usize) {
        let CecpTimeControl { moves, base, increment } = self.time_control;
        let [own, _] = &mut self.left;
        *own = own.saturating_sub(used).saturating_add(increment);
        if own_moves.checked_rem(moves as usize) == Some(0) {
            *own = own.saturating_add(base);
        }
    }

    /// The limits of a search for a move of the engine, which plays `side` and has made this number
    /// of moves in the game.
    pub(super) fn limits(&self, side: Option<Side>, own_moves: usize) -> Limits {
        let mut limits = Limits { depth: self.depth, movetime: self.movetime, ..Limits::default() };
        if self.movetime.is_none() {
            let CecpTimeControl { moves, increment, .. } = self.time_control;
            let [own, theirs] = self.left.map(Some);
            limits.time = if side == Some(Side::Black) { [own, theirs] } else { [theirs, own] };
            limits.increment = [increment; 2];
            let made = own_moves.checked_rem(moves as usize);
            limits.moves_to_go = made.map(|made| moves - made as u32);
        }
        limits
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_to_go_follow_from_the_moves_of_the_game() {
        let mut clock = CecpClock::new();
        for (own_moves, moves_to_go) in [(0, 40), (38, 2), (39, 1), (40, 40), (37, 3)] {
            let limits = clock.limits(Some(Side::Black), own_moves);
            assert_eq!(limits.moves_to_go, Some(moves_to_go));
        }
        clock.set_own_time(Duration::from_secs(60));
        for (own_moves, left) in [(39, 53), (40, 346), (41, 339), (80, 632)] {
            clock.deduct(Duration::from_secs(7), own_moves);
            let time = clock.limits(Some(Side::Black), own_moves).time;
            assert_eq!(time[0], Some(Duration::from_secs(left)));
        }
    }
}
