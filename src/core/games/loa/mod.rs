//! Lines of Action.

mod facts;
mod features;
mod handcrafted;
mod heuristics;
mod lines;
mod moves;
mod notation;
mod ordering;
mod play;
mod position;
mod rules;
mod variant;

pub use notation::LoaError;
pub use position::{Loa, LoaMove, is_connected};
pub use rules::{LoaRules, NoMove, OpponentConnection, RepetitionSide, Simultaneous};
