//! What several rooms need of files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod lines;
pub mod lock;
pub mod unfinished;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The error with the name of the file.
pub fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Opens a regular file for reading. Pipes and devices are refused: opening one may wait for ever,
/// and reading one may never end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}
