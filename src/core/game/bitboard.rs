//! The squares of the 8x8 board, bitboards and hash keys.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use super::mix;

/// A bitboard: bit 0 is a1, bit 7 is h1, bit 63 is h8.
pub type Bits = u64;

pub const FILE_A: Bits = 0x0101_0101_0101_0101;
pub const FILE_H: Bits = FILE_A << 7;
/// The squares on the edge of the board.
pub const EDGE: Bits = FILE_A | FILE_H | 0xff | 0xff << 56;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Square(u8);

impl Square {
    /// The square with this index: a1 is 0, h1 is 7, h8 is 63. Higher bits are ignored.
    pub const fn new(index: u8) -> Self {
        Self(index & 63)
    }

    /// The index, 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask lets the compiler omit bounds checks.
        (self.0 & 63) as usize
    }

    /// The file, 0 for a.
    pub const fn file(self) -> i8 {
        (self.0 & 7) as i8
    }

    /// The rank, 0 for rank 1.
    pub const fn rank(self) -> i8 {
        (self.0 >> 3) as i8
    }

    /// The dark square with this number: 1 is b8, 32 is g1.
    pub fn numbered(number: usize) -> Option<Self> {
        let index = number.checked_sub(1).filter(|&index| index < 32)?;
        let rank = 7 - index / 4;
        Some(Self::new((rank * 8 + 2 * (index % 4) + rank % 2) as u8))
    }

    /// The number of a dark square, from 1 to 32.
    pub const fn number(self) -> usize {
        (7 - self.rank() as usize) * 4 + self.file() as usize / 2 + 1
    }

    /// The bitboard of this square alone.
    #[inline]
    pub const fn bit(self) -> Bits {
        1 << self.index()
    }

    /// Parses `c4` or `C4`.
    pub fn read(text: &[u8]) -> Option<Self> {
        let [file, rank] = *text else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&f| f < 8)?;
        let rank = rank.checked_sub(b'1').filter(|&r| r < 8)?;
        Some(Self::new(rank * 8 + file))
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The squares of a bitboard, lowest first.
pub fn squares(mut set: Bits) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| Square(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(square)
    })
}

/// The squares of a set and all their neighbours, in eight directions.
#[inline]
pub const fn grown(set: Bits) -> Bits {
    let row = set | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    row | row << 8 | row >> 8
}

/// The squares with a neighbour in the set. A square of the set is included only if it has a
/// neighbour in it.
#[inline]
pub const fn neighbours(set: Bits) -> Bits {
    let beside = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let row = set | beside;
    beside | row << 8 | row >> 8
}

/// The mirror image of a set, with file A on the place of file H.
#[inline]
pub const fn mirrored(set: Bits) -> Bits {
    let set = swapped(set, 1, 0x5555_5555_5555_5555);
    let set = swapped(set, 2, 0x3333_3333_3333_3333);
    swapped(set, 4, 0x0f0f_0f0f_0f0f_0f0f)
}

/// A set with files and ranks exchanged.
#[inline]
pub const fn transposed(set: Bits) -> Bits {
    let set = swapped(set, 28, 0x0000_0000_f0f0_f0f0);
    let set = swapped(set, 14, 0x0000_cccc_0000_cccc);
    swapped(set, 7, 0x00aa_00aa_00aa_00aa)
}

/// Exchanges each square of `lower` with the one that is `distance` higher.
const fn swapped(set: Bits, distance: u32, lower: Bits) -> Bits {
    let different = (set ^ set >> distance) & lower;
    set ^ different ^ different << distance
}

/// `N` fixed random numbers for hash keys, determined by the seed. The generator is SplitMix64
/// (Steele, Lea and Flood 2014).
#[expect(clippy::indexing_slicing, reason = "a constant function has no other access")]
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        keys[i] = mix(state);
        i += 1;
    }
    keys
}
