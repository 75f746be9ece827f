//! Lines of Action: the heuristics of the search.

use super::position::{Loa, LoaMove, UNLIMITED};
use super::{handcrafted, moves, variant};
use crate::game::{Calibration, Heuristics, MoveList, Term, mix};

/// The number of plies left below which the transposition table key includes it. A search does not
/// reach further.
const NEAR_LIMIT: u16 = 256;

impl Loa {
    /// The key of the stones, the side to move and the plies left without a capture, if these are
    /// limited.
    #[inline]
    fn no_capture_key(&self) -> u64 {
        /// Separates these plies from those of the move limit.
        const SALT: u64 = 1 << 32;
        match self.plies_to_no_capture_draw() {
            Some(plies) => self.key ^ mix(u64::from(plies) + SALT),
            None => self.key,
        }
    }
}

impl Heuristics for Loa {
    const CALIBRATION: Calibration = variant::CALIBRATION;

    fn count_and_evaluate(&self) -> (usize, i32) {
        let (count, mobility) = moves::count_and_mobility(self);
        (self.with_pass(count), handcrafted::evaluate(self, mobility))
    }

    #[inline]
    fn tt_key(&self) -> u64 {
        // Computed for every child of a node, mostly without limits.
        if self.no_capture == 0 && self.plies_left >= NEAR_LIMIT {
            return self.key;
        }
        self.no_capture_key()
            ^ if self.plies_left < NEAR_LIMIT { mix(u64::from(self.plies_left) + 1) } else { 0 }
    }

    #[inline]
    fn proof_key(&self) -> u64 {
        self.no_capture_key()
            ^ if self.plies_left == UNLIMITED { 0 } else { mix(u64::from(self.plies_left) + 1) }
    }

    #[inline]
    fn plies_to_draw(&self) -> Option<u16> {
        let limit = (self.plies_left != UNLIMITED).then_some(self.plies_left);
        limit.into_iter().chain(self.plies_to_no_capture_draw()).min()
    }

    fn null_move(&self) -> Option<Self> {
        let mut next = *self;
        next.reversible = 0;
        next.pass_turn();
        Some(next)
    }

    fn winning_move(&self) -> Option<LoaMove> {
        moves::winning(self)
    }

    #[inline]
    fn is_noisy(&self, mv: LoaMove) -> bool {
        self.stones[!self.side] & mv.to().bit() != 0 && mv != LoaMove::PASS
    }

    fn noisy_moves(&self, out: &mut MoveList<LoaMove>) {
        moves::generate(self, moves::Wanted::Captures, out);
    }

    fn is_forced(&self) -> bool {
        false
    }

    fn evaluate(&self) -> i32 {
        handcrafted::evaluate(self, moves::mobility(self))
    }

    fn terms(&self) -> Vec<Term> {
        handcrafted::terms(self)
    }
}
