//! The inputs of the network: a piece on a square, or a pair of pieces on neighbouring squares.

use crate::game::bitboard::{Bits, Square, neighbours, squares};
use crate::game::{FeatureBits, Features};

/// The number of inputs for pieces: bit `i` of the first word of [`FeatureBits`] and `64 + i` of its
/// second.
pub const INPUTS: usize = 128;

/// The number of inputs for pairs: two owners each of the lower and of the higher square, four
/// directions from the lower square to the higher one, and the lower square.
pub const PAIRS: usize = 2 * 2 * 4 * 64;

/// The number of inputs of the networks of a game: those for pieces in each input bucket, then those
/// for pairs, which serve all buckets.
pub const fn inputs<P: Features>() -> usize {
    INPUTS * P::INPUT_BUCKETS + if P::PAIRS { PAIRS } else { 0 }
}

/// The size of an [`InputList`]: enough for 64 pieces and 210 pairs.
const CAPACITY: usize = 512;

/// Numbers of inputs.
#[derive(Clone, Debug)]
pub struct InputList {
    inputs: [u16; CAPACITY],
    count: usize,
}

impl Default for InputList {
    fn default() -> Self {
        Self { inputs: [0; CAPACITY], count: 0 }
    }
}

impl InputList {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub fn push(&mut self, input: u16) {
        self.inputs[self.count % CAPACITY] = input;
        self.count += 1;
    }

    /// The active inputs, in the order in which they were added.
    #[inline(always)]
    pub fn as_slice(&self) -> &[u16] {
        self.inputs.get(..self.count).unwrap_or_default()
    }
}

/// The squares around each square.
const NEIGHBOURS: [Bits; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = neighbours(1 << square);
        square += 1;
    }
    all
};

/// The active inputs of a view in canonical orientation, with its input bucket: the pieces and, if
/// wanted, the pairs.
pub fn active_inputs<P: Features>(view: FeatureBits, bucket: usize, pairs: bool) -> InputList {
    let mut inputs = InputList::default();
    let mut before = [0; 2];
    for owner in [0, 1] {
        for square in squares(view[owner]).map(Square::index) {
            inputs.push(piece_input(bucket, owner, square));
            if pairs {
                push_pairs::<P>(owner, square, before, &mut inputs);
            }
            before[owner] |= 1 << square;
        }
    }
    inputs
}

/// The input for a piece. Its owner is 0 for the side of the view.
#[inline(always)]
pub(super) fn piece_input(bucket: usize, owner: usize, square: usize) -> u16 {
    (INPUTS * bucket + 64 * owner + square) as u16
}

/// Adds the inputs for the pairs of a piece with others.
#[inline(always)]
pub(super) fn push_pairs<P: Features>(
    owner: usize,
    square: usize,
    others: FeatureBits,
    inputs: &mut InputList,
) {
    if !P::PAIRS {
        return;
    }
    // The neighbours and their owners, with the square as bit 0. Branches on them would be hard to
    // predict, so all pairs are written to the list, and those that are not there are overwritten.
    let near = (others[0] | others[1]) & NEIGHBOURS[square % 64];
    let near = near.rotate_right(square as u32);
    let owners = others[1].rotate_right(square as u32);
    let first = (INPUTS * P::INPUT_BUCKETS + square) as u16;
    let owner = owner as u16;
    let mut count = inputs.count;
    let mut push_if = |is_active: u64, input: u16| {
        inputs.inputs[count % CAPACITY] = input;
        count += is_active as usize;
    };
    for (direction, distance) in [1, 7, 8, 9].into_iter().enumerate() {
        let first = first + 64 * direction as u16;
        let other = (owners >> distance & 1) as u16;
        push_if(near >> distance & 1, first + 512 * owner + 256 * other);
        let other = (owners >> (64 - distance) & 1) as u16;
        let first = first.wrapping_sub(distance);
        push_if(near >> (64 - distance) & 1, first + 512 * other + 256 * owner);
    }
    inputs.count = count;
}
