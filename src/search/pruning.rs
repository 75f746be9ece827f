//! Pruning and reductions.

use std::array::from_fn;
use std::sync::LazyLock;

use super::params::{
    futility, late_move_pruning, late_move_reduction, null_move, reverse_futility,
};
use super::score::{Score, Window};

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
pub(super) struct NodeContext {
    pub window: Window,
    /// The remaining depth, in plies.
    pub depth: i32,
    pub ply: usize,
    pub eval: Score,
    /// Whether the evaluation is better than at the last turn of the side to move.
    pub improving: bool,
    /// Whether the opponent would win at once if it were their turn.
    pub threatened: bool,
}

impl NodeContext {
    /// Whether a quiet move after `count` others is skipped by late move pruning.
    pub(super) fn is_late(&self, count: usize) -> bool {
        let limit = late_move_pruning::BASE + self.depth * self.depth;
        let limit = if self.improving { limit } else { limit / 2 };
        self.depth <= late_move_pruning::TO_DEPTH && count as i32 >= limit
    }

    /// Whether quiet moves are skipped by futility pruning: none is expected to reach `alpha`.
    pub(super) fn is_futile(&self, alpha: Score) -> bool {
        let margin = futility::BASE + futility::MARGIN * self.depth;
        self.depth <= futility::TO_DEPTH && self.eval + margin <= alpha
    }

    /// Whether the node may be pruned before its moves are searched.
    pub(super) fn may_prune(&self) -> bool {
        !self.window.beta.is_certain() && !self.threatened
    }

    /// Returns the score of the node if reverse futility pruning cuts it off.
    pub(super) fn reverse_futility_score(&self) -> Option<Score> {
        let margin = reverse_futility::MARGIN * (self.depth - i32::from(self.improving));
        (self.depth <= reverse_futility::TO_DEPTH && self.eval - margin >= self.window.beta)
            .then_some(self.eval)
    }

    /// Whether to try null move pruning.
    pub(super) fn allows_null_move(&self) -> bool {
        self.depth >= null_move::FROM_DEPTH && self.eval >= self.window.beta
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
pub(super) struct Reductions(&'static [[i8; 64]; 64]);

impl Reductions {
    pub(super) fn new() -> Self {
        // Computed once a process: thousands of logarithms would slow down searches of a thousand
        // nodes.
        static PLIES: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
            from_fn(|depth| from_fn(|count| formula(depth.max(1) as f64, count.max(1) as f64)))
        });
        Self(&PLIES)
    }

    pub(super) fn base(&self, depth: i32, count: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(self.0.len() - 1);
        self.0[depth][count.min(63)].into()
    }

    /// Returns the reduction, in plies, of a move after `count` others, with this ordering score.
    pub(super) fn for_move<N: NodeType>(
        &self,
        depth: i32,
        count: usize,
        quiet: bool,
        score: i32,
    ) -> i32 {
        if depth < late_move_reduction::FROM_DEPTH || count < late_move_reduction::FROM_MOVE {
            return 0;
        }
        let history = score.clamp(-24_000, 24_000) / late_move_reduction::HISTORY_DIVISOR;
        let reduction = self.base(depth, count) - i32::from(N::PV) - i32::from(!quiet) - history;
        reduction.clamp(0, depth - 2)
    }
}

fn formula(depth: f64, count: f64) -> i8 {
    (late_move_reduction::BASE + depth.ln() * count.ln() / late_move_reduction::DIVISOR) as i8
}
