//! The blocks that were unpacked last.

use std::sync::{Mutex, PoisonError};

use crate::game::mix;

/// The sets of blocks. With 4 blocks of 4 KiB a set the cache grows to 64 MiB; all tables of up to
/// five pieces have 55 MiB.
const SETS: usize = 4096;
/// The blocks of a set.
const WAYS: usize = 4;

/// A block and the key by which it is asked for.
struct Kept {
    key: u64,
    block: Vec<u8>,
}

/// The blocks that share a place, the one that was unpacked first at the front.
type Set = Vec<Kept>;

/// Each block belongs to one set. Threads that ask for blocks of different sets do not meet.
pub(super) struct Cache {
    sets: Vec<Mutex<Set>>,
}

impl Cache {
    pub fn new() -> Self {
        Self { sets: (0..SETS).map(|_| Mutex::default()).collect() }
    }

    /// Reads from the block with a key, which `unpack` makes where it is not at hand; nothing if
    /// it cannot be made.
    pub fn with<T>(
        &self,
        key: u64,
        unpack: impl FnOnce() -> Option<Vec<u8>>,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let set = self.sets.get(mix(key) as usize % SETS)?;
        let mut set = set.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = set.iter().find(|kept| kept.key == key) {
            return read(&kept.block);
        }
        let block = unpack()?;
        let answer = read(&block);
        if set.len() == WAYS {
            set.remove(0);
        }
        set.push(Kept { key, block });
        answer
    }
}
