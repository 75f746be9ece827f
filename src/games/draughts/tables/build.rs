//! Builds the tables and checks them: which shape comes when, and what must lie in memory for it.

use std::fs;
use std::path::Path;

use super::file::Packed;
use super::index::Index;
use super::library::{Library, Slice, reserved};
use super::shape::Shape;
use super::{MAX_PIECES, MIN_PIECES, TableError, solve};
use crate::files::lock::Lock;

/// What somebody who waits for tables may hear.
pub enum Step<'a> {
    /// There are so many positions to do.
    Total(usize),
    /// The slices of these pieces are under work.
    Slice(&'a str),
    /// So many positions more are done.
    Done(usize),
    /// A file is not to be used; its slice is built again.
    Refused(&'a TableError),
}

/// Hears of each step.
pub type Progress<'a> = &'a (dyn Fn(Step) + Sync);

/// Builds what is missing of the tables with up to `pieces` pieces.
pub fn build(
    dir: &Path,
    pieces: usize,
    threads: usize,
    memory: usize,
    progress: Progress,
) -> Result<(), TableError> {
    if !(MIN_PIECES..=MAX_PIECES).contains(&pieces) {
        return Err(TableError::Pieces { pieces });
    }
    let needed = memory_needed(pieces);
    if needed > memory {
        return Err(TableError::Memory { pieces, needed, allowed: memory });
    }
    // Asked for and given back: who has not so much hears it now and not after hours.
    drop(reserved::<u8>(needed)?);
    fs::create_dir_all(dir).map_err(|error| TableError::Io { path: dir.into(), error })?;
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
            Packed::pack(&slice, threads)?.write(dir)?;
            library.add(slice);
        }
    }
    Ok(())
}

/// The file that says by its lock that a build is at work.
const LOCK: &str = "build.lock";

/// Keeps others from building in a directory.
fn lock(dir: &Path) -> Result<Lock, TableError> {
    let path = dir.join(LOCK);
    let busy = || TableError::Busy { path: dir.into() };
    Lock::take(&path).map_err(|error| TableError::Io { path, error })?.ok_or_else(busy)
}

/// The shapes with so many pieces, in the order in which they can be solved, each beside its
/// turned shape.
pub(super) fn pairs(pieces: usize) -> Vec<Vec<Shape>> {
    let mut pairs: Vec<_> = Shape::all(pieces).into_iter().map(solve::pair).collect();
    pairs.retain(|pair| pair.is_sorted());
    pairs
}

/// What must be known to solve a pair, beside all shapes with fewer pieces.
fn promotions(pair: &[Shape]) -> Vec<Shape> {
    pair.iter().filter_map(|shape| shape.crowned()).collect()
}

/// Sees to it that the library holds what solving a pair needs and hardly more.
pub(super) fn load(dir: &Path, library: &mut Library, pair: &[Shape]) -> Result<(), TableError> {
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

/// A slice that must be there.
pub(super) fn unpacked(dir: &Path, shape: Shape) -> Result<Slice, TableError> {
    match Packed::read(dir, shape)? {
        Some(packed) => packed.unpack(dir),
        None => Err(TableError::Missing { shape: shape.to_string() }),
    }
}

/// The bytes that building the tables with up to `pieces` pieces takes at its peak.
pub fn memory_needed(pieces: usize) -> usize {
    let size = |shape: Shape| Index::new(shape).size();
    let fewer: usize = (MIN_PIECES..pieces).flat_map(Shape::all).map(size).sum();
    let beside = pairs(pieces).into_iter().map(|pair| {
        let known: usize = promotions(&pair).into_iter().map(size).sum();
        known + pair.first().map_or(0, |&shape| solve::memory(shape))
    });
    fewer + beside.max().unwrap_or_default()
}
