//! The heuristics of a game for the search.

use super::hash::key_with_counters;
use super::{Calibration, MoveList, MoveScores, Position};

/// A term of the handcrafted evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    pub name: &'static str,
    /// The value for each side, in units of the evaluation.
    pub value: [i32; 2],
}

/// The knowledge of a game that guides the search. A wrong value costs strength; only the keys
/// must be right.
pub trait Heuristics: Position {
    /// The calibration of evaluations and strength levels.
    const CALIBRATION: Calibration;

    /// The transposition table key includes each of [`Heuristics::move_counters`] only below this
    /// number of plies. Farther away a search rarely reaches the draw, and separate entries would
    /// cost hits.
    const NEAR_DRAW: [u16; 2] = [u16::MAX; 2];

    /// The move score that lowers a late move reduction by one ply.
    const SCORE_OF_A_PLY: i32 = 6_000;

    /// [`Position::key`], but with the side to move even if repetitions ignore it.
    #[inline]
    fn key_with_side(&self) -> u64 {
        self.key()
    }

    /// The plies after which each move counter draws the game if no move resets it; `None` without
    /// the rule.
    #[inline]
    fn move_counters(&self) -> [Option<u16>; 2] {
        [None; 2]
    }

    /// The move counters that [`Heuristics::tt_key`] includes.
    #[inline]
    fn near_counters(&self) -> [Option<u16>; 2] {
        let [first, second] = self.move_counters();
        let [near_first, near_second] = Self::NEAR_DRAW;
        [first.filter(|&plies| plies < near_first), second.filter(|&plies| plies < near_second)]
    }

    /// The least of the other move counters.
    #[inline]
    fn far_counter(&self) -> Option<u16> {
        let counters = self.move_counters().into_iter().zip(Self::NEAR_DRAW);
        counters.filter_map(|(plies, near)| plies.filter(|&plies| plies >= near)).min()
    }

    /// The transposition table key: a hash of [`Heuristics::key_with_side`] and of
    /// [`Heuristics::near_counters`].
    #[inline]
    fn tt_key(&self) -> u64 {
        key_with_counters(self.key_with_side(), self.near_counters())
    }

    /// The proof table key: a hash of [`Heuristics::key_with_side`] and of all move counters.
    fn proof_key(&self) -> u64 {
        key_with_counters(self.key_with_side(), self.move_counters())
    }

    /// The position with the other side to move, for null-move pruning and to find threats. `None`
    /// where this is misleading, because a move is forced or zugzwang is likely.
    fn null_move(&self) -> Option<Self>;

    /// A move that wins at once, in games with a fast way to find one.
    fn winning_move(&self) -> Option<Self::Move>;

    /// Whether a move is noisy: a static evaluation before it is unreliable.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Appends the scores of these moves by the board alone, for move ordering. The search adds them
    /// to its history scores, which are between -24,576 and 24,576. They must be between -1,000,000 and
    /// 1,000,000. By default all are 0.
    fn score_moves(&self, moves: &[Self::Move], scores: &mut MoveScores) {
        scores.extend(moves.iter().map(|_| 0));
    }

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
