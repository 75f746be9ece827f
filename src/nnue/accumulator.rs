//! Accumulators, updated from those of a nearby position.

use super::network::{HIDDEN, INPUTS, Network};
use crate::game::{FeatureBits, Features, Side};

/// The accumulators of a position from Black's and White's view, and the features they sum up.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Accumulator {
    sums: [[i16; HIDDEN]; 2],
    views: [BoardFeatures; 2],
}

impl Accumulator {
    /// The accumulators of an empty board: the biases.
    pub(super) fn empty(network: &Network) -> Self {
        Self { sums: [network.input_bias; 2], views: [BoardFeatures::default(); 2] }
    }
}

/// The features of a board from one side's view, and the symmetry and the weights that the network
/// applies.
#[derive(Clone, Copy, Default)]
struct BoardFeatures {
    features: FeatureBits,
    symmetry: usize,
    bucket: usize,
}

impl BoardFeatures {
    #[inline(always)]
    fn new<P: Features>(features: FeatureBits) -> Self {
        Self { features, symmetry: P::symmetry(features), bucket: P::input_bucket(features) }
    }

    /// The number of features in which two views differ; `u32::MAX` if their symmetries or weights
    /// do.
    #[inline(always)]
    fn difference(&self, other: &Self) -> u32 {
        if (self.symmetry, self.bucket) != (other.symmetry, other.bucket) {
            return u32::MAX;
        }
        count(&[self.features[0] ^ other.features[0], self.features[1] ^ other.features[1]])
    }
}

/// The maximum difference in features at which the search for a nearer position stops: a move with
/// a capture.
const MAX_DIFFERENCE: u32 = 3;

/// The number of earlier plies in which a near position is searched.
const MAX_PLIES_BACK: usize = 3;

/// The accumulators of a position, that of the side to move first. They are computed at `ply`,
/// unless an entry at this or a recent ply has the same features.
#[inline(always)]
pub(super) fn update<'s, P: Features>(
    network: &Network,
    stack: &'s mut [Accumulator],
    ply: usize,
    position: &P,
) -> [&'s [i16; HIDDEN]; 2] {
    let black = position.features(Side::Black);
    let first = update_view::<P>(network, stack, ply, 0, &BoardFeatures::new::<P>(black));
    let second = update_view::<P>(network, stack, ply, 1, &BoardFeatures::new::<P>(P::flip(black)));
    let [black, white] = [&stack[first].sums[0], &stack[second].sums[1]];
    if position.side() == Side::Black { [black, white] } else { [white, black] }
}

/// The index of the stack entry with the accumulator of one side's view.
#[inline(always)]
fn update_view<P: Features>(
    network: &Network,
    stack: &mut [Accumulator],
    ply: usize,
    side: usize,
    view: &BoardFeatures,
) -> usize {
    let (source, difference) = nearest(stack, ply, side, view);
    if difference == 0 {
        return source;
    }
    let entry = &stack[source];
    let refresh = difference > MAX_DIFFERENCE && difference > count(&view.features);
    let (mut sums, before) = if refresh {
        (network.input_bias, [0; 2])
    } else {
        (entry.sums[side], entry.views[side].features)
    };
    apply_difference::<P>(network, &mut sums, &before, view);
    stack[ply].sums[side] = sums;
    stack[ply].views[side] = *view;
    ply
}

/// The index of the stack entry with the nearest view, and the number of features in which it
/// differs.
#[inline(always)]
fn nearest(stack: &[Accumulator], ply: usize, side: usize, view: &BoardFeatures) -> (usize, u32) {
    let mut best = (ply, u32::MAX);
    // The parent position comes first, then the last position at this ply, which is a sibling.
    let parent = ply.saturating_sub(1);
    for i in [parent, ply].into_iter().chain((0..parent).rev().take(MAX_PLIES_BACK - 1)) {
        let difference = stack[i].views[side].difference(view);
        if difference < best.1 {
            best = (i, difference);
        }
        if best.1 <= MAX_DIFFERENCE {
            break;
        }
    }
    best
}

#[inline(always)]
fn count(features: &FeatureBits) -> u32 {
    features[0].count_ones() + features[1].count_ones()
}

/// Updates the accumulator of the features `before` to that of `view`, with the same symmetry
/// and weights.
#[inline(always)]
fn apply_difference<P: Features>(
    network: &Network,
    sums: &mut [i16; HIDDEN],
    before: &FeatureBits,
    view: &BoardFeatures,
) {
    let weights = network.input_weights(view.bucket);
    for (word, (before, now)) in before.iter().zip(&view.features).enumerate() {
        let row = |square| {
            let square = P::map_square(square, view.symmetry);
            &weights[(64 * word + square) % INPUTS]
        };
        for square in bits(now & !before) {
            add(sums, row(square));
        }
        for square in bits(before & !now) {
            subtract(sums, row(square));
        }
    }
}

/// The indices of the set bits.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = word.trailing_zeros() as usize;
        let found = word != 0;
        word &= word.wrapping_sub(1);
        found.then_some(square)
    })
}

/// Adds a row of weights to an accumulator.
#[inline(always)]
fn add(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Subtracts a row of weights from an accumulator.
#[inline(always)]
fn subtract(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}
