//! Unpacked slices in memory, for building and verifying.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::super::entry::{Counts, Entry};
use super::super::index::Index;
use super::super::lookup::Entries;
use super::super::shape::{MAX_PIECES, Placement, Shape};
use crate::game::TablebaseError;

pub(super) struct Slice {
    pub shape: Shape,
    pub index: Index,
    /// The number of won, lost and drawn placements.
    pub counts: Counts,
    /// One entry per placement. Positions with a capture are resolved by playing it, so their
    /// entries are unused: they repeat the preceding entry, which compresses well.
    pub entries: Vec<Entry>,
}

pub(super) struct Library {
    slices: Vec<Option<Slice>>,
}

impl Library {
    pub fn new() -> Self {
        Self { slices: (0..Shape::COUNT).map(|_| None).collect() }
    }

    pub fn get(&self, shape: Shape) -> Option<&Slice> {
        self.slices[shape.number()].as_ref()
    }

    pub fn add(&mut self, slice: Slice) {
        let number = slice.shape.number();
        self.slices[number] = Some(slice);
    }

    /// Drops the slices with `pieces` pieces, except those of `shapes`.
    pub fn keep(&mut self, pieces: usize, shapes: &[Shape]) {
        for slot in &mut self.slices {
            if slot.as_ref().is_some_and(|slice| {
                slice.shape.pieces() == pieces && !shapes.contains(&slice.shape)
            }) {
                *slot = None;
            }
        }
    }
}

impl Entries for Library {
    fn pieces(&self) -> usize {
        MAX_PIECES
    }

    #[inline]
    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        let slice = self.get(placement.shape())?;
        Some(slice.entries[slice.index.number(placement)])
    }
}

/// An empty vector with capacity for `len` elements; an error if the allocation fails.
pub(super) fn reserved<T>(len: usize) -> Result<Vec<T>, TablebaseError> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len)
        .map_err(|_| TablebaseError::out_of_memory(len.saturating_mul(size_of::<T>())))?;
    Ok(vec)
}

pub(in super::super) fn in_parallel(threads: usize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                work(number);
            }
        };
        let workers: Vec<_> = (0..threads.min(count)).map(|_| scope.spawn(work)).collect();
        // The scope does not wait for the end of the threads.
        for worker in workers {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
