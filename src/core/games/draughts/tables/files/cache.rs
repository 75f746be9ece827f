//! A cache of unpacked blocks.

use std::sync::{Mutex, PoisonError};

use crate::game::mix;

/// The number of sets. With 4 blocks of 4 KiB per set, the cache grows to at most 64 MiB; the
/// tables with up to five pieces unpack to 55 MiB.
const SETS: usize = 4096;
/// The number of blocks per set.
const WAYS: usize = 4;

/// A cached block and its key.
struct Kept {
    key: u64,
    block: Vec<u8>,
}

/// The blocks of one set, oldest first: a full set evicts the block unpacked first.
type Set = Vec<Kept>;

/// A set-associative cache with one lock per set, so that threads rarely contend.
pub(super) struct Cache {
    sets: Vec<Mutex<Set>>,
}

impl Cache {
    pub fn new() -> Self {
        Self { sets: (0..SETS).map(|_| Mutex::default()).collect() }
    }

    /// Reads from the block with this key and, on a miss, calls `unpack` to make it. `None` if
    /// that fails.
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
