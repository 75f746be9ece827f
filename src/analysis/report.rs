//! The reports of an analysis: games, positions, and input that cannot be read.

use std::fmt::{self, Display};

use serde::Serialize;

use super::analyser::Analysis;
use super::replay::ReplayedPosition;
use super::review::{DecisivePly, MoveReview, PlayStats, by_name, decision_after, review};
use crate::engine::EngineError;
use crate::engine::session::{Board, GameSession, PositionView};
use crate::engine::uci_score::UciScore;
use crate::game::{Side, TablebaseValue};
use crate::records::{Record, RecordResult};

/// A location in the input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InputOrigin {
    /// The id of the entry, in place of its location and its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The file name, if there are several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The first line of the entry, from 1; 0 if it has an id.
    #[serde(skip_serializing_if = "is_zero")]
    pub line: usize,
    /// The column of an error in this line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Display for InputOrigin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.id, &self.file) {
            (Some(id), _) => f.write_str(id),
            (None, Some(file)) => write!(f, "{file}, line {}", self.line),
            (None, None) => write!(f, "line {}", self.line),
        }?;
        self.column.map_or(Ok(()), |column| write!(f, ", column {column}"))
    }
}

/// The description of a game from its record.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameHead {
    /// The number in the input, from 1; 0 if it has an id.
    #[serde(rename = "game", skip_serializing_if = "is_zero")]
    pub number: usize,
    /// The location in the input.
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
    /// The stable name of the reason of that outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending_code: Option<&'static str>,
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

impl GameReport {
    /// A report to which the positions of the game are added.
    pub fn new(head: GameHead, record: Option<Box<Record>>) -> Self {
        Self {
            head,
            moves: Vec::new(),
            decided: None,
            play: PlayBySide::default(),
            ending: None,
            ending_code: None,
            error: None,
            record,
            boards: Vec::new(),
        }
    }

    /// Adds the next position of the game. Returns the review of the move played in it, if any.
    pub fn add(&mut self, position: ReplayedPosition, analysis: &Analysis) -> Option<&MoveReview> {
        let ReplayedPosition { view, played, error, .. } = position;
        (self.ending, self.ending_code) = ending(&view).unzip();
        self.error = error;
        self.boards.push(view.board);
        let review = review(self.moves.len() + 1, view.side, &played?, analysis)?;
        self.decided = decision_after(&review, self.decided);
        match view.side {
            Side::Black => self.play.black.add(&review),
            Side::White => self.play.white.add(&review),
        }
        self.moves.push(review);
        self.moves.last()
    }

    /// Writes all moves in the notation of `game`, which is at the start of this game.
    pub fn rewrite(&mut self, mut game: Box<dyn GameSession>) -> Result<(), EngineError> {
        for review in &mut self.moves {
            review.best = rewritten(&*game, &review.best)?;
            game.play(&review.mv)?;
            review.mv = game.last_move().unwrap_or_default();
        }
        Ok(())
    }
}

/// A line of moves in the notation of the game, from its current position.
pub fn rewritten(game: &dyn GameSession, line: &[String]) -> Result<Vec<String>, EngineError> {
    let moves: Vec<&str> = line.iter().map(String::as_str).collect();
    Ok(game.fork().with_moves(&moves)?.moves())
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
    /// The number in the input, from 1; 0 if it has an id.
    #[serde(rename = "position", skip_serializing_if = "is_zero")]
    pub number: usize,
    /// The location in the input.
    #[serde(flatten)]
    pub origin: InputOrigin,
    /// The name of the variant.
    pub variant: &'static str,
    /// The side to move.
    #[serde(serialize_with = "by_name")]
    pub side: Side,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The outcome of the game in words, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The stable name of the reason of that outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending_code: Option<&'static str>,
    /// The analysis.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// The board.
    #[serde(skip)]
    pub board: Board,
}

impl PositionReport {
    /// The report of a position with its analysis.
    pub fn new(
        number: usize,
        origin: InputOrigin,
        variant: &'static str,
        view: PositionView,
        analysis: Analysis,
    ) -> Self {
        let (ending, ending_code) = ending(&view).unzip();
        Self {
            number,
            origin,
            variant,
            side: view.side,
            ending,
            ending_code,
            setup: view.setup,
            analysis,
            board: view.board,
        }
    }
}

/// An entry of the input that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputError {
    /// The location in the input.
    #[serde(flatten)]
    pub origin: InputOrigin,
    /// The error message.
    pub error: String,
}

/// The outcome of a game by the rules, in words, and the name of its reason; `None` if it is not over.
pub fn ending(view: &PositionView) -> Option<(String, &'static str)> {
    view.outcome.map(|outcome| (outcome.to_string(), outcome.reason.code))
}

/// The result of a recorded game in words; `None` if it is unknown.
pub fn result_text(result: RecordResult) -> Option<String> {
    match result {
        RecordResult::Won(side) => Some(format!("{side} won")),
        RecordResult::Drawn => Some("draw".to_string()),
        RecordResult::Unknown => None,
    }
}

/// Converts a score of a side to Black's view.
pub fn score_for_black(side: Side, score: UciScore) -> UciScore {
    if side == Side::Black { score } else { -score }
}

/// The endgame table value for a side in words.
pub fn table_text(value: TablebaseValue, side: Side) -> String {
    let (winner, plies) = match value {
        TablebaseValue::Drawn => return "table draw".to_string(),
        TablebaseValue::Won(plies) => (side, plies),
        TablebaseValue::Lost(plies) => (!side, plies),
    };
    format!("table win for {winner}{}", distance(plies))
}

/// The distance to the end of the game in words; empty if it is unknown.
pub fn distance(plies: Option<u16>) -> String {
    match plies {
        None => String::new(),
        Some(1) => " in 1 ply".to_string(),
        Some(plies) => format!(" in {plies} plies"),
    }
}
