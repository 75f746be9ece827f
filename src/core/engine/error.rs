//! The errors of the engine.

use std::error::Error;
use std::io;

use thiserror::Error;

use super::game_file::GameFileError;
use crate::options::OptionError;
use crate::search::OutOfMemory;

/// Why the engine rejects a request.
#[derive(Debug, Error)]
pub enum EngineError {
    /// An invalid setup (FEN or diagram).
    #[error("setup: {0}")]
    Setup(#[source] Box<dyn Error + Send + Sync>),
    /// A setup of another game.
    #[error("setup: {why}; it is a setup of {variant}, which UCI_Variant sets")]
    OtherGame {
        /// Why the game cannot read it.
        why: Box<dyn Error + Send + Sync>,
        /// The variant that can.
        variant: &'static str,
    },
    /// An illegal or unreadable move.
    #[error("illegal move {text} in {setup}: {why}")]
    Move {
        /// The move as given by the caller.
        text: String,
        /// The position in which it was to be played.
        setup: String,
        /// The stable name of the reason: `own-piece`.
        code: &'static str,
        /// Why the move is rejected.
        #[source]
        why: Box<dyn Error + Send + Sync>,
    },
    /// More moves to take back than have been played.
    #[error("cannot take back {0}: fewer moves were made")]
    TooFewMoves(usize),
    /// An unknown option or an invalid value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Endgame tables that cannot be read.
    #[error("tables: {0}")]
    Tables(String),
    /// A network or an opening book that cannot be used.
    #[error("{option}: {path}: {error}")]
    File {
        /// The option that names the file.
        option: &'static str,
        /// The path of the file.
        path: String,
        /// Why it cannot be used.
        error: GameFileError,
    },
    /// A transposition table too large for the available memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// An unknown variant.
    #[error("unknown variant '{0}'")]
    Variant(String),
    /// The search thread cannot be started.
    #[error("cannot start the search thread: {0}")]
    Thread(#[source] io::Error),
    /// The queue of the search thread is full.
    #[error("search queue is full ({waiting})")]
    Busy {
        /// The number of jobs in the queue.
        waiting: usize,
    },
    /// The search thread ended unexpectedly.
    #[error("the search thread panicked, which is a bug in Soucie: see standard error")]
    Died,
}

impl EngineError {
    /// Returns the message for a player: without the position in which a move is illegal.
    pub fn for_player(&self) -> String {
        match self {
            Self::Move { text, why, .. } => format!("illegal move {text}: {why}"),
            other => other.to_string(),
        }
    }
}
