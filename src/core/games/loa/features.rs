//! Lines of Action: the inputs of the evaluation network.

use super::Loa;
use crate::game::bitboard::{Bits, mirrored, transposed};
use crate::game::{FeatureBits, Features, Side};

impl Features for Loa {
    const PAIRS: bool = true;
    const OUTPUT_BUCKETS: usize = 8;

    const SYMMETRIES: usize = 8;

    #[inline]
    fn features(&self, side: Side) -> FeatureBits {
        [self.stones[side], self.stones[!side]]
    }

    #[inline]
    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other, own]
    }

    /// Bits 0 and 1 of the number mirror the files and the ranks, then bit 2 swaps both.
    #[inline]
    fn transformed(inputs: FeatureBits, number: usize) -> FeatureBits {
        inputs.map(|set| {
            let set = if number & 1 == 0 { set } else { mirrored(set) };
            let set = if number & 2 == 0 { set } else { set.swap_bytes() };
            if number & 4 == 0 { set } else { transposed(set) }
        })
    }

    /// Mirrors the board if more than half of the side's own stones are on the right half, or on
    /// the upper half.
    #[inline]
    fn symmetry([own, _]: FeatureBits) -> usize {
        let most_lie = |half: Bits| 2 * (own & half).count_ones() > own.count_ones();
        usize::from(most_lie(RIGHT_HALF)) | usize::from(most_lie(UPPER_HALF)) << 1
    }

    /// One bucket for every two captured stones.
    #[inline]
    fn output_bucket(inputs: FeatureBits) -> usize {
        let stones = inputs[0].count_ones() + inputs[1].count_ones();
        (24_u32.saturating_sub(stones) as usize / 2).min(Self::OUTPUT_BUCKETS - 1)
    }
}

const RIGHT_HALF: Bits = 0xf0f0_f0f0_f0f0_f0f0;
const UPPER_HALF: Bits = 0xffff_ffff_0000_0000;
