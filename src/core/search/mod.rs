//! The search: [`run`] takes a [`SearchRequest`] and reports [`SearchEvent`]s.
//!
//! It is independent of the game: it uses only the traits [`Position`](crate::game::Position),
//! [`Heuristics`] and [`Features`]. Each worker is one thread. All workers share the
//! [`TranspositionTable`].
//!
//! Experiments and their figures: `src/core/search/experiments.md`.

mod correction;
mod eval;
mod event;
mod history;
mod mate;
mod memory;
mod move_picker;
mod params;
pub mod proof;
mod pruning;
mod pvs;
mod quiescence;
mod renewal;
mod request;
mod root_moves;
mod score;
mod searcher;
mod signals;
mod singular;
mod stability;
mod stack;
mod threads;
mod time;
mod tt;
mod worker;

pub use event::{BestMove, PvLine, SearchEvent, insert_pv};
pub use memory::SearchMemory;
#[cfg(feature = "tune")]
pub(crate) use params::PARAMETERS;
pub use request::{EvalNoise, SearchOptions, SearchRequest};
pub use score::{Bound, MAX_PLY, Score};
pub use signals::{InputPoll, Signals};
pub use threads::STACK_SIZE;
pub use time::Limits;
pub use tt::{OutOfMemory, TranspositionTable};

use crate::game::{Features, Heuristics};
use mate::search_for_mate;
use renewal::renew_win;
use threads::search_on_threads;
use time::TimeManager;

/// Searches until a limit is reached or a signal stops the search, and returns the best move.
///
/// At least one line is reported. The last report of the first line begins with the returned move.
/// Returns `None` only if there is no legal move.
pub fn run<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    on_event: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let SearchRequest { limits, root, started, signals, .. } = request;
    let time = TimeManager::new(limits, root.side(), *started, signals);
    let mut guard = request.memory.tt.new_search();
    let tt = guard.view(&time);
    renew_win(request, tt, &time);
    let best = match limits.mate {
        Some(moves) => search_for_mate(request, moves, tt, &time, on_event),
        None => search_on_threads(request, tt, &time, on_event),
    };
    drop(guard);
    time.wait_until_end_allowed();
    best
}

/// Searches as `run`, and returns the last line of each of the best moves, the best first: as many as the
/// option `MultiPV` asks for. A score is exact if an iteration with the move was finished. Without a legal
/// move there is no line.
pub fn best_lines<P: Heuristics + Features>(request: &SearchRequest<P>) -> Vec<PvLine<P::Move>> {
    let mut lines = Vec::new();
    run(request, &mut |event| {
        let SearchEvent::Line(line) = event else { return };
        let first = line.pv.first().copied();
        insert_pv(&mut lines, line.multipv, line.bound, line, |other| {
            other.pv.first().copied() == first
        });
    });
    lines
}
