//! The transposition table: search results by position, shared by all threads.
//!
//! It needs no lock for entries. Each slot holds an entry and its key, combined so that a
//! half-written entry matches no key (R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation", 2002). The table also keeps the histories of the threads for the next
//! search of the game.

mod bucket;
mod entry;
mod memory;
mod prefetch;
mod view;

use std::mem::size_of_val;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) use entry::TtEntry;
pub use memory::OutOfMemory;
pub(super) use prefetch::HAS_PREFETCH;
pub(super) use view::TtView;

use super::history::Histories;
use entry::AGES;
use memory::Memory;

/// The transposition table, with the data kept between searches of a game.
pub struct TranspositionTable {
    /// Locked by the current search.
    memory: Mutex<Memory>,
    mib: usize,
    age: AtomicU8,
    /// What the threads of earlier searches left.
    histories: Mutex<Vec<Histories>>,
    /// The win announced by the last search.
    announced: Mutex<Option<AnnouncedWin>>,
}

/// An announced win. The next search of that game reuses its proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedWin {
    /// The hash of the game up to and including the first move of the win.
    pub game_key: u64,
    /// The path key of the search that first announced the win, which is mixed into the keys of its
    /// entries.
    pub path_key: u64,
    /// The number of positions before the root of that search.
    pub earlier: usize,
}

impl TranspositionTable {
    /// Creates an empty table of `mib` MiB, any number from 1.
    ///
    /// The memory is reserved at once, but the system provides each page only when a search touches
    /// it. Fails if the memory cannot be reserved.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let mut memory = Memory::new(mib)?;
        let buckets = memory.buckets();
        Ok(Self {
            mib: size_of_val(buckets) >> 20,
            memory: Mutex::new(memory),
            age: AtomicU8::new(0),
            histories: Mutex::default(),
            announced: Mutex::default(),
        })
    }

    /// The size of the table in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Clears the table in place, histories included. Waits for a search that uses the table.
    pub fn clear(&self) {
        let mut memory = lock(&self.memory);
        lock(&self.histories).clear();
        *lock(&self.announced) = None;
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

    /// Takes histories left by the last search, with the move history aged; empty ones if there are
    /// none.
    pub(super) fn take_histories(&self) -> Histories {
        let histories = lock(&self.histories).pop();
        histories.map_or_else(Histories::new, |mut histories| {
            histories.moves.age();
            histories
        })
    }

    /// Keeps the histories of a thread for the next search.
    pub(super) fn keep_histories(&self, histories: Histories) {
        lock(&self.histories).push(histories);
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
        TtView::new(self.memory.buckets(), self.age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveScore;
    use crate::game::{Move, Side};
    use crate::search::score::{Bound, Score};

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

    fn score(histories: &Histories) -> MoveScore {
        histories.moves.of_node(Side::Black, [None; 2]).score(TestMove)
    }

    #[test]
    fn clear_removes_entries_histories_age_and_announced_win() {
        for mib in [1, 5] {
            let table = table(mib);
            let mut guard = table.new_search();
            guard.view().store(77, ENTRY);
            drop(guard);
            let mut histories = table.take_histories();
            histories.moves.update(Side::Black, [None; 2], TestMove, &[], 20);
            table.keep_histories(histories);
            table.announce_win(Some(AnnouncedWin { game_key: 1, path_key: 2, earlier: 0 }));

            table.clear();
            assert_eq!(table.age.load(Relaxed), 0);
            assert_eq!(score(&table.take_histories()), 0);
            assert_eq!(table.announced_win(1), None);
            let mut guard = table.new_search();
            assert_eq!(guard.view().probe(77), None);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn histories_are_kept_and_aged_for_the_next_search() {
        let table = table(1);
        let mut histories = table.take_histories();
        assert_eq!(score(&histories), 0);
        histories.moves.update(Side::Black, [None; 2], TestMove, &[], 20);
        let updated = score(&histories);
        table.keep_histories(histories);
        let aged = score(&table.take_histories());
        assert!(0 < aged && aged < updated, "{aged} of {updated}");
        assert_eq!(score(&table.take_histories()), 0, "each history is taken once");
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
