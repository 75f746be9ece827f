//! The network in floating point: forward pass and gradient.
//!
//! Each perspective has an accumulator: the sum of the weight rows of its active features. The
//! output is a weighted sum of the accumulator values, clamped to 0..1 and squared (SCReLU). Both
//! the forward and the backward pass skip inactive features.
//! See <https://www.chessprogramming.org/NNUE>.

use std::ops::Range;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use soucie::game::Features;
use soucie::nnue::{HIDDEN, INPUTS, InputList, InputWeights, Network, PAIRS, QA, QB};

/// The number of floats in a chunk; loops over a chunk compile to vector instructions.
const CHUNK: usize = 32;
const CHUNKS: usize = HIDDEN / CHUNK;
type Row = [[f32; CHUNK]; CHUNKS];

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Buckets {
    pub input: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pairs: bool,
    pub output: usize,
}

impl Buckets {
    /// Those of the networks of a game, with or without pairs.
    pub fn for_game<P: Features>(pairs: bool) -> Self {
        Self { input: P::INPUT_BUCKETS, pairs: P::PAIRS && pairs, output: P::OUTPUT_BUCKETS }
    }

    /// The row of the biases of the first layer, after one row for each input.
    fn bias_row(self) -> usize {
        self.input * INPUTS + if self.pairs { PAIRS } else { 0 }
    }

    /// The first of the two rows with the output weights of a bucket, the side to move first.
    fn output_row(self, bucket: usize) -> usize {
        self.bias_row() + 1 + 2 * bucket
    }
}

/// The weights of a network, or a value for each weight, such as its gradient.
///
/// The last row begins with the output biases of the buckets; the rest of it is unused.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    buckets: Buckets,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The active inputs from the perspectives of the side to move and of its opponent.
    pub inputs: [InputList; 2],
    pub output_bucket: usize,
    /// The target of the training: the expected points of the side to move, from 0 to 1.
    pub target: f32,
    /// The result of the game for the side to move, from 0 to 1.
    pub result: f32,
}

impl Weights {
    /// All zeros, for a network with these numbers of buckets.
    pub fn zero(buckets: Buckets) -> Self {
        assert!(buckets.output <= HIDDEN, "the output biases fit in a row");
        Self { buckets, rows: vec![[[0.0; CHUNK]; CHUNKS]; buckets.output_row(buckets.output) + 1] }
    }

    /// Small random weights, determined by the seed.
    pub fn random(buckets: Buckets, seed: u64) -> Self {
        let mut weights = Self::zero(buckets);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (hidden, output) = weights.rows.split_at_mut(buckets.output_row(0));
        // The usual bound of a layer: 1 / sqrt(number of inputs).
        let layers = [(hidden, INPUTS), (&mut output[..2 * buckets.output], 2 * HIDDEN)];
        for (rows, inputs) in layers {
            let bound = 1.0 / (inputs as f32).sqrt();
            for weight in rows.as_flattened_mut().as_flattened_mut() {
                *weight = random.random_range(-bound..bound);
            }
        }
        weights
    }

    /// The weights of a quantised network that suits a game with these numbers of buckets.
    pub fn from_network(network: &Network, buckets: Buckets) -> Self {
        let mut weights = Self::zero(buckets);
        let (rows, _) = weights.values_mut().as_chunks_mut::<HIDDEN>();
        // The weights of one input bucket start all, and pairs without weights start with zeros.
        let mut inputs = network.input_weights.clone();
        if inputs.len() == INPUTS {
            inputs = inputs.repeat(buckets.input);
        }
        inputs.resize(buckets.bias_row(), InputWeights([0; HIDDEN]));
        let inputs = inputs.iter().map(|weights| &weights.0).chain([&network.input_bias]);
        let inputs = inputs.map(|row| (row, QA));
        let outputs = network.output_weights.as_flattened().iter().map(|row| (row, QB));
        for (row, (quantised, one)) in rows.iter_mut().zip(inputs.chain(outputs)) {
            *row = quantised.map(|weight| f32::from(weight) / one as f32);
        }
        if let Some(last) = rows.last_mut() {
            for (bias, quantised) in last.iter_mut().zip(&network.output_bias) {
                *bias = *quantised as f32 / (QA * QB) as f32;
            }
        }
        weights
    }

    pub fn pair_rows(&self) -> Range<usize> {
        self.buckets.input * INPUTS..self.buckets.bias_row()
    }

    pub fn values(&self) -> &[f32] {
        self.rows.as_flattened().as_flattened()
    }

    /// All values as one mutable slice.
    pub fn values_mut(&mut self) -> &mut [f32] {
        self.rows.as_flattened_mut().as_flattened_mut()
    }

    pub fn buckets(&self) -> Buckets {
        self.buckets
    }

    /// The weights of the first layer, one row for each input of each bucket, and its biases.
    pub fn hidden(&self) -> (&[[f32; HIDDEN]], &[f32; HIDDEN]) {
        let rows = self.all_rows();
        let bias = self.buckets.bias_row();
        (&rows[..bias], &rows[bias])
    }

    /// The output weights of a bucket, the side to move first, and its bias.
    pub fn output(&self, bucket: usize) -> ([&[f32; HIDDEN]; 2], f32) {
        let rows = self.all_rows();
        let first = self.buckets.output_row(bucket);
        ([&rows[first], &rows[first + 1]], rows[rows.len() - 1][bucket])
    }

    fn all_rows(&self) -> &[[f32; HIDDEN]] {
        self.values().as_chunks().0
    }

    fn accumulated(&self, inputs: &[u16]) -> Row {
        let mut sums = [[0.0; CHUNK]; CHUNKS];
        for (chunk, sums) in sums.iter_mut().enumerate() {
            *sums = self.accumulated_chunk(inputs, chunk);
        }
        sums
    }

    /// The sums of one chunk. Not inlined, so that they stay in registers.
    #[inline(never)]
    fn accumulated_chunk(&self, inputs: &[u16], chunk: usize) -> [f32; CHUNK] {
        let mut sums = self.rows[self.buckets.bias_row()][chunk];
        for &input in inputs {
            add(&mut sums, &self.rows[usize::from(input)][chunk]);
        }
        sums
    }

    /// The output in logits: the side to move expects 1 / (1 + exp(-output)) points.
    pub fn logit(&self, example: &Example) -> f32 {
        let sums = example.inputs.each_ref().map(|inputs| self.accumulated(inputs.as_slice()));
        self.weighed(example.output_bucket, &sums)
    }

    fn weighed(&self, bucket: usize, sums: &[Row; 2]) -> f32 {
        let mut parts = [0.0; CHUNK];
        for (side, sums) in sums.iter().enumerate() {
            for (sums, weights) in
                sums.iter().zip(&self.rows[self.buckets.output_row(bucket) + side])
            {
                for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                    let value = sum.clamp(0.0, 1.0);
                    *part += value * value * weight;
                }
            }
        }
        parts.iter().sum::<f32>() + self.bias(bucket)
    }

    fn bias(&self, bucket: usize) -> f32 {
        self.rows[self.rows.len() - 1][bucket / CHUNK][bucket % CHUNK]
    }

    /// Adds the gradient of the squared error of an example to `gradient`.
    ///
    /// Returns the network's expected points of the side to move, from 0 to 1.
    pub fn learn(&self, example: &Example, gradient: &mut Self) -> f32 {
        let sums = example.inputs.each_ref().map(|inputs| self.accumulated(inputs.as_slice()));
        let expected = sigmoid(self.weighed(example.output_bucket, &sums));
        let bias = self.buckets.bias_row();
        let slope = 2.0 * (expected - example.target) * expected * (1.0 - expected);
        for (side, (inputs, sums)) in example.inputs.iter().zip(&sums).enumerate() {
            let output = self.buckets.output_row(example.output_bucket) + side;
            for (chunk, sums) in sums.iter().enumerate() {
                let weights = &self.rows[output][chunk];
                let mut deltas = [0.0; CHUNK];
                let outputs = &mut gradient.rows[output][chunk];
                for i in 0..CHUNK {
                    let value = sums[i].clamp(0.0, 1.0);
                    outputs[i] += slope * value * value;
                    let rising = if sums[i] < 1.0 { value } else { 0.0 };
                    deltas[i] = 2.0 * slope * weights[i] * rising;
                }
                add(&mut gradient.rows[bias][chunk], &deltas);
                for &input in inputs.as_slice() {
                    add(&mut gradient.rows[usize::from(input)][chunk], &deltas);
                }
            }
        }
        let last = gradient.rows.len() - 1;
        let bucket = example.output_bucket;
        gradient.rows[last][bucket / CHUNK][bucket % CHUNK] += slope;
        expected
    }
}

#[inline(always)]
fn add(sums: &mut [f32; CHUNK], terms: &[f32; CHUNK]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// The expected points, from 0 to 1, for an output in logits.
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
