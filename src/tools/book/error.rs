//! The errors of building a book.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine::EngineError;
use crate::files::paths::Conflict;
use crate::options::OptionError;
use crate::search::OutOfMemory;
use crate::tools::arguments::NoNetwork;
use crate::tools::journal::JournalError;
use crate::tools::openings::OpeningsError;

/// The errors that prevent or abort the building of a book.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An option or its value is invalid.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The variant does not exist or its start position cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NoNetwork),
    /// The transposition table of a search cannot be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file of openings is invalid.
    #[error("{0}: {1}")]
    Openings(PathBuf, OpeningsError),
    /// The range has no openings, or more than there are.
    #[error("--openings-range {first}..{end}: there are {all} openings")]
    Range {
        /// The index of the first opening.
        first: usize,
        /// The index after the last opening.
        end: usize,
        /// The number of openings.
        all: usize,
    },
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A journal to add was made with other settings.
    #[error("{0} was made with another game, network, --nodes or --lines")]
    OtherSettings(PathBuf),
    /// A file is both input and output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
}
