//! A quantised network: its weights and their bounds.

use std::fmt::{self, Debug};
use std::ops::{Deref, DerefMut};

/// The number of input features: bit `i` of the first word of
/// [`FeatureBits`](crate::game::FeatureBits) and `64 + i` of its second.
pub const INPUTS: usize = 128;

/// The number of hidden neurons in each accumulator.
pub const HIDDEN: usize = 128;

/// The quantisation factor of the accumulators: the value that represents 1.
pub const QA: i32 = 255;

/// The quantisation factor of the output weights: the value that represents 1.
pub const QB: i32 = 64;

/// The largest absolute value of an input weight, 1.98.
pub const INPUT_LIMIT: i16 = 505;

/// The largest absolute value of an input bias.
pub const BIAS_LIMIT: i16 = 16_000;

/// The largest absolute value of an output weight, 1.98. Its product with [`QA`] fits 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// The largest absolute evaluation that a network returns. It is below the scores of known results.
pub const BOUND: i32 = 19_800;

/// The maximum number of pieces, and so of active features, on any board.
const MAX_PIECES: i32 = 32;

// No sum of a position can overflow.
const _: () = assert!(MAX_PIECES * INPUT_LIMIT as i32 + BIAS_LIMIT as i32 <= i16::MAX as i32);
const _: () = assert!(QA * OUTPUT_LIMIT as i32 <= i16::MAX as i32);
const _: () =
    assert!(2 * HIDDEN as i64 * (QA * QA) as i64 * OUTPUT_LIMIT as i64 <= i32::MAX as i64);

/// A quantised network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The game and the training of the network.
    pub header: NetworkHeader,
    /// For each input bucket, the weights from each feature to the accumulator, in units of
    /// 1 / [`QA`]. If there is only one, it serves all positions.
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

/// A row of weights for each feature, aligned to cache lines.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct InputWeights(pub [[i16; HIDDEN]; INPUTS]);

impl Default for InputWeights {
    fn default() -> Self {
        Self([[0; HIDDEN]; INPUTS])
    }
}

impl Deref for InputWeights {
    type Target = [[i16; HIDDEN]; INPUTS];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for InputWeights {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Debug for InputWeights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{INPUTS} rows of {HIDDEN} weights")
    }
}

impl Network {
    /// The weights of an input bucket.
    #[inline(always)]
    pub fn input_weights(&self, bucket: usize) -> &InputWeights {
        self.input_weights.get(bucket).unwrap_or(&self.input_weights[0])
    }

    /// Converts the weighted sum of the activations to units of the evaluation.
    pub(super) fn evaluation(&self, sum: i32, bucket: usize) -> i32 {
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        let evaluation = output * i64::from(self.header.scale) / i64::from(QA * QB);
        evaluation.clamp(-i64::from(BOUND), i64::from(BOUND)) as i32
    }
}
