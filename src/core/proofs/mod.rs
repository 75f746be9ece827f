//! Proofs that a side can or cannot force a win: found by the search ([`prove`]), written to files
//! ([`Proof`]), and checked by other code with the rules alone ([`verify()`]).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod certifier;
pub mod file;
pub mod prove;
pub mod verify;

use std::io;

use thiserror::Error;

use crate::engine::EngineError;
use crate::options::OptionError;
use crate::search::OutOfMemory;
pub use certifier::Certifier;
pub use file::Proof;
pub use verify::verify;

/// Why nothing is proved, or a proof does not hold.
#[derive(Debug, Error)]
pub enum ProofError {
    /// A file cannot be read or written.
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
    #[error("{0}")]
    Other(String),
}

impl From<ProofError> for io::Error {
    /// Keeps the kind of an error of input or output, for example of a closed pipe.
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Io(error) => error,
            error => Self::other(error),
        }
    }
}
