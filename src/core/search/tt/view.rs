//! The view of the transposition table that the threads of one search share.

use super::entry::{AGES, Bucket, Slot, TtEntry, age, is_used, load, store};
use super::prefetch::prefetch;

/// The plies of depth that one search of age costs an entry in the choice of the one to replace.
const AGE_WEIGHT: i32 = 4;

/// The entries of the table, shared by the threads of one search.
#[derive(Clone, Copy)]
pub struct TtView<'a> {
    buckets: &'a [Bucket],
    /// The age of the entries stored by this search.
    age: u8,
    is_prepared: bool,
}

impl<'a> TtView<'a> {
    pub fn new(buckets: &'a [Bucket], age: u8, is_prepared: bool) -> Self {
        Self { buckets, age, is_prepared }
    }

    /// Whether the system has provided the pages, so that no access takes long.
    pub fn is_prepared(self) -> bool {
        self.is_prepared
    }

    #[cfg(test)]
    pub fn len(self) -> usize {
        self.buckets.len()
    }

    /// The bucket of a key: the high bits of the key select one of any number of buckets.
    #[inline]
    fn bucket(self, key: u64) -> Option<&'a Bucket> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }

    #[inline]
    pub fn probe(self, key: u64) -> Option<TtEntry> {
        let (_, data) =
            self.bucket(key)?.slots.iter().map(load).find(|&(old_key, _)| old_key == key)?;
        TtEntry::unpack(data)
    }

    /// Starts to load the buckets of these keys into the cache, for probes that follow soon.
    #[inline]
    pub fn prefetch(self, keys: impl Iterator<Item = u64>) {
        keys.filter_map(|key| self.bucket(key)).for_each(prefetch);
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
        if let Some((_, slot)) = replaced {
            store(slot, key, entry.pack(self.age));
        }
    }

    /// Returns the part of the table that holds entries of this search, in permille: the number of
    /// such entries among the first 1000.
    pub fn hashfull(self) -> u32 {
        const SAMPLE: usize = 250;
        let buckets = self.buckets.get(..SAMPLE).unwrap_or(self.buckets);
        let slots = buckets.iter().flat_map(|bucket| &bucket.slots).map(load);
        slots.filter(|&(_, data)| is_used(data) && age(data) == self.age).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;
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

    /// Keys that share a bucket, whose index is in the high bits.
    const SHARING_A_BUCKET: [u64; 6] = [1, 2, 3, 4, 5, 6];

    fn view(memory: &mut Memory, age: u8) -> TtView<'_> {
        TtView::new(memory.buckets(), age, true)
    }

    #[test]
    fn stored_entries_are_found() {
        let mut memory = Memory::new(1).unwrap();
        let tt = view(&mut memory, 1);
        assert_eq!(tt.probe(77), None);
        tt.store(77, ENTRY);
        assert_eq!(tt.probe(77), Some(ENTRY));
        assert_eq!(tt.probe(78), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let mut memory = Memory::new(1).unwrap();
        let tt = view(&mut memory, 1);
        tt.store(1, ENTRY);
        tt.store(1, TtEntry { packed_move: 0, depth: 20, ..ENTRY });
        assert_eq!(tt.probe(1).map(|e| (e.packed_move, e.depth)), Some((ENTRY.packed_move, 20)));
    }

    #[test]
    fn the_shallowest_and_oldest_entries_are_replaced_first() {
        let mut memory = Memory::new(1).unwrap();
        let tt = view(&mut memory, 1);
        let [a, b, c, d, e, f] = SHARING_A_BUCKET;
        for (key, depth) in [(a, 9), (b, 3), (c, 8), (d, 7)] {
            tt.store(key, TtEntry { depth, ..ENTRY });
        }
        tt.store(e, TtEntry { depth: 5, ..ENTRY });
        assert_eq!(tt.probe(b), None);
        assert!([a, c, d, e].iter().all(|&key| tt.probe(key).is_some()));
        let tt = view(&mut memory, 4);
        tt.store(a, TtEntry { depth: 9, ..ENTRY });
        tt.store(f, TtEntry { depth: 1, ..ENTRY });
        assert!(tt.probe(a).is_some() && tt.probe(f).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn every_bucket_is_used() {
        let mut memory = Memory::new(3).unwrap();
        let tt = view(&mut memory, 1);
        // Four keys for three slots.
        let keys = (0..262_144_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        keys.for_each(|key| tt.store(key, ENTRY));
        let filled =
            |bucket: &Bucket| bucket.slots.iter().filter(|slot| is_used(load(slot).1)).count();
        assert!(tt.buckets.iter().all(|bucket| filled(bucket) > 0));
        assert!((900..=1000).contains(&tt.hashfull()), "{}", tt.hashfull());
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let mut memory = Memory::new(1).unwrap();
        let tt = view(&mut memory, 1);
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
        const ROUNDS: u64 = if cfg!(miri) { 300 } else { 200_000 };
        let mut memory = Memory::new(1).unwrap();
        // Miri is slow with a whole table.
        let tt = TtView::new(&memory.buckets()[..1], 1, true);
        let store_and_probe = |thread: u64| {
            let mut hits = 0;
            for round in 0..ROUNDS {
                // Six keys compete for four slots.
                let key = SHARING_A_BUCKET[((7 * round + thread) % 6) as usize];
                tt.store(key, version_of(key, (round + 64 * thread) as u8));
                let key = SHARING_A_BUCKET[((round + thread) % 6) as usize];
                if let Some(entry) = tt.probe(key) {
                    assert_eq!(entry, version_of(key, entry.depth));
                    hits += 1;
                }
            }
            hits
        };
        let hits: u64 = thread::scope(|scope| {
            let threads = [0, 1, 2, 3].map(|thread| scope.spawn(move || store_and_probe(thread)));
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(hits > ROUNDS, "{hits} of {} probes found an entry", 4 * ROUNDS);
    }
}
