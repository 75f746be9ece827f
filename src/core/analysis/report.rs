//! The reports of an analysis: games, positions, and input that cannot be read.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use super::analyser::Analysis;
use super::review::{
    DecisivePly, MoveReview, PlayStats, decision_after, lost_by_draw, moves_of, review,
};
use crate::engine::session::GameSession;
use crate::engine::{EngineError, MoveView};
use crate::game::{Board, Outcome, Side, TablebaseValue};
use crate::records::{HeaderField, Record, RecordResult};

/// A location in the input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InputOrigin {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The first line of the entry, from 1; 0 if there is none.
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
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }?;
        self.column.map_or(Ok(()), |column| write!(f, ", column {column}"))
    }
}

/// The description of a game from its record.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameHead {
    /// The number in the input, from 1; 0 if there is none.
    #[serde(rename = "game", skip_serializing_if = "is_zero")]
    pub number: usize,
    #[serde(flatten)]
    pub origin: InputOrigin,
    pub variant: &'static str,
    /// Whether the variant is a guess, because neither the text nor the moves determine it.
    #[serde(rename = "variant_assumed", skip_serializing_if = "std::ops::Not::not")]
    pub variant_is_assumed: bool,
    /// Why no rules are read from the header for them, although it has a text.
    #[serde(rename = "rules_error", skip_serializing_if = "Option::is_none")]
    pub rules_fault: Option<String>,
    /// What is assumed about the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The setup, if the game does not begin with the start position of the variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

impl GameHead {
    /// The description of a record with this place and number in the input.
    pub fn new(origin: InputOrigin, record: &Record, number: usize) -> Self {
        Self {
            number,
            origin,
            variant: record.variant(),
            setup: record.setup().map(str::to_string),
            black: record.info(HeaderField::Black),
            white: record.info(HeaderField::White),
            event: record.info(HeaderField::Event),
            date: record.info(HeaderField::Date),
            result: result_text(record.outcome()),
            variant_is_assumed: record.variant_is_assumed(),
            rules_fault: record.rules_fault(),
            note: record.note().map(str::to_string),
        }
    }
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameReport {
    #[serde(flatten)]
    pub head: GameHead,
    /// The reviews of the moves, in their order.
    pub moves: Vec<MoveReview>,
    /// The decision; `None` if neither side was winning at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisivePly>,
    pub play: PlayBySide,
    /// The outcome by the rules, if the game is over.
    #[serde(flatten, serialize_with = "ending")]
    pub outcome: Option<Outcome>,
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
            outcome: None,
            error: None,
            record,
            boards: Vec::new(),
        }
    }

    /// Adds the next position of the game. Returns the review of the move `played` in it, if any.
    pub fn add(
        &mut self,
        game: &dyn GameSession,
        played: Option<&MoveView>,
        analysis: &Analysis,
    ) -> Result<Option<&MoveReview>, EngineError> {
        self.outcome = game.outcome();
        self.boards.push(game.board());
        let Some(played) = played else { return Ok(None) };
        let review = review(self.moves.len() + 1, game, played, analysis, self.moves.last())?;
        let Some(review) = review else { return Ok(None) };
        self.decided = decision_after(&review, self.decided);
        match review.side {
            Side::Black => self.play.black.add(&review),
            Side::White => self.play.white.add(&review),
        }
        self.moves.push(review);
        Ok(self.moves.last())
    }

    /// Who was winning, in a sentence, and what a draw gave away that is not one by the rules.
    pub fn verdict(&self) -> String {
        let verdict = match self.decided {
            Some(decision) => {
                format!("{} was winning for good after {}.", decision.winner, decision.place())
            }
            None if self.moves.is_empty() => "No moves.".to_string(),
            None => "Neither side was sure to win at the end.".to_string(),
        };
        let is_given = self.outcome.is_none() && self.error.is_none();
        let is_draw = is_given && self.head.result == result_text(RecordResult::Drawn);
        match self.moves.last().filter(|_| is_draw).and_then(lost_by_draw) {
            Some(lost) => format!("{verdict} {lost}."),
            None => verdict,
        }
    }
}

/// The statistics of both sides.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayBySide {
    /// Those of Black, who moves first.
    pub black: PlayStats,
    pub white: PlayStats,
}

/// A position in a report or a reply.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionHead {
    pub variant: &'static str,
    pub side: Side,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The outcome by the rules, if the game is over.
    #[serde(flatten, serialize_with = "ending")]
    pub outcome: Option<Outcome>,
}

impl PositionHead {
    /// The current position of a game.
    pub fn new(game: &dyn GameSession) -> Self {
        let (variant, outcome) = (game.variant().name, game.outcome());
        Self { variant, side: game.side(), setup: game.setup(), outcome }
    }
}

/// An analysed position. In JSON, moves are in coordinate notation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionReport {
    /// The number in the input, from 1; 0 if there is none.
    #[serde(rename = "position", skip_serializing_if = "is_zero")]
    pub number: usize,
    #[serde(flatten)]
    pub origin: InputOrigin,
    #[serde(flatten)]
    pub head: PositionHead,
    #[serde(flatten)]
    pub analysis: Analysis,
    #[serde(skip)]
    pub lines: Vec<Vec<MoveView>>,
    #[serde(skip)]
    pub board: Board,
}

impl PositionReport {
    /// The report of the current position of a game with its analysis.
    pub fn new(
        number: usize,
        origin: InputOrigin,
        game: &dyn GameSession,
        analysis: Analysis,
    ) -> Result<Self, EngineError> {
        let lines = analysis.lines.iter().map(|line| moves_of(game, &line.pv));
        let lines = lines.collect::<Result<_, _>>()?;
        let (head, board) = (PositionHead::new(game), game.board());
        Ok(Self { number, origin, head, analysis, lines, board })
    }
}

/// An entry of the input that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputError {
    #[serde(flatten)]
    pub origin: InputOrigin,
    pub error: String,
}

impl Display for InputError {
    /// Writes the message behind its location: that of the entry, unless the message begins with one.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { origin, error } = self;
        match &origin.file {
            _ if !error.starts_with("line ") => write!(f, "{origin}: {error}"),
            Some(file) => write!(f, "{file}, {error}"),
            None => f.write_str(error),
        }
    }
}

/// Writes an outcome in words, and the stable name of its reason.
fn ending<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Ending {
        ending: String,
        ending_code: &'static str,
    }
    let ending = |outcome: &Outcome| Ending {
        ending: outcome.to_string(),
        ending_code: outcome.reason.code,
    };
    outcome.as_ref().map(ending).serialize(serializer)
}

/// The result of a recorded game in words; `None` if it is unknown.
pub fn result_text(result: RecordResult) -> Option<String> {
    match result {
        RecordResult::Won(side) => Some(format!("{side} won")),
        RecordResult::Drawn => Some("draw".to_string()),
        RecordResult::Unknown => None,
    }
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

/// The distance to the end of the game in words, in moves of the winner; empty if it is unknown.
pub fn distance(plies: Option<u16>) -> String {
    match plies.map(|plies| plies.div_ceil(2)) {
        None => String::new(),
        Some(1) => " in 1 move".to_string(),
        Some(moves) => format!(" in {moves} moves"),
    }
}
