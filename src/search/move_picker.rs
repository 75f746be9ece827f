//! The order in which moves are tried: the sooner the best one comes, the more is cut off.

use crate::game::{MAX_MOVES, Move, Position, Side};

use arrayvec::ArrayVec;

/// How good a move was so far, wherever it was tried.
type HistoryScore = i16;

/// The pairs of squares that a move may join.
const PATHS: usize = 64 * 64;

/// How often each move proved best, against how often it was tried in vain.
///
/// The merit of a move rises when it refutes a position and falls when another move does after
/// it was tried, by the depth of the search; the nearer to its bound, the less it rises. This
/// joins the history heuristic (J. Schaeffer, 1989) with the relative one (M. H. M. Winands et
/// al., "The Relative History Heuristic", 2006). Merits are kept by side, and again by where
/// the last two moves went, so that an answer is remembered beside what it answers.
pub struct History {
    plain: Box<[HistoryScore]>,
    after: [Box<[HistoryScore]>; 2],
}

/// The paths of the last two moves, the latest first; the target squares tell them apart.
pub type Continuation = [Option<usize>; 2];

impl History {
    /// The largest merit.
    const BOUND: i32 = 8192;

    /// No merits yet.
    pub fn new() -> Self {
        let table = |len| vec![0; len].into_boxed_slice();
        Self { plain: table(2 * PATHS), after: [table(64 * PATHS), table(64 * PATHS)] }
    }

    /// Takes three eighths of all merits away, so that what the next search learns soon outweighs
    /// them.
    pub fn age(&mut self) {
        // Half a million merits: shifts are done in a fraction of the time of a short search.
        let merits = self.after.iter_mut().flatten().chain(&mut self.plain);
        merits.for_each(|merit| *merit = (*merit >> 1) + (*merit >> 3));
    }

    /// The merit of a move after the given moves, all histories added up.
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

    /// Notes that `best` refuted a position after a search of `depth` plies and that the moves
    /// of `vain`, tried before it, did not.
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

/// The ranks of the moves of a position.
pub type MoveScores = ArrayVec<i32, MAX_MOVES>;

/// The moves of a position, the most promising first. It orders lists that stay where they are:
/// they are too long to be copied about.
pub struct MovePicker<'a, M> {
    moves: &'a mut [M],
    ranks: &'a mut [i32],
    next: usize,
}

/// Ranks above every merit, the best first.
mod move_score {
    pub const REMEMBERED: i32 = 1 << 24;
    pub const KILLER: i32 = 1 << 20;
}

/// What is known beforehand of the moves of a position.
pub struct Hints {
    /// The tag of the move from the table; 0 for none.
    pub hash_move: u16,
    /// Tags of moves that refuted the neighbours of this position.
    /// See <https://www.chessprogramming.org/Killer_Heuristic>.
    pub killers: [u16; 2],
    /// The moves that led here.
    pub continuation: Continuation,
}

/// Ranks moves that are legal in `position`.
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
    /// Picks among `moves`, which have these ranks.
    pub fn new(moves: &'a mut [M], ranks: &'a mut [i32]) -> Self {
        Self { moves, ranks, next: 0 }
    }

    /// The moves given so far.
    pub fn tried(&self) -> &[M] {
        self.moves.get(..self.next).unwrap_or_default()
    }
}

impl<M: Move> Iterator for MovePicker<'_, M> {
    type Item = (M, i32);

    /// The best move that is left, and its rank. Most nodes need few of them: each is looked for
    /// when its turn comes.
    fn next(&mut self) -> Option<(M, i32)> {
        let rest = self.ranks.get(self.next..)?;
        let (best, &rank) = rest.iter().enumerate().rev().max_by_key(|&(_, rank)| rank)?;
        self.ranks.swap(self.next, self.next + best);
        self.moves.swap(self.next, self.next + best);
        self.next += 1;
        Some((self.moves[self.next - 1], rank))
    }
}
