//! The NNUE evaluation: a small neural network that sees the board from both sides.
//!
//! Each active input adds [`HIDDEN`] weights to an accumulator. The inputs are the features of
//! [`Features::features`], with weights for each input bucket: a group of positions, such as those
//! with few pieces; and in some games the pairs of pieces on neighbouring squares. There is one
//! accumulator for each side's view of the board, transformed by [`Features::symmetry`]. The
//! activation is squared clipped ReLU. One output layer for each output bucket weights both
//! accumulators and returns the evaluation. A move changes few features, so an [`AccumulatorStack`]
//! updates accumulators incrementally. See <https://www.chessprogramming.org/NNUE>.
//!
//! [`Features::features`]: crate::game::Features::features
//! [`Features::symmetry`]: crate::game::Features::symmetry
//!
//! Experiments and their results are in `src/core/nnue/experiments.md`.

mod accumulator;
mod built_in;
mod file;
mod inputs;
mod network;
mod simd;

pub use accumulator::AccumulatorStack;
pub use built_in::{FILES, built_in};
pub use file::{MAX_FILE_SIZE, MAX_SCALE, NetworkError};
pub use inputs::{INPUTS, InputList, PAIRS, active_inputs, inputs};
pub use network::{
    BIAS_LIMIT, BOUND, HIDDEN, INPUT_LIMIT, InputWeights, Network, NetworkHeader, OUTPUT_LIMIT,
    PAIR_LIMIT, QA, QB,
};
