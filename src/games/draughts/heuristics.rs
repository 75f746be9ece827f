//! Draughts: the heuristics of the search.

use super::{Draughts, DraughtsMove, handcrafted, moves, variant};
use crate::game::{Calibration, Heuristics, MoveList, Term, mix};

/// The transposition table key depends on the plies left to the draw only below this number.
/// Farther away, a search rarely reaches the draw, and separate entries would cost hits.
const NEAR_DRAW: u16 = 24;

impl Draughts {
    /// The key of the pieces, the side to move and the plies left without a capture, if these are
    /// limited.
    #[inline]
    fn no_capture_key(&self) -> u64 {
        /// Separates these plies from those of the other count.
        const SALT: u64 = 1 << 32;
        match self.plies_to_no_capture_draw() {
            Some(plies) => self.key ^ mix(u64::from(plies) + SALT),
            None => self.key,
        }
    }
}

impl Heuristics for Draughts {
    const CALIBRATION: Calibration = variant::CALIBRATION;

    #[inline]
    fn tt_key(&self) -> u64 {
        match self.plies_to_quiet_draw() {
            Some(plies) if plies < NEAR_DRAW => self.no_capture_key() ^ mix(u64::from(plies) + 1),
            _ => self.no_capture_key(),
        }
    }

    #[inline]
    fn proof_key(&self) -> u64 {
        match self.plies_to_quiet_draw() {
            Some(plies) => self.no_capture_key() ^ mix(u64::from(plies) + 1),
            None => self.no_capture_key(),
        }
    }

    #[inline]
    fn plies_to_draw(&self) -> Option<u16> {
        self.plies_to_quiet_draw().into_iter().chain(self.plies_to_no_capture_draw()).min()
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
