//! The table of a proof search, with a fixed amount of memory.

use std::mem::size_of;

use zerocopy::FromZeros;

use super::value::{INFINITE, Value};
use crate::search::OutOfMemory;

/// A table entry.
#[derive(Clone, Copy, Debug, FromZeros)]
#[repr(C)]
pub(super) struct Entry {
    key: u64,
    /// The proof and disproof numbers of the position.
    pub value: Value,
    /// The packed best move; in a won position, the winning move.
    pub tag: u16,
    /// The binary logarithm of the expansions spent on the entry. Cheap entries are replaced first.
    effort: u8,
    /// 1 if the position was disproved on some path; that result has an entry of its own.
    pub elsewhere: u8,
}

const _: () = assert!(size_of::<Entry>() == 24, "known by the size of the table");

impl Entry {
    /// An entry for a result that cost this many expansions.
    pub(super) fn new(value: Value, tag: u16, expansions: u64) -> Self {
        let effort = (u64::BITS - expansions.leading_zeros()) as u8;
        Self { key: 0, value, tag, effort, elsewhere: 0 }
    }

    /// Whether the entry is unused. No search result has two zero numbers.
    fn is_empty(&self) -> bool {
        self.value.phi == 0 && self.value.delta == 0
    }

    /// The replacement value. Solved positions save more work than unsolved ones.
    fn worth(&self) -> u8 {
        const RESULT: u8 = 2;
        let is_result = self.value.phi == INFINITE || self.value.delta == INFINITE;
        self.effort + if is_result { RESULT } else { 0 }
    }
}

/// The number of entries in a bucket.
const BUCKET: usize = 4;

/// A hash table of buckets of entries.
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// An empty table of at most `mib` MiB.
    pub(super) fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        let buckets = (bytes / (BUCKET * size_of::<Entry>())).max(1);
        let entries = Entry::new_vec_zeroed(buckets * BUCKET).map_err(|_| refused)?;
        Ok(Self { entries })
    }

    /// The entry of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        let first = self.first(key);
        let bucket = self.entries.get(first..first + BUCKET)?;
        bucket.iter().find(|entry| entry.key == key && !entry.is_empty())
    }

    /// Stores an entry. It replaces the entry with the same key, or else the cheapest one of the
    /// bucket.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let first = self.first(key);
        let Some(bucket) = self.entries.get_mut(first..first + BUCKET) else { return };
        let worth = |old: &Entry| match old {
            old if old.is_empty() || old.key == key => 0,
            old => old.worth() + 1,
        };
        let same = bucket.iter().position(|old| old.key == key && !old.is_empty());
        let cheapest = || (0..BUCKET).min_by_key(|&i| worth(&bucket[i]));
        if let Some(place) = same.or_else(cheapest) {
            bucket[place] = Entry { key, ..entry };
        }
    }

    /// The memory of the table in bytes.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// The index of the first entry of the bucket of a key.
    ///
    /// The high half of a product maps keys evenly to any number of buckets (D. Lemire, "Fast
    /// Random Integer Generation in an Interval", 2019).
    #[inline]
    fn first(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(phi: u32, expansions: u64) -> Entry {
        Entry::new(Value { phi, delta: 1, note: 0 }, 7, expansions)
    }

    fn phi(table: &Table, key: u64) -> Option<u32> {
        table.get(key).map(|entry| entry.value.phi)
    }

    #[test]
    fn a_full_bucket_drops_what_was_cheapest() {
        let mut table = Table::new(1).unwrap();
        // Small keys share the first bucket.
        for (key, expansions) in [(0, 100), (1, 1000), (2, 1), (3, 50)] {
            table.put(key, entry(10 + key as u32, expansions));
        }
        table.put(4, entry(14, 10));
        let found: Vec<_> = (0..5).map(|key| phi(&table, key)).collect();
        assert_eq!(found, [Some(10), Some(11), None, Some(13), Some(14)]);
        table.put(1, entry(99, 1));
        assert_eq!(phi(&table, 1), Some(99));
    }

    #[test]
    fn it_takes_no_more_memory_than_it_was_given() {
        for mib in [1, 2, 3, 16] {
            let mut table = Table::new(mib).unwrap();
            for key in 0..200_000_u64 {
                table.put(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, key));
            }
            assert!(table.bytes() <= mib << 20 && table.bytes() > (mib << 20) - 100);
        }
        let refused = std::hint::black_box(Table::new(usize::MAX));
        assert_eq!(refused.err(), Some(OutOfMemory { mib: usize::MAX }));
    }
}
