//! Pruning and reductions.

use std::array::from_fn;
use std::sync::LazyLock;

use super::params::{
    futility, late_move_pruning, late_move_reduction, null_move, reverse_futility,
};
use super::score::{Score, Window};
use crate::game::MoveScore;

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
        let limit = late_move_pruning::BASE + self.depth * self.depth;
        let limit = if self.improving { limit } else { limit / 2 };
        self.depth <= late_move_pruning::MAX_DEPTH && count as i32 >= limit
    }

    /// Whether quiet moves are skipped by futility pruning: none is expected to reach `alpha`.
    pub(super) fn is_futile(&self, alpha: Score) -> bool {
        let margin = futility::BASE + futility::MARGIN * self.depth;
        self.depth <= futility::MAX_DEPTH && self.eval + margin <= alpha
    }

    /// Whether the node may be pruned before its moves are searched.
    pub(super) fn may_prune(&self) -> bool {
        !self.window.beta.is_certain() && !self.threatened && !self.forced
    }

    /// Returns the score of the node if reverse futility pruning cuts it off.
    #[inline]
    pub(super) fn reverse_futility_score(&self) -> Option<Score> {
        let margin = reverse_futility::MARGIN * (self.depth - i32::from(self.improving));
        (self.depth <= reverse_futility::MAX_DEPTH && self.eval - margin >= self.window.beta)
            .then_some(self.eval)
    }

    /// Whether to try null move pruning.
    pub(super) fn allows_null_move(&self) -> bool {
        self.depth >= null_move::MIN_DEPTH && self.eval >= self.window.beta
    }

    /// The depth of the search after a null move.
    pub(super) fn null_move_depth(&self) -> i32 {
        let surplus = i32::from(self.eval.raw()) - i32::from(self.window.beta.raw());
        let surplus_reduction =
            (surplus / null_move::SURPLUS_DIVISOR).min(null_move::MAX_SURPLUS_REDUCTION);
        self.depth
            - (null_move::REDUCTION + self.depth / null_move::DEPTH_DIVISOR + surplus_reduction)
    }
}

/// The table of late move reductions in plies, by depth and number of the move.
pub(super) struct Reductions {
    plies: &'static [[i8; 64]; 64],
    /// The move score that lowers a reduction by one ply.
    score_of_a_ply: i32,
}

impl Reductions {
    pub(super) fn new(score_of_a_ply: i32) -> Self {
        // Computed once a process: thousands of logarithms would slow down searches of a thousand
        // nodes.
        static PLIES: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
            from_fn(|depth| from_fn(|count| formula(depth.max(1) as f64, count.max(1) as f64)))
        });
        Self { plies: &PLIES, score_of_a_ply }
    }

    pub(super) fn base(&self, depth: i32, count: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(self.plies.len() - 1);
        self.plies[depth][count.min(63)].into()
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
        use late_move_reduction::MAX_SCORE;
        if depth < late_move_reduction::MIN_DEPTH || count < late_move_reduction::FROM_MOVE {
            return 0;
        }
        let by_score = score.clamp(-MAX_SCORE, MAX_SCORE) / self.score_of_a_ply;
        let reduction = self.base(depth, count) - i32::from(N::PV) - i32::from(!quiet) - by_score;
        reduction.clamp(0, depth - 2)
    }
}

fn formula(depth: f64, count: f64) -> i8 {
    (late_move_reduction::BASE + depth.ln() * count.ln() / late_move_reduction::DIVISOR) as i8
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
    fn pv_noisy_and_promising_moves_are_reduced_less() {
        let reductions = Reductions::new(6_000);
        let quiet = reductions.for_move::<NonPv>(12, 20, true, 0);
        let rows = [
            (reductions.for_move::<Pv>(12, 20, true, 0), quiet - 1),
            (reductions.for_move::<NonPv>(12, 20, false, 0), quiet - 1),
            (reductions.for_move::<NonPv>(12, 20, true, 12_000), quiet - 2),
            (reductions.for_move::<NonPv>(12, 20, true, -6_000), quiet + 1),
            (reductions.for_move::<NonPv>(12, 20, true, MoveScore::MAX), 0),
        ];
        for (i, (reduction, expected)) in rows.into_iter().enumerate() {
            assert_eq!(reduction, expected, "row {i}");
        }
    }

    #[test]
    fn nodes_with_a_certain_beta_a_threat_or_a_forced_move_are_not_pruned() {
        assert!(node(1, 5_000).may_prune());
        assert!(!NodeContext { threatened: true, ..node(1, 5_000) }.may_prune());
        assert!(!NodeContext { forced: true, ..node(1, 5_000) }.may_prune());
        for beta in [Score::win_in(20), Score::loss_in(20), Score::KNOWN_WIN, -Score::KNOWN_WIN] {
            let window = Window::below(beta);
            assert!(!NodeContext { window, ..node(1, 5_000) }.may_prune(), "{beta:?}");
        }
    }

    #[test]
    fn the_margins_grow_with_the_depth_up_to_a_limit() {
        let alpha = Score::eval(0);
        // For each depth: the lowest evaluation that cuts off, the highest one with futile quiet
        // moves, and the number of moves after which quiet moves are late.
        let rows = [
            (1, Some(71), Some(-130), Some(2)),
            (2, Some(141), Some(-200), Some(4)),
            (4, Some(281), Some(-340), Some(10)),
            (5, Some(351), None, None),
            (6, Some(421), None, None),
            (7, None, None, None),
        ];
        for (depth, cutoff, futile, late) in rows {
            let cuts = |eval| node(depth, eval).reverse_futility_score();
            assert_eq!(cuts(cutoff.unwrap_or(9_000)).is_some(), cutoff.is_some(), "{depth}");
            assert!(cutoff.is_none_or(|eval| cuts(eval - 1).is_none()), "{depth}");
            let is_futile = |eval| node(depth, eval).is_futile(alpha);
            assert_eq!(is_futile(futile.unwrap_or(-9_000)), futile.is_some(), "{depth}");
            assert!(futile.is_none_or(|eval| !is_futile(eval + 1)), "{depth}");
            let first_late = (0..100).find(|&count| node(depth, 0).is_late(count));
            assert_eq!(first_late, late, "{depth}");
            let improving = NodeContext { improving: true, ..node(depth, 0) };
            assert!(late.is_none_or(|count| !improving.is_late(count)), "{depth}");
        }
    }

    #[test]
    fn a_null_move_requires_depth_and_an_evaluation_of_at_least_beta() {
        // Beta is 1.
        for (depth, eval, depth_after) in [
            (2, 500, None),
            (3, 0, None),
            (3, 1, Some(0)),
            (8, 1, Some(3)),
            (8, 151, Some(2)),
            (8, 9_000, Some(0)),
        ] {
            let node = node(depth, eval);
            let after = node.allows_null_move().then(|| node.null_move_depth());
            assert_eq!(after, depth_after, "{depth} {eval}");
        }
    }
}
