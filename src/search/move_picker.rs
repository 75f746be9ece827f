//! Move ordering: hash move, killers, then history scores. The earlier the best move comes, the
//! more is cut off.

use crate::game::{MAX_MOVES, Move, Position, Side};

use arrayvec::ArrayVec;

/// A history score: how well a move did wherever it was tried.
type HistoryScore = i16;

/// The number of pairs of origin and target squares.
const PATHS: usize = 64 * 64;

/// History scores: how often each move caused a cutoff, against how often it was tried and did not.
///
/// The score of a move rises when it causes a beta cutoff. It falls when a move tried after it
/// causes one. The change grows with the depth of the search and shrinks as the score nears its
/// bound. This combines the history heuristic (J. Schaeffer, 1989) with the relative one (M. H. M.
/// Winands et al., "The Relative History Heuristic", 2006). Scores are kept by side, and again by
/// the target squares of the last two moves (continuation history).
pub struct History {
    plain: Box<[HistoryScore]>,
    after: [Box<[HistoryScore]>; 2],
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
        Self { plain: table(2 * PATHS), after: [table(64 * PATHS), table(64 * PATHS)] }
    }

    /// Multiplies all history scores by 5/8, so that the results of the next search soon outweigh
    /// them.
    pub fn age(&mut self) {
        // There are half a million scores: shifts take a fraction of the time of a short search.
        let merits = self.after.iter_mut().flatten().chain(&mut self.plain);
        merits.for_each(|merit| *merit = (*merit >> 1) + (*merit >> 3));
    }

    /// Returns the history score of a move, plain and continuation histories added up.
    pub fn score(&self, side: Side, past: Continuation, mv: impl Move) -> i32 {
        let path = path(mv);
        let after =
            self.after.iter().zip(past).filter_map(|(table, last)| table.get(last? * PATHS + path));
        self.plain
            .get(side as usize * PATHS + path)
            .into_iter()
            .chain(after)
            .map(|&m| i32::from(m))
            .sum()
    }

    /// Updates the history after a beta cutoff by `best` in a search of `depth` plies: a bonus for
    /// `best`, a penalty for the moves of `vain`, tried before it.
    pub fn update<M: Move>(
        &mut self,
        side: Side,
        past: Continuation,
        best: M,
        vain: &[M],
        depth: i32,
    ) {
        let bonus = (12 * depth * depth + 40 * depth).min(1600);
        self.add_bonus(side, past, best, bonus);
        for &mv in vain {
            self.add_bonus(side, past, mv, -bonus);
        }
    }

    fn add_bonus(&mut self, side: Side, past: Continuation, mv: impl Move, bonus: i32) {
        let path = path(mv);
        let after = self
            .after
            .iter_mut()
            .zip(past)
            .filter_map(|(table, last)| table.get_mut(last? * PATHS + path));
        let plain = self.plain.get_mut(side as usize * PATHS + path);
        for merit in plain.into_iter().chain(after) {
            let old = i32::from(*merit);
            *merit = (old + bonus - old * bonus.abs() / Self::BOUND) as HistoryScore;
        }
    }
}

fn path(mv: impl Move) -> usize {
    mv.origin() * 64 + mv.target()
}

/// The ordering scores of the moves of a position.
pub type MoveScores = ArrayVec<i32, MAX_MOVES>;

/// Yields the moves of a position, the most promising first. It sorts the caller's lists in place,
/// as they are too long to copy.
pub struct MovePicker<'a, M> {
    moves: &'a mut [M],
    ranks: &'a mut [i32],
    next: usize,
}

/// Ordering scores above every history score.
mod move_score {
    pub const REMEMBERED: i32 = 1 << 24;
    pub const KILLER: i32 = 1 << 20;
}

/// The move ordering hints of a node.
pub struct Hints {
    /// The packed hash move; 0 for none.
    pub hash_move: u16,
    /// The packed killer moves of this ply: moves that caused cutoffs in sibling nodes.
    /// See <https://www.chessprogramming.org/Killer_Heuristic>.
    pub killers: [u16; 2],
    /// The moves that led to this node.
    pub continuation: Continuation,
}

/// Appends the ordering scores of `moves`, which are legal in `position`, to `ranks`.
pub fn score_moves<P: Position>(
    position: &P,
    moves: &[P::Move],
    hints: &Hints,
    history: &History,
    ranks: &mut MoveScores,
) {
    let side = position.side();
    ranks.extend(moves.iter().map(|&mv| {
        let tag = mv.packed();
        if tag == hints.hash_move {
            move_score::REMEMBERED
        } else if let Some(i) = hints.killers.iter().position(|&killer| killer == tag) {
            move_score::KILLER - i as i32
        } else {
            history.score(side, hints.continuation, mv)
        }
    }));
}

impl<'a, M: Move> MovePicker<'a, M> {
    /// Creates a picker for `moves` with the ordering scores `ranks`.
    pub fn new(moves: &'a mut [M], ranks: &'a mut [i32]) -> Self {
        Self { moves, ranks, next: 0 }
    }

    /// The moves yielded so far.
    pub fn tried(&self) -> &[M] {
        self.moves.get(..self.next).unwrap_or_default()
    }
}

impl<M: Move> Iterator for MovePicker<'_, M> {
    type Item = (M, i32);

    /// Returns the best remaining move and its ordering score. Most nodes need few moves, so each
    /// one is selected only when it is requested.
    fn next(&mut self) -> Option<(M, i32)> {
        let rest = self.ranks.get(self.next..)?;
        let (best, &rank) = rest.iter().enumerate().rev().max_by_key(|&(_, rank)| rank)?;
        self.ranks.swap(self.next, self.next + best);
        self.moves.swap(self.next, self.next + best);
        self.next += 1;
        Some((self.moves[self.next - 1], rank))
    }
}
