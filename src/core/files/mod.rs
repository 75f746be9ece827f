//! Helpers for files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(not(target_family = "wasm"))]
pub mod atomic_file;
pub mod fields;
#[cfg(not(target_family = "wasm"))]
pub mod hash;
pub mod json;
pub mod lines;
#[cfg(not(target_family = "wasm"))]
pub mod paths;
pub mod printable;
pub mod regular;
#[cfg(not(target_family = "wasm"))]
pub mod temporary;
#[cfg(not(target_family = "wasm"))]
pub mod user_dirs;

use std::io;
use std::path::Path;

/// The error with the path prepended to its message.
pub fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
