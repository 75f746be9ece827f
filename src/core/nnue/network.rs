//! A quantised network: its weights and their bounds.

use std::fmt::{self, Debug};

use super::inputs::INPUTS;
use crate::game::Features;

/// The number of hidden neurons in each accumulator.
pub const HIDDEN: usize = 128;

/// The quantisation factor of the accumulators: the value that represents 1.
pub const QA: i32 = 255;

/// The quantisation factor of the output weights: the value that represents 1.
pub const QB: i32 = 64;

/// The largest absolute value of an input weight, 1.98.
pub const INPUT_LIMIT: i16 = 505;

/// The largest absolute value of the weight of a pair, 0.39.
pub const PAIR_LIMIT: i16 = 100;

/// The largest absolute value of an input bias.
pub const BIAS_LIMIT: i16 = 3_800;

/// The largest absolute value of an output weight, 1.98. Its product with [`QA`] fits 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// The largest absolute evaluation that a network returns. It is below the scores of known results.
pub const BOUND: i32 = 19_800;

const MAX_PIECES: i32 = 32;

/// The maximum number of pairs: each piece has eight neighbours.
const MAX_PAIRS: i32 = 8 * MAX_PIECES / 2;

// No sum of a position can overflow.
const _: () = {
    let pieces = MAX_PIECES * INPUT_LIMIT as i32;
    let pairs = MAX_PAIRS * PAIR_LIMIT as i32;
    assert!(pieces + pairs + BIAS_LIMIT as i32 <= i16::MAX as i32);
};
const _: () = assert!(QA * OUTPUT_LIMIT as i32 <= i16::MAX as i32);
const _: () =
    assert!(2 * HIDDEN as i64 * (QA * QA) as i64 * OUTPUT_LIMIT as i64 <= i32::MAX as i64);

/// A quantised network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    pub header: NetworkHeader,
    /// The weights from each input to the accumulator, in units of 1 / [`QA`]. If there are only
    /// [`INPUTS`], they serve all input buckets.
    pub input_weights: Vec<InputWeights>,
    /// The biases of the accumulator, in the same units.
    pub input_bias: [i16; HIDDEN],
    /// For each output bucket, the weights of both accumulators, that of the side to move first, in
    /// units of 1 / [`QB`].
    pub output_weights: Vec<[[i16; HIDDEN]; 2]>,
    /// For each output bucket, the output bias in units of 1 / ([`QA`] [`QB`]).
    pub output_bias: Vec<i32>,
}

/// The game of a network and how it was trained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkHeader {
    /// The game: the name of its first variant.
    pub game: String,
    /// The factor from the output, a logit, to units of the evaluation.
    pub scale: i32,
    /// The SHA-256 hash of the training manifest.
    pub manifest: [u8; 32],
}

/// The weights of an input, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct InputWeights(pub [i16; HIDDEN]);

impl Debug for InputWeights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{HIDDEN} weights")
    }
}

impl Network {
    /// Whether there are weights for pairs.
    #[inline(always)]
    pub fn has_pairs<P: Features>(&self) -> bool {
        P::PAIRS && self.input_weights.len() > INPUTS * P::INPUT_BUCKETS
    }

    /// The input bucket whose weights serve this one.
    #[inline(always)]
    pub(super) fn serving_bucket(&self, bucket: usize) -> usize {
        if self.input_weights.len() == INPUTS { 0 } else { bucket }
    }

    /// Converts the weighted sum of the activations to units of the evaluation.
    #[inline]
    pub(super) fn evaluation(&self, sum: i32, bucket: usize) -> i32 {
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        let evaluation = output * i64::from(self.header.scale) / i64::from(QA * QB);
        evaluation.clamp(-i64::from(BOUND), i64::from(BOUND)) as i32
    }
}
