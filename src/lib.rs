//! Soucie, a headless engine that plays Lines of Action over a text protocol.

pub mod game;
pub mod games;
pub mod search;
