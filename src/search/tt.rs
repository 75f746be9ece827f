//! The transposition table: what searches have found out about positions, shared by all threads.
//!
//! Each slot holds an entry and its key, mixed so that half-written entries do not match any key
//! (R. Hyatt and T. Mann, "A lock-less transposition table implementation", 2002). Beside the
//! entries lie the move histories of the threads, kept for the next search of the game.

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

/// There is not enough memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("there is no memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// The requested size.
    pub mib: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The tag of the best move; 0 where none is known.
    pub packed_move: u16,
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

impl TtEntry {
    /// Two bytes each for tag, score and evaluation, one for the depth, one for bound and age.
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

    /// The entry of a word; `None` for a slot that was never used.
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

/// A key, mixed with the packed entry, and the packed entry.
type Slot = [AtomicU64; 2];

/// The slots that a key may use: one cache line.
type Bucket = [Slot; 4];

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

/// The memory of the table, zeroed by the system page by page when it is first touched.
enum Memory {
    Mapped(MmapMut),
    /// For systems without memory maps.
    Allocated(Vec<Bucket>),
}

impl Memory {
    fn new(buckets: usize) -> Option<Self> {
        let bytes = buckets.checked_mul(size_of::<Bucket>())?;
        if let Ok(map) = MmapMut::map_anon(bytes) {
            // Probes hit random places: with pages of 4 KiB most of them miss the TLB as well.
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

/// Smaller tables are touched in the time in which a thread starts.
const TOUCHED_FROM: usize = (64 << 20) / size_of::<Bucket>();
/// Buckets touched in one go: a search that begins meanwhile waits for no more.
const TOUCHED_AT_ONCE: usize = (8 << 20) / size_of::<Bucket>();
/// Memory beyond these buckets is taken only when a search needs it.
const TOUCHED_IN_ADVANCE: usize = (1 << 30) / size_of::<Bucket>();

/// The transposition table.
pub struct TranspositionTable {
    /// Locked by the search that uses it, and by the thread that touches its pages.
    memory: Mutex<Memory>,
    buckets: usize,
    /// The first bucket whose page may not have been touched yet.
    touched: AtomicUsize,
    /// Whether a search has used the table since it was empty.
    used: AtomicBool,
    age: AtomicU8,
    /// The move histories of the threads of the last search.
    histories: Mutex<Vec<History>>,
    /// The win that the last search announced.
    announced: Mutex<Option<AnnouncedWin>>,
}

/// A win that was announced: the next search of that game uses the proofs of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedWin {
    /// The hash of the game up to the move that begins the win.
    pub game_key: u64,
    /// What the keys of the entries that prove it were mixed with.
    pub salt: u64,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB, any number from 1. Its memory is reserved at once and taken
    /// from the system when it is touched: see [`TranspositionTable::touch_pages`].
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

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        (self.buckets * size_of::<Bucket>()) >> 20
    }

    /// Forgets everything, in place. Waits for the search that uses the table.
    pub fn clear(&self) {
        /// Smaller parts are cleared in the time in which a thread starts.
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
        thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| part.fill(0));
            }
            first.unwrap_or_default().fill(0);
        });
    }

    /// Touches the pages of a new table on a thread of its own, so that the system does not zero
    /// them in the middle of a search. Ends when a search begins, which touches what is left
    /// while it runs.
    pub fn touch_pages(table: &Arc<Self>) {
        if table.is_touched() {
            return;
        }
        let table: Weak<Self> = Arc::downgrade(table);
        let touch = move || {
            while let Some(table) = table.upgrade() {
                // A search holds the lock, or waits for it until the next part is touched.
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

    /// Whether no page is left to touch before it is used.
    pub(super) fn is_touched(&self) -> bool {
        self.buckets < TOUCHED_FROM
            || self.touched.load(Relaxed) >= self.buckets.min(TOUCHED_IN_ADVANCE)
    }

    /// Touches pages while a search is under way, until all are touched or it is to stop.
    pub(super) fn touch_rest(&self, entries: TtView, stop: impl Fn() -> bool) {
        while !stop()
            && let Some(part) = self.untouched_part()
        {
            touch(entries.buckets, part);
        }
    }

    /// The next buckets to touch, by the place of the first.
    fn untouched_part(&self) -> Option<usize> {
        let part = self.touched.fetch_add(TOUCHED_AT_ONCE, Relaxed);
        (part < self.buckets.min(TOUCHED_IN_ADVANCE)).then_some(part)
    }

    /// Begins a search: entries of earlier ones count as a search older from now on.
    pub(super) fn new_search(&self) -> TableGuard<'_> {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
        self.used.store(true, Relaxed);
        TableGuard { memory: lock(&self.memory), age: self.age.load(Relaxed) }
    }

    /// A move history of the search before, aged; an empty one if there is none left.
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

    /// The win that the last search announced, if it was in the game with this key.
    pub(super) fn announced_win(&self, game_key: u64) -> Option<AnnouncedWin> {
        lock(&self.announced).filter(|win| win.game_key == game_key)
    }

    /// Keeps the win that a search has announced, or that there is none.
    pub(super) fn announce_win(&self, win: Option<AnnouncedWin>) {
        *lock(&self.announced) = win;
    }
}

/// Touches a part of the table, without a change.
fn touch(buckets: &[Bucket], part: usize) {
    const PAGE: usize = 4096 / size_of::<Bucket>();
    let part = buckets.iter().skip(part).take(TOUCHED_AT_ONCE);
    for [[_, data], ..] in part.step_by(PAGE) {
        // To read a page would map the shared page of zeros.
        data.fetch_or(0, Relaxed);
    }
}

/// What a thread did that panicked while it held the lock is of use all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table, held by one search.
pub(super) struct TableGuard<'a> {
    memory: MutexGuard<'a, Memory>,
    age: u8,
}

impl TableGuard<'_> {
    /// The table as the threads of the search share it.
    pub(super) fn view(&mut self) -> TtView<'_> {
        TtView { buckets: self.memory.buckets(), age: self.age }
    }
}

/// The entries of the table, as the threads of one search share them.
#[derive(Clone, Copy)]
pub(super) struct TtView<'a> {
    buckets: &'a [Bucket],
    age: u8,
}

impl TtView<'_> {
    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(self, key: u64) -> Option<TtEntry> {
        let found = self.bucket(key)?.iter().map(load).find(|&(held, _)| held == key);
        TtEntry::unpack(found?.1)
    }

    /// Stores `entry` for this key. A deep entry of this search is kept, an old or shallow one is
    /// replaced.
    #[inline]
    pub(super) fn store(self, key: u64, mut entry: TtEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let mut place: Option<(i32, &Slot)> = None;
        for slot in bucket {
            let (held, data) = load(slot);
            let worth = match TtEntry::unpack(data) {
                None => i32::MIN,
                Some(old) if held == key => {
                    // A proved result stays, in later searches too: a win that was announced
                    // must not be forgotten on the way to it.
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

    /// How much of the table holds entries of this search, in thousandths.
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

    /// Maps the key to any number of buckets by the high half of a product (D. Lemire, "Fast
    /// Random Integer Generation in an Interval", 2019).
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(place as usize)
    }
}

/// The key and the packed entry of a slot.
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

    /// A table and its entries, as a search holds them.
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
            // The compiler leaves out memory that is not used.
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

    /// An entry made of its key and a version: no part of it goes with another.
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
                        // All small keys share one bucket: six want its four slots.
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
