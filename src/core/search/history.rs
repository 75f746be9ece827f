//! Move history: how well each move did wherever it was tried.

use super::correction::CorrectionHistory;
use super::params;
use crate::game::{Move, MoveScore, Side};

/// The number of pairs of origin and target squares.
const SQUARE_PAIRS: usize = 64 * 64;

/// What a worker has learned in a search, kept for the next search of the game.
pub struct Histories {
    pub moves: History,
    pub corrections: CorrectionHistory,
}

impl Histories {
    pub fn new() -> Self {
        Self { moves: History::new(), corrections: CorrectionHistory::new() }
    }
}

/// History scores: how often each move caused a cutoff, against how often it was tried and did not.
/// They are positive for moves that caused more cutoffs than they failed to cause.
///
/// The score of a move rises when it causes a beta cutoff. It falls when a move tried after it
/// causes one. The change grows with the depth of the search and shrinks as the score nears its
/// bound. This combines the history heuristic (J. Schaeffer, 1989) with the relative one (M. H. M.
/// Winands et al., "The Relative History Heuristic", 2006). Scores are kept by side, and again by
/// the target squares of the last two moves (continuation history).
pub struct History {
    /// Two tables by side, then one by the target of the last move, and one by that of the move
    /// before it.
    tables: Box<[Table]>,
}

/// The history scores of all moves, by origin and target square.
type Table = [i16; SQUARE_PAIRS];

/// The history scores of the moves of a node.
pub struct NodeHistory<'a>([&'a Table; 3]);

impl NodeHistory<'_> {
    /// The history score of a move: the sum of its scores by side and by continuation.
    #[inline]
    pub fn score(&self, mv: impl Move) -> MoveScore {
        let index = index(mv);
        self.0.iter().map(|table| MoveScore::from(table[index])).sum()
    }
}

/// The target squares of the last two moves, the latest first; `None` for a null move, and for
/// moves before the root.
pub type Continuation = [Option<usize>; 2];

impl History {
    /// The largest absolute history score.
    const BOUND: i32 = 8192;

    pub fn new() -> Self {
        Self { tables: vec![[0; SQUARE_PAIRS]; 2 + 2 * 64].into_boxed_slice() }
    }

    /// Multiplies all history scores by about 5/8, so that the results of the next search soon
    /// outweigh them.
    pub fn age(&mut self) {
        // There are half a million scores: shifts take a fraction of the time of a short search.
        let scores = self.tables.as_flattened_mut().iter_mut();
        scores.for_each(|score| *score = (*score >> 1) + (*score >> 3));
    }

    /// Returns the history scores of the moves of `side` after these moves.
    #[inline]
    pub fn of_node(&self, side: Side, continuation: Continuation) -> NodeHistory<'_> {
        // After a null move, the moves have no scores by continuation.
        static ZEROS: Table = [0; SQUARE_PAIRS];
        let table = |index: Option<usize>| self.tables.get(index?);
        NodeHistory(table_indices(side, continuation).map(|index| table(index).unwrap_or(&ZEROS)))
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
        let (quadratic, linear) = (params::history_quadratic(), params::history_linear());
        let bonus = (quadratic * depth * depth + linear * depth).min(params::history_max_bonus());
        self.add_bonus(side, continuation, best, bonus);
        for &mv in tried {
            self.add_bonus(side, continuation, mv, -bonus);
        }
    }

    #[inline]
    fn add_bonus(&mut self, side: Side, continuation: Continuation, mv: impl Move, bonus: i32) {
        let index = index(mv);
        for table in table_indices(side, continuation).into_iter().flatten() {
            let Some(table) = self.tables.get_mut(table) else { continue };
            let old = i32::from(table[index]);
            table[index] = (old + bonus - old * bonus.abs() / Self::BOUND) as i16;
        }
    }
}

#[inline]
fn table_indices(side: Side, [last, before]: Continuation) -> [Option<usize>; 3] {
    [Some(side as usize), last.map(|target| 2 + target), before.map(|target| 2 + 64 + target)]
}

#[inline]
fn index(mv: impl Move) -> usize {
    (mv.origin() * 64 + mv.target()) % SQUARE_PAIRS
}
