//! What the command line asks for besides the protocol.

pub mod analyse;
mod arguments;
pub mod bench;
mod interrupt;
mod journal;
mod ordered;
pub mod perft;
pub mod prove;
pub mod referee;
pub mod rules;
pub mod samples;
pub mod selfplay;
pub mod tables;
pub mod train;
mod words;
pub mod xboard;

use crate::files::unfinished;
