//! Helpers for files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod atomic_file;
pub mod lines;
pub mod lock;
pub mod paths;
pub mod printable;
pub mod regular;

use std::io;
use std::path::Path;

/// The error with the path prepended to its message.
pub fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
