//! The table of a proof search, with a fixed amount of memory.

use std::mem::size_of;

use zerocopy::FromZeros;

use super::numbers::{INFINITE, PATH_INDEPENDENT, ProofNumbers};
use crate::game::{Heuristics, mix};
use crate::search::tt::OutOfMemory;

#[derive(Clone, Copy, Debug, FromZeros)]
#[repr(C)]
pub(super) struct ProofEntry {
    key: u64,
    /// The proof and disproof numbers of the position.
    pub numbers: ProofNumbers,
    /// The packed best move; in a won position, the winning move.
    pub packed_move: u16,
    /// The binary logarithm of the expansions spent on the entry. Cheap entries are replaced first.
    effort: u8,
    /// 1 if the position was disproved on some path; each such result has an entry of its own.
    pub has_path_entries: u8,
}

const _: () = assert!(size_of::<ProofEntry>() == 24, "entries have no padding");

impl ProofEntry {
    /// An entry for a result that cost this many expansions.
    pub(super) fn new(numbers: ProofNumbers, packed_move: u16, expansions: u64) -> Self {
        let effort = (u64::BITS - expansions.leading_zeros()) as u8;
        Self { key: 0, numbers, packed_move, effort, has_path_entries: 0 }
    }

    /// Whether the entry is unused. No search result has two zero numbers.
    fn is_empty(&self) -> bool {
        self.numbers.phi == 0 && self.numbers.delta == 0
    }

    /// The replacement value. Solved positions save more work than unsolved ones.
    fn replacement_value(&self) -> u8 {
        const RESULT_BONUS: u8 = 2;
        let is_result = self.numbers.phi == INFINITE || self.numbers.delta == INFINITE;
        self.effort + if is_result { RESULT_BONUS } else { 0 }
    }
}

/// The identity of a node: position, path and plies left.
#[derive(Clone, Copy)]
pub(super) struct NodeId {
    pub(super) key: u64,
    pub(super) path_hash: u64,
    /// The plies left, if they are limited.
    pub(super) plies_left: Option<u32>,
}

impl NodeId {
    pub(super) fn child<P: Heuristics>(&self, position: &P) -> Self {
        let path_hash = if self.plies_left.is_some() { 0 } else { mix(self.path_hash ^ self.key) };
        let plies_left = self.plies_left.map(|plies| plies.saturating_sub(1));
        Self { key: position.proof_key(), path_hash, plies_left }
    }

    /// The key of the entry for results on this path only.
    fn path_key(&self) -> u64 {
        self.key ^ self.path_hash
    }

    /// The key of the entry for results with this number of plies left.
    fn limited_key(&self, plies: u32) -> u64 {
        self.key ^ mix(u64::from(plies) + 1)
    }
}

const BUCKET_SIZE: usize = 4;

/// A hash table of buckets of entries.
pub(super) struct ProofTable {
    entries: Vec<ProofEntry>,
}

impl ProofTable {
    /// An empty table of at most `mib` MiB.
    pub(super) fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        let buckets = (bytes / (BUCKET_SIZE * size_of::<ProofEntry>())).max(1);
        let entries = ProofEntry::new_vec_zeroed(buckets * BUCKET_SIZE).map_err(|_| refused)?;
        Ok(Self { entries })
    }

    pub(super) fn clear(&mut self) {
        self.entries.zero();
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&ProofEntry> {
        let first = self.first_of_bucket(key);
        let bucket = self.entries.get(first..first + BUCKET_SIZE)?;
        bucket.iter().find(|entry| entry.key == key && !entry.is_empty())
    }

    /// Stores an entry. It replaces the entry with the same key, or else the cheapest one of the
    /// bucket.
    fn put(&mut self, key: u64, entry: ProofEntry) {
        let first = self.first_of_bucket(key);
        let Some(bucket) = self.entries.get_mut(first..first + BUCKET_SIZE) else { return };
        let value = |old: &ProofEntry| match old {
            old if old.is_empty() || old.key == key => 0,
            old => old.replacement_value() + 1,
        };
        let same = bucket.iter().position(|old| old.key == key && !old.is_empty());
        let cheapest = || (0..BUCKET_SIZE).min_by_key(|&i| value(&bucket[i]));
        if let Some(index) = same.or_else(cheapest) {
            bucket[index] = ProofEntry { key, ..entry };
        }
    }

    #[inline]
    pub(super) fn probe_node(&self, provers_turn: bool, id: &NodeId) -> Option<ProofNumbers> {
        let entry = self.get(id.key);
        let Some(plies) = id.plies_left else {
            let entry = entry?;
            if entry.has_path_entries != 0
                && !entry.numbers.is_solved()
                && let Some(on_path) = self.get(id.path_key())
            {
                return Some(on_path.numbers);
            }
            return Some(entry.numbers);
        };
        // A short enough proof and any disproof also hold with limited plies.
        if let Some(ProofEntry { numbers, .. }) = entry
            && (numbers.is_disproved(provers_turn)
                || numbers.is_proved(provers_turn) && numbers.plies_or_index <= plies)
        {
            return Some(*numbers);
        }
        self.get(id.limited_key(plies)).map(|entry| entry.numbers)
    }

    /// Stores the entry of a node. Proofs are kept; of two, the shorter one.
    pub(super) fn store_node(&mut self, id: &NodeId, provers_turn: bool, mut entry: ProofEntry) {
        let old = self.get(id.key).copied();
        let proof = old.filter(|old| old.numbers.is_proved(provers_turn));
        let plies_or_index = entry.numbers.plies_or_index;
        if entry.numbers.is_proved(provers_turn) {
            if proof.is_none_or(|proof| plies_or_index < proof.numbers.plies_or_index) {
                self.put(id.key, entry);
            }
        } else if let Some(plies) = id.plies_left {
            self.put(id.limited_key(plies), entry);
        } else if entry.numbers.is_solved() && plies_or_index != PATH_INDEPENDENT {
            self.put(id.path_key(), entry);
            if proof.is_some() {
                return;
            }
            // On another path the position may be won, but this is less likely now.
            let unknown = ProofNumbers { phi: 1, delta: 1, plies_or_index: 0 };
            let mut hint = old.map_or(unknown, |old| old.numbers);
            let number = if provers_turn { &mut hint.phi } else { &mut hint.delta };
            *number = number.saturating_mul(2).min(INFINITE - 1);
            entry.numbers = hint;
            entry.has_path_entries = 1;
            self.put(id.key, entry);
        } else if proof.is_none() {
            entry.has_path_entries = old.map_or(0, |old| old.has_path_entries);
            self.put(id.key, entry);
        }
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<ProofEntry>()
    }

    /// The index of the first entry of the bucket of a key.
    ///
    /// The high half of a product maps keys evenly to any number of buckets (D. Lemire, "Fast
    /// Random Integer Generation in an Interval", 2019).
    #[inline]
    fn first_of_bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET_SIZE) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET_SIZE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(phi: u32, expansions: u64) -> ProofEntry {
        ProofEntry::new(ProofNumbers { phi, delta: 1, plies_or_index: 0 }, 7, expansions)
    }

    fn phi(table: &ProofTable, key: u64) -> Option<u32> {
        table.get(key).map(|entry| entry.numbers.phi)
    }

    #[test]
    fn a_full_bucket_replaces_the_cheapest_entry() {
        let mut table = ProofTable::new(1).unwrap();
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
    fn the_table_is_at_most_as_large_as_requested() {
        for mib in [1, 2, 3, 16] {
            let mut table = ProofTable::new(mib).unwrap();
            for key in 0..200_000_u64 {
                table.put(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, key));
            }
            assert!(table.bytes() <= mib << 20 && table.bytes() > (mib << 20) - 100);
        }
        let refused = std::hint::black_box(ProofTable::new(usize::MAX));
        assert_eq!(refused.err(), Some(OutOfMemory { mib: usize::MAX }));
    }
}
