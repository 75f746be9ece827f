//! Draughts: the heuristics of the search.

use super::{Draughts, DraughtsMove, handcrafted, moves, variant};
use crate::game::{Calibration, Heuristics, MoveList, Term, key_with_counters};

/// The transposition table key depends on the plies left to the draw only below this number.
/// Farther away, a search rarely reaches the draw, and separate entries would cost hits.
const NEAR_DRAW: u16 = 24;

impl Draughts {
    /// The plies left without an advance of a man or a capture, and those left without a capture;
    /// `None` without the rule.
    #[inline]
    fn counters(&self) -> [Option<u16>; 2] {
        let left = |limit: u16, count: u16| (limit != 0).then(|| limit.saturating_sub(count));
        let no_capture = left(self.no_capture.into(), self.since_capture.into());
        [left(self.draw_after, self.quiet), no_capture]
    }
}

impl Heuristics for Draughts {
    const CALIBRATION: Calibration = variant::CALIBRATION;

    #[inline]
    fn tt_key(&self) -> u64 {
        let [quiet, no_capture] = self.counters();
        key_with_counters(self.key, [quiet.filter(|&plies| plies < NEAR_DRAW), no_capture])
    }

    #[inline]
    fn proof_key(&self) -> u64 {
        key_with_counters(self.key, self.counters())
    }

    #[inline]
    fn plies_to_draw(&self) -> Option<u16> {
        self.counters().into_iter().flatten().min()
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
