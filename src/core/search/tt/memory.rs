//! The memory of the transposition table: allocation, huge pages, and its preparation by threads.
//!
//! The system provides a page only when it is first written, which may take milliseconds. A search
//! that does so for each page of a large table breaks its time limit, so the pages are written before.

use std::hint::black_box;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{iter, thread};

use memmap2::MmapMut;
use thiserror::Error;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

use super::entry::Bucket;

/// The memory for a table could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a transposition table of {mib} MiB")]
pub struct OutOfMemory {
    pub mib: usize,
}

pub struct Memory {
    pages: Pages,
    /// The number of bytes, from the start, that hold no entry older than the last clearing.
    cleared: usize,
    /// The number of bytes, from the start, whose pages the system has provided for certain.
    touched: usize,
}

enum Pages {
    Mapped(MmapMut),
    /// The fallback for systems without memory maps.
    Allocated(Vec<Bucket>),
}

/// The part of the memory that a thread takes at a time, in bytes: a huge page.
const STEP: usize = 2 << 20;

/// The part that is prepared before a thread looks whether to stop, in bytes. On a virtual machine that has
/// no huge page left, the first writes to a whole step take tens of milliseconds.
const PIECE: usize = 64 << 10;

const SMALLEST_PAGE: usize = 4096;

/// A shorter part is prepared in the time that threads take to start.
const MIN_FOR_THREADS: usize = 16 << 20;

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
            return Ok(Self { pages: Pages::Mapped(map), cleared: bytes, touched: 0 });
        }
        let buckets = Bucket::new_vec_zeroed(buckets).map_err(|_| refused)?;
        Ok(Self { pages: Pages::Allocated(buckets), cleared: bytes, touched: 0 })
    }

    fn bytes(&mut self) -> &mut [u8] {
        match &mut self.pages {
            Pages::Mapped(map) => map,
            Pages::Allocated(buckets) => buckets.as_mut_slice().as_mut_bytes(),
        }
    }

    /// The buckets, for shared use.
    pub fn buckets(&mut self) -> &[Bucket] {
        match &mut self.pages {
            Pages::Mapped(map) => <[Bucket]>::mut_from_bytes(map).map_or(&[], |buckets| buckets),
            Pages::Allocated(buckets) => buckets,
        }
    }

    /// The number of buckets, from the first, that are empty or in use, and whose pages are there.
    pub fn prepared(&self) -> usize {
        self.cleared.min(self.touched) / size_of::<Bucket>()
    }

    /// Whether every bucket is empty or in use.
    pub fn is_cleared(&mut self) -> bool {
        self.cleared == self.bytes().len()
    }

    pub fn mib(&mut self) -> usize {
        self.bytes().len() >> 20
    }

    /// Removes all entries. No time passes: [`Memory::prepare`] zeroes the memory.
    pub fn clear(&mut self) {
        self.cleared = 0;
    }

    /// Zeroes and touches the first `mib` MiB with as many threads as there are cores, what is prepared
    /// already excepted. Ends early once `stop` returns true, but not before the first piece.
    pub fn prepare(&mut self, mib: usize, stop: &mut dyn FnMut() -> bool) {
        let (cleared, touched) = (self.cleared, self.touched);
        let first = cleared.min(touched);
        let bytes = self.bytes();
        let end = mib.saturating_mul(1 << 20).min(bytes.len());
        if first >= end {
            return;
        }
        // The rest of a table that is too large for the machine stays unprepared.
        let most = touched.saturating_add(available()).max(first + STEP);
        let Some(part) = bytes.get_mut(first..end.min(most)) else { return };
        let end = first + part.len();
        let threads = if part.len() < MIN_FOR_THREADS { 1 } else { cores() };
        let steps = Mutex::new((first..).step_by(STEP).zip(part.chunks_mut(STEP)));
        let next = || steps.lock().unwrap_or_else(PoisonError::into_inner).next();
        // The start of the first piece that was left out.
        let left_out = AtomicUsize::new(end);
        // Prepares steps until none is left or it has to stop.
        let prepare = |stop: &mut dyn FnMut() -> bool| {
            let pieces = iter::from_fn(next)
                .flat_map(|(start, step)| (start..).step_by(PIECE).zip(step.chunks_mut(PIECE)));
            let mut is_stopped = false;
            for (start, piece) in pieces {
                if is_stopped {
                    left_out.fetch_min(start, Relaxed);
                    break;
                }
                if start < cleared {
                    touch(piece)
                } else {
                    piece.fill(0)
                }
                is_stopped = stop();
            }
        };
        let stopped = AtomicBool::new(false);
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for _ in 1..threads {
                let work = || prepare(&mut || stopped.load(Relaxed));
                // The system may refuse threads.
                let Ok(helper) = thread::Builder::new().spawn_scoped(scope, work) else { break };
                helpers.push(helper);
            }
            prepare(&mut || {
                stopped.fetch_or(stop(), Relaxed);
                stopped.load(Relaxed)
            });
            // The scope does not wait for the end of the threads.
            for helper in helpers {
                helper.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
        let prepared = left_out.into_inner();
        self.cleared = self.cleared.max(prepared);
        self.touched = self.touched.max(prepared);
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The memory that the system can provide without taking it from programs, less a reserve, in bytes.
#[cfg(all(target_os = "linux", not(miri)))]
fn available() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kib.map_or(usize::MAX, |kib| kib.saturating_mul(1024 - 128))
}

/// The memory that the system can provide, which is not known here.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn available() -> usize {
    usize::MAX
}

/// Writes to each page without changing it.
fn touch(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().step_by(SMALLEST_PAGE) {
        *byte = black_box(*byte);
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

    fn never() -> bool {
        false
    }

    #[test]
    fn a_piece_of_the_preparation_is_not_interrupted() {
        let mut memory = Memory::new(5).unwrap();
        assert_eq!((memory.prepared(), memory.is_cleared()), (0, true));
        let buckets = |bytes: usize| bytes / size_of::<Bucket>();
        for pieces in 1..=(5 << 20) / PIECE {
            memory.prepare(usize::MAX, &mut || true);
            assert_eq!(memory.prepared(), buckets(pieces * PIECE));
        }
        memory.prepare(usize::MAX, &mut || true);
        assert_eq!(memory.prepared(), buckets(5 << 20));
        memory.clear();
        memory.prepare(2, &mut never);
        assert_eq!((memory.prepared(), memory.is_cleared()), (buckets(2 << 20), false));
    }

    /// With two threads, what is prepared before the stop has no gap.
    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn what_is_prepared_has_no_gap() {
        for steps in [1, 7, 40, 300] {
            let mut memory = Memory::new(64).unwrap();
            memory.bytes().fill(1);
            memory.clear();
            let mut left = steps;
            memory.prepare(usize::MAX, &mut || {
                left -= 1;
                left == 0
            });
            let prepared = memory.prepared() * size_of::<Bucket>();
            assert!(prepared >= PIECE && memory.bytes()[..prepared].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn preparation_zeroes_what_was_cleared_and_keeps_the_rest() {
        for mib in [3, 50] {
            let mut memory = Memory::new(mib).unwrap();
            memory.bytes().fill(1);
            memory.prepare(usize::MAX, &mut never);
            assert!(memory.bytes().iter().all(|&byte| byte == 1));
            memory.clear();
            memory.prepare(usize::MAX, &mut never);
            assert!(memory.bytes().iter().all(|&byte| byte == 0));
        }
    }
}
