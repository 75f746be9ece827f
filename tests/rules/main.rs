//! The rules and notations of the games, and property tests that every game must pass.

mod draughts;
mod draughts_endings;
mod draughts_notation;
#[path = "../support/fact_witness.rs"]
mod fact_witness;
mod facts;
mod game_history;
mod loa;
mod loa_notation;
mod loa_options;
mod positions;
mod properties;
#[path = "../support/published_games.rs"]
mod published_games;
