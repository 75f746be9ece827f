//! Reads the game or position with which the console continues.

use std::io::{self, BufReader};
use std::path::Path;

use thiserror::Error;

use soucie::files::regular;
use soucie::game::RuleSetting;
use soucie::games;
use soucie::records::Record;
use soucie::records::items::{TextItem, items};
use soucie::records::setups::SetupMoves;

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("load: cannot read {0}: {1}")]
    Io(String, #[source] io::Error),
    #[error("load: no game or position in {0}")]
    Nothing(String),
    #[error("load: {0}")]
    Unreadable(String),
    #[error("load: expected a game of {expected}, found {found}: see --variant")]
    Variant {
        /// The variant of the console.
        expected: &'static str,
        /// The variant of the game.
        found: &'static str,
    },
}

pub struct LoadedGame {
    pub played: SetupMoves,
    /// The record, if the file has a game and not only a position.
    pub record: Option<Record>,
    pub rules: Vec<RuleSetting>,
    /// Why no rules are read from its header for them, and what is assumed about the file.
    pub notes: Vec<String>,
    /// Whether the file has more games.
    pub is_first: bool,
}

/// Reads the first game or position of a file, in any format that `soucie analyse` reads.
pub fn read(name: &str, variant: &'static str) -> Result<LoadedGame, LoadError> {
    let shown = || name.escape_debug().to_string();
    let file = regular::open(Path::new(name)).map(BufReader::new);
    let items = file.and_then(|file| items(file, games::variant(variant)));
    let mut items = items.map_err(|error| LoadError::Io(shown(), error))?;
    match items.next() {
        Some(TextItem::Game(record)) => {
            Ok(LoadedGame { is_first: items.next().is_some(), ..of_record(*record, variant)? })
        }
        Some(TextItem::Setup { setup, .. }) => Ok(LoadedGame {
            played: setup,
            record: None,
            rules: Vec::new(),
            notes: Vec::new(),
            is_first: false,
        }),
        Some(TextItem::Failure(failure)) => {
            Err(LoadError::Unreadable(format!("{}, {failure}", shown())))
        }
        None => Err(LoadError::Nothing(shown())),
    }
}

fn of_record(record: Record, expected: &'static str) -> Result<LoadedGame, LoadError> {
    let found = record.variant();
    if found != expected {
        return Err(LoadError::Variant { expected, found });
    }
    if let Some(fault) = record.fault() {
        return Err(LoadError::Unreadable(fault.to_string()));
    }
    let moves = record.moves().map(str::to_string).collect();
    let played = SetupMoves { setup: record.setup().map(str::to_string), moves };
    let notes = record.rules_fault().into_iter().chain(record.note().map(str::to_string));
    let (rules, notes) = (record.rules(), notes.collect());
    Ok(LoadedGame { played, rules, notes, record: Some(record), is_first: false })
}
