//! The search, the proof solver, networks and endgame tables.

mod announced_mates;
mod bench;
mod checkerboard;
#[path = "../support/chinook.rs"]
mod chinook;
#[path = "../support/dialogue.rs"]
mod dialogue;
#[path = "../support/fact_witness.rs"]
mod fact_witness;
mod fixed_positions;
mod forced_wins;
mod graph_game;
mod hints;
mod mate_claims;
mod mate_games;
mod network;
#[path = "../support/player.rs"]
mod player;
#[path = "../support/programs.rs"]
mod programs;
mod proof;
#[path = "../support/published_games.rs"]
mod published_games;
#[path = "../support/random_network.rs"]
mod random_network;
mod shuffled_endings;
mod solver;
mod tablebases;
mod threads;
