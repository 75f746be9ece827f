//! The commands of the laboratory.

mod book;
mod engine_match;
#[path = "../support/neighbours.rs"]
mod neighbours;
mod openings;
#[path = "../support/programs.rs"]
mod programs;
mod selfplay;
mod train;

/// Each command that writes or resumes files, and the files.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("match --nodes 5 --games 2 --variant draughts --record d.pdn --resume d", &["d.pdn", "d"]),
    ("selfplay --seeds 0..2 --nodes 20 --threads 1 --out e.samples", &["e.samples"]),
    ("selfplay --explore 30 --seeds 0..2 --nodes 20 --threads 1 --out g.samples", &["g.samples"]),
    ("book explored g.samples --least 1 --nodes 20 --threads 1 --out g.txt", &["g.txt"]),
    ("train --data e.samples --out . --epochs 1 --batch 64 --scale 300", &[]),
    ("book build --positions 2 --nodes 50 --threads 1 --journal f --out .", &["f"]),
];

#[test]
fn no_command_touches_the_files_beside_its_own() {
    neighbours::check_commands(&COMMANDS);
}
