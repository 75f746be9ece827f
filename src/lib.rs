//! Soucie, a headless engine that plays Lines of Action and English draughts over a text protocol.
//!
//! A line of input is parsed to a [`protocol::command::Command`]. The [`engine`] executes it on a
//! [`engine::session::GameSession`]. A [`search`] of the position reports principal variations,
//! which are printed as lines of text. The [`search`] depends on a game only through
//! [`game::Position`], and the [`nnue`] network evaluates its positions. The [`games`] do not
//! depend on the search.

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
