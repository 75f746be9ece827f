//! The cost of replaying and analysing a game by its length: `cargo bench --bench analysis`.
//!
//! The cost of a ply should not grow with the length of the game. The search depth is one ply, so
//! that the other work dominates.

#[path = "../support/programs.rs"]
mod programs;

use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

/// The lengths of the games, in plies.
const LENGTHS: [usize; 4] = [1_000, 2_000, 4_000, 8_000];

/// Both sides move back and forth. Draws by repetition are off.
const MOVES: [&str; 4] = ["b8b6", "a2c2", "b6b8", "c2a2"];

fn main() {
    for plies in LENGTHS {
        let moves: Vec<_> = MOVES.into_iter().cycle().take(plies).collect();
        let started = Instant::now();
        let mut child = programs::soucie()
            .args(["analyse", "-", "--json", "--depth", "1", "--hash", "1", "--jobs", "1"])
            .args(["--variant", "linesofaction", "--option", "Repetition Draw=0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("stdin is piped");
        writeln!(input, "startpos moves {}", moves.join(" ")).expect("the game is written");
        drop(input);
        let status = child.wait().expect("the program ends");
        assert!(status.success(), "{status}");
        let micros = started.elapsed().as_micros() as f64 / plies as f64;
        println!("{plies} plies: {micros:.1} µs per ply");
    }
}
