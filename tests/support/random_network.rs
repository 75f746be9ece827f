//! Networks with random weights.

#![allow(dead_code, reason = "each test file uses a different part")]

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::Game;
use soucie::nnue::{
    BIAS_LIMIT, HIDDEN, INPUT_LIMIT, INPUTS, InputWeights, Network, NetworkHeader, OUTPUT_LIMIT,
    PAIR_LIMIT, inputs,
};

/// The largest random weights: of the pieces, of the pairs, of their bias and of the output.
pub type Sizes = [i16; 4];

/// Similar to the weights of a trained network.
pub const USUAL: Sizes = [60, 20, 100, 30];

/// The largest weights that a network may have.
pub const LARGEST: Sizes = [INPUT_LIMIT, PAIR_LIMIT, BIAS_LIMIT, OUTPUT_LIMIT];

/// A random network for a game, determined by the seed.
pub fn random<P: Game>(seed: u64, [input, pair, bias, output]: Sizes) -> Network {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut row =
        |size: i16| -> [i16; HIDDEN] { std::array::from_fn(|_| rng.random_range(-size..=size)) };
    let pieces = INPUTS * P::INPUT_BUCKETS;
    let sizes = (0..inputs::<P>()).map(|number| if number < pieces { input } else { pair });
    let input_weights = sizes.map(|size| InputWeights(row(size))).collect();
    Network {
        header: NetworkHeader {
            game: P::VARIANTS[0].name.into(),
            scale: 200,
            manifest: [seed as u8; 32],
        },
        input_weights,
        input_bias: row(bias),
        output_weights: (0..P::OUTPUT_BUCKETS).map(|_| [row(output), row(output)]).collect(),
        output_bias: (0..P::OUTPUT_BUCKETS as i32).map(|bucket| 1_000 * bucket - 500).collect(),
    }
}
