//! The transposition table: search results by position, shared by all threads.
//!
//! It needs no lock for entries. Each slot holds an entry and its key, combined so that a
//! half-written entry matches no key (R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation", 2002). The table also keeps the move histories of the threads for the next
//! search of the game.

use std::mem::size_of;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use memmap2::MmapMut;
use thiserror::Error;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

use super::move_picker::History;
use super::score::{Bound, Score};

/// The memory for a table could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("there is no memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// The requested size, in MiB.
    pub mib: usize,
}

/// An entry of the transposition table.
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
    /// The static evaluation.
    pub eval: Score,
}

/// The bits of an entry's last byte that hold the bound. The other bits hold the age.
const BOUND_BITS: u64 = 3;
/// The number of ages, after which they start again from 0.
const AGES: u8 = 64;
/// The plies of depth that one search of age costs an entry in the choice of the one to replace.
const AGE_WEIGHT: i32 = 4;

impl TtEntry {
    /// Packs the entry: two bytes each for move, score and evaluation, one for the depth, one for
    /// bound and age.
    fn pack(self, age: u8) -> u64 {
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
    fn outlives(&self, newer: &Self) -> bool {
        newer.bound != Bound::Exact
            && !newer.score.is_decided()
            && i32::from(self.depth) > i32::from(newer.depth) + 3
    }

    /// Whether this entry proves a win or a loss, and `newer` proves none that is as short.
    fn is_better_proof_than(&self, newer: &Self) -> bool {
        self.is_proof() && !(newer.is_proof() && newer.score.raw().abs() >= self.score.raw().abs())
    }

    /// Whether this entry proves a win or a loss, at most as long as the score says.
    pub(super) fn is_proof(&self) -> bool {
        match self.bound {
            Bound::Exact => self.score.is_certain(),
            Bound::Lower => self.score.is_won(),
            Bound::Upper => self.score.is_lost(),
        }
    }

    /// Returns the score of a proved win or loss of known length.
    pub(super) fn proved(&self) -> Option<Score> {
        Some(self.score).filter(|score| self.is_proof() && score.is_decided())
    }

    /// Unpacks an entry; `None` for a slot that was never used.
    fn unpack(data: u64) -> Option<Self> {
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

/// The key XOR the packed entry, then the packed entry.
type Slot = [AtomicU64; 2];

/// The slots for one key: one cache line.
type Bucket = [Slot; 4];

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

/// The memory of the table. The system zeroes each page when it is first touched.
enum Memory {
    Mapped(MmapMut),
    /// The fallback for systems without memory maps.
    Allocated(Vec<Bucket>),
}

impl Memory {
    fn new(buckets: usize) -> Option<Self> {
        let bytes = buckets.checked_mul(size_of::<Bucket>())?;
        if let Ok(map) = MmapMut::map_anon(bytes) {
            // Probes hit random places. With pages of 4 KiB most of them also miss the TLB.
            #[cfg(target_os = "linux")]
            if let Err(error) = map.advise(memmap2::Advice::HugePage) {
                log::debug!("no huge pages: {error}");
            }
            return Some(Self::Mapped(map));
        }
        Bucket::new_vec_zeroed(buckets).ok().map(Self::Allocated)
    }

    fn bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Allocated(buckets) => buckets.as_mut_slice().as_mut_bytes(),
        }
    }

    fn buckets(&mut self) -> &[Bucket] {
        match self {
            Self::Mapped(map) => <[Bucket]>::mut_from_bytes(map).map_or(&[], |buckets| buckets),
            Self::Allocated(buckets) => buckets,
        }
    }
}

/// The least number of buckets to touch in advance. Smaller tables are touched in the time that a
/// thread takes to start.
const TOUCHED_FROM: usize = (64 << 20) / size_of::<Bucket>();
/// The buckets touched under one lock: the longest wait for a search that begins meanwhile.
const TOUCHED_AT_ONCE: usize = (8 << 20) / size_of::<Bucket>();
/// The limit on buckets touched in advance. Pages beyond it are allocated when a search needs them.
const TOUCHED_IN_ADVANCE: usize = (1 << 30) / size_of::<Bucket>();

/// The transposition table, with the data kept between searches of a game.
pub struct TranspositionTable {
    /// Locked by the current search, or by the thread that touches the pages.
    memory: Mutex<Memory>,
    buckets: usize,
    /// The first bucket whose page may not have been touched yet.
    touched: AtomicUsize,
    /// Whether a search has used the table since it was last cleared.
    used: AtomicBool,
    age: AtomicU8,
    /// The move histories that the threads of the last search left.
    histories: Mutex<Vec<History>>,
    /// The win announced by the last search.
    announced: Mutex<Option<AnnouncedWin>>,
}

/// An announced win. The next search of that game reuses its proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedWin {
    /// The hash of the game up to and including the first move of the win.
    pub game_key: u64,
    /// The path key of the search that announced the win, which is mixed into the keys of its
    /// entries.
    pub salt: u64,
}

impl TranspositionTable {
    /// Creates an empty table of `mib` MiB, any number from 1.
    ///
    /// The memory is reserved at once, but the system provides each page only when it is touched:
    /// see [`TranspositionTable::touch_pages`]. Fails if the memory cannot be reserved.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let buckets = mib.checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(refused)?.max(1);
        let memory = Memory::new(buckets).ok_or(refused)?;
        Ok(Self {
            memory: Mutex::new(memory),
            buckets,
            touched: AtomicUsize::new(0),
            used: AtomicBool::new(false),
            age: AtomicU8::new(0),
            histories: Mutex::default(),
            announced: Mutex::default(),
        })
    }

    /// The size of the table in MiB.
    pub fn mib(&self) -> usize {
        (self.buckets * size_of::<Bucket>()) >> 20
    }

    /// Clears the table in place, histories included. Waits for a search that uses the table.
    pub fn clear(&self) {
        /// Smaller parts are cleared in the time that a thread takes to start.
        const LEAST: usize = 16 << 20;
        let mut memory = lock(&self.memory);
        lock(&self.histories).clear();
        *lock(&self.announced) = None;
        self.age.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        let bytes = memory.bytes();
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let part = bytes.len().div_ceil(threads).max(LEAST);
        let mut parts = bytes.chunks_mut(part);
        let first = parts.next();
        let all_started = thread::scope(|scope| {
            let started = parts.all(|part| {
                thread::Builder::new().spawn_scoped(scope, move || part.fill(0)).is_ok()
            });
            first.unwrap_or_default().fill(0);
            started
        });
        // The system may refuse threads.
        if !all_started {
            bytes.fill(0);
        }
    }

    /// Touches the pages of a new table on a separate thread, so that the system does not zero them
    /// during a search. The thread ends when a search begins; the search then touches the remaining
    /// pages in parallel.
    pub fn touch_pages(table: &Arc<Self>) {
        if table.is_touched() {
            return;
        }
        let table: Weak<Self> = Arc::downgrade(table);
        let touch = move || {
            while let Some(table) = table.upgrade() {
                // If the lock is taken, a search has begun or waits for this part.
                let Ok(mut memory) = table.memory.try_lock() else { return };
                let Some(part) = table.untouched_part() else { return };
                touch(memory.buckets(), part);
                drop(memory);
                thread::sleep(Duration::from_micros(1));
            }
        };
        let thread = thread::Builder::new().name("pages".into());
        if let Err(error) = thread.spawn(touch) {
            log::debug!("the pages of the table are not touched in advance: {error}");
        }
    }

    /// Whether no pages are left to touch in advance.
    pub(super) fn is_touched(&self) -> bool {
        self.buckets < TOUCHED_FROM
            || self.touched.load(Relaxed) >= self.buckets.min(TOUCHED_IN_ADVANCE)
    }

    /// Touches the remaining pages during a search, until `stop` returns true.
    pub(super) fn touch_rest(&self, entries: TtView, stop: impl Fn() -> bool) {
        while !stop()
            && let Some(part) = self.untouched_part()
        {
            touch(entries.buckets, part);
        }
    }

    /// Claims the next buckets to touch and returns the index of the first.
    fn untouched_part(&self) -> Option<usize> {
        let part = self.touched.fetch_add(TOUCHED_AT_ONCE, Relaxed);
        (part < self.buckets.min(TOUCHED_IN_ADVANCE)).then_some(part)
    }

    /// Begins a search: locks the table, and ages the entries of earlier searches by one.
    pub(super) fn new_search(&self) -> TableGuard<'_> {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
        self.used.store(true, Relaxed);
        TableGuard { memory: lock(&self.memory), age: self.age.load(Relaxed) }
    }

    /// Takes a move history left by the last search, aged; an empty one if there is none.
    pub(super) fn take_history(&self) -> History {
        let kept = lock(&self.histories).pop();
        kept.map_or_else(History::new, |mut history| {
            history.age();
            history
        })
    }

    /// Keeps the move history of a thread for the next search.
    pub(super) fn keep_history(&self, history: History) {
        lock(&self.histories).push(history);
    }

    /// Returns the win that the last search announced, if it belongs to the game with this key.
    pub(super) fn announced_win(&self, game_key: u64) -> Option<AnnouncedWin> {
        lock(&self.announced).filter(|win| win.game_key == game_key)
    }

    /// Stores the win that a search has announced, or `None`.
    pub(super) fn announce_win(&self, win: Option<AnnouncedWin>) {
        *lock(&self.announced) = win;
    }
}

/// Touches the pages of `TOUCHED_AT_ONCE` buckets from `part` on, without changing them.
fn touch(buckets: &[Bucket], part: usize) {
    const PAGE: usize = 4096 / size_of::<Bucket>();
    let part = buckets.iter().skip(part).take(TOUCHED_AT_ONCE);
    for [[_, data], ..] in part.step_by(PAGE) {
        // A read would only map the shared zero page.
        data.fetch_or(0, Relaxed);
    }
}

/// Locks a mutex. A panic of another thread leaves the data usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table, locked for one search.
pub(super) struct TableGuard<'a> {
    memory: MutexGuard<'a, Memory>,
    age: u8,
}

impl TableGuard<'_> {
    /// Returns the view that the threads of the search share.
    pub(super) fn view(&mut self) -> TtView<'_> {
        TtView { buckets: self.memory.buckets(), age: self.age }
    }
}

/// The entries of the table, shared by the threads of one search.
#[derive(Clone, Copy)]
pub(super) struct TtView<'a> {
    buckets: &'a [Bucket],
    age: u8,
}

impl TtView<'_> {
    /// Returns the entry for this key.
    #[inline]
    pub(super) fn probe(self, key: u64) -> Option<TtEntry> {
        let found = self.bucket(key)?.iter().map(load).find(|&(held, _)| held == key);
        TtEntry::unpack(found?.1)
    }

    /// Stores `entry` for this key. Old and shallow entries are replaced first. A much deeper entry
    /// of this search for the same key stays.
    #[inline]
    pub(super) fn store(self, key: u64, mut entry: TtEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let mut place: Option<(i32, &Slot)> = None;
        for slot in bucket {
            let (held, data) = load(slot);
            let worth = match TtEntry::unpack(data) {
                None => i32::MIN,
                Some(old) if held == key => {
                    // A proof stays, also across searches: an announced win must not be lost before
                    // it is played out.
                    if old.is_better_proof_than(&entry)
                        || old.outlives(&entry) && (data >> 58) as u8 == self.age
                    {
                        return;
                    }
                    if entry.packed_move == 0 {
                        entry.packed_move = old.packed_move;
                    }
                    place = Some((i32::MIN, slot));
                    break;
                }
                Some(old) => {
                    let searches = i32::from((self.age + AGES - (data >> 58) as u8) % AGES);
                    i32::from(old.depth) - AGE_WEIGHT * searches
                }
            };
            if place.is_none_or(|(least, _)| worth < least) {
                place = Some((worth, slot));
            }
        }
        if let Some((_, [check, data])) = place {
            let packed = entry.pack(self.age);
            check.store(key ^ packed, Relaxed);
            data.store(packed, Relaxed);
        }
    }

    /// Returns the part of the table that holds entries of this search, in permille.
    pub(super) fn hashfull(self) -> u32 {
        const SAMPLE: usize = 250;
        let slots = self.buckets.iter().take(SAMPLE).flatten();
        let (mut used, mut all) = (0, 0);
        for slot in slots {
            let (_, data) = load(slot);
            all += 1;
            used += u32::from(data >> 56 & BOUND_BITS != 0 && (data >> 58) as u8 == self.age);
        }
        used * 1000 / all.max(1)
    }

    /// Maps the key to a bucket, for any number of buckets, by the high half of a product (D.
    /// Lemire, "Fast Random Integer Generation in an Interval", 2019).
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(place as usize)
    }
}

/// Loads the key and the packed entry of a slot.
fn load([check, data]: &Slot) -> (u64, u64) {
    let data = data.load(Relaxed);
    (check.load(Relaxed) ^ data, data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, Side};

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct TestMove;

    impl Move for TestMove {
        fn packed(self) -> u16 {
            1
        }

        fn origin(self) -> usize {
            11
        }

        fn target(self) -> usize {
            22
        }
    }

    const ENTRY: TtEntry = TtEntry {
        packed_move: 0xabcd,
        score: Score::win_in(12),
        bound: Bound::Lower,
        depth: 17,
        eval: Score::from_raw(-345),
    };

    fn table(mib: usize) -> TranspositionTable {
        TranspositionTable::new(mib).unwrap()
    }

    #[test]
    fn stored_entries_are_found() {
        let table = table(1);
        let mut guard = table.new_search();
        let entries = guard.view();
        assert_eq!(entries.probe(77), None);
        entries.store(77, ENTRY);
        assert_eq!(entries.probe(77), Some(ENTRY));
        assert_eq!(entries.probe(78), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = table(1);
        let mut guard = table.new_search();
        let entries = guard.view();
        entries.store(1, ENTRY);
        entries.store(1, TtEntry { packed_move: 0, depth: 20, ..ENTRY });
        assert_eq!(
            entries.probe(1).map(|e| (e.packed_move, e.depth)),
            Some((ENTRY.packed_move, 20))
        );
    }

    #[test]
    fn a_full_bucket_drops_its_shallowest_and_its_old_first() {
        let table = table(1);
        let mut guard = table.new_search();
        let entries = guard.view();
        // Small keys share the first bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            entries.store(key, TtEntry { depth, ..ENTRY });
        }
        entries.store(5, TtEntry { depth: 5, ..ENTRY });
        assert_eq!(entries.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| entries.probe(key).is_some()));
        drop(guard);
        for _ in 0..2 {
            table.new_search();
        }
        let mut guard = table.new_search();
        let entries = guard.view();
        entries.store(1, TtEntry { depth: 9, ..ENTRY });
        entries.store(6, TtEntry { depth: 1, ..ENTRY });
        assert!(entries.probe(1).is_some() && entries.probe(6).is_some());
    }

    #[test]
    fn a_cleared_table_is_as_a_new_one() {
        for mib in [1, 5] {
            let table = table(mib);
            let mut guard = table.new_search();
            guard.view().store(77, ENTRY);
            drop(guard);
            let mut history = table.take_history();
            history.update(Side::Black, [None; 2], TestMove, &[], 20);
            table.keep_history(history);
            table.announce_win(Some(AnnouncedWin { game_key: 1, salt: 2 }));

            table.clear();
            assert_eq!(table.age.load(Relaxed), 0);
            assert_eq!(table.take_history().score(Side::Black, [None; 2], TestMove), 0);
            assert_eq!(table.announced_win(1), None);
            let mut guard = table.new_search();
            assert_eq!(guard.view().probe(77), None);
        }
    }

    #[test]
    fn a_search_need_not_wait_until_all_pages_are_touched() {
        let table = Arc::new(table(256));
        TranspositionTable::touch_pages(&table);
        let mut guard = table.new_search();
        guard.view().store(u64::MAX, ENTRY);
        assert_eq!(guard.view().probe(u64::MAX), Some(ENTRY));
    }

    #[test]
    fn touched_pages_keep_their_entries() {
        let table = Arc::new(table(64));
        table.new_search().view().store(0, ENTRY);
        TranspositionTable::touch_pages(&table);
        while Arc::weak_count(&table) > 0 {
            thread::yield_now();
        }
        assert!(table.is_touched());
        assert_eq!(table.new_search().view().probe(0), Some(ENTRY));
    }

    #[test]
    fn histories_are_kept_for_the_next_search() {
        let table = table(1);
        let merit = |history: &History| history.score(Side::Black, [None; 2], TestMove);
        let mut history = table.take_history();
        assert_eq!(merit(&history), 0);
        history.update(Side::Black, [None; 2], TestMove, &[], 20);
        let learned = merit(&history);
        table.keep_history(history);
        let faded = merit(&table.take_history());
        assert!(0 < faded && faded < learned, "{faded} of {learned}");
        assert_eq!(merit(&table.take_history()), 0, "another thread has it");
    }

    #[test]
    fn any_size_is_taken_and_too_much_is_refused() {
        for mib in [1, 3, 7, 17] {
            assert_eq!(table(mib).mib(), mib);
        }
        for mib in [1 << 40, usize::MAX] {
            // Without `black_box` the compiler may remove the unused allocation.
            let table = std::hint::black_box(TranspositionTable::new(mib));
            assert_eq!(table.err(), Some(OutOfMemory { mib }));
        }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        for mib in [1, 3, 64] {
            let table = table(mib);
            let mut guard = table.new_search();
            for key in [0, 1 << 40, u64::MAX] {
                let place = std::ptr::from_ref(guard.view().bucket(key).unwrap());
                assert_eq!(place.addr() % size_of::<Bucket>(), 0);
            }
        }
    }

    #[test]
    fn a_torn_entry_is_not_seen() {
        let table = table(1);
        let mut guard = table.new_search();
        let entries = guard.view();
        entries.store(9, ENTRY);
        let [_, data] = &entries.bucket(9).unwrap()[0];
        data.store(ENTRY.pack(2), Relaxed);
        assert_eq!(entries.probe(9), None);
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
    fn threads_share_it_and_see_no_torn_entry() {
        let table = table(1);
        let mut guard = table.new_search();
        let entries = guard.view();
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        // All small keys share one bucket: six keys compete for its four slots.
                        let key = (round.wrapping_mul(7) + thread) % 6;
                        entries.store(key, version_of(key, (round + 64 * thread) as u8));
                        let key = (round + thread) % 6;
                        if let Some(entry) = entries.probe(key) {
                            assert_eq!(entry, version_of(key, entry.depth));
                        }
                    }
                });
            }
        });
    }
}
