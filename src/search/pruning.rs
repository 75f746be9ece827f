//! Pruning and reductions.

use std::array::from_fn;
use std::sync::LazyLock;

use super::params::{
    futility, late_move_pruning, late_move_reduction, null_move, reverse_futility,
};
use super::score::{Score, Window};
use super::searcher::{Aborted, Node, NonPv, Searcher};
use crate::game::Position;

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
        let late = late_move_pruning::BASE + self.depth * self.depth;
        let late = if self.improving { late } else { late / 2 };
        self.depth <= late_move_pruning::TO_DEPTH && count as i32 >= late
    }

    /// Whether quiet moves are skipped by futility pruning: none is expected to reach `alpha`.
    pub(super) fn is_futile(&self, alpha: Score) -> bool {
        let margin = futility::BASE + futility::MARGIN * self.depth;
        self.depth <= futility::TO_DEPTH && self.eval + margin <= alpha
    }
}

impl<P: Position> Searcher<'_, P> {
    /// Returns a score if the node is pruned before its moves are searched, by reverse futility or
    /// null move pruning.
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

    /// Tries null move pruning: returns a score of at least beta, or `None` if there is no cutoff.
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
        // A win after a null move is not a proved win.
        Ok((score >= window.beta).then(|| if score.is_certain() { window.beta } else { score }))
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

    /// Returns the reduction, in plies, of a move after `count` others, with history score `merit`.
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
