//! Formats the answers that are JSON. The fields are specified in `protocol.md`.

use serde::Serialize;

use crate::engine::session::{GameView, MoveView, PieceKind};
use crate::engine::{PlayingLevel, RecordFormat, VariantData, variant_data};

/// A line with a JSON value after the command word.
fn line(word: &str, value: &impl Serialize) -> serde_json::Result<String> {
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
    let result = position.outcome.map(|outcome| ResultJson {
        winner: outcome.winner.map(|side| side.name()),
        reason: outcome.reason,
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
            result,
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
    result: Option<ResultJson>,
}

#[derive(Serialize)]
struct PieceJson {
    square: String,
    side: &'static str,
    kind: &'static str,
}

#[derive(Serialize)]
struct ResultJson {
    winner: Option<&'static str>,
    reason: &'static str,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    coordinate: &'a str,
    standard: &'a str,
    path: Vec<String>,
    captures: Vec<String>,
}

impl<'a> MoveJson<'a> {
    fn new(MoveView { coordinate, standard, path, captures, .. }: &'a MoveView) -> Self {
        let names = |squares: &[_]| squares.iter().map(ToString::to_string).collect();
        Self { coordinate, standard, path: names(path), captures: names(captures) }
    }
}
