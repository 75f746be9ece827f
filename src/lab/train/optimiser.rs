//! The Adam optimiser and the learning rate schedule.
//!
//! D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015.

use std::f64::consts::PI;

use super::model::{Buckets, Weights};
use soucie::nnue::{HIDDEN, INPUT_LIMIT, OUTPUT_LIMIT, PAIR_LIMIT, QA, QB};

/// The decay rates of the first and second moments (beta 1 and beta 2).
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// Keeps the step finite while the second moment is zero.
const EPSILON: f32 = 1e-8;
/// The largest absolute value of a weight that fits in the quantised network.
const LIMIT: f32 = INPUT_LIMIT as f32 / QA as f32;
/// That of the weight of a pair.
const LIMIT_OF_PAIRS: f32 = PAIR_LIMIT as f32 / QA as f32;

const _: () = assert!(LIMIT * QB as f32 <= OUTPUT_LIMIT as f32);

#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// The first moment: the moving average of the gradients.
    pub mean: Weights,
    /// The second moment: the moving average of their squares.
    pub square: Weights,
    pub steps: u64,
}

impl Adam {
    /// The initial state, for a network with these numbers of buckets.
    pub fn new(buckets: Buckets) -> Self {
        Self { mean: Weights::zero(buckets), square: Weights::zero(buckets), steps: 0 }
    }

    /// Updates the weights with a gradient and a learning rate.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, rate: f64) {
        self.steps += 1;
        // Bias correction: both averages start at zero.
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let mean_share = 1.0 - f64::from(MEAN_DECAY).powi(steps);
        let square_share = 1.0 - f64::from(SQUARE_DECAY).powi(steps);
        let rate = (rate / mean_share) as f32;
        let spread = (1.0 / square_share.sqrt()) as f32;
        let pairs = weights.pair_rows();
        let pairs = pairs.start * HIDDEN..pairs.end * HIDDEN;
        let averages = self.mean.values_mut().iter_mut().zip(self.square.values_mut());
        let values = weights.values_mut().iter_mut().zip(gradient.values());
        for (number, ((weight, slope), (mean, square))) in values.zip(averages).enumerate() {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let changed = *weight - rate * *mean / (square.sqrt() * spread + EPSILON);
            let limit = if pairs.contains(&number) { LIMIT_OF_PAIRS } else { LIMIT };
            *weight = changed.clamp(-limit, limit);
        }
    }
}

/// The learning rate at `step` of `steps`: cosine annealing from `first` to `last`.
pub fn cosine(first: f64, last: f64, step: u64, steps: u64) -> f64 {
    let way = step as f64 / steps.saturating_sub(1).max(1) as f64;
    last + (first - last) * (1.0 + (PI * way.min(1.0)).cos()) / 2.0
}
