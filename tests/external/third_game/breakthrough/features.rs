//! Breakthrough: the inputs of the evaluation network.

use super::Breakthrough;
use crate::game::{FeatureBits, Features, Side};
use crate::game::bitboard::{Bits, mirrored};

impl Features for Breakthrough {
    const OUTPUT_BUCKETS: usize = 8;

    /// The board and its mirror image.
    const SYMMETRIES: usize = 2;

    /// The pawns, with the board turned so that the side moves up.
    #[inline]
    fn features(&self, side: Side) -> FeatureBits {
        let pawns = [self.pawns[side], self.pawns[!side]];
        if side == Side::White { pawns } else { pawns.map(u64::swap_bytes) }
    }

    #[inline]
    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other.swap_bytes(), own.swap_bytes()]
    }

    #[inline]
    fn transformed(inputs: FeatureBits, number: usize) -> FeatureBits {
        if number == 0 { inputs } else { inputs.map(mirrored) }
    }

    /// Mirrors the board if more than half of the side's own pawns are on the right half.
    #[inline]
    fn symmetry([own, _]: FeatureBits) -> usize {
        usize::from(2 * (own & RIGHT_HALF).count_ones() > own.count_ones())
    }

    /// One bucket for every four captured pawns.
    #[inline]
    fn output_bucket([own, other]: FeatureBits) -> usize {
        let captured = 32_u32.saturating_sub(own.count_ones() + other.count_ones());
        (captured as usize / 4).min(Self::OUTPUT_BUCKETS - 1)
    }
}

const RIGHT_HALF: Bits = 0xf0f0_f0f0_f0f0_f0f0;
