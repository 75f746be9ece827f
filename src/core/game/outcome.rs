//! The result of a game.

use std::fmt::{self, Display};

use serde::Serialize;

use super::Side;

/// Why a game has ended.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct EndReason {
    /// The stable name for programs: `connected`.
    pub code: &'static str,
    /// The end of a sentence: "all its stones are connected".
    #[serde(rename = "reason")]
    pub text: &'static str,
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// The winner; `None` if the game is drawn.
    pub winner: Option<Side>,
    #[serde(flatten)]
    pub reason: &'static EndReason,
}

impl Outcome {
    pub const fn won(side: Side, reason: &'static EndReason) -> Self {
        Self { winner: Some(side), reason }
    }

    pub const fn drawn(reason: &'static EndReason) -> Self {
        Self { winner: None, reason }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} has won: {}", self.reason.text),
            None => write!(f, "drawn: {}", self.reason.text),
        }
    }
}
