//! Building endgame tables: the order of the slices, and the memory that each one needs.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use super::super::index::Index;
use super::super::shape::{MAX_PIECES, MIN_PIECES, Shape};
use super::file::Packed;
use super::library::{Library, Slice, reserved};
use super::solve;
use crate::game::TablebaseError;

/// A progress event of building or verifying tables.
pub enum Step<'a> {
    Total(usize),
    /// The slices with these pieces are being processed.
    Slice(&'a str),
    /// The number of positions processed since the last event.
    Done(usize),
    /// A file is invalid; its slice is built again.
    Refused(&'a TablebaseError),
}

/// A callback for progress events, called from several threads.
pub type Progress<'a> = &'a (dyn Fn(Step) + Sync);

/// Builds the missing tables with up to `pieces` pieces, using at most `memory` bytes.
pub fn build(
    dir: &Path,
    pieces: usize,
    threads: usize,
    memory: usize,
    progress: Progress,
) -> Result<(), TablebaseError> {
    if !(MIN_PIECES..=MAX_PIECES).contains(&pieces) {
        let error = format!("expected {MIN_PIECES} to {MAX_PIECES} pieces, found {pieces}");
        return Err(TablebaseError::Other(error));
    }
    let needed = memory_needed(pieces);
    if needed > memory {
        let [needed, allowed] = [needed.div_ceil(1 << 20), memory >> 20];
        return Err(TablebaseError::Other(format!(
            "tables of {pieces} pieces need {needed} MiB of memory; the limit is {allowed} MiB"
        )));
    }
    // Allocates the peak memory once and frees it: a lack of memory is reported now, not hours
    // later.
    drop(reserved::<u8>(needed)?);
    fs::create_dir_all(dir).map_err(|error| TablebaseError::io(dir, error))?;
    let _lock = lock(dir)?;
    let missing = |shape: &Shape| match Packed::read(dir, *shape) {
        Ok(packed) => packed.is_none(),
        Err(error) => {
            progress(Step::Refused(&error));
            true
        }
    };
    let pairs = (MIN_PIECES..=pieces).flat_map(pairs);
    let pairs: Vec<_> = pairs.filter(|pair| pair.iter().any(missing)).collect();
    progress(Step::Total(pairs.iter().flatten().map(|&shape| Index::new(shape).size()).sum()));
    let mut library = Library::new();
    for pair in pairs {
        let Some(&shape) = pair.first() else { continue };
        progress(Step::Slice(&shape.in_words()));
        load(dir, &mut library, &pair)?;
        for slice in solve::solve(shape, &library, threads, &|done| progress(Step::Done(done)))? {
            Packed::pack(&slice, threads).write(dir)?;
            library.add(slice);
        }
    }
    Ok(())
}

/// Locks a directory against concurrent builds, which would do the same work twice. Windows and some
/// file systems have no locks of directories: there, nothing is locked.
fn lock(dir: &Path) -> Result<Option<File>, TablebaseError> {
    let Ok(opened) = File::open(dir) else { return Ok(None) };
    match opened.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(TablebaseError::Other(format!("another build is running in {}", dir.display())))
        }
        _ => Ok(Some(opened)),
    }
}

/// The shapes with `pieces` pieces, each paired with its turned shape, in solving order.
pub(super) fn pairs(pieces: usize) -> Vec<Vec<Shape>> {
    let mut pairs: Vec<_> = Shape::all(pieces).into_iter().map(solve::pair).collect();
    pairs.retain(|pair| pair.is_sorted());
    pairs
}

/// The shapes that promotions lead to. Solving a pair needs them and all shapes with fewer pieces.
fn promotions(pair: &[Shape]) -> Vec<Shape> {
    pair.iter().filter_map(|shape| shape.crowned()).collect()
}

/// Loads the slices that solving a pair needs, and drops those that are no longer needed.
pub(super) fn load(
    dir: &Path,
    library: &mut Library,
    pair: &[Shape],
) -> Result<(), TablebaseError> {
    let pieces = pair.iter().map(|shape| shape.pieces()).max().unwrap_or_default();
    let promotions = promotions(pair);
    library.keep(pieces, &promotions);
    let fewer = (MIN_PIECES..pieces).flat_map(Shape::all);
    for shape in fewer.chain(promotions) {
        if library.get(shape).is_none() {
            library.add(unpacked(dir, shape)?);
        }
    }
    Ok(())
}

/// The unpacked slice of a shape; an error if its file does not exist.
pub(super) fn unpacked(dir: &Path, shape: Shape) -> Result<Slice, TablebaseError> {
    match Packed::read(dir, shape)? {
        Some(packed) => packed.unpack(dir),
        None => Err(missing(shape)),
    }
}

/// The error that a shape cannot be solved or verified.
pub(super) fn missing(shape: Shape) -> TablebaseError {
    TablebaseError::Other(format!(
        "missing table: {shape} or one that it depends on; `soucie tables build` with the same --dir \
         builds it"
    ))
}

/// The peak memory, in bytes, of building the tables with up to `pieces` pieces.
pub fn memory_needed(pieces: usize) -> usize {
    let size = |shape: Shape| Index::new(shape).size();
    let fewer: usize = (MIN_PIECES..pieces).flat_map(Shape::all).map(size).sum();
    let beside = pairs(pieces).into_iter().map(|pair| {
        let known: usize = promotions(&pair).into_iter().map(size).sum();
        known + pair.first().map_or(0, |&shape| solve::memory(shape))
    });
    fewer + beside.max().unwrap_or_default()
}
