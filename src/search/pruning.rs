//! What is left out of the tree, and what is looked at less deeply.

use std::array::from_fn;
use std::sync::LazyLock;

use super::params::{
    futility, late_move_pruning, late_move_reduction, null_move, reverse_futility,
};
use super::score::{Score, Window};
use super::searcher::{Aborted, Node, NonPv, Searcher};
use crate::game::Position;

/// What a node knows before it tries its moves.
pub(super) struct NodeContext {
    pub window: Window,
    /// The plies that are left to look ahead.
    pub depth: i32,
    pub ply: usize,
    pub eval: Score,
    /// Whether the side to move is better off than at its last turn.
    pub improving: bool,
    /// Whether the opponent would win at once, were it his turn.
    pub threatened: bool,
}

impl NodeContext {
    /// Whether a quiet move comes too late in the order, behind `count` others, to be worth a look.
    pub(super) fn is_late(&self, count: usize) -> bool {
        let late = late_move_pruning::BASE + self.depth * self.depth;
        let late = if self.improving { late } else { late / 2 };
        self.depth <= late_move_pruning::TO_DEPTH && count as i32 >= late
    }

    /// Whether no quiet move can be hoped to reach `alpha`.
    pub(super) fn is_futile(&self, alpha: Score) -> bool {
        let margin = futility::BASE + futility::MARGIN * self.depth;
        self.depth <= futility::TO_DEPTH && self.eval + margin <= alpha
    }
}

impl<P: Position> Searcher<'_, P> {
    /// The score of a node that is so good that its moves need not be searched.
    pub(super) fn prune(
        &mut self,
        position: &P,
        node: &NodeContext,
    ) -> Result<Option<Score>, Aborted> {
        if node.window.beta.is_certain() || node.threatened {
            return Ok(None);
        }
        let margin = reverse_futility::MARGIN * (node.depth - i32::from(node.improving));
        if node.depth <= reverse_futility::TO_DEPTH && node.eval - margin >= node.window.beta {
            return Ok(Some(node.eval));
        }
        self.try_null_move(position, node)
    }

    /// Searches with the turn passed on. `None` where that does not settle the matter.
    fn try_null_move(
        &mut self,
        position: &P,
        node: &NodeContext,
    ) -> Result<Option<Score>, Aborted> {
        let &NodeContext { window, depth, ply, eval, .. } = node;
        let after_null = self.stack.entries[ply - 1].target.is_none();
        if depth < null_move::FROM_DEPTH || eval < window.beta || after_null {
            return Ok(None);
        }
        let Some(next) = position.null_move() else { return Ok(None) };
        let surplus = (i32::from(eval.raw()) - i32::from(window.beta.raw())) / 150;
        let reduction = null_move::REDUCTION + depth / null_move::DEPTH_DIVISOR + surplus.min(3);
        self.stack.entries[ply].target = None;
        self.stack.keys.push(position.key());
        let result =
            self.search::<NonPv>(&next, -Window::below(window.beta), depth - reduction, ply + 1);
        self.stack.keys.pop();
        let score = -result?;
        // A win after a pass is not a proof of a win.
        Ok((score >= window.beta).then(|| if score.is_certain() { window.beta } else { score }))
    }
}

/// The plies taken off by depth and number of the move.
pub(super) struct Reductions(&'static [[i8; 64]; 64]);

impl Reductions {
    pub(super) fn new() -> Self {
        // Thousands of logarithms are more than a search of a thousand nodes should begin with.
        static PLIES: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
            from_fn(|depth| from_fn(|count| formula(depth.max(1) as f64, count.max(1) as f64)))
        });
        Self(&PLIES)
    }

    pub(super) fn base(&self, depth: i32, count: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(self.0.len() - 1);
        self.0[depth][count.min(63)].into()
    }

    /// The plies taken off a move behind `count` others, with so much merit in the history.
    pub(super) fn for_move<N: Node>(
        &self,
        depth: i32,
        count: usize,
        quiet: bool,
        merit: i32,
    ) -> i32 {
        if depth < late_move_reduction::FROM_DEPTH || count < late_move_reduction::FROM_MOVE {
            return 0;
        }
        let merit = merit.clamp(-24_000, 24_000) / late_move_reduction::HISTORY_DIVISOR;
        let reduction = self.base(depth, count) - i32::from(N::PV) - i32::from(!quiet) - merit;
        reduction.clamp(0, depth - 2)
    }
}

fn formula(depth: f64, count: f64) -> i8 {
    (late_move_reduction::BASE + depth.ln() * count.ln() / late_move_reduction::DIVISOR) as i8
}
