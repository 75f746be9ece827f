//! Accumulators beside the line that a search looks at.

use super::simd::{SimdLevel, add, subtract};
use super::{FeatureBits, HIDDEN, INPUTS, Network};
use crate::game::{Position, Side};

/// The accumulators of the position that was judged last on each ply of a search.
///
/// Nothing has to be told of moves: whatever positions lie near in the stack, the accumulators of
/// one and the inputs in which another differs from it make those of the other. The nearest one
/// is nearly always a move away; after a move that turns the board round for one side, one that
/// was seen earlier or nothing may be nearer.
pub struct AccumulatorStack<'a> {
    network: &'a Network,
    simd: SimdLevel,
    accumulators: Vec<Accumulator>,
}

/// The accumulators of a position, as Black and as White see it, and the inputs they are made of.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Accumulator {
    accumulators: [[i16; HIDDEN]; 2],
    views: [BoardFeatures; 2],
}

/// A board as a side sees it, and the way in which the network looks at that.
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

    /// In how many inputs another view differs, if it is looked at in the same way.
    #[inline(always)]
    fn difference(&self, other: &Self) -> u32 {
        if self.orientation != other.orientation {
            return u32::MAX;
        }
        count(&[self.inputs[0] ^ other.inputs[0], self.inputs[1] ^ other.inputs[1]])
    }
}

impl<'a> AccumulatorStack<'a> {
    /// Room for so many plies.
    pub fn new(network: &'a Network, plies: usize) -> Self {
        // An empty board is as good a beginning as any.
        let accumulators = [network.input_bias; 2];
        let empty = Accumulator { accumulators, views: [BoardFeatures::default(); 2] };
        Self { network, simd: SimdLevel::fastest(), accumulators: vec![empty; plies] }
    }

    /// The same without what only some machines can do.
    pub fn portable(network: &'a Network, plies: usize) -> Self {
        Self { simd: SimdLevel::PORTABLE, ..Self::new(network, plies) }
    }

    /// The evaluation of a position for its side to move, so many plies after the root.
    ///
    /// # Panics
    ///
    /// If there is no such ply, or the network is for another game: see [`Network::suits`].
    #[inline]
    pub fn evaluate<P: Position>(&mut self, position: &P, ply: usize) -> i32 {
        self.simd.evaluate(self.network, &mut self.accumulators, ply, position)
    }
}

/// A position that differs from another in no more inputs than this is near enough: a move and a
/// capture away.
const NEAR: u32 = 3;

/// How many plies back a near position is looked for.
const BACK: usize = 3;

/// The accumulators of a position, that of the side to move first. They are put in at `ply` unless
/// they lie there or near already.
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

/// The place of the accumulator for what one side sees.
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

/// The place of a slot with a view near to this one, and in how many inputs it differs.
#[inline(always)]
fn nearest(slots: &[Accumulator], ply: usize, side: usize, view: &BoardFeatures) -> (usize, u32) {
    let mut best = (ply, u32::MAX);
    // First the position before, then the one that was judged on this ply, a move beside it.
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

/// Makes the accumulator of some inputs into that of a view, looked at in the same way.
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

/// The places of the bits that are set.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        let found = word != 0;
        word &= word.wrapping_sub(1);
        found.then_some(place)
    })
}
