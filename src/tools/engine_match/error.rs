//! The errors of a match.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::engine::EngineError;
use crate::files::paths::Conflict;
use crate::options::OptionError;
use crate::tools::journal::JournalError;
use crate::tools::openings::OpeningsError;

/// The errors that prevent or abort a match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The command line of an engine cannot be parsed.
    #[error("cannot parse the command line '{0}'")]
    Command(String),
    /// An engine cannot be started or configured.
    #[error("engine {name}: {why}")]
    Start {
        /// The name of the engine.
        name: String,
        /// The cause.
        why: String,
    },
    /// An output file is also an input or another output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The openings cannot be read.
    #[error("{path}: {error}")]
    Openings {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file of openings is invalid.
    #[error("{0}: {1}")]
    InvalidOpenings(PathBuf, OpeningsError),
    /// Games would end before the engines move.
    #[error("--max-plies {max_plies}: expected more than the {plies} plies of an opening")]
    MaxPlies {
        /// The number of plies after which a game is drawn.
        max_plies: usize,
        /// The number of plies of the longest opening.
        plies: usize,
    },
    /// There is no random opening to play.
    #[error(transparent)]
    Opening(#[from] OpeningsError),
    /// The endgame tables cannot be opened.
    #[error("tables: {0}")]
    Tables(String),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The part of the match has games that the match does not have.
    #[error("--games-range {first}..{end}: the match has only {games} games")]
    Range {
        /// The index of the first game.
        first: usize,
        /// The index after the last game.
        end: usize,
        /// The number of games of the match.
        games: usize,
    },
    /// Two journals of one match have the same game.
    #[error("{path}: game {number} is also in {other}: a game counts once")]
    Twice {
        /// The path of the second file.
        path: PathBuf,
        /// The number of the game.
        number: usize,
        /// The path of the first file.
        other: PathBuf,
    },
    /// The two engines have different rule options.
    #[error("both engines must be given the same rule options, in the same order")]
    Rules,
    /// A variant or rule does not exist.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The start position cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The worker threads cannot be created.
    #[error("cannot play {at_once} games at a time: {error}")]
    Threads {
        /// The number of concurrent games requested.
        at_once: usize,
        /// The cause.
        error: io::Error,
    },
    /// Output cannot be written.
    #[error("output: {0}")]
    Output(#[from] io::Error),
}
