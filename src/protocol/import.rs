//! Reads the games of a text: records, move lists, setups and drawn boards.

use std::io::{self, Cursor};

use serde::Deserialize;
use thiserror::Error;

use crate::engine::session::{GameSession, MoveView};
use crate::engine::{EngineError, open, variant_data};
use crate::options::{Options, variant_named};
use crate::records::items::{TextError, TextItem, items};
use crate::records::setups::SetupMoves;
use crate::records::{HeaderField, Record, RecordResult};

/// The object after `import`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The text.
    pub text: String,
    /// The name of the variant of games for which neither the text nor the moves determine it.
    pub variant: Option<String>,
}

/// Why a text cannot be imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// An unknown variant.
    #[error("variant: expected one of {expected}, found '{found}'")]
    Variant {
        /// The names of the variants.
        expected: String,
        /// The name as read.
        found: String,
    },
    /// A text without a game. The first error in it is the reason.
    #[error("{0}")]
    Unreadable(String),
    /// An empty text.
    #[error("no game or position in the text")]
    Empty,
    /// The text could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The games of a text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ImportedText {
    /// The games, at least one. A position is a game without moves.
    pub games: Vec<ImportedGame>,
    /// The first errors in the parts of the text that are not games.
    pub errors: Vec<String>,
}

/// A game that was replayed by the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportedGame {
    /// The name of the variant.
    pub variant: &'static str,
    /// The setup; `None` for the start position of the variant.
    pub setup: Option<String>,
    /// The moves, up to the first that is illegal.
    pub moves: Vec<MoveView>,
    /// The name of the Black player.
    pub black: Option<String>,
    /// The name of the White player.
    pub white: Option<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The date, in the notation of the record.
    pub date: Option<String>,
    /// The result according to the record.
    pub result: RecordResult,
    /// The first illegal move or syntax error, with its location.
    pub error: Option<String>,
}

/// The maximum number of reported errors: a text without games may have one on each line.
const MOST_ERRORS: usize = 64;

/// Reads the games of a text. The rules are those of the options.
pub fn import(request: &ImportRequest, options: &Options) -> Result<ImportedText, ImportError> {
    let default_variant = request.variant.as_deref().map(variant_name).transpose()?;
    let mut text = ImportedText::default();
    let items = |variant| items(Cursor::new(request.text.clone().into_bytes()), variant);
    // The items are the same, except for the variants of games.
    for (item, with_default) in items(None)?.zip(items(default_variant)?) {
        let game = match item {
            TextItem::Game(record) => of_game(&record, with_default, options)
                .map_err(|error| (record.location().line as usize, error)),
            TextItem::Setup { line, text } => {
                of_setup(&text, default_variant, options).map_err(|error| (line, error))
            }
            TextItem::Failure(TextError { line, error }) => Err((line, error)),
        };
        match game {
            Ok(game) => text.games.push(game),
            Err((line, error)) if text.errors.len() < MOST_ERRORS => {
                text.errors.push(format!("line {line}: {error}"));
            }
            Err(_) => {}
        }
    }
    match text.errors.first() {
        _ if !text.games.is_empty() => Ok(text),
        Some(error) => Err(ImportError::Unreadable(error.clone())),
        None => Err(ImportError::Empty),
    }
}

/// The game of a record; that of the record with the default variant, if the variant is open or more
/// of the moves are legal there.
fn of_game(
    record: &Record,
    with_default: TextItem,
    options: &Options,
) -> Result<ImportedGame, String> {
    let TextItem::Game(with_default) = with_default else { return of_record(record, options) };
    if record.variant_is_assumed() || record.moves().next().is_none() {
        return of_record(&with_default, options);
    }
    let game = of_record(record, options)?;
    if game.error.is_none() {
        return Ok(game);
    }
    let other = of_record(&with_default, options).ok();
    Ok(other.filter(|other| other.moves.len() > game.moves.len()).unwrap_or(game))
}

fn variant_name(name: &str) -> Result<&'static str, ImportError> {
    variant_named(name).ok_or_else(|| ImportError::Variant {
        expected: variant_data().map(|data| data.variant.name).collect::<Vec<_>>().join(", "),
        found: name.to_string(),
    })
}

fn of_record(record: &Record, options: &Options) -> Result<ImportedGame, String> {
    let info = |field| record.info(field).filter(|text| !text.is_empty());
    let moves =
        record.turns().map(|(turn, location)| (turn.text.as_str(), format!("{location}: ")));
    let game = replay(record.variant(), record.setup(), moves, options)?;
    Ok(ImportedGame {
        black: info(HeaderField::Black),
        white: info(HeaderField::White),
        event: info(HeaderField::Event),
        date: info(HeaderField::Date),
        result: record.outcome(),
        error: game.error.or(record.fault().map(str::to_string)),
        ..game
    })
}

fn of_setup(
    text: &str,
    default_variant: Option<&'static str>,
    options: &Options,
) -> Result<ImportedGame, String> {
    let played = SetupMoves::read(text);
    let variant = played.variant(default_variant).name;
    let moves = played.moves.iter().map(|mv| (*mv, String::new()));
    replay(variant, played.setup, moves, options)
}

/// Plays moves, each with a prefix for its error message. An invalid setup is an error.
fn replay<'a>(
    variant: &'static str,
    setup: Option<&str>,
    mut moves: impl Iterator<Item = (&'a str, String)>,
    options: &Options,
) -> Result<ImportedGame, String> {
    let mut options = options.clone();
    options.variant = variant;
    let start = || -> Result<(Box<dyn GameSession>, String), EngineError> {
        let mut session = open(&options)?;
        let start_setup = session.start();
        session.set_position(setup, &[])?;
        Ok((session, start_setup))
    };
    let (mut session, start_setup) = start().map_err(|error| error.to_string())?;
    let illegal = |(mv, location): (&str, String)| {
        session.play(mv).err().map(|error| format!("{location}{error}"))
    };
    let error = moves.find_map(illegal);
    Ok(ImportedGame {
        variant,
        setup: Some(session.start()).filter(|setup| *setup != start_setup),
        moves: session.move_views(),
        black: None,
        white: None,
        event: None,
        date: None,
        result: RecordResult::Unknown,
        error,
    })
}
