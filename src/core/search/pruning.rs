//! Pruning and reductions: whether a node is cut off before its moves are searched, by reverse futility, a null
//! move or the entries of its moves in the transposition table; which moves are skipped; which are searched
//! to a smaller depth.

use std::array::from_fn;
use std::sync::LazyLock;

use super::params;
use super::score::{Score, Window};
use super::searcher::{Aborted, Searcher};
use crate::game::{Features, Heuristics, MoveScore};

/// The type of a node, a compile-time parameter.
pub(super) trait NodeType {
    /// Whether this is a PV node: it needs an exact score and a principal variation.
    const PV: bool;
}

pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}

/// The data of a node before its moves are searched.
#[derive(Clone)]
pub(super) struct NodeContext {
    pub window: Window,
    /// The remaining depth, in plies.
    pub depth: i32,
    pub ply: usize,
    /// The evaluation before the correction history corrects it, as stored in the TT. Where a noisy
    /// move is forced, it is the corrected evaluation of the position two plies before.
    pub static_eval: Score,
    /// The corrected evaluation.
    pub eval: Score,
    /// Whether the evaluation is better than at the last turn of the side to move.
    pub improving: bool,
    /// Whether the opponent would win at once if it were their turn.
    pub threatened: bool,
    /// Whether a noisy move is forced.
    pub forced: bool,
    /// Whether the TT move is much better than all others.
    pub singular: bool,
}

impl NodeContext {
    /// Whether late move pruning skips a quiet move after `count` others, and all moves after it.
    pub(super) fn is_late(&self, count: usize) -> bool {
        let limit = params::late_move_pruning_base() + self.depth * self.depth;
        let limit = if self.improving { limit } else { limit / 2 };
        self.depth <= params::late_move_pruning_max_depth() && count as i32 >= limit
    }

    /// Whether quiet moves are skipped by futility pruning: none is expected to reach `alpha`.
    pub(super) fn is_futile(&self, alpha: Score) -> bool {
        let margin = params::futility_base() + params::futility_margin() * self.depth;
        self.depth <= params::futility_max_depth() && self.eval + margin <= alpha
    }

    pub(super) fn may_prune(&self) -> bool {
        !self.window.beta.is_decided() && !self.threatened && !self.forced
    }

    #[inline]
    pub(super) fn reverse_futility_score(&self) -> Option<Score> {
        let margin = params::reverse_futility_margin() * (self.depth - i32::from(self.improving));
        (self.depth <= params::reverse_futility_max_depth()
            && self.eval - margin >= self.window.beta)
            .then_some(self.eval)
    }

    pub(super) fn allows_null_move(&self) -> bool {
        self.depth >= params::null_move_min_depth() && self.eval >= self.window.beta
    }

    pub(super) fn null_move_depth(&self) -> i32 {
        let surplus = i32::from(self.eval.raw()) - i32::from(self.window.beta.raw());
        let surplus_reduction = (surplus / params::null_move_surplus_divisor())
            .min(params::null_move_max_surplus_reduction());
        self.depth
            - (params::null_move_reduction()
                + self.depth / params::null_move_depth_divisor()
                + surplus_reduction)
    }
}

impl<P: Heuristics + Features> Searcher<'_, P> {
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

pub(super) struct Reductions {
    /// The logarithms of depths and move numbers.
    logarithms: &'static [f64; 64],
    /// The move score that lowers a reduction by one ply.
    score_of_a_ply: i32,
}

impl Reductions {
    pub(super) fn new(score_of_a_ply: i32) -> Self {
        static LOGARITHMS: LazyLock<[f64; 64]> =
            LazyLock::new(|| from_fn(|number| (number.max(1) as f64).ln()));
        Self { logarithms: &LOGARITHMS, score_of_a_ply }
    }

    /// Returns the reduction, in plies, by depth and number of the move.
    pub(super) fn base(&self, depth: i32, count: usize) -> i32 {
        let logarithm = |number: usize| self.logarithms[number.min(63)];
        let product = logarithm(depth.max(0) as usize) * logarithm(count);
        (params::late_move_reduction_base() + product / params::late_move_reduction_divisor())
            as i32
    }

    /// Returns the reduction, in plies, of a move after `count` others, with this ordering score.
    #[inline]
    pub(super) fn for_move<N: NodeType>(
        &self,
        depth: i32,
        count: usize,
        quiet: bool,
        score: MoveScore,
    ) -> i32 {
        let max_score = params::late_move_reduction_max_score();
        if depth < params::late_move_reduction_min_depth()
            || count < params::late_move_reduction_from_move()
        {
            return 0;
        }
        let by_score = score.clamp(-max_score, max_score) / self.score_of_a_ply;
        let reduction = self.base(depth, count) - i32::from(N::PV) - i32::from(!quiet) - by_score;
        reduction.clamp(0, depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: i32, eval: i32) -> NodeContext {
        NodeContext {
            window: Window::above(Score::eval(0)),
            depth,
            ply: 3,
            static_eval: Score::eval(eval),
            eval: Score::eval(eval),
            improving: false,
            threatened: false,
            forced: false,
            singular: false,
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number_but_leave_a_ply() {
        let reductions = Reductions::new(6_000);
        let of = |depth, count| reductions.for_move::<NonPv>(depth, count, true, 0);
        for depth in 0..80 {
            for count in 0..80 {
                let reduction = of(depth, count);
                assert!(reduction <= of(depth + 1, count) && reduction <= of(depth, count + 1));
                assert!(reduction == 0 || depth - 1 - reduction >= 1, "{depth} {count}");
            }
        }
        assert!(of(2, 60) == 0 && of(20, 1) == 0 && of(20, 30) > 3);
    }

    #[test]
    fn nodes_with_a_decided_beta_a_threat_or_a_forced_move_are_not_pruned() {
        assert!(node(1, 5_000).may_prune());
        assert!(!NodeContext { threatened: true, ..node(1, 5_000) }.may_prune());
        assert!(!NodeContext { forced: true, ..node(1, 5_000) }.may_prune());
        for beta in
            [Score::win_in(20), Score::loss_in(20), Score::TABLEBASE_WIN, -Score::TABLEBASE_WIN]
        {
            let window = Window::below(beta);
            assert!(!NodeContext { window, ..node(1, 5_000) }.may_prune(), "{beta:?}");
        }
    }
}
