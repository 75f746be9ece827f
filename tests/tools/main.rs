//! The subcommands of the program.

mod analyse;
mod book;
mod checkerboard;
mod databases;
mod engine_match;
mod home;
mod html;
mod manual;
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
mod selfplay;
#[path = "../search/solver.rs"]
#[allow(dead_code, reason = "the search uses more of it")]
mod solver;
mod streams;
mod tables;
mod train;
mod xboard;
