//! The errors of the commands.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::arguments::NoNetwork;
use super::journal::JournalError;
use super::samples::SamplesError;
use crate::engine::EngineError;
use crate::files::paths::Conflict;
use crate::games::draughts::tables::TableError;
use crate::options::OptionError;
use crate::search::OutOfMemory;

/// Why a command fails.
#[derive(Debug, Error)]
pub enum ToolError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An option or its value is invalid.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A variant does not exist, or a position cannot be set up or searched.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A table of a search or of a proof cannot be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A network cannot be used.
    #[error(transparent)]
    Network(#[from] NoNetwork),
    /// The endgame tables cannot be used.
    #[error("tables: {0}")]
    Tables(#[from] TableError),
    /// A file of samples cannot be used.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file is both input and output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Another process writes the file.
    #[error("{0} is in use")]
    InUse(PathBuf),
    /// An engine of a match cannot be started or configured.
    #[error("engine {name}: {why}")]
    EngineStart {
        /// The name of the engine.
        name: String,
        /// The cause.
        why: String,
    },
    /// An interrupt ended the work.
    #[error("{0}")]
    Interrupted(Cow<'static, str>),
    /// Any other reason, which only one command has.
    #[error("{0}")]
    Other(String),
}

impl From<ToolError> for io::Error {
    /// Keeps the kind of an error of input or output, for example of a closed pipe.
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Io(error) => error,
            error => Self::other(error),
        }
    }
}
