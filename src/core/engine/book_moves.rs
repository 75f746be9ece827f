//! What is known of the moves of a position in the opening.

use serde::Serialize;

use super::move_view::{MoveView, move_view};
use crate::book::{self, ExploredOpenings, OpeningStatistics};
use crate::game::Game;

/// A move of an opening that the engine has explored, or of the built-in book.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMove {
    pub r#move: MoveView,
    /// What the engine's own games show of it; `None` for a move of the book.
    #[serde(flatten)]
    pub statistics: Option<OpeningStatistics>,
}

/// The moves that were explored in a position, the most frequent first, or else those of the built-in book.
pub(super) fn book_moves<P: Game>(position: &P) -> Vec<BookMove> {
    let explored = ExploredOpenings::built_in::<P>().map(|openings| openings.moves(position));
    let explored = explored.into_iter().flatten().map(|(mv, statistics)| (mv, Some(statistics)));
    let mut known: Vec<_> = explored.collect();
    if known.is_empty() {
        let book = book::built_in(P::name()).map(|book| book.moves(position));
        known.extend(book.unwrap_or_default().into_iter().map(|mv| (mv, None)));
    }
    let book_move = |(mv, statistics)| BookMove { r#move: move_view(position, mv), statistics };
    known.into_iter().map(book_move).collect()
}
