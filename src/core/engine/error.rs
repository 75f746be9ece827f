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
    #[error("setup: {0}")]
    Setup(#[source] Box<dyn Error + Send + Sync>),
    #[error("setup: {why}; it is a setup of {variant}, which UCI_Variant sets")]
    OtherGame { why: Box<dyn Error + Send + Sync>, variant: &'static str },
    #[error("illegal move {text} in {setup}: {why}")]
    Move {
        text: String,
        setup: String,
        code: &'static str,
        #[source]
        why: Box<dyn Error + Send + Sync>,
    },
    #[error("cannot take back {0}: fewer moves were made")]
    TooFewMoves(usize),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("tables: {0}")]
    Tables(String),
    #[error("{option}: {path}: {error}")]
    File { option: &'static str, path: String, error: GameFileError },
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error("unknown variant '{0}'")]
    Variant(String),
    #[error("cannot start the search thread: {0}")]
    Thread(#[source] io::Error),
    #[error("search queue is full ({waiting})")]
    Busy { waiting: usize },
    #[error("the search thread panicked, which is a bug in Soucie: see standard error")]
    Died,
}

impl EngineError {
    /// The error of a setup, in the words of its game.
    pub fn setup(why: impl Error + Send + Sync + 'static) -> Self {
        Self::Setup(Box::new(why))
    }

    /// Returns the message for a player: without the position in which a move is illegal.
    pub fn for_player(&self) -> String {
        match self {
            Self::Move { text, why, .. } => format!("illegal move {text}: {why}"),
            other => other.to_string(),
        }
    }
}
