//! The terms of a problem: the result that is to be reached.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::records::RecordResult;

/// The largest number of moves of a limited win. The proof that there is none has a line for each
/// position that a move of the winner can lead to.
const MOST_MOVES: u8 = 10;

/// The result that the side to move is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Terms {
    /// It wins.
    Win,
    /// It wins with this number of its moves at most.
    WinIn(u8),
    /// It does not lose.
    Draw,
    /// It loses, whatever it plays.
    Loss,
}

impl Terms {
    /// Reads terms: `win`, `win in 3`, or a sentence that ends so, such as `White to play and win`.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [.., "win" | "wins", "in", moves] => match moves.parse() {
                Ok(moves @ 1..=MOST_MOVES) => Ok(Self::WinIn(moves)),
                _ => Err(format!("win in: expected a number of moves from 1 to {MOST_MOVES}")),
            },
            [.., "win" | "wins"] => Ok(Self::Win),
            [.., "draw" | "draws"] => Ok(Self::Draw),
            [.., "loss" | "lose" | "loses"] => Ok(Self::Loss),
            _ => Err("expected win, win in N, draw or loss".to_string()),
        }
    }

    /// Whether the side to move is to win.
    pub fn is_win(self) -> bool {
        matches!(self, Self::Win | Self::WinIn(_))
    }

    /// The plies within which the win is wanted; `None` if there is no such limit.
    pub fn plies(self) -> Option<u32> {
        match self {
            Self::WinIn(moves) => Some(2 * u32::from(moves) - 1),
            _ => None,
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
            Self::Win | Self::WinIn(_) => "wins",
            Self::Draw => "draws",
            Self::Loss => "loses",
        }
    }
}

impl Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Win => write!(f, "win"),
            Self::WinIn(moves) => write!(f, "win in {moves}"),
            Self::Draw => write!(f, "draw"),
            Self::Loss => write!(f, "loss"),
        }
    }
}

impl From<Terms> for String {
    fn from(terms: Terms) -> Self {
        terms.to_string()
    }
}

impl TryFrom<String> for Terms {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text)
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
