//! Writes the record of the game being played.

use serde::Deserialize;
use thiserror::Error;

use crate::engine::session::{GameSession, Variation};
use crate::engine::{EngineError, Side};
use crate::options::Options;
use crate::records::{
    Annotation, HeaderField, LineError, Record, RecordResult, ReplayError, record_game,
};

/// The object after `export`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The name of the Black player.
    pub black: Option<String>,
    /// The name of the White player.
    pub white: Option<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// The names and texts of other headers, as `import` gives them.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The result of a game that is not over by the rules.
    pub result: Option<GivenResult>,
    /// The variations.
    #[serde(default)]
    pub variations: Vec<GivenVariation>,
    /// The annotations of moves.
    #[serde(default)]
    pub annotations: Vec<GivenAnnotation>,
}

/// A variation: see [`Variation`].
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenVariation {
    /// The earlier line.
    pub line: usize,
    /// The ply whose move it replaces.
    pub ply: usize,
    /// The moves, in any notation of the game.
    pub moves: Vec<String>,
}

/// The annotations of a move: see [`Annotation`].
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAnnotation {
    /// The line of the move.
    pub line: usize,
    /// Its ply.
    pub ply: usize,
    /// A comment.
    #[serde(default)]
    pub comment: String,
    /// Numeric annotation glyphs.
    #[serde(default)]
    pub nags: Vec<u8>,
}

/// The result of a game that ended by resignation, by time or by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum GivenResult {
    /// Black won.
    Black,
    /// White won.
    White,
    /// The game is drawn.
    Draw,
}

impl TryFrom<String> for GivenResult {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "black" => Ok(Self::Black),
            "white" => Ok(Self::White),
            "draw" => Ok(Self::Draw),
            _ => Err(format!("expected black, white or draw, found '{text}'")),
        }
    }
}

impl From<GivenResult> for RecordResult {
    fn from(result: GivenResult) -> Self {
        match result {
            GivenResult::Black => Self::Won(Side::Black),
            GivenResult::White => Self::Won(Side::White),
            GivenResult::Draw => Self::Drawn,
        }
    }
}

/// Why a game cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The record format cannot represent the game.
    #[error("ply {}, {}: {}", .0.ply, .0.text, .0.reason)]
    Game(#[from] ReplayError),
    /// A variation has an illegal move.
    #[error("variation {number}: {error}")]
    Variation {
        /// The number of the variation, from 1.
        number: usize,
        /// The error.
        error: EngineError,
    },
    /// A variation or an annotation does not belong to the game.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A header whose name the record format cannot represent.
    #[error("headers: expected the name of a header of the record format, found '{0}'")]
    Header(String),
    /// The variant has no record format.
    #[error("this game has no record format")]
    NoFormat,
}

/// The record of a game. The rules are those of the options.
pub fn export(
    request: &ExportRequest,
    session: &dyn GameSession,
    options: &Options,
) -> Result<Record, ExportError> {
    let (start, moves) = (session.start(), session.moves());
    let rules = |rule: &str| options.rule(rule);
    let record = record_game(session.variant().name, Some(&start), &rules, &moves);
    let mut record = record.ok_or(ExportError::NoFormat)??;
    let ExportRequest { black, white, event, date, headers, result, variations, annotations } =
        request;
    add_lines(&mut record, session, variations, annotations)?;
    for (field, text) in [
        (HeaderField::Black, black),
        (HeaderField::White, white),
        (HeaderField::Event, event),
        (HeaderField::Date, date),
    ] {
        record.set_info(field, text.as_deref().unwrap_or_default());
    }
    match (session.view().outcome, *result) {
        (Some(outcome), _) => record.add_end(outcome.winner, outcome.reason.text),
        (None, Some(result)) => record.set_outcome(result.into()),
        (None, None) => {}
    }
    for (name, text) in headers {
        if !record.add_other_header(name, text) {
            return Err(ExportError::Header(name.clone()));
        }
    }
    Ok(record)
}

/// Adds the variations and annotations of a request.
fn add_lines(
    record: &mut Record,
    session: &dyn GameSession,
    variations: &[GivenVariation],
    annotations: &[GivenAnnotation],
) -> Result<(), ExportError> {
    let given = variations.iter().map(|&GivenVariation { line, ply, ref moves }| Variation {
        line,
        ply,
        moves: moves.iter().map(String::as_str).collect(),
    });
    let mut played = Vec::new();
    let views = session.variation_views(&given.collect::<Vec<_>>());
    for (i, (moves, error)) in views.into_iter().enumerate() {
        if let Some(error) = error {
            return Err(ExportError::Variation { number: i + 1, error });
        }
        played.push(moves);
    }
    let lines = variations.iter().zip(&played).map(|(&GivenVariation { line, ply, .. }, moves)| {
        let moves = moves.iter().map(|mv| (mv.side, mv.standard.as_str()));
        Variation { line, ply, moves: moves.collect() }
    });
    let annotations = annotations.iter().map(|given| Annotation {
        line: given.line,
        ply: given.ply,
        comment: given.comment.clone(),
        glyphs: given.nags.clone(),
    });
    let (lines, annotations) = (lines.collect::<Vec<_>>(), annotations.collect::<Vec<_>>());
    Ok(record.add_lines(&lines, &annotations)?)
}
