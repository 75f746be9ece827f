//! The built-in books.
//!
//! They were made by `soucie-lab book build --nodes 5000000`: that of Lines of Action with `--positions
//! 650`; that of draughts by three builds, which a last one joins with `--add` and `--positions 2740`.
//! The first one has 1,260 positions, from a file with `startpos` and the 156 three-move openings that
//! are played, those of `src/core/games/draughts/ballots.txt` that are not marked as barred. The second one
//! has 600 positions of openings that the engine lost as Black, 25, 63, 65, 72, 143 and 154; the third
//! one 1,100 of the last two.

use std::sync::{Arc, LazyLock};

use super::Book;

/// The book files as pairs of name and content.
///
/// The name is `GAME-HASH.book`, with the first eight digits of the file's SHA-256 hash. To add a
/// book, add it here.
pub const FILES: &[(&str, &[u8])] = &[
    ("linesofaction-d2098ac2.book", include_bytes!("books/linesofaction-d2098ac2.book")),
    ("englishdraughts-b9d83b9c.book", include_bytes!("books/englishdraughts-b9d83b9c.book")),
];

/// The built-in book of a game, which is identified by the name of its first variant.
pub fn built_in(game: &str) -> Option<Arc<Book>> {
    static BOOKS: LazyLock<Vec<Arc<Book>>> = LazyLock::new(|| {
        // The tests check that every file is readable.
        FILES.iter().filter_map(|(_, bytes)| Book::read(bytes).ok().map(Arc::new)).collect()
    });
    BOOKS.iter().find(|book| book.game == game).cloned()
}
