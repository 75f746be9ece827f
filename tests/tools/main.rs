//! The subcommands of the program.

mod analyse;
mod book;
mod documents;
mod engine_match;
mod html;
mod play;
mod prove;
mod selfplay;
mod streams;
mod tables;
mod train;
mod xboard;
