//! The transposition table: search results by position, shared by all threads.
//!
//! It needs no lock for entries. Each slot holds an entry and its key, combined so that a
//! half-written entry matches no key (R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation", 2002).

mod entry;
mod memory;
mod prefetch;
mod view;

use std::mem::size_of_val;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, TryLockError};

pub(super) use entry::TtEntry;
pub use memory::OutOfMemory;
pub(super) use prefetch::HAS_PREFETCH;
pub(super) use view::TtView;

use super::memory::lock;
use super::time::TimeManager;
use entry::AGES;
use memory::Memory;

/// The transposition table.
pub struct TranspositionTable {
    /// Locked by the current search.
    memory: Mutex<Memory>,
    mib: usize,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates an empty table of `mib` MiB, any number from 1.
    ///
    /// The memory is reserved at once, but the system provides each page only when it is first
    /// written: see [`TranspositionTable::prepare`]. Fails if the memory cannot be reserved.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let mut memory = Memory::new(mib)?;
        let buckets = memory.buckets();
        Ok(Self {
            mib: size_of_val(buckets) >> 20,
            memory: Mutex::new(memory),
            age: AtomicU8::new(0),
        })
    }

    /// The size of the table in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Prepares the first `mib` MiB for searches with a time limit, unless a search uses the table: the
    /// system provides the pages, and what was cleared is zeroed. Stops once `stop` returns true; it is
    /// asked many times in a millisecond.
    pub fn prepare(&self, mib: usize, stop: &mut dyn FnMut() -> bool) {
        let mut memory = match self.memory.try_lock() {
            Ok(memory) => memory,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        memory.prepare(mib, stop);
    }

    /// Clears the table in place. Waits for a search that uses the table. The
    /// memory is zeroed by [`TranspositionTable::prepare`] or by the next search.
    pub fn clear(&self) {
        let mut memory = lock(&self.memory);
        self.age.store(0, Relaxed);
        memory.clear();
    }

    /// Begins a search: locks the table, and ages the entries of earlier searches by one.
    pub(super) fn new_search(&self) -> TableGuard<'_> {
        let memory = lock(&self.memory);
        let age = (self.age.load(Relaxed) + 1) % AGES;
        self.age.store(age, Relaxed);
        TableGuard { memory, age }
    }
}

/// The table, locked for one search.
pub(super) struct TableGuard<'a> {
    memory: MutexGuard<'a, Memory>,
    age: u8,
}

/// The size up to which a search prepares a table, in MiB. This takes a few milliseconds.
const SMALL: usize = 64;

/// The part of a time limit in which a search prepares a table that is not ready.
const PREPARATION: f64 = 0.05;

impl TableGuard<'_> {
    /// Returns the view that the threads of the search share.
    ///
    /// Without a time limit it has the whole table. With one it has only the part that is prepared, as
    /// the system may take more time for the pages than there is.
    pub(super) fn view(&mut self, time: &TimeManager) -> TtView<'_> {
        let memory = &mut *self.memory;
        let limit = time.hard_limit().map(|limit| limit.mul_f64(PREPARATION));
        if limit.is_some() || !memory.is_cleared() || memory.mib() <= SMALL {
            let is_over = || time.is_over(0) || limit.is_some_and(|limit| time.elapsed() >= limit);
            let mib = if limit.is_some() { SMALL } else { usize::MAX };
            memory.prepare(mib, &mut { is_over });
        }
        let prepared = memory.prepared();
        let is_whole = limit.is_none() && memory.is_cleared();
        let buckets = memory.buckets();
        let is_prepared = !is_whole || prepared == buckets.len();
        let buckets = if is_whole { buckets } else { buckets.get(..prepared).unwrap_or(buckets) };
        TtView::new(buckets, self.age, is_prepared)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Side;
    use crate::platform::Instant;
    use crate::search::Limits;
    use crate::search::Signals;
    use crate::search::score::{Bound, Score};

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

    /// Passes the view of a search with these limits to `visit`.
    fn search(table: &TranspositionTable, limits: &Limits, visit: impl FnOnce(TtView)) {
        let signals = Signals::new(false);
        let time = TimeManager::new(limits, Side::Black, Instant::now(), &signals);
        visit(table.new_search().view(&time));
    }

    /// No time at all: not more than one piece of the table is prepared.
    fn limited() -> Limits {
        Limits { movetime: Some(Duration::ZERO), ..Limits::default() }
    }

    #[test]
    fn a_search_with_a_time_limit_uses_what_is_prepared() {
        const PIECE: usize = 64;
        let buckets = |kib: usize| (kib << 10) / size_of::<entry::Bucket>();
        let table = table(7);
        let seen = |limits: &Limits, kib, is_prepared| {
            search(&table, limits, |tt| {
                assert_eq!((tt.len(), tt.is_prepared()), (buckets(kib), is_prepared));
            });
        };
        let whole = 7 << 10;
        seen(&limited(), PIECE, true);
        table.prepare(5, &mut || false);
        seen(&limited(), (5 << 10) + PIECE, true);
        seen(&Limits::default(), whole, true);
        // What is cleared must be zeroed.
        table.clear();
        seen(&limited(), PIECE, true);
        seen(&Limits::default(), whole, true);
        // Without a limit a large table is used as it is.
        let large = self::table(SMALL + 1);
        search(&large, &Limits::default(), |tt| {
            assert_eq!((tt.len(), tt.is_prepared()), (buckets((SMALL + 1) << 10), false));
        });
    }

    #[test]
    fn clear_removes_entries_and_age() {
        for mib in [1, 5] {
            let table = table(mib);
            search(&table, &Limits::default(), |tt| tt.store(77, ENTRY));
            table.clear();
            assert_eq!(table.age.load(Relaxed), 0);
            for limits in [Limits::default(), limited()] {
                search(&table, &limits, |tt| assert_eq!(tt.probe(77), None));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where an allocation fails")]
    fn any_size_is_allocated_and_an_impossible_one_is_an_error() {
        for mib in [1, 3, 7, 17] {
            assert_eq!(table(mib).mib(), mib);
        }
        for mib in [1 << 40, usize::MAX] {
            // Without `black_box` the compiler may remove the unused allocation.
            let table = std::hint::black_box(TranspositionTable::new(mib));
            assert_eq!(table.err(), Some(OutOfMemory { mib }));
        }
    }
}
