//! English draughts.

mod error;
mod features;
mod handcrafted;
mod heuristics;
mod moves;
mod notation;
mod play;
mod position;
mod rules;
pub mod tables;
mod variant;

pub use error::DraughtsError;
pub use position::{Draughts, DraughtsMove};
pub use rules::{Captures, DraughtsRules};
