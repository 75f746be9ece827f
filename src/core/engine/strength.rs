//! Limited playing strength. A weak level imitates a weak player: it searches fewer nodes and adds
//! noise to the evaluation, rather than playing a random move now and then.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::{Calibration, StrengthLevel};

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

/// The restrictions of a weakened search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    pub nodes: u64,
    pub depth: Option<usize>,
    /// The amplitude of the evaluation noise, in units of the evaluation.
    pub eval_noise: i32,
}

impl Calibration {
    /// The handicap for a strength in Elo, interpolated between the neighbouring levels, with the
    /// depth limit of the one below and the node limit that this depth needs. Beyond the range of
    /// the table the nearest level is used. `None` if the table is empty.
    pub fn handicap(&self, elo: i32) -> Option<Handicap> {
        let above = self.levels.iter().find(|level| level.elo >= elo).or(self.levels.last())?;
        let below = self.levels.iter().rev().find(|level| level.elo <= elo).unwrap_or(above);
        let span = f64::from(above.elo - below.elo);
        let part = if span > 0.0 { f64::from(elo - below.elo) / span } else { 0.0 };
        let between = |low: f64, high: f64| low + part * (high - low);
        let nodes = |level: &StrengthLevel| (level.nodes as f64).ln();
        let interpolated = || between(nodes(below), nodes(above)).exp().round() as u64;
        Some(Handicap {
            nodes: below.depth.map_or_else(interpolated, |_| below.nodes),
            depth: below.depth,
            eval_noise: between(below.eval_noise.into(), above.eval_noise.into()) as i32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{EvalScale, chances, level, one_ply};

    const LEVELS: &[StrengthLevel] =
        &[one_ply(0, 600), level(100, 50, 400), level(300, 50, 0), level(500, 5_000, 0)];

    #[test]
    fn handicaps_are_interpolated_between_levels() {
        let any = EvalScale { margin: 0.0, spread: 100.0 };
        let calibration = Calibration {
            network: any,
            handcrafted: any,
            levels: LEVELS,
            named: [100, 200, 300, 500],
            chances: [chances(0.0, 100.0); 4],
        };
        let table = [
            (-100, 20_000, Some(1), 600),
            (0, 20_000, Some(1), 600),
            (50, 20_000, Some(1), 500),
            (100, 50, None, 400),
            (200, 50, None, 200),
            (300, 50, None, 0),
            (400, 500, None, 0),
            (900, 5_000, None, 0),
        ];
        for (elo, nodes, depth, eval_noise) in table {
            let expected = Handicap { nodes, depth, eval_noise };
            assert_eq!(calibration.handicap(elo), Some(expected), "{elo}");
        }
        assert_eq!(Calibration { levels: &[], ..calibration }.handicap(100), None);
    }
}
