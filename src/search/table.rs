//! The transposition table: what is known of positions that were searched before.
//!
//! See <https://www.chessprogramming.org/Transposition_Table>. It is shared by all threads
//! without locks: an entry is two words, of which one is the key combined with the other, so
//! that an entry torn by two writers fits no key and is passed over (R. Hyatt and T. Mann, "A
//! Lockless Transposition Table Implementation for Parallel Search Chess Engines", 2002).
//!
//! Beside it lies what the threads have learned of moves, for the next search of the game.

use std::mem::size_of;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Zeroable;
use thiserror::Error;

use super::order::History;
use super::score::{Bound, Score};

/// The machine does not give the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("there is no memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub mib: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The tag of the best move; 0 where none is known.
    pub tag: u16,
    /// The score, proved results counted from the position itself.
    pub score: Score,
    /// How the score is to be taken.
    pub bound: Bound,
    /// The depth to which the position was searched.
    pub depth: u8,
    /// The static evaluation.
    pub eval: Score,
}

/// The bits of an entry's last byte that hold its bound; the others hold its age.
const BOUND_BITS: u64 = 3;
/// Ages count up to here and begin again.
const AGES: u8 = 64;
/// A search older counts as much as so many plies less depth.
const AGE_WEIGHT: i32 = 4;

impl Entry {
    /// Two bytes each for tag, score and evaluation, one for the depth, one for bound and age.
    fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.tag)
            | u64::from(self.score.raw() as u16) << 16
            | u64::from(self.eval.raw() as u16) << 32
            | u64::from(self.depth) << 48
            | (u64::from(age) << 2 | bound) << 56
    }

    /// Whether this entry is so much deeper that it says more than a newer one of the same search.
    fn outlives(&self, newer: &Self) -> bool {
        newer.bound != Bound::Exact
            && !newer.score.is_decided()
            && i32::from(self.depth) > i32::from(newer.depth) + 3
    }

    /// Whether this proves a win or a loss, and none that is farther away than a newer entry tells.
    fn is_better_proof_than(&self, newer: &Self) -> bool {
        self.is_proof() && !(newer.is_proof() && newer.score.raw().abs() >= self.score.raw().abs())
    }

    /// Whether this says that the position is won or lost within the plies of its score.
    pub(super) fn is_proof(&self) -> bool {
        match self.bound {
            Bound::Exact => self.score.is_certain(),
            Bound::Lower => self.score.is_won(),
            Bound::Upper => self.score.is_lost(),
        }
    }

    /// The length of a win or a loss that this proves.
    pub(super) fn proved(&self) -> Option<Score> {
        Some(self.score).filter(|score| self.is_proof() && score.is_decided())
    }

    /// The entry of a word; nothing where none was ever packed.
    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 56 & BOUND_BITS {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            tag: data as u16,
            score: Score::from_raw((data >> 16) as i16),
            eval: Score::from_raw((data >> 32) as i16),
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

#[derive(Default, Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }
}

/// So many bytes are one line of the processor's cache.
const CACHE_LINE: usize = 64;

/// The slots that a key may use: one line of the processor's cache.
type Bucket = [Slot; SLOTS];
const SLOTS: usize = 4;

const _: () = assert!(size_of::<Bucket>() == CACHE_LINE, "four slots to a cache line");

/// The table.
pub struct Table {
    /// The buckets, behind a few slots that only push them to the beginning of a cache line. A
    /// type that is aligned to it would be simpler, but zeroed memory of such a type is written
    /// to instead of being taken as the system gives it.
    slots: Vec<Slot>,
    first: usize,
    buckets: usize,
    age: AtomicU8,
    /// What the threads of the last search have learned of moves.
    histories: Mutex<Vec<History>>,
    /// What the last search has announced.
    promise: Mutex<Option<Promise>>,
}

/// A win that was announced: the next search of that game goes on with the proofs of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Promise {
    /// The hash of the game up to the move that begins the win.
    pub way: u64,
    /// What tells the entries that prove it from others.
    pub salt: u64,
}

impl Table {
    /// An empty table of `mib` MiB, any number from 1.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let len = (buckets + 1).checked_mul(SLOTS).ok_or(refused)?;
        // Zeroed memory comes from the system page by page when it is first used, so that even
        // a large table is there at once.
        let slots: Vec<Slot> = bytemuck::try_zeroed_vec(len).map_err(|()| refused)?;
        // Where there is no such place, as there may be none for pointers unknown to a compiler,
        // the table is only slower.
        let first = Some(slots.as_ptr().align_offset(CACHE_LINE)).filter(|&first| first < SLOTS);
        Ok(Self {
            first: first.unwrap_or(0),
            slots,
            buckets,
            age: AtomicU8::new(0),
            histories: Mutex::default(),
            promise: Mutex::default(),
        })
    }

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        (self.buckets * size_of::<Bucket>()) >> 20
    }

    /// Makes what is in the table now one search older.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// What a thread of the search before has learned of moves, faded; nothing where there was
    /// none.
    pub(super) fn take_history(&self) -> History {
        let kept = self.histories().pop();
        kept.map_or_else(History::new, |mut history| {
            history.fade();
            history
        })
    }

    /// Keeps what a thread has learned of moves for the next search.
    pub(super) fn keep_history(&self, history: History) {
        self.histories().push(history);
    }

    fn histories(&self) -> MutexGuard<'_, Vec<History>> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the last search has announced, if it was a win in the game with this hash.
    pub(super) fn promised(&self, way: u64) -> Option<Promise> {
        self.last_promise().filter(|promise| promise.way == way)
    }

    /// Keeps what a search has announced, or that it was no win.
    pub(super) fn promise(&self, promise: Option<Promise>) {
        *self.last_promise() = promise;
    }

    fn last_promise(&self) -> MutexGuard<'_, Option<Promise>> {
        self.promise.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let found = self.bucket(key)?.iter().map(Slot::load).find(|&(slot, _)| slot == key);
        Entry::unpack(found?.1)
    }

    /// Remembers `entry` for this key. A deep entry of this search is worth keeping, an old or
    /// a shallow one gives way.
    #[inline]
    pub fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let Some(bucket) = self.bucket(key) else { return };
        let mut place: Option<(i32, &Slot)> = None;
        for slot in bucket {
            let (held, data) = slot.load();
            let worth = match Entry::unpack(data) {
                None => i32::MIN,
                Some(old) if held == key => {
                    // What is certain stays so, in later searches too: a win that was announced
                    // must not be forgotten on the way to it.
                    if old.is_better_proof_than(&entry)
                        || old.outlives(&entry) && (data >> 58) as u8 == age
                    {
                        return;
                    }
                    if entry.tag == 0 {
                        entry.tag = old.tag;
                    }
                    place = Some((i32::MIN, slot));
                    break;
                }
                Some(old) => {
                    let years = i32::from((age + AGES - (data >> 58) as u8) % AGES);
                    i32::from(old.depth) - AGE_WEIGHT * years
                }
            };
            if place.is_none_or(|(least, _)| worth < least) {
                place = Some((worth, slot));
            }
        }
        if let Some((_, slot)) = place {
            let data = entry.pack(age);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// How much of the table holds entries of this search, in thousandths.
    pub fn fullness(&self) -> u32 {
        const SAMPLE: usize = 250 * SLOTS;
        let age = self.age.load(Relaxed);
        let slots = self.slots.iter().skip(self.first).take(SAMPLE);
        let (mut full, mut all) = (0, 0);
        for slot in slots {
            let data = slot.data.load(Relaxed);
            all += 1;
            full += u32::from(data >> 56 & BOUND_BITS != 0 && (data >> 58) as u8 == age);
        }
        full * 1000 / all.max(1)
    }

    /// Any number of buckets is shared out evenly by the high half of a product (D. Lemire,
    /// "Fast Random Integer Generation in an Interval", 2019).
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let place = (u128::from(key) * self.buckets as u128) >> 64;
        self.slots.get(self.first + place as usize * SLOTS..)?.first_chunk()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ply, Side};

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Move;

    impl Ply for Move {
        fn tag(self) -> u16 {
            1
        }

        fn origin(self) -> usize {
            11
        }

        fn target(self) -> usize {
            22
        }
    }

    const ENTRY: Entry = Entry {
        tag: 0xabcd,
        score: Score::win_in(12),
        bound: Bound::Lower,
        depth: 17,
        eval: Score::from_raw(-345),
    };

    #[test]
    fn remembers_what_was_put() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.get(77), None);
        table.put(77, ENTRY);
        assert_eq!(table.get(77), Some(ENTRY));
        assert_eq!(table.get(78), None);
    }

    #[test]
    fn a_move_outlives_an_entry_without_one() {
        let table = Table::new(1).unwrap();
        table.put(1, ENTRY);
        table.put(1, Entry { tag: 0, depth: 20, ..ENTRY });
        assert_eq!(table.get(1).map(|e| (e.tag, e.depth)), Some((ENTRY.tag, 20)));
    }

    #[test]
    fn a_full_bucket_drops_its_shallowest_and_its_old_first() {
        let table = Table::new(1).unwrap();
        // Small keys share the first bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.put(key, Entry { depth, ..ENTRY });
        }
        table.put(5, Entry { depth: 5, ..ENTRY });
        assert_eq!(table.get(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        for _ in 0..3 {
            table.grow_older();
        }
        table.put(1, Entry { depth: 9, ..ENTRY });
        table.put(6, Entry { depth: 1, ..ENTRY });
        assert!(table.get(1).is_some() && table.get(6).is_some());
    }

    #[test]
    fn histories_are_kept_for_the_next_search() {
        let table = Table::new(1).unwrap();
        let merit = |history: &History| history.merit(Side::Black, [None; 2], Move);
        let mut history = table.take_history();
        assert_eq!(merit(&history), 0);
        history.learn(Side::Black, [None; 2], Move, &[], 20);
        let learned = merit(&history);
        table.keep_history(history);
        let faded = merit(&table.take_history());
        assert!(0 < faded && faded < learned, "{faded} of {learned}");
        assert_eq!(merit(&table.take_history()), 0, "another thread has it");
    }

    #[test]
    fn any_size_is_taken_and_too_much_is_refused() {
        for mib in [1, 3, 7, 17] {
            assert_eq!(Table::new(mib).unwrap().mib(), mib);
        }
        for mib in [1 << 40, usize::MAX] {
            // The compiler leaves out memory that nobody looks at.
            let table = std::hint::black_box(Table::new(mib));
            assert_eq!(table.err(), Some(OutOfMemory { mib }));
        }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        for mib in [1, 3, 64] {
            let table = Table::new(mib).unwrap();
            for key in [0, 1 << 40, u64::MAX] {
                let place = std::ptr::from_ref(table.bucket(key).unwrap());
                assert_eq!(place.addr() % CACHE_LINE, 0);
            }
        }
    }

    #[test]
    fn a_torn_entry_is_not_seen() {
        let table = Table::new(1).unwrap();
        table.put(9, ENTRY);
        table.bucket(9).unwrap()[0].data.store(ENTRY.pack(1), Relaxed);
        assert_eq!(table.get(9), None);
    }

    /// An entry made of its key and a version: no part of it goes with another.
    fn version_of(key: u64, version: u8) -> Entry {
        let mixed = (key ^ u64::from(version) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Entry {
            tag: (mixed >> 48) as u16 | 1,
            score: Score::from_raw((mixed >> 32) as i16 >> 2),
            bound: Bound::Exact,
            depth: version,
            eval: Score::from_raw((mixed >> 16) as i16 >> 2),
        }
    }

    #[test]
    fn threads_share_it_and_see_no_torn_entry() {
        let table = Table::new(1).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        // All small keys share one bucket: six want its four slots.
                        let key = (round.wrapping_mul(7) + thread) % 6;
                        table.put(key, version_of(key, (round + 64 * thread) as u8));
                        let key = (round + thread) % 6;
                        if let Some(entry) = table.get(key) {
                            assert_eq!(entry, version_of(key, entry.depth));
                        }
                    }
                });
            }
        });
    }
}
