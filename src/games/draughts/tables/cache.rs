//! The blocks that were unpacked last.

use std::sync::{Mutex, PoisonError};

use crate::games::board::scramble;

/// The blocks that are kept: 16 MiB.
const SLOTS: usize = 4096;

/// A block and the key by which it is asked for.
#[derive(Default)]
struct Slot {
    key: u64,
    block: Option<Vec<u8>>,
}

/// Each block has one slot where it may lie. Threads that ask for blocks of different slots do
/// not meet.
pub(super) struct Cache {
    slots: Vec<Mutex<Slot>>,
}

impl Cache {
    pub fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| Mutex::default()).collect() }
    }

    /// Reads from the block with a key, which `unpack` makes where it is not at hand; nothing if
    /// it cannot be made.
    pub fn with<T>(
        &self,
        key: u64,
        unpack: impl FnOnce() -> Option<Vec<u8>>,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let slot = self.slots.get(scramble(key) as usize % SLOTS)?;
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.key != key || slot.block.is_none() {
            *slot = Slot { key, block: unpack() };
        }
        read(slot.block.as_ref()?)
    }
}
