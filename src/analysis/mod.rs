//! The analysis of games: searches their positions and reviews the moves played.
//!
//! A game is replayed into positions (`replay`), which the analyser searches (`analyser`). The
//! analyses become move reviews (`review`) and reports (`report`), from which the HTML page is made
//! (`html`). All this for one game is in `game`. The play of
//! each player in many games is in `players`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyser;
pub mod game;
pub mod html;
pub mod players;
pub mod replay;
pub mod report;
pub mod review;
