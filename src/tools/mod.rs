//! The commands of the command line other than the protocol.

pub mod analyse;
pub mod arguments;
pub mod bench;
pub mod book;
pub mod completions;
mod endgame_tables;
mod engine_events;
pub mod engine_match;
pub mod error;
mod fingerprint;
mod interrupt;
mod journal;
pub mod man;
pub mod openings;
mod ordered_map;
pub mod perft;
pub mod problem;
mod progress;
pub mod prove;
pub mod rules;
pub mod samples;
pub mod selfplay;
pub mod tables;
pub mod train;
pub mod xboard;
