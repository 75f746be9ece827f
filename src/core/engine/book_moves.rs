//! What the built-in book knows of the moves of a position.

use serde::Serialize;

use super::move_view::{MoveView, move_view};
use crate::book;
use crate::game::Game;

/// A move of the built-in book.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMove {
    pub r#move: MoveView,
}

/// The moves of the built-in book for a position.
pub(super) fn book_moves<P: Game>(position: &P) -> Vec<BookMove> {
    let known = book::built_in(P::name()).map(|book| book.moves(position)).unwrap_or_default();
    known.into_iter().map(|mv| BookMove { r#move: move_view(position, mv) }).collect()
}
