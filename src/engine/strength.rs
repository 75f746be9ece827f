//! Limited playing strength. A weak level imitates a weak player: it searches fewer nodes and adds
//! noise to the evaluation, rather than playing a random move now and then.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::{Calibration, StrengthLevel};

/// A playing strength for human opponents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlayingLevel {
    /// A beginner who looks two plies ahead wins about every second game.
    #[default]
    Easy,
    /// The same beginner wins occasionally.
    Medium,
    /// The same beginner does not win; a good player may.
    Hard,
    /// Full strength.
    Full,
}

impl PlayingLevel {
    /// The levels in increasing strength.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Full];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
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
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_named = |level: &Self| level.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_named).ok_or("expected easy, medium, hard or full")
    }
}

/// The restrictions of a weakened search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The node limit.
    pub nodes: u64,
    /// The amplitude of the evaluation noise, in units of the evaluation.
    pub eval_noise: i32,
}

impl Calibration {
    /// The handicap for a strength in Elo, interpolated between the neighbouring levels. Beyond the
    /// range of the table the nearest level is used. `None` if the table is empty.
    pub(super) fn handicap(&self, elo: i32) -> Option<Handicap> {
        let above = self.levels.iter().find(|level| level.elo >= elo).or(self.levels.last())?;
        let below = self.levels.iter().rev().find(|level| level.elo <= elo).unwrap_or(above);
        let span = f64::from(above.elo - below.elo);
        let part = if span > 0.0 { f64::from(elo - below.elo) / span } else { 0.0 };
        let between = |low: f64, high: f64| low + part * (high - low);
        let nodes = |level: &StrengthLevel| (level.nodes as f64).ln();
        Some(Handicap {
            nodes: between(nodes(below), nodes(above)).exp().round() as u64,
            eval_noise: between(below.eval_noise.into(), above.eval_noise.into()) as i32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::EvalScale;

    const LEVELS: &[StrengthLevel] = &[
        StrengthLevel { elo: 100, nodes: 50, eval_noise: 400 },
        StrengthLevel { elo: 300, nodes: 50, eval_noise: 0 },
        StrengthLevel { elo: 500, nodes: 5_000, eval_noise: 0 },
    ];

    #[test]
    fn handicaps_are_interpolated_between_levels() {
        let any = EvalScale { margin: 0.0, spread: 100.0 };
        let calibration =
            Calibration { network: any, handcrafted: any, levels: LEVELS, named: [100, 300, 500] };
        let table = [
            (0, 50, 400),
            (100, 50, 400),
            (200, 50, 200),
            (300, 50, 0),
            (400, 500, 0),
            (900, 5_000, 0),
        ];
        for (elo, nodes, eval_noise) in table {
            assert_eq!(calibration.handicap(elo), Some(Handicap { nodes, eval_noise }), "{elo}");
        }
        assert_eq!(Calibration { levels: &[], ..calibration }.handicap(100), None);
    }
}
