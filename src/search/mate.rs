//! Mate search: looks for a win within a number of moves, and proves it if there is none.

use super::proof::{Effort, ProofResult, Solver};
use super::time::TimeManager;
use super::tt::TtView;
use super::{BestMove, Bound, Limits, MAX_PLY, PvLine, Score, SearchEvent, SearchRequest, search};
use crate::game::Position;

/// Limits of the ordinary search that comes first. It finds a move to play, and often the win.
mod first {
    pub const DEPTH: usize = 6;
    pub const NODES: u64 = 20_000;
    /// The divisor of a node limit: the first search gets this fraction of it.
    pub const SHARE: u64 = 4;
}

/// Up to this many moves, the lengths are tried one by one, so that a short win is reported with
/// its true length. Beyond it any win within the limit is accepted.
const ONE_BY_ONE: u32 = 3;

/// The largest table of the solver, in MiB. Wins short enough to report need less.
const LARGEST_TABLE: usize = 64;

/// The limit on expansions where no other limit ends the search: a few seconds.
const EXPANSIONS: u64 = 300_000;

/// Searches for a win in at most `moves` moves. Without one, the ordinary search chooses the move.
pub(super) fn run<P: Position>(
    task: &SearchRequest<P>,
    moves: u32,
    entries: TtView,
    clock: &TimeManager,
    report: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let limits = Limits {
        depth: Some(task.limits.depth.map_or(first::DEPTH, |depth| depth.min(first::DEPTH))),
        nodes: Some(
            task.limits
                .nodes
                .map_or(first::NODES, |nodes| (nodes / first::SHARE).clamp(1, first::NODES)),
        ),
        ..task.limits.clone()
    };
    let brief = SearchRequest { limits: &limits, ..*task };
    let brief_clock = TimeManager::new(&limits, task.root.side(), task.started, task.signals);
    let mut last = None;
    let choice = search(&brief, entries, &brief_clock, &mut |said| {
        if let SearchEvent::Line(line) = &said
            && line.multipv == 1
        {
            last = Some(line.score);
        }
        report(said);
    });
    if last.and_then(Score::mate_in).is_some_and(|found| found > 0 && found as u32 <= moves) {
        return choice;
    }
    match prove(task, moves, clock) {
        MateResult::Line(pv) => {
            let found = line(task, entries, clock, pv);
            let choice =
                found.pv.first().map(|&best| BestMove { best, ponder: found.pv.get(1).copied() });
            report(SearchEvent::Line(found));
            choice
        }
        MateResult::Nothing { certain } => {
            report(SearchEvent::NoMate { certain });
            choice
        }
    }
}

enum MateResult<M> {
    Line(Vec<M>),
    Nothing { certain: bool },
}

fn prove<P: Position>(
    task: &SearchRequest<P>,
    moves: u32,
    clock: &TimeManager,
) -> MateResult<P::Move> {
    let unsure = MateResult::Nothing { certain: false };
    let visited = task.signals.add_nodes(0);
    let stop = |expansions| clock.is_over(visited + expansions) || !clock.may_deepen(1, 1.0);
    let expansions = if task.limits.ends_by_effort() {
        clock.node_limit().saturating_sub(visited)
    } else {
        EXPANSIONS
    };
    let effort = Effort { expansions, stop: &stop };
    let mib = task.table.mib().clamp(1, LARGEST_TABLE);
    let Ok(solver) = Solver::new(task.root.side(), mib) else { return unsure };
    let mut solver = solver.without(exhausted_positions(task));
    // Two plies a move: the reply of the loser may be the ply that completes the win.
    let plies = |moves: u32| moves.saturating_mul(2);
    let deepest = task.limits.depth.map_or(MAX_PLY - 1, |depth| depth.min(MAX_PLY - 1)) as u32;
    let mut found = MateResult::Nothing { certain: plies(moves) <= deepest };
    for moves in (1..moves.min(ONE_BY_ONE + 1)).chain([moves]) {
        let most = plies(moves).min(deepest);
        match solver.solve(&task.root, task.root_moves, Some(most), &effort) {
            ProofResult::Disproved => {}
            ProofResult::Proved { key, plies } => {
                let strategy = solver.strategy(&task.root, (key, plies), &effort);
                found = strategy.map_or(unsure, |strategy| MateResult::Line(strategy.line()));
                break;
            }
            ProofResult::Open => {
                found = unsure;
                break;
            }
        }
    }
    task.signals.add_nodes(solver.expansions());
    found
}

/// Returns the keys of the positions whose next occurrence is a draw by repetition.
pub(super) fn exhausted_positions<P: Position>(task: &SearchRequest<P>) -> Vec<u64> {
    let Some(needed) = task.root.repetitions().checked_sub(1) else { return Vec::new() };
    let past = task.history.iter().rev().take(task.root.reversible_plies());
    let mut keys: Vec<u64> = past.copied().chain([task.root.key()]).collect();
    keys.sort_unstable();
    let runs = keys.chunk_by(|a, b| a == b).filter(|run| run.len() >= needed);
    runs.filter_map(|run| run.first().copied()).collect()
}

fn line<P: Position>(
    task: &SearchRequest<P>,
    entries: TtView,
    clock: &TimeManager,
    pv: Vec<P::Move>,
) -> PvLine<P::Move> {
    PvLine {
        multipv: 1,
        depth: pv.len(),
        seldepth: pv.len(),
        score: Score::win_in(pv.len()),
        bound: Bound::Exact,
        nodes: task.signals.add_nodes(0),
        time: clock.elapsed(),
        tb_hits: task.signals.hits(),
        hashfull: entries.hashfull(),
        pv,
    }
}
