//! The moves that were played from a position, and what is known of them.

use std::cmp::Reverse;

use serde::Serialize;

use super::filter::Filter;
use crate::archives::{Date, GameList, GameResults, MoveStatistics, Occurrence};
use crate::engine::session::GameSession;
use crate::engine::{BookMove, MoveView, read_setup};
use crate::game::{Game, Side, are_same_move, distinct_moves, readable_moves};
use crate::options::Options;
use crate::protocol::refusal::Refusal;
use crate::with_game;

/// The answer to `tree`.
#[derive(Serialize)]
#[serde(tag = "source", rename_all = "lowercase")]
pub(super) enum TreeJson {
    /// From the games of an archive.
    Archive {
        side: Side,
        #[serde(flatten)]
        all: GameResults,
        moves: Vec<MoveJson>,
    },
    /// From explored openings, or else from the built-in book.
    Book { side: Side, moves: Vec<BookMove> },
}

#[derive(Serialize)]
pub(super) struct MoveJson {
    r#move: MoveView,
    #[serde(flatten)]
    results: GameResults,
}

/// The moves of the games from the position of `session`, the most frequent first; `None` if it was stopped.
pub(super) fn tree(
    list: &GameList,
    filter: &Filter,
    session: &dyn GameSession,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Result<Option<TreeJson>, Refusal> {
    let counted = with_game!(session.variant().name, |P, _variant| {
        let position = read_setup::<P>(&session.setup(), options)?;
        count(list, filter, &position, stop)
    });
    let Some((all, moves)) = counted.flatten() else { return Ok(None) };
    let side = session.side();
    let mut moves: Vec<_> = moves.into_iter().zip(session.readable_moves()).collect();
    moves.retain(|(statistics, _)| statistics.games() > 0);
    moves.sort_by_key(|(statistics, _)| Reverse(statistics.games()));
    let row = |(statistics, r#move): (MoveStatistics, _)| MoveJson {
        r#move,
        results: statistics.results(side),
    };
    let moves = moves.into_iter().map(row).collect();
    Ok(Some(TreeJson::Archive { side, all: all.results(side), moves }))
}

/// The statistics of all games with the position, and of those with each of its readable moves; `None` if it
/// was stopped.
fn count<P: Game>(
    list: &GameList,
    filter: &Filter,
    position: &P,
    stop: &dyn Fn() -> bool,
) -> Option<(MoveStatistics, Vec<MoveStatistics>)> {
    let distinct = distinct_moves(position, readable_moves(position));
    let mut all = MoveStatistics::default();
    let mut by_move = vec![MoveStatistics::default(); distinct.len()];
    let is_done = list.search::<P>(
        &filter.query,
        &|head| filter.has_words(head),
        stop,
        &mut |_, head, place| {
            let year = head.date.and_then(Date::read).map(Date::year);
            all.add(head.result, year);
            let Some(Occurrence { position, mv: Some(mv), .. }) = place else { return };
            let at = distinct.iter().position(|other| are_same_move(&position, mv, *other));
            if let Some(moves) = at.and_then(|at| by_move.get_mut(at)) {
                moves.add(head.result, year);
            }
        },
    );
    is_done.then_some((all, by_move))
}

/// What is known of the moves of the position of `session` without an archive.
pub(super) fn book_tree(session: &dyn GameSession) -> TreeJson {
    TreeJson::Book { side: session.side(), moves: session.book_moves() }
}
