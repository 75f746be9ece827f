//! The input features of the evaluation network.

use super::{Position, Side};

/// The input features of the network, one bit each: the first word holds a side's own pieces, the
/// second those of the opponent. Each game defines its bits.
pub type FeatureBits = [u64; 2];

/// How a game is an input of the evaluation network.
pub trait Features: Position {
    /// The number of input buckets.
    const INPUT_BUCKETS: usize = 1;

    /// Whether pairs of pieces on neighbouring squares of the 8x8 board are inputs too.
    const PAIRS: bool = false;

    /// The number of output buckets.
    const OUTPUT_BUCKETS: usize = 1;

    /// The number of equivalent orientations of the board. If there are several, each feature is a
    /// piece on the square with the number of its bit, 0 for a1 to 63 for h8, for either side.
    const SYMMETRIES: usize = 1;

    /// The features of the board from the view of `side`.
    fn features(&self, side: Side) -> FeatureBits;

    /// Converts one side's features to those of the other side.
    fn flip(inputs: FeatureBits) -> FeatureBits;

    /// The features transformed by the symmetry with this number, below [`Features::SYMMETRIES`].
    /// Number 0 is the identity.
    fn transformed(inputs: FeatureBits, _number: usize) -> FeatureBits {
        inputs
    }

    /// The number of the symmetry that maps the features to their canonical orientation. The
    /// network needs to learn only this orientation.
    fn symmetry(_inputs: FeatureBits) -> usize {
        0
    }

    /// The input bucket of the features, below [`Features::INPUT_BUCKETS`]: each has weights of its
    /// own from the features to the accumulator.
    fn input_bucket(_inputs: FeatureBits) -> usize {
        0
    }

    /// The output bucket of the features, below [`Features::OUTPUT_BUCKETS`]. It is the same from
    /// both views.
    fn output_bucket(_inputs: FeatureBits) -> usize {
        0
    }
}

/// The features in canonical orientation.
#[inline]
pub fn oriented<P: Features>(inputs: FeatureBits) -> FeatureBits {
    P::transformed(inputs, P::symmetry(inputs))
}
