//! Problems: positions in which one move wins, and so on along the solution. [`Checker`] judges the moves of
//! one by proofs, and [`game_problems`] finds new ones in games.
//!
//! The [built-in ones](crate::game::Game::PROBLEMS) were made by `soucie problem generate --seeds 1..6000`,
//! those of draughts with endgame tables of six pieces. In the order of the seeds, the first 60 of each
//! grade were taken, without the fields that `problems` does not have. `soucie problem list | soucie problem check -` checks them again;
//! draughts needs the same tables.

mod candidate;
pub mod check;
mod finder;
mod games;
mod grade;
mod moves;
pub mod problem;
mod prover;
pub mod report;

pub use self::{
    check::Checker,
    finder::GeneratedProblem,
    games::{CheckedGame, FoundProblem, GameProblems, game_problems},
    problem::{Problem, with_fault},
};
