//! Mate search: looks for a win within a number of moves, and proves it if there is none.

use super::event::{BestMove, PvLine, SearchEvent};
use super::proof::{ProofLimits, ProofResult, ProofSolver};
use super::request::SearchRequest;
use super::score::{Bound, MAX_PLY, Score};
use super::threads::search_on_threads;
use super::time::{Limits, TimeManager};
use super::tt::TtView;
use crate::game::{Features, Heuristics};

/// Limits of the ordinary search that comes first. It finds a move to play, and often the win.
mod first {
    pub const DEPTH: usize = 6;
    pub const NODES: u64 = 20_000;
    /// The divisor of a node limit: the first search gets this fraction of it.
    pub const NODES_DIVISOR: u64 = 4;
}

/// Up to this many moves, the lengths are tried one by one, so that a short win is reported with
/// its true length. Beyond it any win within the limit is accepted.
const ONE_BY_ONE: u32 = 3;

/// The largest table of the solver, in MiB. Wins short enough to report need less.
const MAX_TABLE: usize = 64;

/// The limit on expansions where no other limit ends the search: a few seconds.
const EXPANSIONS: u64 = 300_000;

/// Searches for a win in at most `moves` moves. Without one, the ordinary search chooses the move.
pub(super) fn search_for_mate<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    moves: u32,
    tt: TtView,
    time: &TimeManager,
    on_event: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let limits =
        Limits {
            depth: Some(request.limits.depth.map_or(first::DEPTH, |depth| depth.min(first::DEPTH))),
            nodes: Some(request.limits.nodes.map_or(first::NODES, |nodes| {
                (nodes / first::NODES_DIVISOR).clamp(1, first::NODES)
            })),
            ..request.limits.clone()
        };
    let first_request = SearchRequest { limits: &limits, ..*request };
    let first_time =
        TimeManager::new(&limits, request.root.side(), request.started, request.signals);
    let mut score = None;
    let best_move = search_on_threads(&first_request, tt, &first_time, &mut |event| {
        if let SearchEvent::Line(line) = &event
            && line.multipv == 1
        {
            score = Some(line.score);
        }
        on_event(event);
    });
    if score.and_then(Score::mate_in).is_some_and(|mate| mate > 0 && mate as u32 <= moves) {
        return best_move;
    }
    match prove(request, moves, time) {
        MateResult::Mate(pv) => {
            let best_move = pv.first().map(|&best| BestMove { best, ponder: pv.get(1).copied() });
            on_event(SearchEvent::Line(mate_pv(request, tt, time, pv)));
            best_move
        }
        MateResult::NoMate { certain } => {
            on_event(SearchEvent::NoMate { certain });
            best_move
        }
    }
}

/// The result of the proof search: the line of a win, or none.
enum MateResult<M> {
    Mate(Vec<M>),
    NoMate { certain: bool },
}

/// Proves that there is a win in at most `moves` moves, or that there is none.
fn prove<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    moves: u32,
    time: &TimeManager,
) -> MateResult<P::Move> {
    let unknown = MateResult::NoMate { certain: false };
    let nodes = request.signals.nodes();
    let stop = |expansions| time.is_over(nodes + expansions) || !time.may_deepen(1, 1.0);
    let expansions = if request.limits.ends_by_effort(request.root.side()) {
        time.node_limit().saturating_sub(nodes)
    } else {
        EXPANSIONS
    };
    let limits = ProofLimits { expansions, stop: &stop };
    let mib = request.memory.mib().clamp(1, MAX_TABLE);
    let Ok(mut solver) = ProofSolver::new(request.root.side(), mib) else { return unknown };
    solver.set_game(&request.root, request.history);
    // Two plies a move: the reply of the loser may be the ply that completes the win.
    let plies = |moves: u32| moves.saturating_mul(2);
    let deepest = request.limits.depth.map_or(MAX_PLY - 1, |depth| depth.min(MAX_PLY - 1)) as u32;
    let mut result = MateResult::NoMate { certain: plies(moves) <= deepest };
    for moves in (1..moves.min(ONE_BY_ONE + 1)).chain([moves]) {
        let max_plies = plies(moves).min(deepest);
        match solver.solve(&request.root, request.root_moves, Some(max_plies), &limits) {
            ProofResult::Disproved => {}
            ProofResult::Proved { mv, plies } => {
                let strategy =
                    solver.strategy(&request.root, request.root_moves, (mv, plies), &limits);
                let strategy = strategy.ok().filter(|strategy| strategy.plies() <= max_plies);
                result = strategy.map_or(unknown, |strategy| MateResult::Mate(strategy.line()));
                break;
            }
            ProofResult::Open => {
                result = unknown;
                break;
            }
        }
    }
    request.signals.add_nodes(solver.expansions());
    result
}

fn mate_pv<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    tt: TtView,
    time: &TimeManager,
    pv: Vec<P::Move>,
) -> PvLine<P::Move> {
    PvLine {
        multipv: 1,
        lines: 1,
        depth: pv.len(),
        seldepth: pv.len(),
        score: Score::win_in(pv.len()),
        bound: Bound::Exact,
        is_drawn: false,
        nodes: request.signals.nodes(),
        time: time.elapsed(),
        tb_hits: request.signals.tb_hits(),
        hashfull: tt.hashfull(),
        pv,
    }
}
