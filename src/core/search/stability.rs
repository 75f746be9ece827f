//! Best-move stability: scales the soft limit of a move.

use super::params;
use super::score::Score;

/// How stable the best move and its score are across iterations.
#[derive(Default)]
pub struct BestMoveStability {
    best: u16,
    /// The number of iterations since the best move last changed.
    stable_iterations: u32,
    /// The share of the nodes that the best move took.
    share: f64,
    score: Score,
    /// How far the score fell in the last iteration, from 0 to 1.
    score_drop: f64,
}

impl BestMoveStability {
    /// Records the packed best move of an iteration, its share of the nodes, and its score.
    pub fn update(&mut self, best: u16, share: f64, score: Score) {
        self.stable_iterations = if best == self.best { self.stable_iterations + 1 } else { 0 };
        self.best = best;
        self.share = share;
        let drop = f64::from(self.score.raw()) - f64::from(score.raw());
        self.score_drop = (drop / params::stability_largest_drop()).clamp(0.0, 1.0);
        self.score = score;
    }

    /// Returns the factor for the soft limit, 1 for a usual move. It is lower if the best move
    /// has been stable and took most of the nodes, and higher if the best move changes or the score
    /// falls.
    pub fn time_factor(&self) -> f64 {
        let stable_iterations = self.stable_iterations.min(params::stability_most_iterations());
        let by_stability = params::stability_changed()
            - params::stability_iteration() * f64::from(stable_iterations);
        let by_share = params::stability_share() - self.share;
        by_stability * by_share * (1.0 + self.score_drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor after iterations with these best moves and scores.
    fn factor(iterations: &[(u16, i32)], share: f64) -> f64 {
        let mut stability = BestMoveStability::default();
        for &(best, score) in iterations {
            stability.update(best, share, Score::eval(score));
        }
        stability.time_factor()
    }

    #[test]
    fn unstable_searches_get_more_time() {
        let stable = factor(&[(1, 0), (1, 0), (1, 0)], 0.5);
        let rows = [
            ("stable for longer", factor(&[(1, 0); 9], 0.5), stable, false),
            ("the best move changes", factor(&[(1, 0), (1, 0), (2, 0)], 0.5), stable, true),
            ("the score falls", factor(&[(1, 0), (1, 0), (1, -50)], 0.5), stable, true),
            ("most nodes for the best move", factor(&[(1, 0); 3], 0.9), stable, false),
        ];
        for (what, factor, stable, is_more) in rows {
            assert!(factor != stable && (factor > stable) == is_more, "{what}: {factor} {stable}");
        }
        assert_eq!(factor(&[(1, 0), (1, 0), (1, 50)], 0.5), stable, "the score rises");
    }
}
