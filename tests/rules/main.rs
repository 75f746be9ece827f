//! The rules of the games and their notations, and the properties that every game has.

#[path = "../support/dialogue.rs"]
mod dialogue;
mod draughts;
mod draughts_endings;
mod draughts_notation;
mod draughts_positions;
mod game_history;
mod loa;
mod loa_notation;
mod properties;
#[path = "../support/published_games.rs"]
mod published_games;
