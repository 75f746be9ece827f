//! The learned evaluation: a small neural network that sees the board from both sides.
//!
//! Each of the [`INPUTS`] squares and pieces of [`Position::features`] adds a row of weights to an
//! accumulator of [`HIDDEN`] numbers, one accumulator for each side's view of the board, turned as
//! [`Position::symmetry`] says. What is above nought in them, squared, is weighed once more, by
//! weights for the part of the game, and the sum is the evaluation. A move changes few inputs, so a
//! [`AccumulatorStack`] makes accumulators from those of positions nearby.
//! See <https://www.chessprogramming.org/NNUE>.
//!
//! What was tried, with figures: `src/nnue/experiments.md`.

mod accumulators;
mod built_in;
mod file;
mod simd;

use std::fmt::{self, Debug};
use std::ops::{Deref, DerefMut};

use sha2::{Digest, Sha256};

use crate::game::{FeatureBits, Position};
pub use accumulators::AccumulatorStack;
pub use built_in::{FILES, built_in};
pub use file::{LARGEST, NetworkError};

/// The inputs: those of [`FeatureBits`], bit `i` of its first word and `64 + i` of its second.
pub const INPUTS: usize = 128;

/// The numbers of an accumulator.
pub const HIDDEN: usize = 128;

/// What stands for 1 in an accumulator.
pub const QA: i32 = 255;

/// What stands for 1 in the weights of the output.
pub const QB: i32 = 64;

/// The largest weight of an input, 1.98.
pub const INPUT_LIMIT: i16 = 505;

/// The largest number that an accumulator begins with.
pub const BIAS_LIMIT: i16 = 16_000;

/// The largest weight of the output, 1.98: its product with [`QA`] has 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// The best and, with the other sign, the worst that a network may say: no search may take it
/// for a result that is known.
pub const BOUND: i32 = 19_800;

/// The most pieces, so inputs that are set, on any board.
const PIECES: i32 = 32;

// No sum that stands for a position leaves its type.
const _: () = assert!(PIECES * INPUT_LIMIT as i32 + BIAS_LIMIT as i32 <= i16::MAX as i32);
const _: () = assert!(QA * OUTPUT_LIMIT as i32 <= i16::MAX as i32);
const _: () =
    assert!(2 * HIDDEN as i64 * (QA * QA) as i64 * OUTPUT_LIMIT as i64 <= i32::MAX as i64);

/// A network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What it is for.
    pub header: Header,
    /// What each input adds to an accumulator, in units of 1 / [`QA`].
    pub input_weights: Box<InputWeights>,
    /// What an accumulator begins with, in the same units.
    pub input_bias: [i16; HIDDEN],
    /// For each part of the game the weights of both accumulators, that of the side to move
    /// first, in units of 1 / [`QB`].
    pub output_weights: Vec<[[i16; HIDDEN]; 2]>,
    /// For each part of the game what the sum begins with, in units of 1 / ([`QA`] [`QB`]).
    pub output_bias: Vec<i32>,
}

/// What a network is for, and how it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The game: the name of its first variant.
    pub game: String,
    /// The units of the evaluation that a 1 of the output stands for, which is a logit.
    pub scale: i32,
    /// The SHA-256 hash of the manifest that says how the network was trained.
    pub manifest: [u8; 32],
}

/// A row of weights for each input, on the boundaries of cache lines.
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
    /// The evaluation of a position for its side to move, in units of the evaluation.
    ///
    /// # Panics
    ///
    /// If the network is for another game: see [`Network::suits`].
    pub fn evaluate<P: Position>(&self, position: &P) -> i32 {
        AccumulatorStack::new(self, 1).evaluate(position, 0)
    }

    /// Whether it is a network for this game.
    pub fn suits<P: Position>(&self) -> Result<(), NetworkError> {
        let game = P::VARIANTS.first().map_or("", |variant| variant.name);
        if self.header.game != game {
            return Err(NetworkError::OtherGame { found: self.header.game.clone(), wanted: game });
        }
        for parts in [self.output_weights.len(), self.output_bias.len()] {
            if parts != P::BUCKETS {
                return Err(NetworkError::Parts { found: parts, wanted: P::BUCKETS });
            }
        }
        Ok(())
    }

    /// The first bytes of the SHA-256 hash of its file: its name.
    pub fn hash(&self) -> [u8; 8] {
        let mut hash = [0; 8];
        hash.copy_from_slice(&Sha256::digest(self.write())[..8]);
        hash
    }

    /// What the sum of the weighed accumulators is worth, in units of the evaluation.
    fn scaled(&self, sum: i32, bucket: usize) -> i32 {
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        let worth = output * i64::from(self.header.scale) / i64::from(QA * QB);
        worth.clamp(-i64::from(BOUND), i64::from(BOUND)) as i32
    }
}
