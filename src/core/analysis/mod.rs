//! The analysis of games: searches their positions and reviews the moves played.
//!
//! `game` is the driver: it replays games into positions, which the analyser searches (`analyser`),
//! and makes move reviews (`review`) and reports (`report`) of their analyses. The HTML page is made
//! of reports (`html`). A `hint` is the best move with reasons.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyser;
pub mod game;
pub mod hint;
pub mod html;
pub mod report;
pub mod review;
