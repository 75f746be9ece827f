//! Breakthrough: the heuristics of the search.

use super::{Breakthrough, BreakthroughMove, GOAL, handcrafted, moves, variant};
use crate::game::{Calibration, Heuristics, MoveList, Term};

impl Heuristics for Breakthrough {
    const CALIBRATION: Calibration = variant::CALIBRATION;

    fn null_move(&self) -> Option<Self> {
        let mut next = *self;
        next.pass_turn();
        Some(next)
    }

    /// A move to the last rank, or the capture of the only pawn.
    fn winning_move(&self) -> Option<BreakthroughMove> {
        let enemy = self.pawns[!self.side];
        let last = if enemy.count_ones() == 1 { enemy } else { 0 };
        let mut winning = MoveList::new();
        moves::generate(self, GOAL[self.side] | last, &mut winning);
        winning.first().copied()
    }

    #[inline]
    fn is_noisy(&self, mv: BreakthroughMove) -> bool {
        self.pawns[!self.side] & mv.to().bit() != 0
    }

    fn noisy_moves(&self, out: &mut MoveList<BreakthroughMove>) {
        moves::generate(self, self.pawns[!self.side], out);
    }

    fn is_forced(&self) -> bool {
        false
    }

    fn evaluate(&self) -> i32 {
        handcrafted::evaluate(self)
    }

    fn terms(&self) -> Vec<Term> {
        handcrafted::terms(self)
    }
}
