//! What a search leaves to the next one of the game.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::history::Histories;
use super::tt::{OutOfMemory, TranspositionTable};

/// What is kept between the searches of a game: the transposition table, the histories of the threads, and
/// the win that the last search announced.
pub struct SearchMemory {
    pub(super) tt: TranspositionTable,
    histories: Mutex<Vec<Histories>>,
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

impl SearchMemory {
    /// An empty memory with a transposition table of `mib` MiB: see [`TranspositionTable::new`].
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let tt = TranspositionTable::new(mib)?;
        Ok(Self { tt, histories: Mutex::default(), announced: Mutex::default() })
    }

    /// The size of the transposition table in MiB.
    pub fn mib(&self) -> usize {
        self.tt.mib()
    }

    /// Prepares the transposition table: see [`TranspositionTable::prepare`].
    pub fn prepare(&self, mib: usize, stop: &mut dyn FnMut() -> bool) {
        self.tt.prepare(mib, stop);
    }

    /// Forgets everything. Waits for a search that uses the table.
    pub fn clear(&self) {
        self.tt.clear();
        lock(&self.histories).clear();
        *lock(&self.announced) = None;
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

    /// Keeps the win that a search has announced, or `None`.
    pub(super) fn announce_win(&self, win: Option<AnnouncedWin>) {
        *lock(&self.announced) = win;
    }
}

/// Locks a mutex. A panic of another thread leaves the data usable.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, MoveScore, Side};

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

    fn score(histories: &Histories) -> MoveScore {
        histories.moves.of_node(Side::Black, [None; 2]).score(TestMove)
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn histories_are_kept_and_aged_for_the_next_search() {
        let memory = SearchMemory::new(1).unwrap();
        let mut histories = memory.take_histories();
        assert_eq!(score(&histories), 0);
        histories.moves.update(Side::Black, [None; 2], TestMove, &[], 20);
        let updated = score(&histories);
        memory.keep_histories(histories);
        let aged = score(&memory.take_histories());
        assert!(0 < aged && aged < updated, "{aged} of {updated}");
        assert_eq!(score(&memory.take_histories()), 0, "each history is taken once");
    }

    #[test]
    fn clear_removes_histories_and_the_announced_win() {
        let memory = SearchMemory::new(1).unwrap();
        let mut histories = memory.take_histories();
        histories.moves.update(Side::Black, [None; 2], TestMove, &[], 20);
        memory.keep_histories(histories);
        memory.announce_win(Some(AnnouncedWin { game_key: 1, path_key: 2, earlier: 0 }));
        memory.clear();
        assert_eq!(score(&memory.take_histories()), 0);
        assert_eq!(memory.announced_win(1), None);
    }
}
