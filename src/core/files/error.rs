//! Errors of files.

use std::io;
use std::path::Path;

/// The error with the path prepended to its message.
pub fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
