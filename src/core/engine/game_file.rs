//! The files that options name for one game: networks (`EvalFile`) and opening books (`BookFile`).

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use crate::book::{self, Book, BookError};
use crate::files::regular;
use crate::game::Game;
use crate::nnue::{self, Network, NetworkError};
use crate::options::Options;
use crate::with_game;

/// Why a file cannot be read, or is not what it should be.
pub type GameFileError = Box<dyn Error + Send + Sync>;

/// What a file holds for one game, which it names.
pub trait GameData: Sized {
    /// The maximum size of a file in bytes.
    const MAX_FILE_SIZE: u64;

    /// Reads the contents of a file.
    fn read(bytes: &[u8]) -> Result<Self, GameFileError>;

    fn game(&self) -> &str;

    /// Checks that it can be used for the game of a variant.
    fn check(&self, variant: &str) -> Result<(), GameFileError>;

    /// What is built in for a game.
    fn built_in(game: &str) -> Option<Arc<Self>>;

    /// Reads a file. If `variant` is given, it must be for the game of that variant.
    fn open(path: &Path, variant: Option<&str>) -> Result<Self, GameFileError> {
        let data = Self::read(&regular::read(path, Self::MAX_FILE_SIZE)?)?;
        data.check(variant.unwrap_or(data.game()))?;
        Ok(data)
    }
}

impl GameData for Network {
    const MAX_FILE_SIZE: u64 = nnue::MAX_FILE_SIZE as u64;

    fn read(bytes: &[u8]) -> Result<Self, GameFileError> {
        Ok(Self::read(bytes)?)
    }

    fn game(&self) -> &str {
        &self.header.game
    }

    fn check(&self, variant: &str) -> Result<(), GameFileError> {
        let unknown = || NetworkError::UnknownGame(variant.to_string());
        Ok(with_game!(variant, |P, _variant| self.suits::<P>()).ok_or_else(unknown)??)
    }

    fn built_in(game: &str) -> Option<Arc<Self>> {
        nnue::built_in(game)
    }
}

impl GameData for Book {
    const MAX_FILE_SIZE: u64 = book::MAX_FILE_SIZE;

    fn read(bytes: &[u8]) -> Result<Self, GameFileError> {
        Ok(Self::read(bytes)?)
    }

    fn game(&self) -> &str {
        &self.game
    }

    fn check(&self, variant: &str) -> Result<(), GameFileError> {
        let is_known = with_game!(variant, |P, _variant| P::name() == self.game) == Some(true);
        if is_known { Ok(()) } else { Err(BookError::UnknownGame(self.game.clone()).into()) }
    }

    fn built_in(game: &str) -> Option<Arc<Self>> {
        book::built_in(game)
    }
}

/// The data of the file that an option names, if any, and the built-in ones for all other games. A file is
/// kept while another game is played: clients may set the variant last.
#[derive(Clone)]
pub struct GameFile<T>(Option<Arc<T>>);

/// The networks to evaluate with.
pub type Evaluator = GameFile<Network>;

impl<T> Default for GameFile<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: GameData> GameFile<T> {
    /// Reads a file; an empty path selects none. If `variant` is given, it must be for the game of that
    /// variant.
    pub fn read(path: &str, variant: Option<&str>) -> Result<Self, GameFileError> {
        let is_named = !path.is_empty();
        Ok(Self(is_named.then(|| T::open(Path::new(path), variant)).transpose()?.map(Arc::new)))
    }

    /// The name of the game of the file, if there is one.
    pub fn game(&self) -> Option<&str> {
        self.0.as_ref().map(|data| data.game())
    }

    /// Checks that the file, if there is one, is for the game of a variant.
    pub fn check(&self, variant: &str) -> Result<(), GameFileError> {
        self.0.as_ref().map_or(Ok(()), |data| data.check(variant))
    }

    /// The data for a game.
    pub fn for_game(&self, game: &str) -> Option<Arc<T>> {
        let named = self.0.as_ref().filter(|data| data.game() == game);
        named.cloned().or_else(|| T::built_in(game))
    }
}

impl Evaluator {
    /// The network for a game; `None` selects the handcrafted evaluation.
    pub fn network(&self, options: &Options, game: &str) -> Option<Arc<Network>> {
        if options.handcrafted { None } else { self.for_game(game) }
    }
}
