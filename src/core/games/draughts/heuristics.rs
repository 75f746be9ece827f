//! Draughts: the heuristics of the search.

use super::{Draughts, DraughtsMove, handcrafted, moves, variant};
use crate::game::{Calibration, Heuristics, MoveList, Term};

impl Heuristics for Draughts {
    const CALIBRATION: Calibration = variant::CALIBRATION;
    const NEAR_DRAW: [u16; 2] = [24, u16::MAX];

    /// The plies left without an advance of a man or a capture, and those left without a capture.
    #[inline]
    fn move_counters(&self) -> [Option<u16>; 2] {
        let left = |limit: u16, count: u16| (limit != 0).then(|| limit.saturating_sub(count));
        let no_capture = left(self.no_capture.into(), self.since_capture.into());
        [left(self.draw_after, self.quiet), no_capture]
    }

    /// Returns `None`: zugzwang is common in draughts, so null move pruning is unsound.
    fn null_move(&self) -> Option<Self> {
        None
    }

    fn winning_move(&self) -> Option<DraughtsMove> {
        None
    }

    #[inline]
    fn is_noisy(&self, mv: DraughtsMove) -> bool {
        mv.taken != 0
    }

    fn noisy_moves(&self, out: &mut MoveList<DraughtsMove>) {
        moves::captures(self, out);
    }

    #[inline]
    fn is_forced(&self) -> bool {
        !self.has_optional_captures() && moves::can_capture(self, self.side)
    }

    fn evaluate(&self) -> i32 {
        handcrafted::evaluate(self)
    }

    fn terms(&self) -> Vec<Term> {
        handcrafted::terms(self)
    }
}
