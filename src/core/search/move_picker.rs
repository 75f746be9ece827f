//! Move ordering: transposition table move, killers, then scores by history and board. The earlier
//! the best move comes, the more is cut off.

use super::history::{Continuation, History, NodeHistory};
use crate::game::{MAX_MOVES, Move, MoveScore, MoveScores, Side};

/// The highest ordering scores.
mod move_score {
    use super::MoveScore;

    pub const TT_MOVE: MoveScore = 32_767;
    pub const KILLERS: [MoveScore; 2] = [TT_MOVE - 1, TT_MOVE - 2];
    pub const OTHERS: MoveScore = TT_MOVE - 3;
}

/// The move ordering hints of a node.
pub struct Hints {
    /// The packed move of the transposition table; 0 for none.
    pub tt_move: u16,
    /// The packed killer moves of this ply: moves that caused cutoffs in sibling nodes.
    /// See <https://www.chessprogramming.org/Killer_Heuristic>.
    pub killers: [u16; 2],
    /// The moves that led to this node.
    pub continuation: Continuation,
}

impl Hints {
    #[inline]
    fn score(&self, mv: impl Move, history: &NodeHistory, by_board: MoveScore) -> MoveScore {
        let packed = mv.packed();
        if packed == self.tt_move {
            move_score::TT_MOVE
        } else if packed == self.killers[0] {
            move_score::KILLERS[0]
        } else if packed == self.killers[1] {
            move_score::KILLERS[1]
        } else {
            (history.score(mv) + by_board).min(move_score::OTHERS)
        }
    }
}

/// Yields the moves of a position, the most promising first. It sorts the caller's lists in place,
/// as they are too long to copy.
pub struct MovePicker<'a, M> {
    moves: &'a mut [M],
    /// The rank of each move, in place of its score by the board.
    ranks: &'a mut MoveScores,
    next: usize,
}

/// The rank of a move: its ordering score and, in the lowest bits, what its index leaves to the
/// largest one. The best move has the highest rank, the first one among equal scores.
mod rank {
    use super::{MAX_MOVES, MoveScore};

    const INDICES: i32 = MAX_MOVES as i32;

    #[inline]
    pub fn new(score: MoveScore, index: usize) -> i32 {
        score * INDICES + (INDICES - 1 - index as i32)
    }

    #[inline]
    pub fn score(rank: i32) -> MoveScore {
        rank.div_euclid(INDICES)
    }

    #[inline]
    pub fn index(rank: i32) -> usize {
        (INDICES - 1 - rank.rem_euclid(INDICES)) as usize
    }
}

impl<'a, M: Move> MovePicker<'a, M> {
    /// Creates a picker for `moves` of `side`; `scores` are their scores by the board.
    pub fn new(
        side: Side,
        moves: &'a mut [M],
        scores: &'a mut MoveScores,
        hints: &Hints,
        history: &History,
    ) -> Self {
        let history = history.of_node(side, hints.continuation);
        for (index, (score, &mv)) in scores.iter_mut().zip(&*moves).enumerate() {
            *score = rank::new(hints.score(mv, &history, *score), index);
        }
        Self { moves, ranks: scores, next: 0 }
    }

    /// All moves: those yielded so far, then the others in no particular order.
    pub fn moves(&self) -> &[M] {
        self.moves
    }

    /// Drops the remaining moves for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(M) -> bool) {
        let mut kept = self.next;
        for i in self.next..self.ranks.len() {
            if keep(self.moves[i]) {
                self.ranks[kept] = rank::new(rank::score(self.ranks[i]), kept);
                self.moves.swap(kept, i);
                kept += 1;
            }
        }
        self.ranks.truncate(kept);
    }

    /// The moves yielded so far.
    pub fn tried(&self) -> &[M] {
        self.moves.get(..self.next).unwrap_or_default()
    }
}

impl<M: Move> Iterator for MovePicker<'_, M> {
    type Item = (M, MoveScore);

    /// Returns the best remaining move and its ordering score. Most nodes need few moves, so each
    /// one is selected only when it is requested.
    fn next(&mut self) -> Option<(M, MoveScore)> {
        // One pass without a branch that depends on the scores.
        let best = self.ranks.get(self.next..)?.iter().copied().max()?;
        let index = rank::index(best);
        self.ranks[index] = rank::new(rank::score(self.ranks[self.next]), index);
        self.moves.swap(self.next, index);
        self.next += 1;
        Some((self.moves[self.next - 1], rank::score(best)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A move from square 0 to this square.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct To(u16);

    impl Move for To {
        fn packed(self) -> u16 {
            self.0
        }

        fn origin(self) -> usize {
            0
        }

        fn target(self) -> usize {
            self.0.into()
        }
    }

    #[test]
    fn moves_are_yielded_once_tt_move_first_then_killers_then_by_history() {
        let mut history = History::new();
        // Cutoffs at different depths, one of them after 5 was tried.
        for (packed, tried, depth) in
            [(6, &[To(5)][..], 9), (3, &[], 6), (1, &[], 3), (2, &[], 2), (4, &[], 1)]
        {
            history.update(Side::Black, [None; 2], To(packed), tried, depth);
        }
        // The continuation adds a larger bonus for 1 after a move to square 40.
        history.update(Side::White, [Some(40), None], To(1), &[], 20);
        // A TT move or killer that is not among the legal moves (9) is ignored.
        let rows = [
            (0, [0, 0], None, [6, 3, 1, 2, 4, 5]),
            (4, [0, 0], None, [4, 6, 3, 1, 2, 5]),
            (9, [0, 0], None, [6, 3, 1, 2, 4, 5]),
            (4, [2, 5], None, [4, 2, 5, 6, 3, 1]),
            (2, [2, 9], None, [2, 6, 3, 1, 4, 5]),
            (0, [0, 0], Some(40), [1, 6, 3, 2, 4, 5]),
        ];
        for (tt_move, killers, last, expected) in rows {
            let hints = Hints { tt_move, killers, continuation: [last, None] };
            let mut moves = [1, 2, 3, 4, 5, 6].map(To);
            let mut scores = MoveScores::from_iter([0; 6]);
            let mut picker =
                MovePicker::new(Side::Black, &mut moves, &mut scores, &hints, &history);
            let order: Vec<_> = picker.by_ref().map(|(mv, _)| mv.0).collect();
            assert_eq!(order, expected, "{tt_move} {killers:?} {last:?}");
            assert_eq!(picker.tried(), expected.map(To));
        }
    }

    #[test]
    fn only_remaining_moves_that_are_kept_are_yielded() {
        let mut history = History::new();
        history.update(Side::Black, [None; 2], To(5), &[To(2)], 6);
        let hints = Hints { tt_move: 3, killers: [0; 2], continuation: [None; 2] };
        let mut moves = [1, 2, 3, 4, 5, 6].map(To);
        let mut scores = MoveScores::from_iter([0; 6]);
        let mut picker = MovePicker::new(Side::Black, &mut moves, &mut scores, &hints, &history);
        assert_eq!(picker.next().map(|(mv, _)| mv), Some(To(3)));
        picker.retain(|To(number)| [2, 3, 5, 6].contains(&number));
        let order: Vec<_> = picker.by_ref().map(|(mv, _)| mv.0).collect();
        assert_eq!(order, [5, 6, 2]);
        assert_eq!(picker.tried(), [3, 5, 6, 2].map(To));
        assert_eq!(picker.moves().len(), 6);
    }
}
