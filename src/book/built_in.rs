//! The built-in books.
//!
//! They were made by `soucie book build --nodes 5000000`: that of Lines of Action with `--positions
//! 650`, that of draughts with `--positions 1260` from a file with `startpos` and the 156 three-move
//! openings that are played, those of `src/games/draughts/ballots.txt` that are not marked as
//! barred.

use std::sync::{Arc, LazyLock};

use super::Book;

/// Builds a table of the files with these names in the folder `books`.
macro_rules! books {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("books/", $name)))),*]
    };
}

/// The book files as pairs of name and content.
///
/// The name is `GAME-HASH.book`, with the first eight digits of the file's SHA-256 hash. To add a
/// book, add its name here.
pub const FILES: &[(&str, &[u8])] =
    books!["linesofaction-d2098ac2.book", "englishdraughts-de605fd8.book"];

/// The built-in book of a game, which is identified by the name of its first variant.
pub fn built_in(game: &str) -> Option<Arc<Book>> {
    static BOOKS: LazyLock<Vec<Arc<Book>>> = LazyLock::new(|| {
        // The tests check that every file is readable.
        FILES.iter().filter_map(|(_, bytes)| Book::read(bytes).ok().map(Arc::new)).collect()
    });
    BOOKS.iter().find(|book| book.game == game).cloned()
}
