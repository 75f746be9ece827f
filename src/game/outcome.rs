//! The result of a game.

use std::fmt::{self, Display};

use super::Side;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner; `None` if the game is drawn.
    pub winner: Option<Side>,
    /// The reason, as the end of a sentence: "all stones are connected".
    pub reason: &'static str,
}

impl Outcome {
    /// A win for `side`.
    pub const fn won(side: Side, reason: &'static str) -> Self {
        Self { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn drawn(reason: &'static str) -> Self {
        Self { winner: None, reason }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} has won: {}", self.reason),
            None => write!(f, "drawn: {}", self.reason),
        }
    }
}
