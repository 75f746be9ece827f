//! The search for a win of at most so many moves, which says for sure if there is none.

use super::clock::Clock;
use super::proof::{Effort, Outcome, Solver};
use super::tt::Entries;
use super::{Bound, Choice, Limits, Line, MAX_PLY, Report, Score, Task, search};
use crate::game::Game;

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
pub(super) fn run<G: Game>(
    task: &Task<G>,
    moves: u32,
    entries: Entries,
    clock: &Clock,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Option<Choice<G::Move>> {
    let limits = Limits {
        depth: Some(task.limits.depth.map_or(first::DEPTH, |depth| depth.min(first::DEPTH))),
        nodes: Some(
            task.limits
                .nodes
                .map_or(first::NODES, |nodes| (nodes / first::SHARE).clamp(1, first::NODES)),
        ),
        ..task.limits.clone()
    };
    let brief = Task { limits: &limits, ..*task };
    let brief_clock = Clock::new(&limits, task.root.side(), task.started, task.signals);
    let mut last = None;
    let choice = search(&brief, entries, &brief_clock, &mut |said| {
        if let Report::Line(line) = &said
            && line.number == 1
        {
            last = Some(line.score);
        }
        report(said);
    });
    if last.and_then(Score::mate_in).is_some_and(|found| found > 0 && found as u32 <= moves) {
        return choice;
    }
    match prove(task, moves, clock) {
        Found::Line(pv) => {
            let found = line(task, entries, clock, pv);
            let choice =
                found.pv.first().map(|&best| Choice { best, ponder: found.pv.get(1).copied() });
            report(Report::Line(found));
            choice
        }
        Found::Nothing { certain } => {
            report(Report::NoMate { certain });
            choice
        }
    }
}

enum Found<M> {
    Line(Vec<M>),
    Nothing { certain: bool },
}

fn prove<G: Game>(task: &Task<G>, moves: u32, clock: &Clock) -> Found<G::Move> {
    let unsure = Found::Nothing { certain: false };
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
    let mut solver = solver.without(spent(task));
    // The move of the loser after the last one may be what makes the win.
    let plies = |moves: u32| moves.saturating_mul(2);
    let deepest = task.limits.depth.map_or(MAX_PLY - 1, |depth| depth.min(MAX_PLY - 1)) as u32;
    let mut found = Found::Nothing { certain: plies(moves) <= deepest };
    for moves in (1..moves.min(ONE_BY_ONE + 1)).chain([moves]) {
        let most = plies(moves).min(deepest);
        match solver.solve(&task.root, task.root_moves, Some(most), &effort) {
            Outcome::Disproved => {}
            Outcome::Proved { key, plies } => {
                let strategy = solver.strategy(&task.root, (key, plies), &effort);
                found = strategy.map_or(unsure, |strategy| Found::Line(strategy.line()));
                break;
            }
            Outcome::Open => {
                found = unsure;
                break;
            }
        }
    }
    task.signals.add_nodes(solver.expansions());
    found
}

/// The positions that may not come once more.
pub(super) fn spent<G: Game>(task: &Task<G>) -> Vec<u64> {
    let Some(needed) = task.root.repetitions().checked_sub(1) else { return Vec::new() };
    let past = task.history.iter().rev().take(task.root.reversible_plies());
    let mut keys: Vec<u64> = past.copied().chain([task.root.key()]).collect();
    keys.sort_unstable();
    let runs = keys.chunk_by(|a, b| a == b).filter(|run| run.len() >= needed);
    runs.filter_map(|run| run.first().copied()).collect()
}

fn line<G: Game>(
    task: &Task<G>,
    entries: Entries,
    clock: &Clock,
    pv: Vec<G::Move>,
) -> Line<G::Move> {
    Line {
        number: 1,
        depth: pv.len(),
        seldepth: pv.len(),
        score: Score::win_in(pv.len()),
        bound: Bound::Exact,
        nodes: task.signals.add_nodes(0),
        time: clock.elapsed(),
        hits: task.signals.hits(),
        fullness: entries.hashfull(),
        pv,
    }
}
