//! Draughts: the inputs of the evaluation network.

use super::Draughts;
use crate::game::bitboard::Bits;
use crate::game::{FeatureBits, Features, Side};

impl Features for Draughts {
    const INPUT_BUCKETS: usize = Self::OUTPUT_BUCKETS;
    const OUTPUT_BUCKETS: usize = 8;

    /// The piece sets as network inputs: men on the dark squares, and each king on the light
    /// square beside its own, which is always free.
    #[inline]
    fn features(&self, side: Side) -> FeatureBits {
        let inputs = [side, !side].map(|owner| self.men(owner) | beside(self.kings(owner)));
        if side == Side::Black { inputs } else { inputs.map(u64::reverse_bits) }
    }

    #[inline]
    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other.reverse_bits(), own.reverse_bits()]
    }

    #[inline]
    fn input_bucket(inputs: FeatureBits) -> usize {
        Self::output_bucket(inputs)
    }

    /// The output bucket: a group of six piece counts, separately with and without kings.
    #[inline]
    fn output_bucket([own, other]: FeatureBits) -> usize {
        const PARTS: usize = Draughts::OUTPUT_BUCKETS / 2;
        let pieces = own | other;
        let part = (pieces.count_ones().saturating_sub(1) as usize / 6).min(PARTS - 1);
        if pieces & LIGHT == 0 { part } else { PARTS + part }
    }
}

const LIGHT: Bits = 0x55aa_55aa_55aa_55aa;

/// The light square beside each of these dark squares, on the same rank.
#[inline]
fn beside(dark: Bits) -> Bits {
    const ODD_RANKS: Bits = 0x00ff_00ff_00ff_00ff;
    (dark & ODD_RANKS) << 1 | (dark & !ODD_RANKS) >> 1
}
