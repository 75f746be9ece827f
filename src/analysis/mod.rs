//! The analysis of games: searches their positions and reviews the moves played.
//!
//! A game is replayed into positions (`replay`), which the analyser searches (`analyser`). The
//! analyses become move reviews (`review`) and reports (`report`), from which the HTML page is made
//! (`html`). `game` combines these steps for one game. `players` summarises the play of each player
//! in many games.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyser;
pub mod game;
pub mod html;
pub mod players;
pub mod replay;
pub mod report;
pub mod review;
