//! Cutoffs before a move of a node is searched: reverse futility pruning, null move pruning, and
//! results of the moves in the transposition table.

use super::params;
use super::pruning::{NodeContext, NonPv};
use super::score::{Score, Window};
use super::searcher::{Aborted, Searcher};
use crate::game::{Features, Heuristics};

impl<P: Heuristics + Features> Searcher<'_, P> {
    /// The score of a node that is pruned before its moves are searched.
    #[inline]
    pub(super) fn prune(
        &mut self,
        position: &P,
        node: &NodeContext,
    ) -> Result<Option<Score>, Aborted> {
        if !node.may_prune() {
            return Ok(None);
        }
        match node.reverse_futility_score() {
            Some(score) => Ok(Some(score)),
            None => self.try_null_move(position, node),
        }
    }

    /// Tries null move pruning: returns a score of at least beta, or `None` if there is no cutoff.
    fn try_null_move(
        &mut self,
        position: &P,
        node: &NodeContext,
    ) -> Result<Option<Score>, Aborted> {
        let &NodeContext { window, ply, .. } = node;
        let after_null = self.stack.entries[ply - 1].target.is_none();
        if after_null || !node.allows_null_move() {
            return Ok(None);
        }
        let Some(next) = position.null_move() else { return Ok(None) };
        self.stack.entries[ply].target = None;
        self.stack.keys.push(position.key());
        let result = self.search::<NonPv>(
            &next,
            -Window::below(window.beta),
            node.null_move_depth(),
            ply + 1,
        );
        self.stack.keys.pop();
        let score = -result?;
        // A win after a null move is not a proved win.
        Ok((score >= window.beta).then(|| if score.is_decided() { window.beta } else { score }))
    }

    /// Returns the score of a move that the transposition table knows to cause a beta cutoff, and
    /// the move.
    pub(super) fn enhanced_cutoff(
        &mut self,
        position: &P,
        moves: &[P::Move],
        node: &NodeContext,
    ) -> Option<(Score, P::Move)> {
        let &NodeContext { window, depth, ply, .. } = node;
        if depth < params::enhanced_cutoff_min_depth() {
            return None;
        }
        self.stack.keys.push(position.key());
        let cutoff = moves.iter().find_map(|&mv| {
            let next = position.play(mv);
            let entry = self.context.probe_tt(&next)?;
            let score = -self.tt_score(&entry, -window, depth - 1, ply + 1)?;
            // Entries do not include results by repetition or from endgame tables.
            let is_cutoff = score >= window.beta && self.final_score(&next, ply + 1).is_none();
            is_cutoff.then_some((score, mv))
        });
        self.stack.keys.pop();
        cutoff
    }
}
