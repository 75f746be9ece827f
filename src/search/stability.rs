//! Best-move stability: scales the planned time of a move.

use super::score::Score;

/// How stable the best move and its score are across iterations.
#[derive(Default)]
pub struct BestMoveStability {
    best: u16,
    /// The number of iterations since the best move last changed.
    stable_iterations: u32,
    /// The share of the nodes that the best move took.
    effort: f64,
    score: Score,
    /// How far the score fell in the last iteration, from 0 to 1.
    score_drop: f64,
}

impl BestMoveStability {
    /// Records the packed best move of an iteration, its share of the nodes, and its score.
    pub fn update(&mut self, best: u16, effort: f64, score: Score) {
        self.stable_iterations = if best == self.best { self.stable_iterations + 1 } else { 0 };
        self.best = best;
        self.effort = effort;
        let drop = f64::from(self.score.raw()) - f64::from(score.raw());
        self.score_drop = drop.clamp(0.0, 100.0) / 100.0;
        self.score = score;
    }

    /// Returns the factor for the planned time, 1 for a usual move. It is lower if the best move
    /// has been stable and took most of the nodes, and higher if the best move changes or the score
    /// falls.
    pub fn time_factor(&self) -> f64 {
        let by_stability = 1.4 - 0.1 * f64::from(self.stable_iterations.min(7));
        let by_effort = 1.6 - self.effort;
        by_stability * by_effort * (1.0 + self.score_drop)
    }
}
