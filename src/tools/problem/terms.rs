//! The terms of a problem: the result that is to be reached.

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::records::RecordResult;

/// The result that the side to move is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// It wins.
    Win,
    /// It does not lose.
    Draw,
    /// It loses, whatever it plays.
    Loss,
}

impl Terms {
    /// Reads terms: `win`, or a sentence such as `White to play and win`.
    pub fn read(text: &str) -> Result<Self, String> {
        let last = text.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        match last.trim_end_matches('.') {
            "win" | "wins" => Ok(Self::Win),
            "draw" | "draws" => Ok(Self::Draw),
            "loss" | "lose" | "loses" => Ok(Self::Loss),
            _ => Err("expected win, draw or loss".to_string()),
        }
    }

    /// The terms that the result of a record stands for.
    fn of_result(result: RecordResult, side: Side) -> Option<Self> {
        match result {
            RecordResult::Won(winner) if winner == side => Some(Self::Win),
            RecordResult::Won(_) => Some(Self::Loss),
            RecordResult::Drawn => Some(Self::Draw),
            RecordResult::Unknown => None,
        }
    }

    /// What the side to move does, in words.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Win => "wins",
            Self::Draw => "draws",
            Self::Loss => "loses",
        }
    }
}

/// Terms as they are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedTerms {
    /// For the side to move.
    Terms(Terms),
    /// The result of a game.
    Result(RecordResult),
}

impl RecordedTerms {
    /// The terms for `side`, which is to move.
    pub fn for_side(self, side: Side) -> Option<Terms> {
        match self {
            Self::Terms(terms) => Some(terms),
            Self::Result(result) => Terms::of_result(result, side),
        }
    }
}
