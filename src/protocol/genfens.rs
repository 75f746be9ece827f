//! The command `genfens`: random openings for self-play, in the form of OpenBench.

use std::path::Path;

use thiserror::Error;

use crate::engine::session::GameSession;
use crate::engine::{EngineError, mix};
use crate::files::regular;

/// The minimum number of random plies. Half of the openings have one more, so that both sides are
/// to move equally often.
const PLIES: u64 = 8;

/// The number of attempts at an opening after which there is probably none.
const ATTEMPTS: usize = 1_000;

/// The maximum number of openings of one command.
pub const MOST: u64 = 10_000;

/// The maximum size of a book in bytes.
const LARGEST_BOOK: u64 = 256 << 20;

/// A `genfens` command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningRequest {
    /// The number of openings, at most [`MOST`].
    pub count: u64,
    /// The seed: the same openings come from the same seed.
    pub seed: u64,
    /// A file with one setup per line; `None` for the start position of the variant.
    pub book: Option<String>,
}

/// Why openings cannot be generated.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The book cannot be read.
    #[error("cannot read {path}: {error}")]
    Book {
        /// The path of the book.
        path: String,
        /// The error of the system.
        #[source]
        error: std::io::Error,
    },
    /// The book has no line with a setup.
    #[error("{0} has no setup")]
    NoSetup(String),
    /// Every attempt ended with a finished game.
    #[error("random moves always end the game")]
    Finished,
    /// A setup of the book is not valid.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Generates openings: setups in which the game is not over. `write` gets each of them.
pub fn generate<E: From<OpeningError>>(
    request: &OpeningRequest,
    session: &dyn GameSession,
    mut write: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let book = request.book.as_deref().map(read_book).transpose()?;
    let mut random = SplitMix(request.seed);
    let mut game = session.copy();
    for _ in 0..request.count {
        write(&opening(&mut *game, book.as_deref(), &mut random)?)?;
    }
    Ok(())
}

/// The setups of a book, which are the first fields of its lines up to a semicolon.
fn read_book(path: &str) -> Result<Vec<String>, OpeningError> {
    let book = regular::read(Path::new(path), LARGEST_BOOK)
        .map_err(|error| OpeningError::Book { path: path.to_string(), error })?;
    let book = String::from_utf8_lossy(&book);
    let setups = book.lines().map(|line| line.split(';').next().unwrap_or_default().trim());
    let setups: Vec<String> = setups.filter(|line| !line.is_empty()).map(str::to_string).collect();
    if setups.is_empty() { Err(OpeningError::NoSetup(path.to_string())) } else { Ok(setups) }
}

fn opening(
    game: &mut dyn GameSession,
    book: Option<&[String]>,
    random: &mut SplitMix,
) -> Result<String, OpeningError> {
    for _ in 0..ATTEMPTS {
        let setup = book.and_then(|book| random.choose(book)).map(String::as_str);
        game.set_position(setup, &[])?;
        for _ in 0..PLIES + random.below(2) {
            let moves = game.view().moves;
            let Some(mv) = random.choose(&moves) else { break };
            game.play(mv)?;
        }
        let view = game.view();
        if view.outcome.is_none() {
            return Ok(view.setup);
        }
    }
    Err(OpeningError::Finished)
}

/// The generator SplitMix64: <https://prng.di.unimi.it/splitmix64.c>.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `end`; 0 if `end` is 0. Its bias does not matter here.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }
}
