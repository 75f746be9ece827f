//! The errors of a training.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine::evaluator::EvalFileError;
use crate::tools::samples::SamplesError;

/// The errors of a training.
#[derive(Debug, Error)]
pub enum TrainError {
    /// An input or output error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An output that is a file.
    #[error("{0}: expected a directory, found a file")]
    NotADirectory(PathBuf),
    /// An invalid samples file.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A network that the training cannot start from.
    #[error("{0}: {1}")]
    Network(PathBuf, EvalFileError),
    /// Samples of an unknown game.
    #[error("unknown game '{0}'")]
    Game(String),
    /// No training positions.
    #[error("the data contains no training positions")]
    NoPositions,
    /// More positions than a 32-bit index can number.
    #[error("the data contains more than 4294967295 positions")]
    TooMany,
    /// No scale can be fitted, and none is given.
    #[error("the scores do not predict the results: set --scale or train on more games")]
    NoScale,
    /// Another process runs the same training.
    #[error("{0} is in use by another run of this training")]
    InUse(PathBuf),
    /// Pairs in a game whose networks have none.
    #[error("--pairs: networks of {0} have no inputs for pairs")]
    NoPairs(&'static str),
    /// A checkpoint of another executable.
    #[error(
        "{0} was written by another build of this program: pass --any-build to continue it, or \
         delete it to start again"
    )]
    Build(PathBuf),
    /// A damaged checkpoint.
    #[error("{0} is damaged: delete it to start the training again")]
    Damaged(PathBuf),
}
