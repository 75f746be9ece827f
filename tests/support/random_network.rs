//! Networks made by chance.

#![allow(dead_code, reason = "every test file uses another part of it")]

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::Game;
use soucie::nnue::{
    BIAS_LIMIT, HIDDEN, INPUT_LIMIT, InputWeights, Network, NetworkHeader, OUTPUT_LIMIT,
};

/// How large weights are: of the inputs, of their bias and of the output.
pub type Sizes = [i16; 3];

/// About as large as those of a trained network.
pub const USUAL: Sizes = [60, 100, 30];

/// As large as they may be.
pub const LARGEST: Sizes = [INPUT_LIMIT, BIAS_LIMIT, OUTPUT_LIMIT];

/// A network for a game, always the same for a seed.
pub fn random<P: Game>(seed: u64, [input, bias, output]: Sizes) -> Network {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut row =
        |size: i16| -> [i16; HIDDEN] { std::array::from_fn(|_| rng.random_range(-size..=size)) };
    let mut input_weights = vec![InputWeights::default(); P::INPUT_BUCKETS];
    let rows = input_weights.iter_mut().flat_map(|rows| rows.iter_mut());
    rows.for_each(|weights| *weights = row(input));
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
