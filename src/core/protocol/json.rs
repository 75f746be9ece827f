//! Formats the answers that are JSON. The fields are specified in `json.md`.

use serde::Serialize;

use super::refusal::Refusal;
use crate::engine::session::GameSession;
use crate::engine::{
    Ballot, EngineError, MoveView, PlayingLevel, ThreatView, VariantData, ballots, variant_data,
};
use crate::game::{BoardLine, Fact, Groups, Outcome, Piece, PieceKind, RecordId, Side};
use crate::games;
use crate::options::{OptionKind, UciOption, uci_options};
use crate::records::{Record, RecordFormat};

/// A line with a JSON value after the command word.
pub fn line(word: &str, value: &impl Serialize) -> Result<String, Refusal> {
    let json = serde_json::to_string(value)
        .map_err(|error| Refusal(format!("the answer cannot be written as JSON: {error}")))?;
    Ok(format!("{word} {json}"))
}

pub fn variants() -> Result<String, Refusal> {
    line("variants", &variant_data().map(VariantJson::new).collect::<Vec<_>>())
}

/// The answer to `problems`: the built-in problems of a game, which are JSON already.
pub fn problems(game: &str) -> String {
    format!("problems [{}]", games::problems(game).collect::<Vec<_>>().join(","))
}

/// The answer to `lessons`: the built-in lessons of a game, which are JSON already.
pub fn lessons(game: &str) -> String {
    format!("lessons [{}]", games::lessons(game).collect::<Vec<_>>().join(","))
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
    goal: &'static str,
    rules: Vec<String>,
    options: Vec<RuleJson>,
    ballots: Vec<Ballot>,
}

#[derive(Serialize)]
struct KindJson {
    name: &'static str,
    singular: &'static str,
    plural: &'static str,
    black: char,
    white: char,
}

#[derive(Serialize)]
struct LevelsJson {
    beginner: Option<i32>,
    easy: Option<i32>,
    medium: Option<i32>,
    hard: Option<i32>,
}

impl VariantJson {
    fn new(VariantData { variant, game, kinds, calibration }: VariantData) -> Self {
        let rules = uci_options().into_iter().filter(|option| option.is_rule_of(game));
        let kind = |kind: &PieceKind| {
            let PieceKind { name, words: [singular, plural], letters: [black, white] } = *kind;
            KindJson { name, singular, plural, black, white }
        };
        Self {
            name: variant.name,
            title: variant.title,
            start: variant.start,
            numbered: variant.is_numbered,
            kinds: kinds.iter().map(kind).collect(),
            record: match variant.record_id {
                RecordId::Sgf { .. } => "sgf",
                RecordId::Pdn { .. } => "pdn",
            },
            levels: LevelsJson {
                beginner: PlayingLevel::Beginner.elo(calibration),
                easy: PlayingLevel::Easy.elo(calibration),
                medium: PlayingLevel::Medium.elo(calibration),
                hard: PlayingLevel::Hard.elo(calibration),
            },
            goal: variant.goal,
            rules: unwrapped(variant.rules),
            options: rules.filter_map(RuleJson::new).collect(),
            ballots: ballots(variant),
        }
    }
}

#[derive(Serialize)]
struct RuleJson {
    name: &'static str,
    #[serde(flatten)]
    kind: RuleKindJson,
    description: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum RuleKindJson {
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: Vec<&'static str>, labels: &'static [&'static str] },
}

impl RuleJson {
    /// `None` for other options than rules.
    fn new(option: UciOption) -> Option<Self> {
        let default = option.default();
        let rule = option.rule?;
        let kind = match option.kind {
            OptionKind::Spin { default, min, max } => RuleKindJson::Spin { default, min, max },
            OptionKind::Combo { values } => {
                RuleKindJson::Combo { default, choices: values, labels: rule.labels }
            }
            OptionKind::Check | OptionKind::Path | OptionKind::Button => return None,
        };
        Some(Self { name: option.name, kind, description: rule.description })
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

pub fn state(game: &dyn GameSession) -> Result<String, Refusal> {
    let ranks = (1..=8).rev();
    let squares = ranks.flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    let board = game.board();
    let pieces = squares.zip(board.iter().flatten()).filter_map(|(square, piece)| {
        let Piece { side, kind } = (*piece)?;
        Some(PieceJson { square, side, kind: game.kinds().get(kind)?.name })
    });
    line(
        "state",
        &StateJson {
            variant: game.variant().name,
            start: game.start(),
            setup: game.setup(),
            plies: game.plies(),
            opening: game.opening(),
            side: game.side(),
            pieces: pieces.collect(),
            lines: game.lines(),
            groups: game.groups(),
            threat: game.threat(),
            last: game.last_move().map(|last| last.mv),
            legal: game.legal_views(),
            result: game.outcome(),
        },
    )
}

#[derive(Serialize)]
struct StateJson {
    variant: &'static str,
    start: String,
    setup: String,
    plies: usize,
    opening: Option<&'static str>,
    side: Side,
    pieces: Vec<PieceJson>,
    lines: Vec<BoardLine>,
    groups: Option<Groups>,
    threat: Option<ThreatView>,
    last: Option<MoveView>,
    legal: Vec<MoveView>,
    result: Option<Outcome>,
}

#[derive(Serialize)]
struct PieceJson {
    square: String,
    side: Side,
    kind: &'static str,
}

/// The answer to `check`: the move, or why it is not legal, or the same for the moves that begin on a
/// square.
pub fn check(game: &dyn GameSession, text: &str) -> Result<String, Refusal> {
    let checked = match game.check_square(text) {
        Some(checked) => checked.map(|()| None),
        None => game.check_move(text).map(Some),
    };
    let (code, reason) = match &checked {
        Ok(_) => (None, None),
        Err(EngineError::Move { code, why, .. }) => (Some(*code), Some(why.to_string())),
        Err(error) => (Some("other"), Some(error.to_string())),
    };
    let (legal, r#move) = (checked.is_ok(), checked.ok().flatten());
    line("check", &CheckJson { legal, r#move, code, reason })
}

#[derive(Serialize)]
struct CheckJson {
    legal: bool,
    r#move: Option<MoveView>,
    code: Option<&'static str>,
    reason: Option<String>,
}

/// The answer to `facts`: a move, and what it does.
pub fn facts((r#move, facts): (MoveView, Vec<Fact>)) -> Result<String, Refusal> {
    line("facts", &FactsJson { r#move, facts })
}

#[derive(Serialize)]
struct FactsJson {
    r#move: MoveView,
    facts: Vec<Fact>,
}

pub fn export(record: &Record) -> Result<String, Refusal> {
    let format = match record.format() {
        RecordFormat::Sgf => "sgf",
        RecordFormat::Pdn => "pdn",
    };
    line("export", &ExportJson { format, text: record.to_string() })
}

#[derive(Serialize)]
struct ExportJson {
    format: &'static str,
    text: String,
}
