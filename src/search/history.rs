//! Move history: how well each move did wherever it was tried.

use crate::game::{Move, Side};

/// A history score: positive for a move that caused more cutoffs than it failed to cause.
type HistoryScore = i16;

/// The number of pairs of origin and target squares.
const SQUARE_PAIRS: usize = 64 * 64;

/// History scores: how often each move caused a cutoff, against how often it was tried and did not.
///
/// The score of a move rises when it causes a beta cutoff. It falls when a move tried after it
/// causes one. The change grows with the depth of the search and shrinks as the score nears its
/// bound. This combines the history heuristic (J. Schaeffer, 1989) with the relative one (M. H. M.
/// Winands et al., "The Relative History Heuristic", 2006). Scores are kept by side, and again by
/// the target squares of the last two moves (continuation history).
pub struct History {
    by_side: Box<[HistoryScore]>,
    by_continuation: [Box<[HistoryScore]>; 2],
}

/// The target squares of the last two moves, the latest first; `None` for a null move, and for
/// moves before the root.
pub type Continuation = [Option<usize>; 2];

impl History {
    /// The largest absolute history score.
    const BOUND: i32 = 8192;

    /// An empty history.
    pub fn new() -> Self {
        let table = |len| vec![0; len].into_boxed_slice();
        Self {
            by_side: table(2 * SQUARE_PAIRS),
            by_continuation: [table(64 * SQUARE_PAIRS), table(64 * SQUARE_PAIRS)],
        }
    }

    /// Multiplies all history scores by 5/8, so that the results of the next search soon outweigh
    /// them.
    pub fn age(&mut self) {
        // There are half a million scores: shifts take a fraction of the time of a short search.
        let scores = self.by_continuation.iter_mut().flatten().chain(&mut self.by_side);
        scores.for_each(|score| *score = (*score >> 1) + (*score >> 3));
    }

    /// Returns the history score of a move, the histories by side and by continuation added up.
    pub fn score(&self, side: Side, continuation: Continuation, mv: impl Move) -> i32 {
        let index = index(mv);
        let by_continuation = self
            .by_continuation
            .iter()
            .zip(continuation)
            .filter_map(|(table, last)| table.get(last? * SQUARE_PAIRS + index));
        self.by_side
            .get(side as usize * SQUARE_PAIRS + index)
            .into_iter()
            .chain(by_continuation)
            .map(|&score| i32::from(score))
            .sum()
    }

    /// Updates the history after a beta cutoff by `best` in a search of `depth` plies: a bonus for
    /// `best`, a penalty for the moves of `tried`, which came before it.
    pub fn update<M: Move>(
        &mut self,
        side: Side,
        continuation: Continuation,
        best: M,
        tried: &[M],
        depth: i32,
    ) {
        let bonus = (12 * depth * depth + 40 * depth).min(1600);
        self.add_bonus(side, continuation, best, bonus);
        for &mv in tried {
            self.add_bonus(side, continuation, mv, -bonus);
        }
    }

    fn add_bonus(&mut self, side: Side, continuation: Continuation, mv: impl Move, bonus: i32) {
        let index = index(mv);
        let by_continuation = self
            .by_continuation
            .iter_mut()
            .zip(continuation)
            .filter_map(|(table, last)| table.get_mut(last? * SQUARE_PAIRS + index));
        let by_side = self.by_side.get_mut(side as usize * SQUARE_PAIRS + index);
        for score in by_side.into_iter().chain(by_continuation) {
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / Self::BOUND) as HistoryScore;
        }
    }
}

/// Returns the index of a move in a table of all pairs of squares.
fn index(mv: impl Move) -> usize {
    mv.origin() * 64 + mv.target()
}
