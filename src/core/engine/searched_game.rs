//! The searches of games whose types are known, for other crates.
//!
//! A generic function is compiled in each crate that calls it. These methods are compiled here, so the
//! search is in the library only.

use crate::all_games;
use crate::game::Game;
use crate::search::{self, BestMove, PvLine, SearchEvent, SearchRequest};

/// A game with its searches.
pub trait SearchedGame: Game {
    /// Searches: see [`search::run`].
    fn search(
        request: &SearchRequest<Self>,
        on_event: &mut dyn FnMut(SearchEvent<Self::Move>),
    ) -> Option<BestMove<Self::Move>>;

    /// Searches and returns the lines of the best moves: see [`search::best_lines`].
    fn best_lines(request: &SearchRequest<Self>) -> Vec<PvLine<Self::Move>>;
}

#[doc(hidden)]
#[macro_export]
macro_rules! searched_games {
    ([$($game:ty),+]) => {
        $(impl SearchedGame for $game {
            fn search(
                request: &SearchRequest<Self>,
                on_event: &mut dyn FnMut(SearchEvent<Self::Move>),
            ) -> Option<BestMove<Self::Move>> {
                search::run(request, on_event)
            }

            fn best_lines(request: &SearchRequest<Self>) -> Vec<PvLine<Self::Move>> {
                search::best_lines(request)
            }
        })+
    };
}

all_games!(searched_games);
