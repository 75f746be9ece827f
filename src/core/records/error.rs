//! Errors in game records, with their positions in the file.

use std::fmt::{self, Display};

use thiserror::Error;

use crate::files::printable::excerpt;
use crate::games::GAMES;

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// The line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// The column in characters, from 1; 0 for the line as a whole.
    pub column: u64,
}

impl LineColumn {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The position behind a text that begins here.
    pub(super) fn after(self, text: &[u8]) -> Self {
        // Continuation bytes of UTF-8 do not count as columns.
        let chars = |text: &[u8]| text.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
        let last = text.iter().rposition(|&byte| byte == b'\n');
        match last.and_then(|last| text.split_at_checked(last + 1)) {
            None => Self { column: self.column + chars(text), ..self },
            Some((lines, rest)) => {
                let ends = lines.iter().filter(|byte| **byte == b'\n').count() as u64;
                Self { line: self.line + ends, column: 1 + chars(rest) }
            }
        }
    }
}

impl Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self { line, column: 0 } => write!(f, "line {line}"),
            Self { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// An error that makes a game or another part of a text unreadable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RecordError {
    pub location: LineColumn,
    pub fault: RecordFault,
}

impl Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.location.line {
            0 => self.fault.fmt(f),
            _ => write!(f, "{}: {}", self.location, self.fault),
        }
    }
}

/// What is wrong in a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// A text or a game that is of none of the supported kinds.
    #[error("{0}")]
    Foreign(String),
    /// Anything else.
    #[error("{0}")]
    Invalid(String),
}

impl RecordFault {
    pub(super) fn invalid(what: impl Into<String>) -> Self {
        Self::Invalid(what.into())
    }

    pub(super) fn expected(expected: &str, found: &str) -> Self {
        Self::Invalid(format!("expected {expected}, found '{}'", shorten(found)))
    }

    /// The error that a property or tag has another value than the expected one.
    pub(super) fn value(name: &str, expected: &str, found: &str) -> Self {
        Self::Invalid(format!("{name}: expected {expected}, found '{}'", shorten(found)))
    }

    /// The error that a closing delimiter is missing.
    pub(super) fn not_closed(what: &str) -> Self {
        Self::Invalid(format!("{what} is not closed"))
    }

    /// The error that a game exceeds a limit of its size.
    pub(super) fn too_much(what: &str) -> Self {
        Self::Invalid(format!("the game has more than {what}"))
    }

    /// The error that a property or tag identifies another game.
    pub(super) fn other_game(tag: &str, number: &str) -> Self {
        let firsts = GAMES.iter().filter_map(|variants| variants.first());
        let names = firsts.filter_map(|variant| {
            let number = variant.record_id.to_string();
            number.starts_with(tag).then(|| format!("{}, {number}", variant.title))
        });
        let names: Vec<String> = names.collect();
        Self::Foreign(format!("expected {}, found {tag} {}", names.join(" or "), shorten(number)))
    }

    /// The error at this position in the file.
    pub(super) fn at(self, location: LineColumn) -> RecordError {
        RecordError { location, fault: self }
    }
}

/// The text truncated for an error message.
pub(super) fn shorten(text: &str) -> String {
    excerpt(text, 40).into()
}
