//! Lines of Action: the heuristics of the search.

use super::position::{Loa, LoaMove, UNLIMITED};
use super::{handcrafted, moves, ordering, variant};
use crate::game::{Calibration, Heuristics, MoveList, MoveScores, Term, key_with_counters};

impl Heuristics for Loa {
    const CALIBRATION: Calibration = variant::CALIBRATION;
    const NEAR_DRAW: [u16; 2] = [256, u16::MAX];
    const SCORE_OF_A_PLY: i32 = 12_000;

    #[inline]
    fn key_with_side(&self) -> u64 {
        self.key
    }

    /// The plies left to the move limit, and those left without a capture.
    #[inline]
    fn move_counters(&self) -> [Option<u16>; 2] {
        let limit = (self.plies_left != UNLIMITED).then_some(self.plies_left);
        [limit, self.plies_to_no_capture_draw()]
    }

    #[inline]
    fn tt_key(&self) -> u64 {
        // Computed for every child of a node, mostly without counters.
        if self.no_capture == 0 && self.plies_left >= Self::NEAR_DRAW[0] {
            return self.key;
        }
        key_with_counters(self.key, self.near_counters())
    }

    fn count_and_evaluate(&self) -> (usize, i32) {
        let (count, mobility) = moves::count_and_mobility(self);
        (self.with_pass(count), handcrafted::evaluate(self, mobility))
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

    fn score_moves(&self, moves: &[LoaMove], scores: &mut MoveScores) {
        ordering::score_moves(self, moves, scores);
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
