//! Incrementally updated accumulators for the positions of a search.

use super::simd::{SimdLevel, add, subtract};
use super::{FeatureBits, HIDDEN, INPUTS, Network};
use crate::game::{Position, Side};

/// A stack with the accumulators of the last evaluated position at each ply.
///
/// It needs no information about moves: an accumulator is computed from that of a nearby position
/// and the features in which the two differ. The nearest position is usually the parent, one move
/// away. After a move that changes the symmetry of one side's view, an older position or the empty
/// accumulator may be nearer.
pub struct AccumulatorStack<'a> {
    network: &'a Network,
    simd: SimdLevel,
    accumulators: Vec<Accumulator>,
}

/// The accumulators of a position from Black's and White's view, and the features they sum up.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Accumulator {
    accumulators: [[i16; HIDDEN]; 2],
    views: [BoardFeatures; 2],
}

/// The features of a board from one side's view, and the symmetry that the network applies.
#[derive(Clone, Copy, Default)]
struct BoardFeatures {
    inputs: FeatureBits,
    orientation: usize,
}

impl BoardFeatures {
    #[inline(always)]
    fn new<P: Position>(inputs: FeatureBits) -> Self {
        Self { inputs, orientation: P::symmetry(inputs) }
    }

    /// The number of features in which two views differ; `u32::MAX` if their symmetries differ.
    #[inline(always)]
    fn difference(&self, other: &Self) -> u32 {
        if self.orientation != other.orientation {
            return u32::MAX;
        }
        count(&[self.inputs[0] ^ other.inputs[0], self.inputs[1] ^ other.inputs[1]])
    }
}

impl<'a> AccumulatorStack<'a> {
    /// A stack for positions at up to `plies` plies.
    pub fn new(network: &'a Network, plies: usize) -> Self {
        // The accumulator of an empty board is the bias.
        let accumulators = [network.input_bias; 2];
        let empty = Accumulator { accumulators, views: [BoardFeatures::default(); 2] };
        Self { network, simd: SimdLevel::fastest(), accumulators: vec![empty; plies] }
    }

    /// A stack that uses portable code only, without CPU-specific instructions.
    pub fn portable(network: &'a Network, plies: usize) -> Self {
        Self { simd: SimdLevel::PORTABLE, ..Self::new(network, plies) }
    }

    /// The evaluation of a position for its side to move, `ply` plies after the root.
    ///
    /// # Panics
    ///
    /// If `ply` is out of range, or the network is for another game: see [`Network::suits`].
    #[inline]
    pub fn evaluate<P: Position>(&mut self, position: &P, ply: usize) -> i32 {
        self.simd.evaluate(self.network, &mut self.accumulators, ply, position)
    }
}

/// The maximum difference in features at which the search for a nearer position stops: a move with
/// a capture.
const NEAR: u32 = 3;

/// The number of earlier plies in which a near position is searched.
const BACK: usize = 3;

/// The accumulators of a position, that of the side to move first. They are computed at `ply`,
/// unless an entry at this or a recent ply has the same features.
#[inline(always)]
pub(super) fn accumulators_for<'s, P: Position>(
    network: &Network,
    slots: &'s mut [Accumulator],
    ply: usize,
    position: &P,
) -> [&'s [i16; HIDDEN]; 2] {
    let black = position.features(Side::Black);
    let first = place_for::<P>(network, slots, ply, 0, &BoardFeatures::new::<P>(black));
    let second = place_for::<P>(network, slots, ply, 1, &BoardFeatures::new::<P>(P::flip(black)));
    let [black, white] = [&slots[first].accumulators[0], &slots[second].accumulators[1]];
    if position.side() == Side::Black { [black, white] } else { [white, black] }
}

/// The index of the stack entry with the accumulator of one side's view.
#[inline(always)]
fn place_for<P: Position>(
    network: &Network,
    slots: &mut [Accumulator],
    ply: usize,
    side: usize,
    view: &BoardFeatures,
) -> usize {
    let (source, difference) = nearest(slots, ply, side, view);
    if difference == 0 {
        return source;
    }
    let slot = &slots[source];
    let afresh = difference > NEAR && difference > count(&view.inputs);
    let (mut sums, before) = if afresh {
        (network.input_bias, [0; 2])
    } else {
        (slot.accumulators[side], slot.views[side].inputs)
    };
    change::<P>(network, &mut sums, &before, view);
    slots[ply].accumulators[side] = sums;
    slots[ply].views[side] = *view;
    ply
}

/// The index of the stack entry with the nearest view, and the number of features in which it
/// differs.
#[inline(always)]
fn nearest(slots: &[Accumulator], ply: usize, side: usize, view: &BoardFeatures) -> (usize, u32) {
    let mut best = (ply, u32::MAX);
    // The parent position comes first, then the last position at this ply, which is a sibling.
    let before = ply.saturating_sub(1);
    for place in [before, ply].into_iter().chain((0..before).rev().take(BACK - 1)) {
        let difference = slots[place].views[side].difference(view);
        if difference < best.1 {
            best = (place, difference);
        }
        if best.1 <= NEAR {
            break;
        }
    }
    best
}

#[inline(always)]
fn count(inputs: &FeatureBits) -> u32 {
    inputs[0].count_ones() + inputs[1].count_ones()
}

/// Updates the accumulator of the features `before` to that of `view`, with the same symmetry.
#[inline(always)]
fn change<P: Position>(
    network: &Network,
    sums: &mut [i16; HIDDEN],
    before: &FeatureBits,
    view: &BoardFeatures,
) {
    for (half, (before, now)) in before.iter().zip(&view.inputs).enumerate() {
        let row = |place| {
            let place = P::map_square(place, view.orientation);
            &network.input_weights[(64 * half + place) % INPUTS]
        };
        for place in bits(now & !before) {
            add(sums, row(place));
        }
        for place in bits(before & !now) {
            subtract(sums, row(place));
        }
    }
}

/// The indices of the set bits.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        let found = word != 0;
        word &= word.wrapping_sub(1);
        found.then_some(place)
    })
}
