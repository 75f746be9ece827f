//! What an analysis has to say, and who hears it.

use std::fmt::{self, Display};
use std::io;

use serde::Serialize;

use super::analyser::Analysis;
use super::review::{Decision, MoveReview, Tally};
use crate::engine::session::PositionView;
use crate::records::Record;

/// Where something stands in the input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Origin {
    /// The file, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line on which it begins, from 1.
    pub line: usize,
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// A game as its record describes it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Head {
    /// Its number in the input, from 1.
    #[serde(rename = "game")]
    pub number: usize,
    /// Where it stands.
    #[serde(flatten)]
    pub origin: Origin,
    /// What is played.
    pub variant: &'static str,
    /// Whether that is a guess, which neither the text nor the moves decide.
    #[serde(rename = "variant_assumed", skip_serializing_if = "std::ops::Not::not")]
    pub variant_is_assumed: bool,
    /// The setup, if the game does not begin at the start of the variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// Who plays Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// Who plays White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Where it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// When it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The result as the record has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameReport {
    /// The game.
    #[serde(flatten)]
    pub head: Head,
    /// Its moves.
    pub moves: Vec<MoveReview>,
    /// When it was decided, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decision>,
    /// How each side has played.
    pub play: Play,
    /// How the rules ended it, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// Why it ends sooner than its record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its record, if it came from one.
    #[serde(skip)]
    pub record: Option<Box<Record>>,
    /// The boards before the first move and after each one, as drawings.
    #[serde(skip)]
    pub boards: Vec<String>,
}

/// How each side has played.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Play {
    /// Black.
    pub black: Tally,
    /// White.
    pub white: Tally,
}

/// An analysed position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionReport {
    /// Its number in the input, from 1.
    #[serde(rename = "position")]
    pub number: usize,
    /// Where it stands.
    #[serde(flatten)]
    pub origin: Origin,
    /// What is played.
    pub variant: &'static str,
    /// Whose turn it is: `black` or `white`.
    pub side: &'static str,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The end of the game, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// What the search says.
    #[serde(flatten)]
    pub judgement: Analysis,
    /// The board as a drawing.
    #[serde(skip)]
    pub board: String,
}

/// Something in the input that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// Where it stands.
    #[serde(flatten)]
    pub origin: Origin,
    /// What is wrong.
    pub error: String,
}

/// Somebody who hears of the results as they come, in the order of the input.
pub trait Listener {
    /// A game begins.
    fn game_begins(&mut self, _head: &Head) -> io::Result<()> {
        Ok(())
    }

    /// A move of it was judged.
    fn move_judged(&mut self, _review: &MoveReview) -> io::Result<()> {
        Ok(())
    }

    /// A game was analysed.
    fn game(&mut self, report: &GameReport) -> io::Result<()>;

    /// A position was analysed.
    fn position(&mut self, report: &PositionReport) -> io::Result<()>;

    /// Something could not be read.
    fn failure(&mut self, failure: &Failure) -> io::Result<()>;

    /// There is no more.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How the rules ended a game, in words.
pub fn ending(view: &PositionView) -> Option<String> {
    view.outcome.map(|ending| ending.to_string())
}
