//! The search for a win of at most so many moves, which says for sure if there is none.

use super::proof::{Effort, ProofResult, Solver};
use super::time::TimeManager;
use super::tt::TtView;
use super::{BestMove, Bound, Limits, MAX_PLY, PvLine, Score, SearchEvent, SearchRequest, search};
use crate::game::Position;

/// What the usual search may do to find a move to play, and often the win as well.
mod first {
    pub const DEPTH: usize = 6;
    pub const NODES: u64 = 20_000;
    /// The part of a limit of nodes.
    pub const SHARE: u64 = 4;
}

/// Wins of so many moves are looked for one after the other, so that short ones are told at their
/// length; then one of any length that will do.
const ONE_BY_ONE: u32 = 3;

/// The largest table, in MiB: wins that can be told are found with less.
const LARGEST_TABLE: usize = 64;

/// The expansions where nothing else ends the search: some seconds.
const EXPANSIONS: u64 = 300_000;

/// Looks for a win in at most so many moves; the usual search gives the move if there is none.
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
    // The move of the loser after the last one may be what makes the win.
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

/// The positions that may not come once more.
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
