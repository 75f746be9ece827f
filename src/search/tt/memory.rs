//! The memory of the transposition table: allocation, huge pages, clearing by threads.

use std::mem::size_of;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use memmap2::MmapMut;
use thiserror::Error;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// The memory for a table could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a transposition table of {mib} MiB")]
pub struct OutOfMemory {
    /// The requested size, in MiB.
    pub mib: usize,
}

/// The key XOR the packed entry, then the packed entry.
pub type Slot = [AtomicU64; 2];

/// The slots for one key: one cache line.
#[derive(FromBytes, IntoBytes)]
#[repr(C, align(64))]
pub struct Bucket {
    pub slots: [Slot; 4],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

/// The memory of the table. The system zeroes each page when it is first touched.
pub enum Memory {
    Mapped(MmapMut),
    /// The fallback for systems without memory maps.
    Allocated(Vec<Bucket>),
}

impl Memory {
    /// Reserves zeroed memory for `mib` MiB of buckets, at least one.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let refused = OutOfMemory { mib };
        let buckets = mib.checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(refused)?.max(1);
        let bytes = buckets.checked_mul(size_of::<Bucket>()).ok_or(refused)?;
        if let Ok(map) = MmapMut::map_anon(bytes) {
            // Probes hit random places. With pages of 4 KiB most of them also miss the TLB.
            #[cfg(target_os = "linux")]
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

    /// Zeroes the memory with as many threads as there are cores.
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

/// The pages of a new table that were touched in advance, so that the system does not zero them
/// during a search.
pub struct TouchedPages {
    /// The number of buckets to touch in advance.
    wanted: usize,
    /// The first bucket whose page may not have been touched yet.
    next: AtomicUsize,
}

impl TouchedPages {
    /// The number of buckets from which pages are touched in advance. Those of smaller tables are
    /// touched in the time that a thread takes to start.
    const FROM: usize = (64 << 20) / size_of::<Bucket>();
    /// The limit on buckets touched in advance. Pages beyond it are allocated when a search needs
    /// them.
    const MAX: usize = (1 << 30) / size_of::<Bucket>();
    /// The buckets touched under one lock: the longest wait for a search that begins meanwhile.
    const STEP: usize = (8 << 20) / size_of::<Bucket>();

    /// The state of a new table with this many buckets.
    pub fn new(buckets: usize) -> Self {
        let wanted = if buckets < Self::FROM { 0 } else { buckets.min(Self::MAX) };
        Self { wanted, next: AtomicUsize::new(0) }
    }

    /// Whether no pages are left to touch in advance.
    pub fn is_complete(&self) -> bool {
        self.next.load(Relaxed) >= self.wanted
    }

    /// Touches the next pages, without changing them. Returns false if none are left.
    pub fn touch_next(&self, buckets: &[Bucket]) -> bool {
        const PAGE: usize = 4096 / size_of::<Bucket>();
        let first = self.next.fetch_add(Self::STEP, Relaxed);
        if first >= self.wanted {
            return false;
        }
        for bucket in buckets.iter().skip(first).take(Self::STEP).step_by(PAGE) {
            let [[_, data], ..] = &bucket.slots;
            // A read would only map the shared page of zeros, and the compiler turns other writes that
            // change nothing into one.
            let _ = data.compare_exchange(0, 0, Relaxed, Relaxed);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_aligned_to_cache_lines() {
        for mib in [1, 3, 64] {
            let mut memory = Memory::new(mib).unwrap();
            let buckets = memory.buckets();
            assert_eq!(size_of_val(buckets), mib << 20);
            assert_eq!(buckets.as_ptr().addr() % size_of::<Bucket>(), 0);
        }
    }

    #[test]
    fn clear_zeroes_every_part() {
        let mut memory = Memory::new(50).unwrap();
        memory.bytes().fill(1);
        memory.clear();
        assert!(memory.bytes().iter().all(|&byte| byte == 0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn touched_pages_are_in_memory() {
        let mut memory = Memory::new(64).unwrap();
        let buckets = memory.buckets();
        let pages = TouchedPages::new(buckets.len());
        while pages.touch_next(buckets) {}
        assert!(resident_kib(buckets.as_ptr().addr()) >= 64 << 10);
    }

    /// The memory in use of the mapping with this address. The shared page of zeros does not count.
    #[cfg(target_os = "linux")]
    fn resident_kib(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = maps.lines().skip_while(|line| {
            let range = line.split(' ').next().unwrap().split_once('-');
            let bound = |text| usize::from_str_radix(text, 16).ok();
            let range = range.and_then(|(from, to)| Some(bound(from)?..bound(to)?));
            !range.is_some_and(|range| range.contains(&address))
        });
        let size = lines.find_map(|line| line.strip_prefix("Rss:")).unwrap();
        size.trim().trim_end_matches(" kB").parse().unwrap()
    }

    #[test]
    fn large_tables_are_touched_up_to_the_limit() {
        for (buckets, steps) in [
            (TouchedPages::FROM - 1, 0),
            (TouchedPages::FROM, 8),
            (TouchedPages::MAX, 128),
            (TouchedPages::MAX * 2, 128),
        ] {
            let pages = TouchedPages::new(buckets);
            assert_eq!((0..).take_while(|_| pages.touch_next(&[])).count(), steps, "{buckets}");
            assert!(pages.is_complete());
        }
    }
}
