//! The command `archive`: games in memory, searched by their heads and positions, for explorers of openings.

mod filter;
mod open;
mod tree;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::handler::Job;
use super::import::ImportPart;
use super::json::line;
use super::refusal::Refusal;
use crate::engine::session::GameSession;
use crate::options::Options;
use filter::Filter;
pub use filter::FilterRequest;
use open::OpenArchive;

/// What follows `archive`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArchiveCommand {
    /// Begins an archive without games.
    Open,
    /// Adds the games of a part of a text.
    Add(ImportPart),
    /// The moves played from the position.
    Tree(FilterRequest),
    Find(FilterRequest),
    /// Rows of the games that were found.
    Games(RowsRequest),
    /// The moves of a game.
    Game(GameRequest),
    /// Frees the archive.
    Close,
}

impl ArchiveCommand {
    /// Whether the answer depends on the position of the engine.
    pub(super) fn has_position(&self) -> bool {
        matches!(self, Self::Tree(_) | Self::Find(FilterRequest { position: true, .. }))
    }
}

/// The object after `archive games`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RowsRequest {
    pub offset: usize,
    /// The maximum number of rows, at most 100.
    pub limit: usize,
}

impl Default for RowsRequest {
    fn default() -> Self {
        Self { offset: 0, limit: MOST_ROWS }
    }
}

/// The object after `archive game`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// The number of the game, from 1.
    pub number: usize,
}

/// The maximum number of rows of an answer.
const MOST_ROWS: usize = 100;

const MOST_GAMES: usize = 4_000_000;

/// The maximum size of the texts of an archive in MiB. WebAssembly has less memory.
const MOST_MIB: usize = if cfg!(target_family = "wasm") { 512 } else { 2048 };

/// The maximum size of the texts that wait for a search, in bytes.
const MOST_WAITING: usize = 8 << 20;

/// The archive of a client. Jobs use it one after the other.
#[derive(Default)]
pub struct SharedArchive {
    open: Mutex<Option<OpenArchive>>,
    /// The size of the texts that wait to be added, in bytes.
    waiting: AtomicUsize,
}

/// The length of a text while it waits and is added.
struct WaitingText {
    archive: Arc<SharedArchive>,
    length: usize,
}

impl WaitingText {
    fn new(archive: &Arc<SharedArchive>, length: usize) -> Result<Self, Refusal> {
        let before = archive.waiting.fetch_add(length, Relaxed);
        // It is not waiting any more when it is dropped, also by an error.
        let text = Self { archive: Arc::clone(archive), length };
        let is_alone = before == 0;
        if is_alone || before + length <= MOST_WAITING {
            Ok(text)
        } else {
            Err(Refusal::new(
                "too much text waits for a search; send a part after the answer to the one before",
            ))
        }
    }
}

impl Drop for WaitingText {
    fn drop(&mut self) {
        self.archive.waiting.fetch_sub(self.length, Relaxed);
    }
}

/// A command about the position of `session`.
pub(super) fn job(
    command: ArchiveCommand,
    archive: &Arc<SharedArchive>,
    session: &dyn GameSession,
    options: &Options,
) -> Result<Job, Refusal> {
    let waiting = match &command {
        ArchiveCommand::Add(part) => Some(WaitingText::new(archive, part.text.len())?),
        _ => None,
    };
    let (archive, session, options) = (Arc::clone(archive), session.fork(), options.clone());
    Ok(Box::new(move |signals, _| {
        let _until_added = waiting;
        let mut archive = archive.open.lock().unwrap_or_else(PoisonError::into_inner);
        answer(command, &mut archive, &*session, &options, &|| signals.is_stopped())
    }))
}

fn answer(
    command: ArchiveCommand,
    archive: &mut Option<OpenArchive>,
    session: &dyn GameSession,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Result<String, Refusal> {
    if stop() {
        if let (ArchiveCommand::Add(_), Some(open)) = (&command, archive.as_mut()) {
            open.end_text();
        }
        return Ok(STOPPED.to_string());
    }
    match command {
        ArchiveCommand::Open => *archive = Some(OpenArchive::default()),
        ArchiveCommand::Close => *archive = None,
        _ => {}
    }
    let games = archive.as_ref().map(OpenArchive::len);
    let open = archive.as_mut();
    let open = open.ok_or_else(|| Refusal::new("none is open; begin with 'archive open'"));
    match command {
        ArchiveCommand::Open | ArchiveCommand::Close => line("archive", &ArchiveJson { games }),
        ArchiveCommand::Tree(_) if games.is_none() => line("archive", &tree::book_tree(session)),
        ArchiveCommand::Tree(request) => {
            let request = FilterRequest { position: true, ..request };
            let filter = Filter::read(&request, session)?;
            match tree::tree(open?.list(), &filter, session, options, stop)? {
                Some(tree) => line("archive", &tree),
                None => Ok(STOPPED.to_string()),
            }
        }
        ArchiveCommand::Add(part) => line("archive", &open?.add(&part)?),
        ArchiveCommand::Find(request) => {
            let open = open?;
            match open.find(&Filter::read(&request, session)?, stop) {
                Some(()) => line("archive", &open.rows(&RowsRequest::default())),
                None => Ok(STOPPED.to_string()),
            }
        }
        ArchiveCommand::Games(request) => line("archive", &open?.rows(&request)),
        ArchiveCommand::Game(GameRequest { number }) => {
            line("archive", &open?.game(number, options)?)
        }
    }
}

/// The answer to a command that was stopped.
const STOPPED: &str = r#"archive {"stopped":true}"#;

/// The answer to `open` and `close`.
#[derive(Serialize)]
struct ArchiveJson {
    /// The number of games; null if none is open.
    games: Option<usize>,
}
