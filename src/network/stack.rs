//! Accumulators beside the line that a search looks at.

use super::kernels::{Path, Sight, add, subtract};
use super::{HIDDEN, INPUTS, Inputs, Network};
use crate::game::{Game, Side};

/// The accumulators of the position that was judged last on each ply of a search.
///
/// Nothing has to be told of moves: whatever positions lie near in the stack, the accumulators of
/// one and the inputs in which another differs from it make those of the other. The nearest one
/// is nearly always a move away.
pub struct Stack<'a> {
    network: &'a Network,
    path: Path,
    slots: Vec<Slot>,
}

/// The accumulators of a position, as Black and as White see it, and the inputs they are made of.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Slot {
    pub accumulators: [[i16; HIDDEN]; 2],
    pub views: [Inputs; 2],
}

impl<'a> Stack<'a> {
    /// Room for so many plies.
    pub fn new(network: &'a Network, plies: usize) -> Self {
        // An empty board is as good a beginning as any.
        let accumulators = [network.input_bias; 2];
        let empty = Slot { accumulators, views: [[0; 2]; 2] };
        Self { network, path: Path::fastest(), slots: vec![empty; plies] }
    }

    /// The same without what only some machines can do.
    pub fn portable(network: &'a Network, plies: usize) -> Self {
        Self { path: Path::PORTABLE, ..Self::new(network, plies) }
    }

    /// The evaluation of a position for its side to move, so many plies after the root.
    ///
    /// # Panics
    ///
    /// If there is no such ply, or the network is for another game: see [`Network::suits`].
    #[inline]
    pub fn evaluate<G: Game>(&mut self, position: &G, ply: usize) -> i32 {
        let black = position.inputs(Side::Black);
        let bucket = G::bucket(black);
        let sight =
            Sight { views: [black, G::turned(black)], side: position.side() as usize, bucket };
        let sum = self.path.sum(self.network, &mut self.slots, ply, &sight);
        self.network.scaled(sum, bucket)
    }
}

/// A position that differs from another in no more inputs than this is near enough: a move and a
/// capture away.
const NEAR: u32 = 3;

/// How many plies back a near position is looked for.
const BACK: usize = 3;

/// The accumulators for what both sides see. They are put in at `ply` unless they lie there or
/// near already.
#[inline(always)]
pub(super) fn slot_for<'s>(
    network: &Network,
    slots: &'s mut [Slot],
    ply: usize,
    views: &[Inputs; 2],
) -> &'s Slot {
    let (source, nearest) = nearest(slots, ply, views);
    if nearest == 0 {
        return &slots[source];
    }
    let afresh = nearest > NEAR && nearest > count(&views[0]);
    for (side, view) in views.iter().enumerate() {
        let slot = &slots[source];
        let (mut sums, before) = if afresh {
            (network.input_bias, [0; 2])
        } else {
            (slot.accumulators[side], slot.views[side])
        };
        change(network, &mut sums, &before, view);
        slots[ply].accumulators[side] = sums;
    }
    slots[ply].views = *views;
    &slots[ply]
}

/// The place of a slot with a position near to this one, and in how many inputs it differs.
#[inline(always)]
fn nearest(slots: &[Slot], ply: usize, views: &[Inputs; 2]) -> (usize, u32) {
    let mut best = (ply, u32::MAX);
    // First the position before, then the one that was judged on this ply, a move beside it.
    let before = ply.saturating_sub(1);
    for place in [before, ply].into_iter().chain((0..before).rev().take(BACK - 1)) {
        let difference = difference(&slots[place], views);
        if difference < best.1 {
            best = (place, difference);
        }
        if best.1 <= NEAR {
            break;
        }
    }
    best
}

/// In how many inputs a position differs from that of a slot.
#[inline(always)]
fn difference(slot: &Slot, views: &[Inputs; 2]) -> u32 {
    let [[own, other], _] = slot.views;
    count(&[own ^ views[0][0], other ^ views[0][1]])
}

#[inline(always)]
fn count(inputs: &Inputs) -> u32 {
    inputs[0].count_ones() + inputs[1].count_ones()
}

/// Makes the accumulator of one view into that of another.
#[inline(always)]
fn change(network: &Network, sums: &mut [i16; HIDDEN], before: &Inputs, after: &Inputs) {
    for half in 0..2 {
        for input in bits(after[half] & !before[half]) {
            add(sums, &network.input_weights[(64 * half + input) % INPUTS]);
        }
        for input in bits(before[half] & !after[half]) {
            subtract(sums, &network.input_weights[(64 * half + input) % INPUTS]);
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
