//! Writes small tables as one file.

use std::path::{Path, PathBuf};

use super::super::memory_tables::{MAGIC, VERSION, checksum, shapes};
use super::super::shape::{MAX_PIECES, MIN_PIECES, Shape};
use super::build::unpacked;
use super::file;
use crate::game::TableError;

/// The contents of a file for [`MemoryTables`](super::super::MemoryTables), from the tables of a
/// directory.
pub fn export(dir: &Path) -> Result<Vec<u8>, TableError> {
    let mut body = Vec::new();
    for shape in shapes() {
        body.extend(unpacked(dir, shape)?.entries.iter().map(|entry| entry.0));
    }
    let sum = checksum(&body).to_le_bytes();
    Ok([&MAGIC[..], &VERSION.to_le_bytes(), &sum, &body].concat())
}

/// The files of all tables of a directory, whether they exist or not.
pub fn table_files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    (MIN_PIECES..=MAX_PIECES).flat_map(Shape::all).map(|shape| file::path(dir, shape))
}
