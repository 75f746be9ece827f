//! Saves the game to a file.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use soucie::engine::{Engine, PlayedMove};
use soucie::files::printable::plural;
use soucie::files::{atomic_file, regular};
use soucie::game::Side;
use soucie::records::{HeaderField, Record, ReplayError, WinReason, record_game};

#[derive(Debug, Error)]
pub enum SaveError {
    #[error("save: {0} already exists; choose another name")]
    Exists(String),
    #[error("save: {0} has been changed since; choose another name")]
    Changed(String),
    #[error("save: cannot write {0}")]
    Io(#[source] io::Error),
    #[error("save: {0}")]
    Replay(#[from] ReplayError),
    #[error("save: this game has no record format")]
    NoFormat,
}

/// A record that was loaded, with its moves. It is saved as it was read, with
/// its names, comments and variations, as long as nothing else is played.
pub struct ReadRecord {
    pub record: Record,
    pub moves: Vec<PlayedMove>,
}

/// What a saved game has besides the moves of the engine.
pub struct SavedGame<'a> {
    pub engine_sides: &'a [Side],
    pub end: Option<(Option<Side>, &'a str)>,
    pub is_resigned: bool,
    pub read: Option<&'a ReadRecord>,
}

/// The files to which this game was saved, with their contents. Only these may be overwritten.
#[derive(Default)]
pub struct Saved(HashMap<PathBuf, String>);

impl Saved {
    /// Writes the game to a new file, or over one to which it was saved. Returns a message
    /// for the user.
    pub fn write(
        &mut self,
        name: &str,
        engine: &Engine,
        game: &SavedGame,
    ) -> Result<String, SaveError> {
        let path = Path::new(name);
        if fs::symlink_metadata(path).is_ok() {
            let name = name.escape_debug().to_string();
            let Some(saved) = self.0.get(path) else { return Err(SaveError::Exists(name)) };
            let is_same =
                regular::read(path, saved.len() as u64).is_ok_and(|now| now == saved.as_bytes());
            if !is_same {
                return Err(SaveError::Changed(name));
            }
        }
        let (text, moves) = record(engine, game)?;
        atomic_file::write(path, text.as_bytes()).map_err(SaveError::Io)?;
        self.0.insert(path.to_path_buf(), text);
        Ok(format!("Saved {} to {}.", plural(moves as u64, "move", "moves"), name.escape_debug()))
    }
}

/// The record of the game, and the number of its moves.
fn record(engine: &Engine, game: &SavedGame) -> Result<(String, usize), SaveError> {
    let session = engine.session();
    let moves = session.history();
    if let Some(read) = game.read.filter(|read| read.moves == moves) {
        return Ok((read.record.to_string(), moves.len()));
    }
    let moves: Vec<_> = moves.into_iter().map(|played| played.mv.coordinate).collect();
    let rules = |rule: &str| engine.options().rule(rule);
    let record = record_game(session.variant().name, Some(&session.start()), &rules, &moves);
    let mut record = record.ok_or(SaveError::NoFormat)??;
    for (side, info) in [(Side::Black, HeaderField::Black), (Side::White, HeaderField::White)] {
        if game.engine_sides.contains(&side) {
            record.set_info(info, "Soucie");
        }
    }
    if let Some((winner, reason)) = game.end {
        record.add_end(winner, reason);
    }
    if game.is_resigned {
        record.set_win_reason(WinReason::Resignation);
    }
    Ok((record.to_string(), moves.len()))
}
