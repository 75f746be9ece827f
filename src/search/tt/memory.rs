//! The memory of the transposition table: allocation, huge pages, clearing by threads.

use std::num::NonZero;
use std::thread;

use memmap2::MmapMut;
use thiserror::Error;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

use super::bucket::Bucket;

/// The memory for a table could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a transposition table of {mib} MiB")]
pub struct OutOfMemory {
    /// The requested size, in MiB.
    pub mib: usize,
}

/// The memory of the table. The system zeroes each page when it is first touched.
pub enum Memory {
    Mapped(MmapMut),
    /// The fallback for systems without memory maps.
    Allocated(Vec<Bucket>),
}

impl Memory {
    /// Reserves zeroed memory for `mib` MiB of buckets.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let buckets = mib.checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(refused)?;
        let bytes = buckets.checked_mul(size_of::<Bucket>()).ok_or(refused)?;
        if let Ok(map) = MmapMut::map_anon(bytes) {
            // Probes hit random places. With pages of 4 KiB most of them also miss the TLB.
            // Miri does not support the call.
            #[cfg(all(target_os = "linux", not(miri)))]
            if let Err(error) = map.advise(memmap2::Advice::HugePage) {
                log::debug!("no huge pages: {error}");
            }
            return Ok(Self::Mapped(map));
        }
        Bucket::new_vec_zeroed(buckets).map(Self::Allocated).map_err(|_| refused)
    }

    fn bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Allocated(buckets) => buckets.as_mut_slice().as_mut_bytes(),
        }
    }

    /// The buckets, for shared use.
    pub fn buckets(&mut self) -> &[Bucket] {
        match self {
            Self::Mapped(map) => <[Bucket]>::mut_from_bytes(map).map_or(&[], |buckets| buckets),
            Self::Allocated(buckets) => buckets,
        }
    }

    /// Zeroes the buckets with as many threads as there are cores.
    pub fn clear(&mut self) {
        /// Smaller parts are cleared in the time that a thread takes to start.
        const MIN_PART: usize = 16 << 20;
        let bytes = self.bytes();
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let part = bytes.len().div_ceil(threads).max(MIN_PART);
        let mut parts = bytes.chunks_mut(part);
        let first = parts.next();
        let all_started = thread::scope(|scope| {
            let all_started = parts.all(|part| {
                thread::Builder::new().spawn_scoped(scope, move || part.fill(0)).is_ok()
            });
            first.unwrap_or_default().fill(0);
            all_started
        });
        // The system may refuse threads.
        if !all_started {
            bytes.fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_aligned_to_cache_lines() {
        for mib in [1, 3, if cfg!(miri) { 5 } else { 64 }] {
            let mut memory = Memory::new(mib).unwrap();
            let buckets = memory.buckets();
            assert_eq!(size_of_val(buckets), mib << 20);
            assert_eq!(buckets.as_ptr().addr() % size_of::<Bucket>(), 0);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn clear_zeroes_all_buckets() {
        let mut memory = Memory::new(50).unwrap();
        memory.bytes().fill(1);
        memory.clear();
        assert!(memory.bytes().iter().all(|&byte| byte == 0));
    }
}
