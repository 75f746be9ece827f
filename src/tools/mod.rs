//! What the command line asks for besides the protocol.

pub mod analyse;
mod arguments;
pub mod bench;
pub mod perft;
pub mod prove;
pub mod referee;
pub mod tables;
mod unfinished;
pub mod xboard;
