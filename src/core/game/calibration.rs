//! The calibration of a game: win rates of evaluations, the Elo of strength levels and the chances of players.

use std::fmt::{self, Display};

/// The calibration of evaluations and strength levels, fitted to games of engine self-play.
///
/// Each [`EvalScale`] is a logistic fit of the results of games to the scores of their searches,
/// with equal weight for each game: `tests/external/strength/calibration.py` makes it from samples
/// of `soucie-lab selfplay`. Some 1,000 games are enough, at the number of nodes that a user's move
/// has: the more nodes, the more often an advantage wins. Each level is measured against the one
/// below by `soucie-lab match`, the lowest one against a random mover.
///
/// A new game may begin with guesses: a margin of 0, as the spread the evaluation of a clear
/// advantage, a few levels, and chances. A guess makes no result wrong. The scales convert evaluations to
/// centipawns and win rates, decide which openings self-play drops as unbalanced, and guide the
/// proof solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Calibration {
    /// The win rates of the network's evaluation.
    pub network: EvalScale,
    /// The win rates of the handcrafted evaluation,
    /// [`Heuristics::evaluate`](super::Heuristics::evaluate).
    pub handcrafted: EvalScale,
    /// The strength levels, the weakest first.
    pub levels: &'static [StrengthLevel],
    /// The Elo of the named levels: beginner, easy, medium and hard.
    pub named: [i32; 4],
    /// The chances of players of the named levels.
    pub chances: [Chances; 4],
}

/// The expected points of players of a level at a score of the engine, in centipawns:
/// `lapse + (1 - 2 lapse) / (1 + exp(-score / spread))`.
///
/// `tests/external/strength/chances.py` fits them to games of the level against itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The part of the points that these players lose even where they are won.
    pub lapse: f64,
    pub spread: f64,
}

/// A row of a table of chances.
pub const fn chances(lapse: f64, spread: f64) -> Chances {
    Chances { lapse, spread }
}

impl Chances {
    /// The expected points at a score, per thousand games.
    pub fn per_mille(self, centipawns: i32) -> u32 {
        let Self { lapse, spread } = self;
        let logistic = 1.0 / (1.0 + (-f64::from(centipawns) / spread).exp());
        (1000.0 * (lapse + (1.0 - 2.0 * lapse) * logistic)).round() as u32
    }
}

/// The players whose chances are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Players {
    /// The engine against itself: what its wins, draws and losses say.
    #[default]
    Engine,
    /// Those of a named level, by its index.
    Level(usize),
    /// Those of a strength in Elo.
    Elo(i32),
}

impl Players {
    pub const MEDIUM: Self = Self::Level(2);

    /// The values of the option `Chances`, in the order of their indices.
    pub const NAMES: [&'static str; 6] = ["engine", "beginner", "easy", "medium", "hard", "elo"];

    /// The players that a value of the option `Chances` names, by its index.
    pub fn named(index: usize, elo: i32) -> Self {
        match index.checked_sub(1) {
            None => Self::Engine,
            Some(_) if index + 1 == Self::NAMES.len() => Self::Elo(elo),
            Some(level) => Self::Level(level),
        }
    }
}

impl Display for Players {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Engine => f.write_str("the strength of the engine"),
            Self::Level(level) => {
                write!(f, "level {}", Self::NAMES.get(level + 1).copied().unwrap_or_default())
            }
            Self::Elo(elo) => write!(f, "{elo} Elo"),
        }
    }
}

impl Calibration {
    /// The chances of players; `None` for those of the engine. Between two named levels they are interpolated,
    /// beyond the named levels they are those of the nearest one.
    pub fn chances(&self, players: Players) -> Option<Chances> {
        match players {
            Players::Engine => None,
            Players::Level(level) => self.chances.get(level).copied(),
            Players::Elo(elo) => {
                let rows = || self.named.into_iter().zip(self.chances);
                let below = rows().rfind(|&(named, _)| named <= elo);
                let above = rows().find(|&(named, _)| named >= elo);
                let (low, below) = below.or(above)?;
                let (high, above) = above.unwrap_or((low, below));
                let part = f64::from(elo - low) / f64::from(high - low).max(1.0);
                let between = |low: f64, high: f64| low + part.clamp(0.0, 1.0) * (high - low);
                Some(Chances {
                    lapse: between(below.lapse, above.lapse),
                    spread: between(below.spread, above.spread),
                })
            }
        }
    }
}

/// The win rate as a function of the evaluation.
///
/// A position is won at the rate of 1 / (1 + exp((margin - evaluation) / spread)). The rate of
/// losses is that function of the negated evaluation. The conversions to centipawns and win, draw
/// and loss are in `engine/uci_score.rs`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalScale {
    /// The evaluation at which half of the games are won. It is small where draws are rare.
    pub margin: f64,
    /// The inverse slope of the win rate, in units of the evaluation. Without draws, a side that is
    /// ahead by the spread wins 73 % of the games.
    pub spread: f64,
}

/// The strength of a limited search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthLevel {
    /// The Elo relative to a random mover, a player that makes random legal moves.
    pub elo: i32,
    /// The node limit of the search.
    pub nodes: u64,
    /// The depth limit of the search, in plies, which holds up to the next level; `None` for none.
    pub depth: Option<usize>,
    /// The maximum evaluation noise, in units of the evaluation.
    pub eval_noise: i32,
}

/// A row of a table of levels.
pub const fn level(elo: i32, nodes: u64, eval_noise: i32) -> StrengthLevel {
    StrengthLevel { elo, nodes, depth: None, eval_noise }
}

/// A row of a table of levels that look one ply ahead. Captures are searched beyond it, so that such
/// a level sees what a move captures, what it loses at once, and who wins in one, and nothing that
/// takes longer.
pub const fn one_ply(elo: i32, eval_noise: i32) -> StrengthLevel {
    /// Enough for every position.
    const NODES: u64 = 20_000;
    StrengthLevel { elo, nodes: NODES, depth: Some(1), eval_noise }
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
    /// The scale of the evaluation by the network, or of the handcrafted one.
    pub fn scale(&self, uses_network: bool) -> EvalScale {
        if uses_network { self.network } else { self.handcrafted }
    }

    /// The handicap of players up to the level easy, whose results depend on what they see more than on what
    /// the engine sees; `None` for stronger ones.
    pub fn learners(&self, players: Players) -> Option<Handicap> {
        let [_, easy, ..] = self.named;
        let elo = match players {
            Players::Engine => None,
            Players::Level(level) => self.named.get(level).copied(),
            Players::Elo(elo) => Some(elo),
        };
        elo.filter(|&elo| elo <= easy).and_then(|elo| self.handicap(elo))
    }

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

    const SCALE: EvalScale = EvalScale { margin: 0.0, spread: 100.0 };
    const CALIBRATION: Calibration = Calibration {
        network: SCALE,
        handcrafted: SCALE,
        levels: &[],
        named: [100, 200, 300, 500],
        chances: [
            chances(0.2, 400.0),
            chances(0.1, 300.0),
            chances(0.04, 100.0),
            chances(0.0, 80.0),
        ],
    };

    #[test]
    fn chances_are_those_of_the_level_or_between_two() {
        let table = [
            (Players::Engine, None),
            (Players::Level(0), Some((0.2, 400.0))),
            (Players::Level(3), Some((0.0, 80.0))),
            (Players::Elo(20), Some((0.2, 400.0))),
            (Players::Elo(200), Some((0.1, 300.0))),
            (Players::Elo(150), Some((0.15, 350.0))),
            (Players::Elo(400), Some((0.02, 90.0))),
            (Players::Elo(2_800), Some((0.0, 80.0))),
        ];
        for (players, expected) in table {
            let found = CALIBRATION.chances(players).map(|found| (found.lapse, found.spread));
            let [found, expected] = [found, expected].map(|pair| {
                pair.map(|(lapse, spread)| [lapse, spread].map(|number| format!("{number:.3}")))
            });
            assert_eq!(found, expected, "{players:?}");
        }
    }

    #[test]
    fn even_a_high_score_leaves_the_lapses() {
        let weak = chances(0.1, 300.0);
        let points = [-20_000, -300, 0, 300, 20_000].map(|score| weak.per_mille(score));
        assert_eq!(points, [100, 315, 500, 685, 900]);
    }

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
