//! Soucie, a headless engine that plays Lines of Action and English draughts over a text
//! protocol.
//!
//! A line of text becomes a [`protocol::command::Command`], which the [`engine`] carries out on
//! a [`engine::session::GameSession`]; a [`search`] of its position reports lines of play, which
//! become lines of text again. The [`search`] knows a game only as [`game::Position`], and judges
//! positions by a learned [`nnue`]; the [`games`] know nothing of being searched.

pub mod console;
pub mod engine;
pub mod files;
pub mod game;
pub mod games;
pub mod nnue;
pub mod options;
pub mod protocol;
pub mod records;
pub mod search;
pub mod tools;
