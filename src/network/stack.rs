//! Accumulators beside the line that a search looks at.

use super::kernels::{Path, add, subtract};
use super::{HIDDEN, INPUTS, Inputs, Network};
use crate::game::{Game, Side};

/// The accumulators of the position that was judged last on each ply of a search.
///
/// Nothing has to be told of moves: whatever positions lie near in the stack, the accumulators of
/// one and the inputs in which another differs from it make those of the other. The nearest one
/// is nearly always a move away; after a move that turns the board round for one side, one that
/// was seen earlier or nothing may be nearer.
pub struct Stack<'a> {
    network: &'a Network,
    path: Path,
    slots: Vec<Slot>,
}

/// The accumulators of a position, as Black and as White see it, and the inputs they are made of.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Slot {
    accumulators: [[i16; HIDDEN]; 2],
    views: [View; 2],
}

/// A board as a side sees it, and the way in which the network looks at that.
#[derive(Clone, Copy, Default)]
struct View {
    inputs: Inputs,
    orientation: usize,
}

impl View {
    #[inline(always)]
    fn new<G: Game>(inputs: Inputs) -> Self {
        Self { inputs, orientation: G::orientation(inputs) }
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

impl<'a> Stack<'a> {
    /// Room for so many plies.
    pub fn new(network: &'a Network, plies: usize) -> Self {
        // An empty board is as good a beginning as any.
        let accumulators = [network.input_bias; 2];
        let empty = Slot { accumulators, views: [View::default(); 2] };
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
        self.path.evaluate(self.network, &mut self.slots, ply, position)
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
pub(super) fn accumulators_for<'s, G: Game>(
    network: &Network,
    slots: &'s mut [Slot],
    ply: usize,
    position: &G,
) -> [&'s [i16; HIDDEN]; 2] {
    let black = position.inputs(Side::Black);
    let first = place_for::<G>(network, slots, ply, 0, &View::new::<G>(black));
    let second = place_for::<G>(network, slots, ply, 1, &View::new::<G>(G::turned(black)));
    let [black, white] = [&slots[first].accumulators[0], &slots[second].accumulators[1]];
    if position.side() == Side::Black { [black, white] } else { [white, black] }
}

/// The place of the accumulator for what one side sees.
#[inline(always)]
fn place_for<G: Game>(
    network: &Network,
    slots: &mut [Slot],
    ply: usize,
    side: usize,
    view: &View,
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
    change::<G>(network, &mut sums, &before, view);
    slots[ply].accumulators[side] = sums;
    slots[ply].views[side] = *view;
    ply
}

/// The place of a slot with a view near to this one, and in how many inputs it differs.
#[inline(always)]
fn nearest(slots: &[Slot], ply: usize, side: usize, view: &View) -> (usize, u32) {
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
fn count(inputs: &Inputs) -> u32 {
    inputs[0].count_ones() + inputs[1].count_ones()
}

/// Makes the accumulator of some inputs into that of a view, looked at in the same way.
#[inline(always)]
fn change<G: Game>(network: &Network, sums: &mut [i16; HIDDEN], before: &Inputs, view: &View) {
    for (half, (before, now)) in before.iter().zip(&view.inputs).enumerate() {
        let row = |place| {
            let place = G::image(place, view.orientation);
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
