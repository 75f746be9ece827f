//! A problem, and its terms: the result that is to be reached.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::files::printable::excerpt;
use crate::game::{RuleSetting, Side};
use crate::records::RecordResult;

/// A problem to check.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Problem {
    pub name: String,
    /// The file and the line, for errors; empty for a setup on the command line.
    #[serde(skip)]
    pub place: String,
    pub variant: &'static str,
    /// The setup, of which a report has the standard form.
    pub setup: String,
    /// The terms; `None` if the record has no result.
    pub terms: Option<RecordedTerms>,
    /// The published first moves.
    pub keys: Vec<String>,
    pub solution: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleSetting>,
    /// Why no rules are read from the header of the record, although it has a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_fault: Option<String>,
}

impl Problem {
    /// The name, which a report prints, with the fault of the header for rules: the problem may have been
    /// meant with other rules.
    pub fn title(&self) -> String {
        with_fault(self.name.clone(), self.rules_fault.as_deref())
    }
}

/// A text about a record, which may have been meant with other rules than those that are read.
pub fn with_fault(text: String, rules_fault: Option<&str>) -> String {
    let texts = [Some(text.as_str()).filter(|text| !text.is_empty()), rules_fault];
    texts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The largest number of moves of a limited win. The proof that there is none has a line for each
/// position that a move of the winner can lead to.
const MOST_MOVES: u8 = 10;

/// The result that the side to move is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Terms {
    Win,
    WinIn(u8),
    Draw,
    Loss,
}

impl Terms {
    /// Whether the side to move is to win.
    pub fn is_win(self) -> bool {
        matches!(self, Self::Win | Self::WinIn(_))
    }

    /// The plies within which the win is wanted; `None` if there is no such limit.
    pub fn plies(self) -> Option<u32> {
        match self {
            // The last move of the winner completes the win, and not a reply to it.
            Self::WinIn(moves) => Some(2 * u32::from(moves) - 1),
            _ => None,
        }
    }

    /// The number of moves of a win that takes so many plies: [`Terms::plies`] the other way round.
    pub fn moves_of(plies: u32) -> u8 {
        u8::try_from(plies / 2 + 1).unwrap_or(u8::MAX)
    }

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
        StatedTerms::read(&text).map(|stated| stated.terms)
    }
}

/// Terms that were written down, perhaps with the side that is to reach them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct StatedTerms {
    pub terms: Terms,
    /// The side to move, if it was named.
    pub side: Option<Side>,
}

impl StatedTerms {
    /// Reads terms: `win`, `win in 3`, or a sentence that ends so, such as `White to play and win` or
    /// `W to play & win`. Any other word is an error: it may turn the meaning round.
    pub fn read(text: &str) -> Result<Self, String> {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| c.is_whitespace() || c == ',');
        let words = words.map(|word| word.trim_end_matches(['.', '!']));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let (before, terms) = match words.as_slice() {
            [before @ .., "win" | "wins" | "mate" | "mates", "in", moves]
            | [before @ .., "win" | "wins" | "mate" | "mates", "in", moves, "move" | "moves"] => {
                match moves.parse() {
                    Ok(moves @ 1..=MOST_MOVES) => (before, Terms::WinIn(moves)),
                    _ => {
                        let range = format!("a number of moves from 1 to {MOST_MOVES}");
                        return Err(format!("win in: expected {range}, found '{moves}'"));
                    }
                }
            }
            [before @ .., "win" | "wins" | "won"] => (before, Terms::Win),
            [before @ .., "draw" | "draws" | "drawn"] => (before, Terms::Draw),
            [before @ .., "loss" | "lose" | "loses" | "lost"] => (before, Terms::Loss),
            _ => return Err(unknown(text)),
        };
        let mut side = None;
        for word in before {
            let named = Side::read(word);
            let is_second = named.is_some() && side.is_some();
            if is_second || named.is_none() && !BEFORE_TERMS.contains(word) {
                return Err(unknown(text));
            }
            side = side.or(named);
        }
        Ok(Self { terms, side })
    }

    /// The terms for `side`, which is to move; an error if they name the other one.
    pub fn for_side(self, side: Side) -> Result<Terms, String> {
        match self.side {
            Some(named) if named != side => {
                Err(format!("expected terms for {side}, which is to move, found those for {named}"))
            }
            _ => Ok(self.terms),
        }
    }
}

/// The words of `White to play and win` before the result, without the side.
const BEFORE_TERMS: [&str; 7] = ["to", "play", "plays", "move", "moves", "and", "&"];

fn unknown(text: &str) -> String {
    let found = excerpt(text.trim(), 40);
    format!("expected win, win in N, draw or loss, as in 'White to play and win', found '{found}'")
}

/// Terms as they are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum RecordedTerms {
    Stated(StatedTerms),
    Result(RecordResult, Option<StatedTerms>),
}

impl RecordedTerms {
    /// The terms for `side`, which is to move; `None` for an unknown result. An event may limit the moves of a
    /// win, or give the terms in the place of an unknown result. If it contradicts the result, that is an
    /// error: one of the two is wrong.
    pub fn for_side(self, side: Side) -> Result<Option<Terms>, String> {
        match self {
            Self::Stated(stated) => stated.for_side(side).map(Some),
            Self::Result(result, event) => {
                let event = event.map(|event| event.for_side(side)).transpose()?;
                match (Terms::of_result(result, side), event) {
                    (Some(Terms::Win) | None, Some(limited @ Terms::WinIn(_))) => Ok(Some(limited)),
                    (None, event) => Ok(event),
                    (Some(result), Some(event)) if event != result => Err(format!(
                        "for {side} the header of the event states '{event}', but the result '{result}'; 1-0 is a win for Black"
                    )),
                    (result, _) => Ok(result),
                }
            }
        }
    }
}
