//! The analysis of games: searches their positions and reviews the moves played.
//!
//! `game` is the driver: it replays games into positions, which the analyser searches (`analyser`),
//! and makes move reviews (`review`) and reports (`report`) of their analyses. At the levels for learners, games
//! that players of the level play on (`continuations`) confirm mistakes. The HTML page is made
//! of reports (`html`). A `hint` is the best move with reasons.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyser;
mod continuations;
pub mod game;
pub mod hint;
pub mod html;
pub mod report;
pub mod review;
