//! Best-move stability: scales the planned time of a move.

use super::score::Score;

/// How stable the best move and its score are across iterations.
#[derive(Default)]
pub struct BestMoveStability {
    best: u16,
    since: u32,
    effort: f64,
    score: Score,
    fallen: f64,
}

impl BestMoveStability {
    /// Records the best move of an iteration, its share of the nodes, and its score.
    pub fn note(&mut self, best: u16, effort: f64, score: Score) {
        self.since = if best == self.best { self.since + 1 } else { 0 };
        self.best = best;
        self.effort = effort;
        let fall = f64::from(self.score.raw()) - f64::from(score.raw());
        self.fallen = fall.clamp(0.0, 100.0) / 100.0;
        self.score = score;
    }

    /// Returns the factor for the planned time, 1 for a usual move. It is lower if the best move
    /// has been stable and took most of the nodes, and higher if the best move changes or the score
    /// falls.
    pub fn difficulty(&self) -> f64 {
        let steady = 1.4 - 0.1 * f64::from(self.since.min(7));
        let clear = 1.6 - self.effort;
        steady * clear * (1.0 + self.fallen)
    }
}
