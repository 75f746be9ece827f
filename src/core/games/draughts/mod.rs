//! English draughts.

mod error;
mod facts;
mod features;
mod handcrafted;
mod heuristics;
mod moves;
mod notation;
mod openings;
mod play;
mod position;
mod rules;
pub mod tablebase;
mod variant;

pub use error::DraughtsError;
pub use openings::BALLOTS;
pub use position::{Draughts, DraughtsMove};
pub use rules::{Captures, DraughtsRules};
