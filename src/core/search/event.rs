//! The output of a search: events while it runs, and the best move.

use std::time::Duration;

use super::score::{Bound, Score};

/// An event of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchEvent<M> {
    Line(PvLine<M>),
    /// The root move being searched; reported only in long searches.
    Current {
        /// The depth of the iteration, in plies.
        depth: usize,
        mv: M,
        /// The place of the move in the order of root moves, from 1.
        number: usize,
    },
    /// A mate search found no win within its number of moves.
    NoMate {
        /// Whether this is proved. If not, a limit ended the search.
        certain: bool,
    },
}

/// A principal variation with its score and search statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine<M> {
    /// The rank of the line at this depth, from 1.
    pub multipv: usize,
    /// The number of lines at this depth.
    pub lines: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The maximum ply reached (selective depth).
    pub seldepth: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the endgame tables show that the root is a draw.
    pub is_drawn: bool,
    /// The nodes visited so far, by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    pub tb_hits: u64,
    /// The part of the transposition table filled by this search, in permille.
    pub hashfull: u32,
    /// The moves of the line, never empty.
    pub pv: Vec<M>,
}

/// Puts a line of a search at its rank `multipv`, from 1, among the `lines` of the same search before
/// it, the best first. An exact line replaces those from its rank on, which are of the iteration before.
/// A bound is that of a move that became the best one in an unfinished iteration: it takes the place of
/// the line that begins with the same move, for which `is_same` is true, unless that line has this rank.
/// Returns whether the line was added.
pub fn insert_pv<L>(
    lines: &mut Vec<L>,
    multipv: usize,
    bound: Bound,
    line: L,
    is_same: impl Fn(&L) -> bool,
) -> bool {
    let rank = multipv.saturating_sub(1);
    if bound == Bound::Exact {
        lines.truncate(rank);
    } else if lines.get(rank).is_some_and(&is_same) {
        return false;
    } else {
        let count = lines.len();
        lines.retain(|other| !is_same(other));
        lines.truncate(count.saturating_sub(1).max(rank));
    }
    lines.insert(rank.min(lines.len()), line);
    true
}

/// The move to play and the expected reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<M> {
    pub best: M,
    /// The expected reply, to ponder on; `None` if unknown.
    pub ponder: Option<M>,
}
