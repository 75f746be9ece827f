//! The files of games: the one with which the console continues, and those to which it saves.

use std::collections::HashMap;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::refusal::ConsoleRefusal;
use soucie::engine::{Engine, PlayedMove};
use soucie::files::printable::plural;
use soucie::files::{atomic_file, regular};
use soucie::game::{RuleSetting, Side};
use soucie::games;
use soucie::records::items::{TextItem, items};
use soucie::records::setups::SetupMoves;
use soucie::records::{HeaderField, Record, WinReason, record_game};

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
pub fn read(name: &str, variant: &'static str) -> Result<LoadedGame, ConsoleRefusal> {
    let shown = || name.escape_debug().to_string();
    let file = regular::open(Path::new(name)).map(BufReader::new);
    let items = file.and_then(|file| items(file, games::variant(variant)));
    let mut items =
        items.map_err(|error| ConsoleRefusal(format!("load: cannot read {}: {error}", shown())))?;
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
            Err(ConsoleRefusal(format!("load: {}, {failure}", shown())))
        }
        None => Err(ConsoleRefusal(format!("load: no game or position in {}", shown()))),
    }
}

fn of_record(record: Record, expected: &'static str) -> Result<LoadedGame, ConsoleRefusal> {
    let found = record.variant();
    if found != expected {
        return Err(ConsoleRefusal(format!(
            "load: expected a game of {expected}, found {found}: see --variant"
        )));
    }
    if let Some(fault) = record.fault() {
        return Err(ConsoleRefusal(format!("load: {fault}")));
    }
    let moves = record.moves().map(str::to_string).collect();
    let played = SetupMoves { setup: record.setup().map(str::to_string), moves };
    let notes = record.rules_fault().into_iter().chain(record.note().map(str::to_string));
    let (rules, notes) = (record.rules(), notes.collect());
    Ok(LoadedGame { played, rules, notes, record: Some(record), is_first: false })
}

/// A record that was loaded, with its moves. It is saved as it was read, with
/// its names, comments and variations, as long as nothing else is played.
struct ReadRecord {
    record: Record,
    moves: Vec<PlayedMove>,
}

/// What a saved game has besides the moves of the engine.
pub struct SavedGame<'a> {
    pub engine_sides: &'a [Side],
    pub end: Option<(Option<Side>, &'a str)>,
    /// Whether the players ended it, and not the rules.
    pub is_agreed: bool,
}

/// The files of the current game.
#[derive(Default)]
pub struct GameFiles {
    /// Those to which it was saved, with their contents. Only these may be overwritten.
    saved: HashMap<PathBuf, String>,
    read: Option<ReadRecord>,
}

impl GameFiles {
    /// Those of a game that continues `record`, which was set up in `engine`.
    pub fn of(record: Option<Record>, engine: &Engine) -> Self {
        let moves = engine.session().history();
        Self { read: record.map(|record| ReadRecord { record, moves }), ..Self::default() }
    }

    /// Writes the game to a new file, or over one to which it was saved. Returns a message
    /// for the user.
    pub fn save(
        &mut self,
        name: &str,
        engine: &Engine,
        game: &SavedGame,
    ) -> Result<String, ConsoleRefusal> {
        let path = Path::new(name);
        if fs::symlink_metadata(path).is_ok() {
            let name = name.escape_debug().to_string();
            let refused = |why| ConsoleRefusal(format!("save: {name} {why}; choose another name"));
            let saved = self.saved.get(path).ok_or_else(|| refused("already exists"))?;
            let is_same =
                regular::read(path, saved.len() as u64).is_ok_and(|now| now == saved.as_bytes());
            if !is_same {
                return Err(refused("has been changed since"));
            }
        }
        let (text, moves) = self.record(engine, game)?;
        atomic_file::write(path, text.as_bytes())
            .map_err(|error| ConsoleRefusal(format!("save: cannot write {error}")))?;
        self.saved.insert(path.to_path_buf(), text);
        Ok(format!("Saved {} to {}.", plural(moves as u64, "move", "moves"), name.escape_debug()))
    }

    /// The record of the game, and the number of its moves.
    fn record(&self, engine: &Engine, game: &SavedGame) -> Result<(String, usize), ConsoleRefusal> {
        let session = engine.session();
        let moves = session.history();
        let is_read = |read: &&ReadRecord| !game.is_agreed && read.moves == moves;
        if let Some(read) = self.read.as_ref().filter(is_read) {
            return Ok((read.record.to_string(), moves.len()));
        }
        let moves: Vec<_> = moves.into_iter().map(|played| played.mv.coordinate).collect();
        let rules = |rule: &str| engine.options().rule(rule);
        let record = record_game(session.variant().name, Some(&session.start()), &rules, &moves);
        let record =
            record.ok_or_else(|| ConsoleRefusal::new("save: this game has no record format"))?;
        let mut record = record.map_err(|error| ConsoleRefusal(format!("save: {error}")))?;
        for (side, info) in [(Side::Black, HeaderField::Black), (Side::White, HeaderField::White)] {
            if game.engine_sides.contains(&side) {
                record.set_info(info, "Soucie");
            }
        }
        if let Some((winner, reason)) = game.end {
            record.add_end(winner, reason);
        }
        if game.is_agreed && game.end.is_some_and(|(winner, _)| winner.is_some()) {
            record.set_win_reason(WinReason::Resignation);
        }
        Ok((record.to_string(), moves.len()))
    }
}
