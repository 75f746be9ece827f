//! An entry of the transposition table, its packed form, and the bucket that holds it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use crate::search::score::{Bound, Score};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The packed best move; 0 for none.
    pub packed_move: u16,
    /// The score. Distances to the end of the game count from the position itself.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The depth of the search, in plies.
    pub depth: u8,
    pub eval: Score,
}

/// The bits of an entry's last byte that hold the bound. The other bits hold the age.
const BOUND_BITS: u64 = 3;
/// The number of ages, after which they start again from 0.
pub const AGES: u8 = 64;

impl TtEntry {
    /// Packs the entry: two bytes each for move, score and evaluation, one for the depth, one for
    /// bound and age.
    pub fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.packed_move)
            | u64::from(self.score.raw() as u16) << 16
            | u64::from(self.eval.raw() as u16) << 32
            | u64::from(self.depth) << 48
            | (u64::from(age) << 2 | bound) << 56
    }

    /// Whether this entry is so much deeper than a newer one of the same search that it stays.
    pub fn outlives(&self, newer: &Self) -> bool {
        const MUCH_DEEPER: i32 = 3;
        newer.bound != Bound::Exact
            && !newer.score.is_mate()
            && i32::from(self.depth) > i32::from(newer.depth) + MUCH_DEEPER
    }

    /// Whether this entry decides the position, and `newer` has no result that is as short.
    pub fn is_better_proof_than(&self, newer: &Self) -> bool {
        self.is_proof() && !(newer.is_proof() && newer.score.raw().abs() >= self.score.raw().abs())
    }

    /// Whether this entry decides the position: a win or a loss, at most as long as that of the score.
    pub fn is_proof(&self) -> bool {
        match self.bound {
            Bound::Exact => self.score.is_decided(),
            Bound::Lower => self.score.is_won(),
            Bound::Upper => self.score.is_lost(),
        }
    }

    /// Returns the score of a proved win or loss of known length.
    pub fn proved(&self) -> Option<Score> {
        Some(self.score).filter(|score| self.is_proof() && score.is_mate())
    }

    /// The entry with a bound that every score meets, so that only its move and evaluation are used.
    #[cold]
    pub fn without_score(self) -> Self {
        Self { score: -Score::INFINITE, bound: Bound::Lower, depth: 0, ..self }
    }

    /// Unpacks an entry; `None` for a slot that was never used.
    #[inline]
    pub fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 56 & BOUND_BITS {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            packed_move: data as u16,
            score: Score::from_raw((data >> 16) as i16),
            eval: Score::from_raw((data >> 32) as i16),
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

/// Whether packed data holds an entry.
pub fn is_used(data: u64) -> bool {
    data >> 56 & BOUND_BITS != 0
}

pub fn age(data: u64) -> u8 {
    (data >> 58) as u8
}

/// The key XOR the packed entry, then the packed entry.
pub type Slot = [AtomicU64; 2];

/// The slots for one key: one cache line.
#[derive(FromBytes, IntoBytes)]
#[repr(C, align(64))]
pub struct Bucket {
    pub slots: [Slot; 4],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

/// Loads the key and the packed entry of a slot.
#[inline]
pub fn load([check, data]: &Slot) -> (u64, u64) {
    let data = data.load(Relaxed);
    (check.load(Relaxed) ^ data, data)
}

#[inline]
pub fn store([check, data]: &Slot, key: u64, packed: u64) {
    check.store(key ^ packed, Relaxed);
    data.store(packed, Relaxed);
}
