//! The subcommands of the program.

mod analyse;
#[path = "../support/chinook.rs"]
mod chinook;
mod databases;
#[path = "../support/dialogue.rs"]
mod dialogue;
mod find;
mod home;
mod html;
mod manual;
#[path = "../support/neighbours.rs"]
mod neighbours;
mod openings;
mod play;
mod problem;
#[path = "../support/programs.rs"]
mod programs;
mod prove;
#[path = "../support/published_games.rs"]
mod published_games;
mod reviews;
#[path = "../search/solver.rs"]
#[allow(dead_code, reason = "the search uses more of it")]
mod solver;
mod streams;
mod tables;
mod xboard;
