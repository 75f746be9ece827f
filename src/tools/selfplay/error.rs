//! The errors of self-play.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine::EngineError;
use crate::files::paths::Conflict;
use crate::games::draughts::tables::TableError;
use crate::options::OptionError;
use crate::search::OutOfMemory;
use crate::tools::arguments::NoNetwork;
use crate::tools::openings::OpeningsError;
use crate::tools::samples::SamplesError;

/// The errors that prevent or abort self-play.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// Output cannot be written, or the folder of the tables cannot be listed.
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
    /// A network for an evaluation that uses none.
    #[error("--eval-file: the handcrafted evaluation uses no network")]
    UnusedNetwork,
    /// The transposition table of a game cannot be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The sample file cannot be used.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// The endgame tables cannot be used.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// The folder contains no endgame tables for the game.
    #[error("{0}: no tables for this game")]
    NoTables(PathBuf),
    /// The file of openings is invalid.
    #[error("{0}: {1}")]
    Openings(PathBuf, OpeningsError),
    /// A file is both input and output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Another process writes the file.
    #[error("{0} is in use")]
    InUse(PathBuf),
    /// The file to continue was made with other settings.
    #[error("{path} cannot be continued, {what}: name another file")]
    Other {
        /// The path of the file.
        path: PathBuf,
        /// The difference.
        what: &'static str,
    },
}
