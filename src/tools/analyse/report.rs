//! The reports of an analysis and the [`Listener`] trait for output formats.

use std::fmt::{self, Display};
use std::io;

use serde::Serialize;

use super::analyser::Analysis;
use super::review::{DecisivePly, MoveReview, PlayStats};
use crate::engine::session::{Board, PositionView};
use crate::records::Record;

/// A place in the input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InputOrigin {
    /// The file name, if there are several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The first line of the entry, from 1.
    pub line: usize,
}

impl Display for InputOrigin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// The description of a game from its record.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameHead {
    /// The number in the input, from 1.
    #[serde(rename = "game")]
    pub number: usize,
    /// The place in the input.
    #[serde(flatten)]
    pub origin: InputOrigin,
    /// The name of the variant.
    pub variant: &'static str,
    /// Whether the variant is a guess, because neither the text nor the moves determine it.
    #[serde(rename = "variant_assumed", skip_serializing_if = "std::ops::Not::not")]
    pub variant_is_assumed: bool,
    /// The setup, if the game does not begin with the start position of the variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The name of the Black player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// The name of the White player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// The event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The result according to the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameReport {
    /// The description of the game.
    #[serde(flatten)]
    pub head: GameHead,
    /// The reviews of the moves.
    pub moves: Vec<MoveReview>,
    /// The decision; `None` if neither side was winning at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisivePly>,
    /// The statistics of both sides.
    pub play: PlayBySide,
    /// The outcome by the rules in words, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The error that prevented the replay of the whole record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The record, if the game was read from one.
    #[serde(skip)]
    pub record: Option<Box<Record>>,
    /// The boards before the first move and after each move.
    #[serde(skip)]
    pub boards: Vec<Board>,
}

/// The statistics of both sides.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayBySide {
    /// Black.
    pub black: PlayStats,
    /// White.
    pub white: PlayStats,
}

/// An analysed position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionReport {
    /// The number in the input, from 1.
    #[serde(rename = "position")]
    pub number: usize,
    /// The place in the input.
    #[serde(flatten)]
    pub origin: InputOrigin,
    /// The name of the variant.
    pub variant: &'static str,
    /// The side to move: `black` or `white`.
    pub side: &'static str,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The outcome of the game in words, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The analysis.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// The board.
    #[serde(skip)]
    pub board: Board,
}

/// An entry of the input that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputError {
    /// The place in the input.
    #[serde(flatten)]
    pub origin: InputOrigin,
    /// The error message.
    pub error: String,
}

/// A receiver of results, such as an output format. Its methods are called in input order.
pub trait Listener {
    /// Called at the start of a game.
    fn game_begins(&mut self, _head: &GameHead) -> io::Result<()> {
        Ok(())
    }

    /// Called after each move of the game is reviewed.
    fn move_reviewed(&mut self, _review: &MoveReview) -> io::Result<()> {
        Ok(())
    }

    /// Called after a game is analysed.
    fn game(&mut self, report: &GameReport) -> io::Result<()>;

    /// Called after a single position is analysed.
    fn position(&mut self, report: &PositionReport) -> io::Result<()>;

    /// Called for an entry that cannot be read.
    fn failure(&mut self, failure: &InputError) -> io::Result<()>;

    /// Called once after the last result.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The outcome of a game by the rules, in words; `None` if it is not over.
pub fn ending(view: &PositionView) -> Option<String> {
    view.outcome.map(|ending| ending.to_string())
}
