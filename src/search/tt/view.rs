//! The view of the transposition table that the threads of one search share.

use std::sync::atomic::Ordering::Relaxed;

use super::entry::{AGES, TtEntry, age, is_used};
use super::memory::{Bucket, Slot};
use super::prefetch::prefetch;

/// The plies of depth that one search of age costs an entry in the choice of the one to replace.
const AGE_WEIGHT: i32 = 4;

/// The entries of the table, shared by the threads of one search.
#[derive(Clone, Copy)]
pub struct TtView<'a> {
    buckets: &'a [Bucket],
    /// The age of the entries stored by this search.
    age: u8,
}

impl<'a> TtView<'a> {
    pub fn new(buckets: &'a [Bucket], age: u8) -> Self {
        Self { buckets, age }
    }

    /// The buckets of the table.
    pub fn buckets(self) -> &'a [Bucket] {
        self.buckets
    }

    /// Returns the entry for this key.
    #[inline]
    pub fn probe(self, key: u64) -> Option<TtEntry> {
        let (_, data) =
            self.bucket(key)?.slots.iter().map(load).find(|&(old_key, _)| old_key == key)?;
        TtEntry::unpack(data)
    }

    /// Starts to load the bucket of this key into the cache, for a probe that follows soon.
    #[inline]
    pub fn prefetch(self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// Stores `entry` for this key. Old and shallow entries are replaced first. A much deeper entry
    /// of this search for the same key stays.
    #[inline]
    pub fn store(self, key: u64, mut entry: TtEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let mut replaced: Option<(i32, &Slot)> = None;
        for slot in &bucket.slots {
            let (old_key, data) = load(slot);
            let value = match TtEntry::unpack(data) {
                None => i32::MIN,
                Some(old) if old_key == key => {
                    // A proof stays, also across searches: an announced win must not be lost before
                    // it is played out.
                    if old.is_better_proof_than(&entry)
                        || old.outlives(&entry) && age(data) == self.age
                    {
                        return;
                    }
                    if entry.packed_move == 0 {
                        entry.packed_move = old.packed_move;
                    }
                    replaced = Some((i32::MIN, slot));
                    break;
                }
                Some(old) => {
                    let searches = i32::from((self.age + AGES - age(data)) % AGES);
                    i32::from(old.depth) - AGE_WEIGHT * searches
                }
            };
            if replaced.is_none_or(|(lowest, _)| value < lowest) {
                replaced = Some((value, slot));
            }
        }
        if let Some((_, [check, data])) = replaced {
            let packed = entry.pack(self.age);
            check.store(key ^ packed, Relaxed);
            data.store(packed, Relaxed);
        }
    }

    /// Returns the part of the table that holds entries of this search, in permille.
    pub fn hashfull(self) -> u32 {
        const SAMPLE: usize = 250;
        let slots = self.buckets.iter().take(SAMPLE).flat_map(|bucket| &bucket.slots);
        let (mut used, mut all) = (0, 0);
        for slot in slots {
            let (_, data) = load(slot);
            all += 1;
            used += u32::from(is_used(data) && age(data) == self.age);
        }
        used * 1000 / all.max(1)
    }

    /// Maps the key to a bucket, for any number of buckets, by the high half of a product (D.
    /// Lemire, "Fast Random Integer Generation in an Interval", 2019).
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let count = self.buckets.len();
        let index = if cfg!(target_pointer_width = "32") {
            // The same without 128 bits, for which such CPUs and WebAssembly call a function.
            let [high, low] = [key >> 32, key & u64::from(u32::MAX)];
            (high * count as u64 + ((low * count as u64) >> 32)) >> 32
        } else {
            ((u128::from(key) * count as u128) >> 64) as u64
        };
        self.buckets.get(index as usize)
    }
}

/// Loads the key and the packed entry of a slot.
fn load([check, data]: &Slot) -> (u64, u64) {
    let data = data.load(Relaxed);
    (check.load(Relaxed) ^ data, data)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::search::score::{Bound, Score};
    use crate::search::tt::memory::Memory;

    const ENTRY: TtEntry = TtEntry {
        packed_move: 0xabcd,
        score: Score::win_in(12),
        bound: Bound::Lower,
        depth: 17,
        eval: Score::from_raw(-345),
    };

    #[test]
    fn stored_entries_are_found() {
        let mut memory = Memory::new(1).unwrap();
        let tt = TtView::new(memory.buckets(), 1);
        assert_eq!(tt.probe(77), None);
        tt.store(77, ENTRY);
        assert_eq!(tt.probe(77), Some(ENTRY));
        assert_eq!(tt.probe(78), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let mut memory = Memory::new(1).unwrap();
        let tt = TtView::new(memory.buckets(), 1);
        tt.store(1, ENTRY);
        tt.store(1, TtEntry { packed_move: 0, depth: 20, ..ENTRY });
        assert_eq!(tt.probe(1).map(|e| (e.packed_move, e.depth)), Some((ENTRY.packed_move, 20)));
    }

    #[test]
    fn the_shallowest_and_oldest_entries_are_replaced_first() {
        let mut memory = Memory::new(1).unwrap();
        let buckets = memory.buckets();
        let tt = TtView::new(buckets, 1);
        // Small keys share the first bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            tt.store(key, TtEntry { depth, ..ENTRY });
        }
        tt.store(5, TtEntry { depth: 5, ..ENTRY });
        assert_eq!(tt.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| tt.probe(key).is_some()));
        let tt = TtView::new(buckets, 4);
        tt.store(1, TtEntry { depth: 9, ..ENTRY });
        tt.store(6, TtEntry { depth: 1, ..ENTRY });
        assert!(tt.probe(1).is_some() && tt.probe(6).is_some());
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let mut memory = Memory::new(1).unwrap();
        let tt = TtView::new(memory.buckets(), 1);
        tt.store(9, ENTRY);
        let [_, data] = &tt.bucket(9).unwrap().slots[0];
        data.store(ENTRY.pack(2), Relaxed);
        assert_eq!(tt.probe(9), None);
    }

    /// Returns an entry derived from its key and a version, so that parts of two entries never
    /// match.
    fn version_of(key: u64, version: u8) -> TtEntry {
        let mixed = (key ^ u64::from(version) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        TtEntry {
            packed_move: (mixed >> 48) as u16 | 1,
            score: Score::from_raw((mixed >> 32) as i16 >> 2),
            bound: Bound::Exact,
            depth: version,
            eval: Score::from_raw((mixed >> 16) as i16 >> 2),
        }
    }

    #[test]
    fn no_thread_reads_a_torn_entry() {
        let mut memory = Memory::new(1).unwrap();
        let tt = TtView::new(memory.buckets(), 1);
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        // All small keys share one bucket: six keys compete for its four slots.
                        let key = (round.wrapping_mul(7) + thread) % 6;
                        tt.store(key, version_of(key, (round + 64 * thread) as u8));
                        let key = (round + thread) % 6;
                        if let Some(entry) = tt.probe(key) {
                            assert_eq!(entry, version_of(key, entry.depth));
                        }
                    }
                });
            }
        });
    }
}
