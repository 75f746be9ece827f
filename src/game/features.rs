//! The input features of the evaluation network.

use super::{Position, Side};

/// The input features of the network, one bit each: the first word holds a side's own pieces, the
/// second those of the opponent. Each game defines its bits.
pub type FeatureBits = [u64; 2];

/// The features of a game.
pub trait Features: Position {
    /// The number of input buckets.
    const INPUT_BUCKETS: usize = 1;

    /// The number of output buckets.
    const OUTPUT_BUCKETS: usize = 1;

    /// The number of equivalent orientations of the board.
    const SYMMETRIES: usize = 1;

    /// The features of the board from the view of `side`.
    fn features(&self, side: Side) -> FeatureBits;

    /// Converts one side's features to those of the other side.
    fn flip(inputs: FeatureBits) -> FeatureBits;

    /// The square to which a symmetry, a number below [`Features::SYMMETRIES`], maps a square in
    /// either half of the features. Number 0 is the identity.
    fn map_square(square: usize, _number: usize) -> usize {
        square
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

/// The features transformed by the symmetry with this number, below [`Features::SYMMETRIES`].
pub fn symmetric<P: Features>(inputs: FeatureBits, number: usize) -> FeatureBits {
    inputs.map(|half| {
        let squares = (0..64).filter(|square| half >> square & 1 != 0);
        squares.fold(0, |turned, square| turned | 1 << P::map_square(square, number))
    })
}

/// The features in canonical orientation.
pub fn oriented<P: Features>(inputs: FeatureBits) -> FeatureBits {
    symmetric::<P>(inputs, P::symmetry(inputs))
}
