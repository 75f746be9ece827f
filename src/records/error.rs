//! What can be wrong with a record, and where.

use std::fmt::{self, Display};
use std::io;

use thiserror::Error;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u64,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A game that cannot be read.
#[derive(Debug, Error)]
#[error("{place}: {fault}")]
pub struct RecordError {
    /// Where it is wrong.
    pub place: Place,
    /// What is wrong.
    pub fault: Fault,
}

impl RecordError {
    /// Whether the input failed, not what it says.
    pub fn is_of_input(&self) -> bool {
        matches!(self.fault, Fault::Input(_))
    }
}

/// What is wrong with a record.
#[derive(Debug, Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("{0}")]
    Input(#[from] io::Error),
    /// The file is in no format that is known.
    #[error("no record of a game begins with '{0}'")]
    Format(char),
    /// The record is of another game.
    #[error("{tag} {number} is not {game}")]
    OtherGame {
        /// The word that names the game.
        tag: &'static str,
        /// The game it names.
        number: String,
        /// What is read here.
        game: &'static str,
    },
    /// A board or a beginning that the game is not played with.
    #[error("{0}")]
    Unsupported(String),
    /// Something that has no place here.
    #[error("'{found}' where {expected} should be")]
    Unexpected {
        /// What stands there.
        found: char,
        /// What may stand there.
        expected: &'static str,
    },
    /// The end came too soon.
    #[error("{0} is not closed")]
    NotClosed(&'static str),
    /// Not a move.
    #[error("'{0}' is not a move")]
    Move(String),
    /// A move of chess.
    #[error("'{0}' is a move of chess; only Lines of Action and English draughts are read")]
    Chess(String),
    /// Two moves where one may be.
    #[error("a second move in one node")]
    SecondMove,
    /// Not a point of the board.
    #[error("'{0}' is not a point of the board")]
    Point(String),
    /// The board is changed after moves were made.
    #[error("the board is set up in the middle of the game")]
    LateSetup,
    /// A value that means nothing.
    #[error("{name}: '{value}' is not {expected}")]
    Value {
        /// The property or tag.
        name: &'static str,
        /// What it says.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A variation that replaces no move.
    #[error("a variation before the first move")]
    EarlyVariation,
    /// A closing parenthesis too many.
    #[error("')' closes no variation")]
    NoVariation,
    /// A game that would fill the memory.
    #[error("the game has more than {0}")]
    TooMuch(&'static str),
}

impl Fault {
    /// The error with its place.
    pub(super) fn at(self, place: Place) -> RecordError {
        RecordError { place, fault: self }
    }
}

/// Text for a message: not so long that it hides the message.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() { short + "..." } else { short }
}
