//! Formats the answers that are JSON. The fields are specified in `json.md`.

use serde::Serialize;

use super::import::{ImportedGame, ImportedText};
use crate::engine::EngineError;
use crate::engine::session::{GameView, MoveView, Outcome, PieceKind, Variation};
use crate::engine::{PlayingLevel, RecordFormat, VariantData, variant_data};
use crate::records::{Annotation, Format, Record, RecordResult};

/// A line with a JSON value after the command word.
pub(super) fn line(word: &str, value: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("{word} {}", serde_json::to_string(value)?))
}

/// The answer to `variants`.
pub fn variants() -> serde_json::Result<String> {
    line("variants", &variant_data().map(VariantJson::new).collect::<Vec<_>>())
}

#[derive(Serialize)]
struct VariantJson {
    name: &'static str,
    title: &'static str,
    start: &'static str,
    numbered: bool,
    kinds: Vec<KindJson>,
    record: &'static str,
    levels: LevelsJson,
    rules: Vec<String>,
}

#[derive(Serialize)]
struct KindJson {
    name: &'static str,
    black: char,
    white: char,
}

/// The Elo of the named levels.
#[derive(Serialize)]
struct LevelsJson {
    easy: Option<i32>,
    medium: Option<i32>,
    hard: Option<i32>,
}

impl VariantJson {
    fn new(VariantData { variant, kinds, calibration }: VariantData) -> Self {
        let kind =
            |&PieceKind { name, letters: [black, white] }: &_| KindJson { name, black, white };
        Self {
            name: variant.name,
            title: variant.title,
            start: variant.start,
            numbered: variant.is_numbered,
            kinds: kinds.iter().map(kind).collect(),
            record: match variant.record_format {
                RecordFormat::Sgf { .. } => "sgf",
                RecordFormat::Pdn { .. } => "pdn",
            },
            levels: LevelsJson {
                easy: PlayingLevel::Easy.elo(calibration),
                medium: PlayingLevel::Medium.elo(calibration),
                hard: PlayingLevel::Hard.elo(calibration),
            },
            rules: unwrapped(variant.rules),
        }
    }
}

/// The paragraphs of a text whose wrapped lines are indented by four spaces.
fn unwrapped(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(paragraph) if line.starts_with("    ") => {
                *paragraph += &format!(" {}", line.trim())
            }
            _ => paragraphs.push(line.trim().to_string()),
        }
    }
    paragraphs
}

/// The answer to `state`.
pub fn state(game: &GameView) -> serde_json::Result<String> {
    let GameView { variant, kinds, start, position, last, legal } = game;
    let ranks = (1..=8).rev();
    let squares = ranks.flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    let pieces = squares.zip(position.board.iter().flatten()).filter_map(|(square, piece)| {
        let kind = kinds.get((*piece)?.kind)?.name;
        Some(PieceJson { square, side: (*piece)?.side.name(), kind })
    });
    line(
        "state",
        &StateJson {
            variant: variant.name,
            start,
            setup: &position.setup,
            plies: position.plies,
            side: position.side.name(),
            pieces: pieces.collect(),
            last: last.as_ref().map(MoveJson::new),
            legal: legal.iter().map(MoveJson::new).collect(),
            result: position.outcome.map(EndJson::from),
        },
    )
}

#[derive(Serialize)]
struct StateJson<'a> {
    variant: &'static str,
    start: &'a str,
    setup: &'a str,
    plies: usize,
    side: &'static str,
    pieces: Vec<PieceJson>,
    last: Option<MoveJson<'a>>,
    legal: Vec<MoveJson<'a>>,
    result: Option<EndJson>,
}

#[derive(Serialize)]
struct PieceJson {
    square: String,
    side: &'static str,
    kind: &'static str,
}

/// The end of a game by the rules.
#[derive(Serialize)]
struct EndJson {
    winner: Option<&'static str>,
    code: &'static str,
    reason: &'static str,
}

impl From<Outcome> for EndJson {
    fn from(Outcome { winner, reason }: Outcome) -> Self {
        Self { winner: winner.map(|side| side.name()), code: reason.code, reason: reason.text }
    }
}

/// The answer to `check`: the move, or why it is not legal.
pub fn check(checked: &Result<MoveView, EngineError>) -> serde_json::Result<String> {
    let (code, reason) = match checked {
        Ok(_) => (None, None),
        Err(EngineError::Move { code, why, .. }) => (Some(*code), Some(why.to_string())),
        Err(error) => (Some("other"), Some(error.to_string())),
    };
    let mv = checked.as_ref().ok().map(MoveJson::new);
    line("check", &CheckJson { legal: mv.is_some(), r#move: mv, code, reason })
}

#[derive(Serialize)]
struct CheckJson<'a> {
    legal: bool,
    r#move: Option<MoveJson<'a>>,
    code: Option<&'static str>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    /// The side that moves, where it does not follow from the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    coordinate: &'a str,
    standard: &'a str,
    path: Vec<String>,
    captures: Vec<String>,
}

impl<'a> MoveJson<'a> {
    fn new(MoveView { coordinate, standard, path, captures, .. }: &'a MoveView) -> Self {
        let names = |squares: &[_]| squares.iter().map(ToString::to_string).collect();
        Self { side: None, coordinate, standard, path: names(path), captures: names(captures) }
    }

    fn with_side(mv: &'a MoveView) -> Self {
        Self { side: Some(mv.side.name()), ..Self::new(mv) }
    }
}

/// The answer to `import`.
pub fn import(text: &ImportedText) -> serde_json::Result<String> {
    let games = text.games.iter().map(ImportedGameJson::new).collect();
    line("import", &ImportJson { games, errors: &text.errors })
}

#[derive(Serialize)]
struct ImportJson<'a> {
    games: Vec<ImportedGameJson<'a>>,
    errors: &'a [String],
}

#[derive(Serialize)]
struct ImportedGameJson<'a> {
    variant: &'static str,
    setup: Option<&'a str>,
    moves: Vec<MoveJson<'a>>,
    variations: Vec<VariationJson<'a>>,
    annotations: Vec<AnnotationJson<'a>>,
    black: Option<&'a str>,
    white: Option<&'a str>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    headers: &'a [(String, String)],
    result: Option<&'static str>,
    ending: Option<EndJson>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct VariationJson<'a> {
    line: usize,
    ply: usize,
    moves: Vec<MoveJson<'a>>,
}

impl<'a> VariationJson<'a> {
    fn new(Variation { line, ply, moves }: &'a Variation<MoveView>) -> Self {
        Self { line: *line, ply: *ply, moves: moves.iter().map(MoveJson::with_side).collect() }
    }
}

#[derive(Serialize)]
struct AnnotationJson<'a> {
    line: usize,
    ply: usize,
    comment: &'a str,
    nags: &'a [u8],
}

impl<'a> AnnotationJson<'a> {
    fn new(Annotation { line, ply, comment, glyphs }: &'a Annotation) -> Self {
        Self { line: *line, ply: *ply, comment, nags: glyphs }
    }
}

impl<'a> ImportedGameJson<'a> {
    fn new(game: &'a ImportedGame) -> Self {
        Self {
            variant: game.variant,
            setup: game.setup.as_deref(),
            moves: game.moves.iter().map(MoveJson::with_side).collect(),
            variations: game.variations.iter().map(VariationJson::new).collect(),
            annotations: game.annotations.iter().map(AnnotationJson::new).collect(),
            black: game.black.as_deref(),
            white: game.white.as_deref(),
            event: game.event.as_deref(),
            date: game.date.as_deref(),
            headers: &game.headers,
            result: match game.result {
                RecordResult::Won(side) => Some(side.name()),
                RecordResult::Drawn => Some("draw"),
                RecordResult::Unknown => None,
            },
            ending: game.ending.map(EndJson::from),
            error: game.error.as_deref(),
        }
    }
}

/// The answer to `export`.
pub fn export(record: &Record) -> serde_json::Result<String> {
    let format = match record.format() {
        Format::Sgf => "sgf",
        Format::Pdn => "pdn",
    };
    line("export", &ExportJson { format, text: record.to_string() })
}

#[derive(Serialize)]
struct ExportJson {
    format: &'static str,
    text: String,
}
