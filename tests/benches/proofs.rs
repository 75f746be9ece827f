//! The number of proved wins and the speed of the proof solver: `cargo bench --bench proofs`.
//!
//! The positions are from the last twelve plies of published games that were played to the end,
//! with the later winner to move.

#[path = "../support/published_games.rs"]
mod published_games;

use std::time::{Duration, Instant};

use soucie::game::{Notation, Position, outcome};
use soucie::games::loa::Loa;
use soucie::search::proof::{ProofLimits, ProofResult, ProofSolver};

/// The limit of expansions for a position.
const EXPANSIONS: u64 = 300_000;

/// The size of the table in MiB.
const MIB: usize = 64;

/// The number of plies before the end of a game.
const PLIES: usize = 12;

fn positions() -> Vec<Loa> {
    let mut late = Vec::new();
    for positions in published_games::games() {
        let Some(winner) = positions.last().and_then(outcome).and_then(|end| end.winner) else {
            continue;
        };
        let before = positions.iter().rev().skip(1).take(PLIES);
        late.extend(before.filter(|position| position.side() == winner).copied());
    }
    late
}

fn main() {
    let positions = positions();
    let (mut proved, mut disproved, mut expansions) = (0, 0, 0);
    let (mut answers, mut longest) = (0, 0);
    let mut time = Duration::ZERO;
    let limits = ProofLimits { expansions: EXPANSIONS, stop: &|_| false };
    let mut open = Vec::new();
    for position in &positions {
        let Ok(mut solver) = ProofSolver::<Loa>::new(position.side(), MIB) else { continue };
        let started = Instant::now();
        let outcome = solver.solve(position, &[], None, &limits);
        time += started.elapsed();
        expansions += solver.expansions();
        match outcome {
            ProofResult::Proved { mv, plies } => {
                proved += 1;
                longest = longest.max(plies);
                let unlimited = ProofLimits { expansions: u64::MAX, ..limits };
                answers += solver
                    .strategy(position, &[], (mv, plies), &unlimited)
                    .map_or(0, |strategy| strategy.answers().len());
            }
            ProofResult::Disproved => disproved += 1,
            ProofResult::Open => open.push(position.write_setup()),
        }
    }
    let seconds = time.as_secs_f64();
    println!(
        "{} positions: {proved} proved ({:.1} %), {disproved} disproved, {} open",
        positions.len(),
        100.0 * f64::from(proved) / positions.len() as f64,
        open.len()
    );
    println!("{answers} answers, the longest win in {longest} plies");
    println!(
        "{expansions} expansions in {seconds:.1} s: {:.0} per second",
        expansions as f64 / seconds
    );
    for setup in open {
        println!("open: {setup}");
    }
}
