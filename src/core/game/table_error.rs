//! The error of endgame tables.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why endgame tables cannot be built, read or used.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file or a directory cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// A file or a directory has not what it should have.
    #[error("{}{what}", path.display())]
    Content {
        path: PathBuf,
        /// What follows the path in the message.
        what: String,
    },
    /// A directory without all tables of any number of pieces.
    #[error("no complete set of endgame tables and no database in {}: `soucie tables build --dir DIR` makes one", path.display())]
    Incomplete { path: PathBuf },
    /// An error that is not about one file.
    #[error("{0}")]
    Other(String),
}

impl TableError {
    /// The error of a path, with what follows it in the message.
    pub fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content { path: path.into(), what: what.into() }
    }

    /// A file or a directory cannot be read or written.
    pub fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }

    /// There is not so much memory.
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::Other(format!("cannot allocate {} MiB", bytes.div_ceil(1 << 20)))
    }

    /// The file or directory that the error is about, if it is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. } | Self::Content { path, .. } | Self::Incomplete { path } => {
                Some(path)
            }
            Self::Other(_) => None,
        }
    }
}
