//! Errors in game records, with their positions in the file.

use std::fmt::{self, Display};
use std::io;

use thiserror::Error;

use crate::files::printable::excerpt;
use crate::games::GAMES;

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An error that makes a game unreadable.
#[derive(Debug, Error)]
#[error("{location}: {fault}")]
pub struct RecordError {
    /// The position of the error.
    pub location: LineColumn,
    /// The error.
    pub fault: RecordFault,
}

impl RecordError {
    /// Whether reading failed, as opposed to parsing.
    pub fn is_of_input(&self) -> bool {
        matches!(self.fault, RecordFault::Input(_))
    }
}

/// The kinds of errors in a record.
#[derive(Debug, Error)]
pub enum RecordFault {
    /// An I/O error.
    #[error("{0}")]
    Input(#[from] io::Error),
    /// An unknown file format.
    #[error("expected a game record, found '{0}'")]
    Format(char),
    /// A record of another game.
    #[error("expected {}, found {tag} {number}", games(tag))]
    OtherGame {
        /// The property or tag that identifies the game.
        tag: &'static str,
        /// Its value.
        number: String,
    },
    /// A board or start position that is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// An unexpected character.
    #[error("expected {expected}, found '{found}'")]
    Unexpected {
        /// The character found.
        found: char,
        /// What is allowed in its place.
        expected: &'static str,
    },
    /// A missing closing delimiter.
    #[error("{0} is not closed")]
    NotClosed(&'static str),
    /// Text that is not a move.
    #[error("expected a move, found '{0}'")]
    Move(String),
    /// A move of chess.
    #[error("'{word}' is a chess move; supported games: {}", games(""))]
    Chess {
        /// The move.
        word: String,
    },
    /// A second move in one node.
    #[error("a second move in one node")]
    SecondMove,
    /// Text that is not a point of the board.
    #[error("expected a point of the board, found '{0}'")]
    Point(String),
    /// A change of the board after the first move.
    #[error("setup in the middle of the game")]
    LateSetup,
    /// A change of the board in a variation.
    #[error("setup in a variation")]
    SetupInVariation,
    /// An invalid value.
    #[error("{name}: expected {expected}, found '{value}'")]
    Value {
        /// The property or tag.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// An invalid setup, with its error.
    #[error("FEN: {0}")]
    Setup(String),
    /// A variation without a move to replace.
    #[error("a variation before the first move")]
    EarlyVariation,
    /// A closing parenthesis without an opening one.
    #[error("')' closes no variation")]
    NoVariation,
    /// A second tag with this name and another value.
    #[error("a second tag {0} with another value")]
    SecondTag(String),
    /// Text behind a tag on its line.
    #[error("expected the end of the line after the tag {name}, found '{found}'")]
    TagRest {
        /// The name of the tag.
        name: String,
        /// The text.
        found: String,
    },
    /// A move number without a move.
    #[error("no move follows the number {0}")]
    Number(String),
    /// A next game that may share the tags of the game before.
    #[error("expected a result before the next game")]
    NoResult,
    /// Text behind the result of a game.
    #[error("expected a comment or the next game after the result, found '{0}'")]
    Remark(String),
    /// A comment after the last game.
    #[error("a comment that belongs to no game")]
    NoGame,
    /// A game beyond the size limits.
    #[error("the game has more than {0}")]
    TooMuch(&'static str),
}

impl RecordFault {
    /// The error at this position in the file.
    pub(super) fn at(self, location: LineColumn) -> RecordError {
        RecordError { location, fault: self }
    }
}

/// The games whose records are identified by a property or tag, for error messages; all of them
/// if it is empty.
fn games(tag: &str) -> String {
    let firsts = GAMES.iter().filter_map(|variants| variants.first());
    let names = firsts.filter_map(|variant| {
        let number = variant.record_format.to_string();
        let is_named = tag.is_empty() || number.starts_with(tag);
        is_named.then(|| match tag {
            "" => variant.title.to_string(),
            _ => format!("{}, {number}", variant.title),
        })
    });
    names.collect::<Vec<_>>().join(if tag.is_empty() { " and " } else { " or " })
}

/// The text truncated for an error message.
pub(super) fn shorten(text: &str) -> String {
    excerpt(text, 40).into()
}
