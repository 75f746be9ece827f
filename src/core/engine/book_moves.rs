//! What is known of the moves of a position without a search: from the engine's own games, or from the book.

use serde::Serialize;

use super::move_view::{MoveView, move_view};
use crate::book::{self, ExploredOpenings};
use crate::game::Game;

/// A known move, with what its games have shown if it was played in some.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMove {
    /// The move.
    pub r#move: MoveView,
    /// The number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// The points of the side that makes the move, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f32>,
    /// The score for this side, in centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
}

/// The known moves of a position: those that were explored, the most frequent first, or else those of the book.
pub(super) fn book_moves<P: Game>(position: &P) -> Vec<BookMove> {
    let explored = ExploredOpenings::built_in::<P>().map(|known| known.moves(position));
    let explored = explored.unwrap_or_default().into_iter().map(|(mv, known)| BookMove {
        r#move: move_view(position, mv),
        games: Some(known.games),
        percent: Some(known.percent),
        cp: Some(known.score),
    });
    let explored: Vec<_> = explored.collect();
    if !explored.is_empty() {
        return explored;
    }
    let moves = book::built_in(P::name()).map(|book| book.moves(position)).unwrap_or_default();
    let (games, percent, cp) = (None, None, None);
    let known = |mv| BookMove { r#move: move_view(position, mv), games, percent, cp };
    moves.into_iter().map(known).collect()
}
