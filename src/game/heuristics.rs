//! The heuristics of a game for the search.

use super::{Calibration, MoveList, Position};

/// A term of the handcrafted evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// The value for each side, in units of the evaluation.
    pub value: [i32; 2],
}

/// The knowledge of a game that guides the search. A wrong value costs strength; only the keys
/// must be right.
pub trait Heuristics: Position {
    /// The calibration of evaluations and strength levels.
    const CALIBRATION: Calibration;

    /// The transposition table key: a hash of [`Position::key`], and of the move counter where it
    /// is about to end the game.
    fn tt_key(&self) -> u64 {
        self.key()
    }

    /// The proof table key: a hash of [`Position::key`], and of any move counter that can end the
    /// game.
    fn proof_key(&self) -> u64 {
        self.key()
    }

    /// The number of plies after which a move counter draws the game if no move resets it; `None` if
    /// no rule counts moves.
    fn plies_to_draw(&self) -> Option<u16> {
        None
    }

    /// The position with the other side to move, for null-move pruning and to find threats. `None`
    /// where this is misleading, because a move is forced or zugzwang is likely.
    fn null_move(&self) -> Option<Self>;

    /// A move that wins at once, in games with a fast way to find one.
    fn winning_move(&self) -> Option<Self::Move>;

    /// Whether a move is noisy: a static evaluation before it is unreliable.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Appends the noisy moves, which quiescence search tries.
    fn noisy_moves(&self, out: &mut MoveList<Self::Move>);

    /// Whether the side to move must make one of the [`Heuristics::noisy_moves`], as with compulsory
    /// captures.
    fn is_forced(&self) -> bool;

    /// The handcrafted evaluation for the side to move. [`Heuristics::CALIBRATION`] converts its unit
    /// to win rates.
    fn evaluate(&self) -> i32;

    /// The terms of [`Heuristics::evaluate`].
    fn terms(&self) -> Vec<Term>;

    /// [`Position::count_moves`] and [`Heuristics::evaluate`] at once, cheaper than two calls.
    fn count_and_evaluate(&self) -> (usize, i32) {
        (self.count_moves(), self.evaluate())
    }
}
