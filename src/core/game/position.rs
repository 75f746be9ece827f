//! The rules: positions, moves and outcomes.

use std::fmt::Debug;

use arrayvec::ArrayVec;

use super::{Outcome, Side};

/// The maximum number of moves of a position in any game.
pub const MAX_MOVES: usize = 128;

/// A list of legal moves, stored on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A score of a move for move ordering: the more promising the move, the higher.
pub type MoveScore = i32;

/// The scores of a list of moves.
pub type MoveScores = ArrayVec<MoveScore, MAX_MOVES>;

/// A move of one player.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// The move in 16 bits, never 0, as stored in the transposition table.
    ///
    /// It only selects a move from a list of legal ones. Two moves of a position may share it; this
    /// affects only the move ordering.
    fn packed(self) -> u16;

    /// The origin square, 0 to 63.
    fn origin(self) -> usize;

    /// The target square, 0 to 63.
    fn target(self) -> usize;
}

/// A position of a game, with all state that its rules need.
///
/// A position is a small value: [`Position::play`] returns a new one, and moves are never undone.
pub trait Position: Copy + Eq + Debug + Send + Sync + 'static {
    type Move: Move;

    /// The side to move.
    fn side(&self) -> Side;

    /// The hash for draws by repetition: of the pieces and, if the rules distinguish it, the side
    /// to move.
    fn key(&self) -> u64;

    /// The outcome, if the board or a move counter has ended the game.
    ///
    /// It does not cover positions without legal moves and repetitions: see
    /// [`Position::no_moves_outcome`] and [`Position::repetition_limit`].
    fn outcome(&self) -> Option<Outcome>;

    /// Whether [`Position::outcome`] is a draw by a move counter. Players need not notice it, so a
    /// record may go on.
    fn is_drawn_by_counter(&self) -> bool {
        false
    }

    /// Appends the legal moves; [`Position::outcome`] must be `None` or a draw by a move counter, which
    /// is ignored. They include a pass where the rules require one.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// The number of moves that [`Position::moves`] generates.
    fn count_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// The outcome if [`Position::moves`] generates none.
    fn no_moves_outcome(&self) -> Outcome;

    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The number of occurrences of a position that draws the game; 0 without draws by repetition.
    fn repetition_limit(&self) -> usize;

    /// The number of plies after which a position can occur again at the earliest, and by whose
    /// multiples: 2, or 1 if the side to move may be the other one.
    #[inline]
    fn repetition_step(&self) -> usize {
        2
    }

    /// The number of plies since the last irreversible move. No position before that move can occur
    /// again.
    fn reversible_plies(&self) -> usize;
}

/// The outcome of the game by the position alone, that of a position without legal moves included.
pub fn outcome<P: Position>(position: &P) -> Option<Outcome> {
    position.outcome().or_else(|| {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        moves.is_empty().then(|| position.no_moves_outcome())
    })
}

/// The legal moves; none if the game is over.
pub fn legal_moves<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    moves
}

/// Whether two legal moves are the same to a player: they lead to the same position, as captures of the
/// same pieces in another order do.
pub fn are_same_move<P: Position>(position: &P, a: P::Move, b: P::Move) -> bool {
    let have_same_ends = a.origin() == b.origin() && a.target() == b.target();
    a == b || have_same_ends && position.play(a) == position.play(b)
}

/// The legal moves among these, without those that are the same as an earlier one: see
/// [`are_same_move`].
pub fn distinct_moves<P: Position>(
    position: &P,
    moves: impl IntoIterator<Item = P::Move>,
) -> MoveList<P::Move> {
    let mut distinct = MoveList::new();
    for mv in moves {
        if !distinct.iter().any(|&other| are_same_move(position, other, mv)) {
            distinct.push(mv);
        }
    }
    distinct
}

/// The one of the distinct legal moves that is the same as this legal move.
pub fn listed_move<P: Position>(position: &P, mv: P::Move) -> P::Move {
    let is_same = |&other: &P::Move| are_same_move(position, other, mv);
    legal_moves(position).into_iter().find(is_same).unwrap_or(mv)
}

/// The moves that a search of the root considers: the distinct legal ones, or only those requested, as
/// they are requested, if there are any.
pub fn root_moves<P: Position>(root: &P, requested: &[P::Move]) -> MoveList<P::Move> {
    let moves = distinct_moves(root, legal_moves(root));
    if requested.is_empty() {
        return moves;
    }
    let as_requested = |mv| requested.iter().copied().find(|&other| are_same_move(root, mv, other));
    moves.into_iter().filter_map(as_requested).collect()
}

/// The moves that a record may contain: the legal ones, and those after a draw by a move counter.
pub fn readable_moves<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    if position.outcome().is_none() || position.is_drawn_by_counter() {
        position.moves(&mut moves);
    }
    moves
}

/// The largest depth of [`perft`], which calls itself for each ply.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// Counts the sequences of `depth` legal moves, at most [`MAX_PERFT_DEPTH`], ignoring repetitions.
///
/// `stop` is called regularly; returns `None` if it returns true. See
/// <https://www.chessprogramming.org/Perft>.
pub fn perft<P: Position>(position: &P, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if position.outcome().is_some() {
        return Some(0);
    }
    if depth == 1 {
        return Some(position.count_moves() as u64);
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    if depth > 3 && stop() {
        return None;
    }
    moves.iter().map(|&mv| perft(&position.play(mv), depth - 1, stop)).sum()
}
