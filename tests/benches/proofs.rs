//! How fast wins are proved, and how many: `cargo bench --bench proofs`.
//!
//! The positions are those in which the later winner was to move, up to twelve plies before the
//! end of published games that were played to their end on the board.

#[path = "../support/published_games.rs"]
mod published_games;

use std::time::{Duration, Instant};

use soucie::game::{Notation, Position, outcome};
use soucie::games::loa::Loa;
use soucie::search::proof::{ProofLimits, ProofResult, ProofSolver};

/// The expansions that a position may take.
const EXPANSIONS: u64 = 300_000;

/// The table, in MiB.
const MIB: usize = 64;

/// The plies before the end.
const PLIES: usize = 12;

fn positions() -> Vec<Loa> {
    let mut late = Vec::new();
    for record in published_games::games() {
        let positions = published_games::replay(&record);
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
    let effort = ProofLimits { expansions: EXPANSIONS, stop: &|_| false };
    let mut open = Vec::new();
    for position in &positions {
        let Ok(mut solver) = ProofSolver::<Loa>::new(position.side(), MIB) else { continue };
        let started = Instant::now();
        let outcome = solver.solve(position, &[], None, &effort);
        time += started.elapsed();
        expansions += solver.expansions();
        match outcome {
            ProofResult::Proved { mv, plies } => {
                proved += 1;
                longest = longest.max(plies);
                let more = ProofLimits { expansions: u64::MAX, ..effort };
                answers += solver
                    .strategy(position, (mv, plies), &more)
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
        "{expansions} expansions in {seconds:.1} s: {:.0} a second",
        expansions as f64 / seconds
    );
    for setup in open {
        println!("open: {setup}");
    }
}
