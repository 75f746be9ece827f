//! The errors of the commands.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use super::arguments::NoNetwork;
use super::journal::JournalError;
use soucie::engine::EngineError;
use soucie::files::paths::Conflict;
use soucie::files::printable::Printable;
use soucie::game::TablebaseError;
use soucie::options::OptionError;
use soucie::proofs::ProofError;
use soucie::search::OutOfMemory;

#[derive(Debug, Error)]
pub enum CommandError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A variant does not exist, or a position cannot be set up or searched.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A table of a search or of a proof cannot be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    Network(#[from] NoNetwork),
    /// Nothing is proved, or a proof does not hold.
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error("tables: {0}")]
    Tables(#[from] TablebaseError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file is both input and output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    #[error("{0} is in use")]
    InUse(PathBuf),
    #[error("{0}")]
    Interrupted(Cow<'static, str>),
    /// Any other reason, which only one command has.
    #[error("{0}")]
    Other(String),
}

impl From<CommandError> for io::Error {
    /// Keeps the kind of an error of input or output, for example of a closed pipe.
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Io(error) => error,
            CommandError::Proof(error) => error.into(),
            error => Self::other(error),
        }
    }
}

/// Prints a line on standard error. The line is optional: standard error may be closed.
pub fn note(text: impl Display) {
    let _ = writeln!(Printable(io::stderr()), "soucie: {text}");
}
