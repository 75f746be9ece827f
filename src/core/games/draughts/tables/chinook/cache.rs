//! A cache of blocks that threads read without a lock.
//!
//! Each slot has a version, which is odd while a thread writes the slot (a sequence lock: H. Boehm,
//! "Can Seqlocks Get Along With Programming Language Memory Models?", 2012). A reader that finds
//! another version after reading has read nothing. A writer that finds another one at work leaves the
//! slot to it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use zerocopy::{FromBytes, FromZeros};

use super::blocks::{Block, BlockData, PARTS, WORDS};
use crate::game::{TableError, mix};

/// The default size of the cache, in MiB.
pub const DATABASE_CACHE: usize = 64;
/// The number of slots in which a block can be.
const WAYS: usize = 4;

#[derive(FromBytes)]
#[repr(C)]
pub(super) struct Slot {
    version: AtomicU64,
    /// 0 for none.
    key: AtomicU64,
    words: [AtomicU64; WORDS],
    sums: [AtomicU32; PARTS],
}

impl BlockData for Slot {
    fn word(&self, number: usize) -> u64 {
        self.words.get(number).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    fn sum(&self, part: usize) -> u32 {
        self.sums.get(part).map_or(0, |sum| sum.load(Ordering::Relaxed))
    }
}

/// A cache of a fixed size.
pub struct BlockCache {
    slots: Vec<Slot>,
}

impl BlockCache {
    /// A cache of `mib` MiB. The system provides each page when it is first used.
    pub fn new(mib: usize) -> Result<Self, TableError> {
        let bytes = mib.saturating_mul(1 << 20);
        let sets = bytes / size_of::<Slot>() / WAYS;
        let slots = Slot::new_vec_zeroed(sets * WAYS);
        Ok(Self { slots: slots.map_err(|_| TableError::out_of_memory(bytes))? })
    }

    fn set(&self, key: u64) -> &[Slot] {
        let sets = (self.slots.len() / WAYS) as u64;
        let set = ((u128::from(mix(key)) * u128::from(sets)) >> 64) as usize;
        self.slots.chunks(WAYS).nth(set).unwrap_or_default()
    }

    /// Reads from the block with this key, which is not 0; `None` if it is not in the cache.
    #[inline]
    pub(super) fn read<T>(&self, key: u64, read: impl FnOnce(&Slot) -> T) -> Option<T> {
        let slot = self.set(key).iter().find(|slot| slot.key.load(Ordering::Relaxed) == key)?;
        let version = slot.version.load(Ordering::Acquire);
        if version % 2 == 1 || slot.key.load(Ordering::Relaxed) != key {
            return None;
        }
        let result = read(slot);
        fence(Ordering::Acquire);
        (slot.version.load(Ordering::Relaxed) == version).then_some(result)
    }

    /// Stores a block in place of the one of its set that was stored first.
    pub(super) fn store(&self, key: u64, block: &Block) {
        let set = self.set(key);
        let version = |slot: &&Slot| slot.version.load(Ordering::Relaxed);
        let Some(slot) = set.iter().min_by_key(version) else { return };
        // The versions of a set are the order in which its slots were stored.
        let latest = set.iter().map(|slot| version(&slot)).max().unwrap_or_default();
        let next = (latest / 2 + 1) * 2;
        let before = version(&slot);
        let locked = slot.version.compare_exchange(
            before & !1,
            next - 1,
            Ordering::Acquire,
            Ordering::Relaxed,
        );
        if locked.is_err() {
            return;
        }
        fence(Ordering::Release);
        slot.key.store(key, Ordering::Relaxed);
        for (to, from) in slot.words.iter().zip(block.words) {
            to.store(from, Ordering::Relaxed);
        }
        for (to, from) in slot.sums.iter().zip(block.sums) {
            to.store(from, Ordering::Relaxed);
        }
        slot.version.store(next, Ordering::Release);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::thread;

    use super::*;

    fn block(key: u64) -> Block {
        Block { words: [key; WORDS], sums: [key as u32; PARTS] }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn the_last_blocks_are_kept() {
        let cache = BlockCache::new(1).unwrap();
        assert!((1_000..=1_024).contains(&(size_of_val(&*cache.slots) >> 10)));
        for key in 1..10_000 {
            cache.store(key, &block(key));
            assert_eq!(cache.read(key, |slot| slot.word(77)), Some(key));
        }
        let kept = (1..10_000).filter(|&key| cache.read(key, |_| ()).is_some()).count();
        assert_eq!(kept, cache.slots.len());
        let empty = BlockCache::new(0).unwrap();
        empty.store(1, &block(1));
        assert_eq!(empty.read(1, |_| ()), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn no_thread_reads_a_block_that_another_one_writes() {
        let cache = BlockCache::new(1).unwrap();
        thread::scope(|scope| {
            for seed in 1..=4 {
                let cache = &cache;
                scope.spawn(move || {
                    for i in 0..100_000 {
                        // A few sets, so that the threads meet.
                        let key = 1 + mix(seed << 32 | i) % 32;
                        let read = |slot: &Slot| {
                            let words = (0..WORDS).all(|number| slot.word(number) == key);
                            words && (0..PARTS).all(|part| u64::from(slot.sum(part)) == key)
                        };
                        assert_ne!(cache.read(key, read), Some(false));
                        if i % 4 == 0 {
                            cache.store(key + 32 * (i % 64), &block(key + 32 * (i % 64)));
                        }
                    }
                });
            }
        });
    }
}
