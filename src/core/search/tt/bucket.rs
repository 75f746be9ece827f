//! A bucket of the transposition table and its slots.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

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
