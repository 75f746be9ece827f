//! The named levels of playing strength. `game/calibration.rs` has what each does: a weak level searches fewer
//! nodes and adds noise to the evaluation, rather than playing a random move now and then.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::Calibration;

/// A playing strength for human opponents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlayingLevel {
    /// A beginner who looks two plies ahead wins most games. A player of random moves does not.
    Beginner,
    /// A beginner who looks two plies ahead wins about every second game.
    #[default]
    Easy,
    /// The same beginner wins occasionally.
    Medium,
    /// The same beginner does not win; a good player may.
    Hard,
    Full,
}

impl PlayingLevel {
    pub const ALL: [Self; 5] = [Self::Beginner, Self::Easy, Self::Medium, Self::Hard, Self::Full];

    pub const NAMES: &'static str = "beginner, easy, medium, hard or full";

    pub fn name(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Full => "full",
        }
    }

    /// The strength in Elo; `None` at full strength.
    pub fn elo(self, calibration: &Calibration) -> Option<i32> {
        calibration.named.get(self as usize).copied()
    }
}

impl Display for PlayingLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PlayingLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_named = |level: &Self| level.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_named).ok_or_else(|| format!("expected {}", Self::NAMES))
    }
}
