//! Problems: positions in which one move wins, and so on along the solution. [`Checker`] judges the moves of
//! one by proofs, [`game_problems`] finds new ones in games, and [`built_in`] lists those of the program.
//!
//! The built-in ones were made by `soucie problem generate --seeds 1..6000`, those of draughts with endgame tables
//! of six pieces. In the order of the seeds, the first 60 of each grade were taken, without the fields
//! that `problems` does not have. `soucie problem list | soucie problem check -` checks them again;
//! draughts needs the same tables.

#[cfg(not(target_family = "wasm"))]
mod candidate;
#[cfg(not(target_family = "wasm"))]
pub mod check;
#[cfg(not(target_family = "wasm"))]
mod finder;
#[cfg(not(target_family = "wasm"))]
mod games;
#[cfg(not(target_family = "wasm"))]
mod grade;
#[cfg(not(target_family = "wasm"))]
mod moves;
#[cfg(not(target_family = "wasm"))]
pub mod played;
#[cfg(not(target_family = "wasm"))]
mod problem;
#[cfg(not(target_family = "wasm"))]
mod prover;
#[cfg(not(target_family = "wasm"))]
pub mod report;
#[cfg(not(target_family = "wasm"))]
pub mod terms;

#[cfg(not(target_family = "wasm"))]
pub use self::{
    check::Checker,
    finder::GeneratedProblem,
    games::{FoundProblem, GameProblems, game_problems},
    problem::{Problem, with_fault},
};

/// The problems of the games, by the name of their first variant.
const FILES: [(&str, &str); 2] = [
    ("linesofaction", include_str!("linesofaction.jsonl")),
    ("englishdraughts", include_str!("englishdraughts.jsonl")),
];

/// The problems of a game, each a JSON object on a line, the easiest first. `protocol/json.md` describes
/// the fields.
pub fn built_in(game: &str) -> impl Iterator<Item = &'static str> {
    let files = FILES.into_iter().filter(move |(name, _)| *name == game);
    files.flat_map(|(_, text)| text.lines())
}
