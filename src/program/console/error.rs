//! The errors of the console.

use std::error::Error;

use thiserror::Error;

use super::command::ConsoleCommandError;
use super::files::{LoadError, SaveError};
use soucie::engine::EngineError;
use soucie::files::lines::TooLong;
use soucie::game::bitboard::Square;

#[derive(Debug, Error)]
pub enum ConsoleError {
    #[error(transparent)]
    Command(#[from] ConsoleCommandError),
    #[error(transparent)]
    Engine(EngineError),
    #[error("illegal move {text}: {why}")]
    Move { text: String, why: Box<dyn Error + Send + Sync> },
    #[error("expected a square, found '{0}'")]
    Square(String),
    #[error("this game has no such piece")]
    Piece,
    #[error("the game is over; 'new' starts another")]
    Over,
    #[error("skip: there is no lesson; soucie console --learn begins with lessons")]
    NoLesson,
    #[error("this is a lesson; 'new' begins a game")]
    InLesson,
    #[error("the board is not a legal position: {0}; set other squares or enter new")]
    Board(Box<dyn Error + Send + Sync>),
    #[error("set: {0} is a light square; pieces stand on dark squares")]
    LightSquare(Square),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(
        "limit: expected a number from {least}, more than the moves of each side so far, to {most}"
    )]
    Limit { least: u64, most: u64 },
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl From<EngineError> for ConsoleError {
    fn from(error: EngineError) -> Self {
        match error {
            // The error omits the position, which `dump` shows.
            EngineError::Move { text, why, .. } => Self::Move { text, why },
            error => Self::Engine(error),
        }
    }
}
