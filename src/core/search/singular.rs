//! Singular extensions and multi-cut: the other moves of a node are compared with its TT move.

use super::params;
use super::pruning::{NodeContext, NonPv};
use super::score::{Bound, Score, Window};
use super::searcher::{Aborted, Searcher};
use super::tt::TtEntry;
use crate::game::{Features, Heuristics, Move, MoveList};

/// What a search of all moves but the TT move has shown.
pub(super) enum Alternatives {
    /// All are worse than the TT move, which is singular: it deserves a deeper search.
    Worse,
    /// One is as good. The score is a lower bound of its own.
    AsGood(Score),
}

impl<P: Heuristics + Features> Searcher<'_, P> {
    /// Searches the moves other than the TT move less deeply, against a score somewhat below that
    /// of the table entry. Returns `None` if the entry is too shallow to compare with.
    pub(super) fn search_alternatives(
        &mut self,
        position: &P,
        moves: &MoveList<P::Move>,
        entry: &TtEntry,
        node: &NodeContext,
    ) -> Result<Option<Alternatives>, Aborted> {
        let &NodeContext { depth, ply, .. } = node;
        let is_comparable = depth >= params::singular_extension_min_depth()
            && i32::from(entry.depth) >= depth - params::singular_extension_table_depth()
            && entry.packed_move != 0
            && entry.bound != Bound::Upper
            && !entry.score.is_decided()
            && moves.len() > 1
            && self.may_extend(ply);
        if !is_comparable {
            return Ok(None);
        }
        let is_other = |mv: &P::Move| mv.packed() != entry.packed_move;
        let mut others: MoveList<P::Move> = moves.iter().copied().filter(is_other).collect();
        let goal = entry.score - params::singular_extension_margin() * depth;
        let (window, depth) =
            (Window::below(goal), (depth - 1) / params::singular_extension_depth_divisor());
        let node = NodeContext { window, depth, ..node.clone() };
        let (best, _) = self.search_moves::<NonPv>(position, &mut others, 0, &node)?;
        Ok(Some(if best < goal { Alternatives::Worse } else { Alternatives::AsGood(goal) }))
    }
}
