//! What the command line asks for besides the protocol.

pub mod bench;
pub mod perft;
pub mod referee;
pub mod xboard;
