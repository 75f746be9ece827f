//! The choice of the opening book: a book file, or the built-in book.

use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::book::{self, Book, BookError, HAS_BOOKS};
use crate::files::regular;
use crate::games::GAMES;

/// Why a book file cannot be used.
#[derive(Debug, Error)]
pub enum BookFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It does not hold a book.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// The book of the option `BookFile`, if any. It is kept while another game is played.
#[derive(Clone, Default)]
pub struct OpeningBook {
    named: Option<Arc<Book>>,
}

impl OpeningBook {
    /// Reads a book file. An empty path selects no file.
    pub fn read(path: &str) -> Result<Self, BookFileError> {
        if path.is_empty() || !HAS_BOOKS {
            return Ok(Self::default());
        }
        let book = Book::read(&regular::read(Path::new(path), book::MAX_FILE_SIZE)?)?;
        if GAMES.iter().flat_map(|variants| variants.first()).all(|first| first.name != book.game) {
            return Err(BookError::UnknownGame(book.game).into());
        }
        Ok(Self { named: Some(Arc::new(book)) })
    }

    /// The name of the game of the book of the file, if there is one.
    pub fn game(&self) -> Option<&str> {
        self.named.as_ref().map(|book| book.game.as_str())
    }

    /// The book for a game.
    pub fn for_game(&self, game: &str) -> Option<Arc<Book>> {
        let named = self.named.as_ref().filter(|book| book.game == game);
        named.cloned().or_else(|| book::built_in(game))
    }
}
