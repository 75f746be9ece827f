//! Playing weaker than one can, as a weaker player does: by looking less far ahead and by
//! misjudging positions, not by throwing a move away now and then.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::{Calibration, StrengthLevel};

/// How strongly to play, as a person chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlayingLevel {
    /// A beginner who looks two plies ahead wins about every other game.
    Easy,
    /// Such a beginner wins now and then.
    Medium,
    /// Such a beginner does not win; a good player may.
    Hard,
    /// As strong as it can.
    #[default]
    Full,
}

impl PlayingLevel {
    const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Full];

    /// The strength in Elo; none where nothing holds the engine back.
    pub fn elo(self, calibration: &Calibration) -> Option<i32> {
        calibration.named.get(self as usize).copied()
    }
}

impl Display for PlayingLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Full => "full",
        })
    }
}

impl FromStr for PlayingLevel {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_named = |level: &Self| level.to_string().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_named).ok_or("expected easy, medium, hard or full")
    }
}

/// How a search is held back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The positions that it may visit.
    pub nodes: u64,
    /// How far, in units of the evaluation, a position may be misjudged.
    pub eval_noise: i32,
}

impl Calibration {
    /// The handicap with which the engine plays at `elo`, between the two levels around it; that
    /// of the nearest level beyond them all.
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
    fn between_levels_the_handicap_is_between() {
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
