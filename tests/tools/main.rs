//! The subcommands of the program.

mod analyse;
mod book;
mod checkerboard;
mod databases;
mod engine_match;
mod home;
mod html;
mod manual;
mod openings;
mod play;
mod problem;
#[path = "../support/programs.rs"]
mod programs;
mod prove;
mod reviews;
mod selfplay;
mod streams;
mod tables;
mod train;
mod xboard;
