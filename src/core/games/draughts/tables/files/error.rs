//! The errors of endgame tables.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::shape::{MAX_PIECES, MIN_PIECES};

impl TableError {
    /// The file or directory that the error is about, if it is about one.
    pub(in super::super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. }
            | Self::Busy { path }
            | Self::NoTable { path }
            | Self::Version { path, .. }
            | Self::Damaged { path }
            | Self::Index { path, .. }
            | Self::Parts { path, .. }
            | Self::Alone { path, .. }
            | Self::Length { path, .. }
            | Self::Block { path, .. }
            | Self::Wrong { path, .. }
            | Self::Twice { path, .. }
            | Self::Foreign { path }
            | Self::Incomplete { path } => Some(path),
            Self::Missing { .. }
            | Self::Pieces { .. }
            | Self::Memory { .. }
            | Self::OutOfMemory { .. }
            | Self::Write(_)
            | Self::Compression { .. } => None,
        }
    }
}

/// An error of endgame tables.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file or a directory cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path of the file or directory.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A table cannot be written.
    #[error("{0}")]
    Write(io::Error),
    /// Another process is building tables in this directory.
    #[error("another build is running in {}", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// A file with the name of a table is not a table.
    #[error("{} is not an endgame table", path.display())]
    NoTable {
        /// The path of the file.
        path: PathBuf,
    },
    /// A table of an unsupported version.
    #[error("{} has table version {found}, expected version {known}", path.display())]
    Version {
        /// The path of the table.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The supported version.
        known: u32,
    },
    /// The checksum or the size is wrong.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The path of the table.
        path: PathBuf,
    },
    /// The index of a database cannot be parsed.
    #[error("{}, line {line}: expected {expected}, found {found}", path.display())]
    Index {
        /// The path of the index.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The parts in the index of a database are not all those of its number of pieces.
    #[error("{}: {what}: damaged, or another number of pieces than in its name", path.display())]
    Parts {
        /// The path of the index.
        path: PathBuf,
        /// The part, and what is wrong with it.
        what: String,
    },
    /// A database has only one of its two files.
    #[error("{} is half of a database: {} is missing beside it", path.display(), missing.display())]
    Alone {
        /// The path of the file.
        path: PathBuf,
        /// The file name of the other one.
        missing: PathBuf,
    },
    /// The data of a database have not the length of its index.
    #[error(
        "{} has {found} bytes, expected {expected} as in its index, or {filled} with its last block filled up",
        path.display()
    )]
    Length {
        /// The path of the data.
        path: PathBuf,
        /// The length in bytes.
        found: u64,
        /// The length in the index, in bytes.
        expected: u64,
        /// The length if the last block is filled up, in bytes.
        filled: u64,
    },
    /// A block of a database has not the positions of its index.
    #[error("{}, block {block}: damaged, or not the data of its index", path.display())]
    Block {
        /// The path of the data.
        path: PathBuf,
        /// The number of the block, from 0.
        block: u64,
    },
    /// A database has wrong values.
    #[error("{}, BASE{slice}: {what}: damaged, or of another format", path.display())]
    Wrong {
        /// The path of the data.
        path: PathBuf,
        /// The name of the subslice in the index, after `BASE`.
        slice: String,
        /// A description of what is wrong.
        what: String,
    },
    /// A file of a database is there with capital letters and with small ones.
    #[error(
        "{} and {} are the same file of a database: keep one of them",
        path.display(),
        second.display()
    )]
    Twice {
        /// The path of one of the files.
        path: PathBuf,
        /// The path of the other one.
        second: PathBuf,
    },
    /// A directory with databases in a format that is not read, such as those of Cake and KingsRow.
    #[error(
        "{} has databases of another program (.cpr): Soucie reads those of Chinook (DB6 with DB6.idx) \
         and its own tables (`soucie tables build`)",
        path.display()
    )]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// A directory without all tables of any number of pieces.
    #[error("no complete set of endgame tables and no database in {}: `soucie tables build --dir DIR` makes one", path.display())]
    Incomplete {
        /// The directory.
        path: PathBuf,
    },
    /// A required table is missing.
    #[error(
        "missing table: {shape} or one that it depends on; `soucie tables build` with the same --dir builds it"
    )]
    Missing {
        /// The name of the table that cannot be used.
        shape: String,
    },
    /// A number of pieces that tables do not support.
    #[error("expected {MIN_PIECES} to {MAX_PIECES} pieces, found {pieces}")]
    Pieces {
        /// The number requested.
        pieces: usize,
    },
    /// Building needs more memory than allowed.
    #[error(
        "tables of {pieces} pieces need {} MiB of memory; the limit is {} MiB",
        needed.div_ceil(1 << 20),
        allowed >> 20
    )]
    Memory {
        /// The number of pieces.
        pieces: usize,
        /// The memory needed, in bytes.
        needed: usize,
        /// The memory allowed, in bytes.
        allowed: usize,
    },
    /// An allocation failed.
    #[error("cannot allocate {} MiB", bytes.div_ceil(1 << 20))]
    OutOfMemory {
        /// The requested size, in bytes.
        bytes: usize,
    },
    /// A block cannot be compressed.
    #[error("compression failed: {error}")]
    Compression {
        /// The error of the compression library.
        error: io::Error,
    },
}
