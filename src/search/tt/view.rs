//! The view of the transposition table that the threads of one search share.

use super::buckets::{Buckets, Slot, load, store};
use super::entry::{AGES, TtEntry, age, is_used};
use super::prefetch::prefetch;

/// The plies of depth that one search of age costs an entry in the choice of the one to replace.
const AGE_WEIGHT: i32 = 4;

/// The entries of the table, shared by the threads of one search.
#[derive(Clone, Copy)]
pub struct TtView<'a> {
    buckets: Buckets<'a>,
    /// The age of the entries stored by this search.
    age: u8,
}

impl<'a> TtView<'a> {
    pub fn new(buckets: Buckets<'a>, age: u8) -> Self {
        Self { buckets, age }
    }

    /// Lets the table grow with the nodes of a game.
    pub fn grow(self, new_nodes: u64, nodes_per_slot: u64) {
        self.buckets.grow(new_nodes, nodes_per_slot);
    }

    /// Returns the entry for this key.
    #[inline]
    pub fn probe(self, key: u64) -> Option<TtEntry> {
        let (_, data) =
            self.buckets.of(key)?.slots.iter().map(load).find(|&(old_key, _)| old_key == key)?;
        TtEntry::unpack(data)
    }

    /// Starts to load the buckets of these keys into the cache, for probes that follow soon.
    #[inline]
    pub fn prefetch(self, keys: impl Iterator<Item = u64>) {
        self.buckets.of_all(keys).for_each(prefetch);
    }

    /// Stores `entry` for this key. Old and shallow entries are replaced first. A much deeper entry
    /// of this search for the same key stays.
    #[inline]
    pub fn store(self, key: u64, mut entry: TtEntry) {
        let Some(bucket) = self.buckets.of(key) else { return };
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

    /// Returns the part of the table that holds entries of this search, in permille.
    pub fn hashfull(self) -> u32 {
        const SAMPLE: usize = 250;
        let in_use = self.buckets.in_use();
        let sample = in_use.iter().step_by((in_use.len() / SAMPLE).max(1));
        let (mut used, mut all) = (0, 0);
        for slot in sample.flat_map(|bucket| &bucket.slots) {
            let (_, data) = load(slot);
            all += 1;
            used += u64::from(is_used(data) && age(data) == self.age);
        }
        let [in_use, capacity] = [in_use.len(), self.buckets.capacity()].map(|count| count as u64);
        (used * 1000 * in_use / (all * capacity).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    use super::*;
    use crate::search::score::{Bound, Score};
    use crate::search::tt::buckets::TableSize;
    use crate::search::tt::memory::Memory;

    const ENTRY: TtEntry = TtEntry {
        packed_move: 0xabcd,
        score: Score::win_in(12),
        bound: Bound::Lower,
        depth: 17,
        eval: Score::from_raw(-345),
    };

    /// Keys that share a bucket, whose index is in the low bits.
    const SHARING_A_BUCKET: [u64; 6] = [1 << 40, 2 << 40, 3 << 40, 4 << 40, 5 << 40, 6 << 40];

    fn view<'a>(memory: &'a mut Memory, size: &'a TableSize, age: u8) -> TtView<'a> {
        TtView::new(Buckets::new(memory.buckets(), size), age)
    }

    #[test]
    fn stored_entries_are_found() {
        let (mut memory, size) = (Memory::new(1).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        assert_eq!(tt.probe(77), None);
        tt.store(77, ENTRY);
        assert_eq!(tt.probe(77), Some(ENTRY));
        assert_eq!(tt.probe(78), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let (mut memory, size) = (Memory::new(1).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        tt.store(1, ENTRY);
        tt.store(1, TtEntry { packed_move: 0, depth: 20, ..ENTRY });
        assert_eq!(tt.probe(1).map(|e| (e.packed_move, e.depth)), Some((ENTRY.packed_move, 20)));
    }

    #[test]
    fn the_shallowest_and_oldest_entries_are_replaced_first() {
        let (mut memory, size) = (Memory::new(1).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        let [a, b, c, d, e, f] = SHARING_A_BUCKET;
        for (key, depth) in [(a, 9), (b, 3), (c, 8), (d, 7)] {
            tt.store(key, TtEntry { depth, ..ENTRY });
        }
        tt.store(e, TtEntry { depth: 5, ..ENTRY });
        assert_eq!(tt.probe(b), None);
        assert!([a, c, d, e].iter().all(|&key| tt.probe(key).is_some()));
        let tt = view(&mut memory, &size, 4);
        tt.store(a, TtEntry { depth: 9, ..ENTRY });
        tt.store(f, TtEntry { depth: 1, ..ENTRY });
        assert!(tt.probe(a).is_some() && tt.probe(f).is_some());
    }

    #[test]
    fn a_table_grows_with_the_nodes_and_keeps_its_entries() {
        let (mut memory, size) = (Memory::new(3).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..20_000).for_each(|n| tt.store(key(n), ENTRY));
        let kept: Vec<u64> = (0..20_000).map(key).filter(|&key| tt.probe(key).is_some()).collect();
        assert!(kept.len() > 19_500, "{}", kept.len());
        for (new_nodes, slots) in [
            (0, 32_768),
            (16 * 32_768, 32_768),
            (1, 32_772),
            (16 * 67_229, 100_000),
            (1 << 40, 3 * 65_536),
        ] {
            tt.grow(new_nodes, 16);
            assert_eq!(4 * size.buckets(), slots, "{new_nodes} nodes");
            assert!(kept.iter().all(|&key| tt.probe(key).is_some()), "{new_nodes} nodes");
            // 20,000 of 196,608 slots.
            assert!((85..112).contains(&tt.hashfull()), "{new_nodes} nodes: {}", tt.hashfull());
        }
    }

    #[test]
    fn threads_find_entries_while_the_table_grows() {
        let (mut memory, size) = (Memory::new(5).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    const ROUNDS: u64 = 200_000;
                    let mut found = 0;
                    for round in 0..ROUNDS {
                        let key = (4 * round + thread).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        tt.store(key, version_of(key, thread as u8));
                        tt.grow(32, 16);
                        if let Some(entry) = tt.probe(key) {
                            assert_eq!(entry, version_of(key, thread as u8));
                            found += 1;
                        }
                    }
                    assert!(found > ROUNDS * 9 / 10, "{found} of {ROUNDS}");
                });
            }
        });
        assert_eq!(size.buckets(), memory.buckets().len());
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let (mut memory, size) = (Memory::new(1).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        tt.store(9, ENTRY);
        let [_, data] = &tt.buckets.of(9).unwrap().slots[0];
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
        let (mut memory, size) = (Memory::new(1).unwrap(), TableSize::new());
        let tt = view(&mut memory, &size, 1);
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        // Six keys compete for four slots.
                        let key = SHARING_A_BUCKET[((7 * round + thread) % 6) as usize];
                        tt.store(key, version_of(key, (round + 64 * thread) as u8));
                        let key = SHARING_A_BUCKET[((round + thread) % 6) as usize];
                        if let Some(entry) = tt.probe(key) {
                            assert_eq!(entry, version_of(key, entry.depth));
                        }
                    }
                });
            }
        });
    }
}
