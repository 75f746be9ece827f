//! The buckets of the transposition table, of which a growing part is in use.
//!
//! A table that is larger than a search needs costs time: its entries lie apart, where the caches of
//! the CPU do not reach them. So the table begins small and grows with the nodes of a game, one
//! bucket after another, by linear hashing (W. Litwin, "Linear Hashing: A New Tool for File and Table
//! Addressing", 1980). Buckets not in use are empty.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, TryLockError};

use zerocopy::{FromBytes, IntoBytes};

use super::entry::is_used;

/// The key XOR the packed entry, then the packed entry.
pub type Slot = [AtomicU64; 2];

/// The number of slots in a bucket.
const SLOTS: usize = 4;

/// The slots for one key: one cache line.
#[derive(FromBytes, IntoBytes)]
#[repr(C, align(64))]
pub struct Bucket {
    pub slots: [Slot; SLOTS],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

/// The number of buckets in use.
#[derive(Debug)]
pub struct TableSize {
    buckets: AtomicUsize,
    /// The nodes searched since the table was empty.
    nodes: AtomicU64,
    /// Locked by the thread that adds buckets.
    growth: Mutex<()>,
}

impl TableSize {
    /// The number of buckets in use from the start: 512 KiB.
    const FIRST: usize = (1 << 19) / size_of::<Bucket>();

    /// The size of an empty table.
    pub fn new() -> Self {
        Self {
            buckets: AtomicUsize::new(Self::FIRST),
            nodes: AtomicU64::new(0),
            growth: Mutex::default(),
        }
    }

    /// The number of buckets in use.
    pub fn buckets(&self) -> usize {
        self.buckets.load(Relaxed)
    }

    /// The size of an empty table again.
    pub fn reset(&self) {
        self.buckets.store(Self::FIRST, Relaxed);
        self.nodes.store(0, Relaxed);
    }
}

/// The buckets of a table, shared by the threads of a search.
#[derive(Clone, Copy)]
pub struct Buckets<'a> {
    all: &'a [Bucket],
    size: &'a TableSize,
}

impl<'a> Buckets<'a> {
    pub fn new(all: &'a [Bucket], size: &'a TableSize) -> Self {
        Self { all, size }
    }

    /// The bucket of a key.
    #[inline]
    pub fn of(self, key: u64) -> Option<&'a Bucket> {
        self.all.get(index(key, self.size.buckets()))
    }

    /// The buckets of several keys.
    #[inline]
    pub fn of_all(self, keys: impl Iterator<Item = u64>) -> impl Iterator<Item = &'a Bucket> {
        let count = self.size.buckets();
        keys.filter_map(move |key| self.all.get(index(key, count)))
    }

    /// The number of buckets, those not in use included.
    pub fn capacity(self) -> usize {
        self.all.len()
    }

    /// The buckets in use.
    pub fn in_use(self) -> &'a [Bucket] {
        self.all.get(..self.size.buckets()).unwrap_or(self.all)
    }

    /// Counts the nodes of a search, and adds buckets while there are any left, so that there is a slot
    /// for every `nodes_per_slot` nodes of the game.
    pub fn grow(self, new_nodes: u64, nodes_per_slot: u64) {
        let nodes = self.size.nodes.fetch_add(new_nodes, Relaxed) + new_nodes;
        let wanted =
            nodes.div_ceil(nodes_per_slot * SLOTS as u64).min(self.capacity() as u64) as usize;
        if self.size.buckets() >= wanted {
            return;
        }
        // A thread that adds buckets adds enough for all.
        let lock = self.size.growth.try_lock();
        let added = self.size.buckets()..wanted;
        if matches!(lock, Err(TryLockError::WouldBlock)) || added.is_empty() {
            return;
        }
        // At every moment other threads find the entries, but one that they store may be lost.
        added.clone().for_each(|new| {
            self.moving(new, |_, to, key, data| store(to, key, data));
        });
        self.size.buckets.store(wanted, Relaxed);
        added.for_each(|new| self.moving(new, |from, _, _, _| store(from, 0, 0)));
    }

    /// Calls a function for each entry that belongs to a new bucket: with its slot in the old one, the
    /// slot in the new one, its key and the packed entry.
    #[inline]
    fn moving(self, new: usize, act: impl Fn(&Slot, &Slot, u64, u64)) {
        let (mask, old) = (mask(new + 1), index(new as u64, new));
        let (Some(old), Some(bucket)) = (self.all.get(old), self.all.get(new)) else { return };
        for (from, to) in old.slots.iter().zip(&bucket.slots) {
            let (key, data) = load(from);
            if key as usize & mask == new && is_used(data) {
                act(from, to, key, data);
            }
        }
    }
}

/// The bits of a key that select one of `count` buckets.
#[inline]
fn mask(count: usize) -> usize {
    count.next_power_of_two() - 1
}

/// The index of the bucket for a key among `count` buckets: by as many low bits of the key as
/// `count` needs, or by one less for the buckets that are still to be split.
#[inline]
fn index(key: u64, count: usize) -> usize {
    let mask = mask(count);
    let index = key as usize & mask;
    if index < count { index } else { index & (mask >> 1) }
}

/// Loads the key and the packed entry of a slot.
#[inline]
pub fn load([check, data]: &Slot) -> (u64, u64) {
    let data = data.load(Relaxed);
    (check.load(Relaxed) ^ data, data)
}

/// Stores a packed entry.
#[inline]
pub fn store([check, data]: &Slot, key: u64, packed: u64) {
    check.store(key ^ packed, Relaxed);
    data.store(packed, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_bucket_takes_its_keys_from_one_other() {
        for count in 2..300 {
            let mut from = Vec::new();
            for key in 0..2_000_u64 {
                let (before, after) = (index(key, count), index(key, count + 1));
                assert!(before < count);
                match after == count {
                    true => from.push(before),
                    false => assert_eq!(after, before),
                }
            }
            from.dedup();
            assert_eq!(from, [index(count as u64, count)], "{count} buckets");
        }
    }
}
