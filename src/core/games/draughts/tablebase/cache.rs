//! A cache of blocks of files.

use std::sync::{Mutex, PoisonError};

use crate::game::{TablebaseError, mix};

const WAYS: usize = 4;

/// A set-associative cache with one lock for each set, so that threads rarely contend. A full set drops the
/// block that was stored first.
#[derive(Default)]
pub(super) struct Cache<B> {
    sets: Vec<Mutex<Vec<(u64, B)>>>,
}

impl<B> Cache<B> {
    /// A cache of `mib` MiB for blocks of `size` bytes, which take up memory once they are stored.
    pub fn new(mib: usize, size: usize) -> Result<Self, TablebaseError> {
        let count = mib.saturating_mul(1 << 20) / (WAYS * size);
        let mut sets = Vec::new();
        let refused = |_| TablebaseError::out_of_memory(mib.saturating_mul(1 << 20));
        sets.try_reserve_exact(count).map_err(refused)?;
        sets.resize_with(count, Mutex::default);
        Ok(Self { sets })
    }

    /// Reads from the block with this key and, if it is not in the cache, calls `make` for it. `None` if
    /// that fails.
    pub fn read<T>(
        &self,
        key: u64,
        make: impl FnOnce() -> Option<B>,
        read: impl FnOnce(&B) -> Option<T>,
    ) -> Option<T> {
        let number = mix(key).checked_rem(self.sets.len() as u64);
        let Some(set) = number.and_then(|number| self.sets.get(number as usize)) else {
            return read(&make()?);
        };
        let mut set = set.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, block)) = set.iter().find(|(known, _)| *known == key) {
            return read(block);
        }
        let block = make()?;
        let result = read(&block);
        if set.len() == WAYS {
            set.remove(0);
        }
        set.push((key, block));
        result
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_last_blocks_are_kept() {
        let cache = Cache::new(1, 1 << 10).unwrap();
        for key in 1..10_000 {
            assert_eq!(cache.read(key, || Some(key), |&block| Some(block)), Some(key));
            assert_eq!(cache.read(key, || None, |&block| Some(block)), Some(key));
        }
        let is_kept = |key: &u64| cache.read(*key, || None, |_| Some(())).is_some();
        assert_eq!((1..10_000).filter(is_kept).count(), 1_024);
        let empty = Cache::new(0, 1 << 10).unwrap();
        assert_eq!(empty.read(1, || Some(1), |&block| Some(block)), Some(1));
        assert_eq!(empty.read(1, || None, |&block: &u64| Some(block)), None);
    }
}
