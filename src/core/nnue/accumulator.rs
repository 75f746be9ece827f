//! The accumulators along the line of a search, updated from those of a nearby position.

use std::iter::repeat_n;

use super::inputs::{InputList, piece_input, push_pairs};
use super::network::{HIDDEN, Network};
use super::simd::SimdLevel;
use crate::game::bitboard::{Square, squares};
use crate::game::{FeatureBits, Features, Side};

/// A stack with the accumulators of the last evaluated position at each ply.
///
/// It needs no information about moves: an accumulator is computed from that of a nearby position
/// and the features in which the two differ. The nearest position is usually the parent, one move
/// away. After a move that changes the symmetry or the input bucket of one side's view, the last
/// distant position with the same ones may be nearer.
pub struct AccumulatorStack<'a> {
    network: &'a Network,
    simd: SimdLevel,
    accumulators: Accumulators,
}

impl<'a> AccumulatorStack<'a> {
    /// A stack for positions of a game at up to `plies` plies.
    pub fn new<P: Features>(network: &'a Network, plies: usize) -> Self {
        let accumulators = Accumulators::new::<P>(network, plies);
        Self { network, simd: SimdLevel::fastest(), accumulators }
    }

    /// A stack that uses portable code only, without CPU-specific instructions.
    pub fn portable<P: Features>(network: &'a Network, plies: usize) -> Self {
        Self { simd: SimdLevel::PORTABLE, ..Self::new::<P>(network, plies) }
    }

    /// The evaluation of a position for its side to move, `ply` plies after the root.
    ///
    /// # Panics
    ///
    /// If the network is for another game: see [`Network::suits`]. It may panic, or evaluate wrongly
    /// from then on, if `ply` is not below the number of plies of the stack.
    #[inline]
    pub fn evaluate<P: Features>(&mut self, position: &P, ply: usize) -> i32 {
        self.simd.evaluate(self.network, &mut self.accumulators, ply, position)
    }
}

impl Network {
    /// The evaluation of a position for its side to move, in units of the evaluation.
    ///
    /// # Panics
    ///
    /// If the network is for another game: see [`Network::suits`].
    pub fn evaluate<P: Features>(&self, position: &P) -> i32 {
        AccumulatorStack::new::<P>(self, 1).evaluate(position, 0)
    }
}

/// The accumulators of a position from Black's and White's view, and the features they sum up.
#[derive(Clone)]
#[repr(C, align(64))]
struct Accumulator {
    sums: [[i16; HIDDEN]; 2],
    views: [View; 2],
}

/// A board from one side's view.
#[derive(Clone, Copy, Default)]
struct View {
    features: FeatureBits,
    bucket: usize,
    symmetry: usize,
}

impl View {
    #[inline(always)]
    fn new<P: Features>(features: FeatureBits) -> Self {
        let symmetry = P::symmetry(features);
        Self {
            features: P::transformed(features, symmetry),
            bucket: P::input_bucket(features),
            symmetry,
        }
    }

    /// The number of features in which two views with the same weights differ.
    #[inline(always)]
    fn difference(&self, other: &Self) -> u32 {
        if self.bucket != other.bucket {
            return u32::MAX;
        }
        let [own, others] = [0, 1].map(|word| self.features[word] ^ other.features[word]);
        own.count_ones() + others.count_ones()
    }
}

/// The number of features of a view that a move with one capture changes.
const CAPTURE_DIFFERENCE: u32 = 3;

pub(super) struct Accumulators {
    /// Those of the last evaluated position at each ply. Behind them, for each input bucket and
    /// symmetry, the last ones that were more than a move away from those along the line.
    entries: Vec<Accumulator>,
    plies: usize,
    /// The inputs that become inactive, and those that become active.
    changes: [InputList; 2],
}

impl Accumulators {
    /// Those of empty boards at each of `plies` plies.
    pub(super) fn new<P: Features>(network: &Network, plies: usize) -> Self {
        let empty = |bucket| {
            let view = View { bucket, ..View::default() };
            Accumulator { sums: [network.input_bias; 2], views: [view; 2] }
        };
        let buckets = (0..P::INPUT_BUCKETS).flat_map(|bucket| repeat_n(bucket, P::SYMMETRIES));
        let entries = repeat_n(0, plies).chain(buckets).map(empty).collect();
        Self { entries, plies, changes: Default::default() }
    }

    /// The accumulators of a position, that of the side to move first. They are computed at `ply`,
    /// unless an entry has the same features.
    #[inline(always)]
    pub(super) fn update<P: Features>(
        &mut self,
        network: &Network,
        ply: usize,
        position: &P,
    ) -> [&[i16; HIDDEN]; 2] {
        let black = position.features(Side::Black);
        let first = self.update_view::<P>(network, ply, 0, &View::new::<P>(black));
        let second = self.update_view::<P>(network, ply, 1, &View::new::<P>(P::flip(black)));
        let [black, white] = [&self.entries[first].sums[0], &self.entries[second].sums[1]];
        if position.side() == Side::Black { [black, white] } else { [white, black] }
    }

    /// The index of the entry with the accumulator of one side's view.
    #[inline(always)]
    fn update_view<P: Features>(
        &mut self,
        network: &Network,
        ply: usize,
        side: usize,
        view: &View,
    ) -> usize {
        debug_assert!(ply < self.plies, "ply {ply} of {}", self.plies);
        let difference = |entry: usize| view.difference(&self.entries[entry].views[side]);
        // The parent position comes first, then the last position at this ply, which is a sibling.
        let mut source = ply.saturating_sub(1);
        let mut least = difference(source);
        let distant = self.plies + view.bucket * P::SYMMETRIES + view.symmetry;
        let mut is_distant = false;
        for entry in [ply, distant] {
            if least <= CAPTURE_DIFFERENCE {
                break;
            }
            is_distant = entry == distant;
            let other = difference(entry);
            if other < least {
                (source, least) = (entry, other);
            }
        }
        if least == 0 {
            return source;
        }
        let Accumulator { sums, views } = &self.entries[source];
        let (mut sums, before) = (sums[side], views[side].features);
        apply_difference::<P>(network, &mut sums, &before, view, &mut self.changes);
        for entry in [Some(ply), is_distant.then_some(distant)].into_iter().flatten() {
            self.entries[entry].sums[side] = sums;
            self.entries[entry].views[side] = *view;
        }
        ply
    }
}

/// Updates the accumulator of the features `before` to that of `view`.
#[inline(always)]
fn apply_difference<P: Features>(
    network: &Network,
    sums: &mut [i16; HIDDEN],
    before: &FeatureBits,
    view: &View,
    [removed, added]: &mut [InputList; 2],
) {
    let bucket = network.serving_bucket(view.bucket);
    let has_pairs = network.has_pairs::<P>();
    let row =
        |owner, square| &network.input_weights[usize::from(piece_input(bucket, owner, square))].0;
    removed.clear();
    added.clear();
    let mut pieces = *before;
    for owner in [0, 1] {
        for square in squares(before[owner] & !view.features[owner]).map(Square::index) {
            subtract(sums, row(owner, square));
            if has_pairs {
                pieces[owner] ^= 1 << square;
                push_pairs::<P>(owner, square, pieces, removed);
            }
        }
    }
    for owner in [0, 1] {
        for square in squares(view.features[owner] & !before[owner]).map(Square::index) {
            add(sums, row(owner, square));
            if has_pairs {
                push_pairs::<P>(owner, square, pieces, added);
                pieces[owner] ^= 1 << square;
            }
        }
    }
    if has_pairs {
        let row = |input: &u16| &network.input_weights[usize::from(*input)].0;
        removed.as_slice().iter().map(row).for_each(|row| subtract(sums, row));
        added.as_slice().iter().map(row).for_each(|row| add(sums, row));
    }
}

#[inline(always)]
fn add(sums: &mut [i16; HIDDEN], weights: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut [i16; HIDDEN], weights: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_sub(*weight);
    }
}
