//! Scores as reported to the client: centipawns, moves to mate, and win/draw/loss.

use std::fmt::{self, Display};
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::game::{EvalScale, Side};
use crate::search::{MAX_PLY, Score};

/// A score as reported to the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum UciScore {
    /// An estimate. At 100 centipawns the side to move expects to score 75 % of the points.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// A proved result: the number of winner's moves to the end of the game, negative if the side
    /// to move loses.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl UciScore {
    /// The score in centipawns. A proved result is a high one: players may still err.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(cp) => cp,
            Self::Mate(moves) if moves > 0 => WON,
            Self::Mate(_) => LOST,
        }
    }

    /// The score from Black's view, if this is one for `side`.
    pub fn for_black(self, side: Side) -> Self {
        if side == Side::Black { self } else { -self }
    }
}

impl Neg for UciScore {
    type Output = Self;

    /// Returns the score from the opponent's point of view.
    fn neg(self) -> Self {
        match self {
            Self::Centipawns(cp) => Self::Centipawns(-cp),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

/// The centipawns of a win by endgame tables without distances. It is expected, and not proved: a
/// draw count may end the game before.
const WON: i32 = 19_800;
const LOST: i32 = -WON;
const _: () = assert!(WON <= Score::TABLEBASE_WIN.raw() as i32 - MAX_PLY as i32);

/// The highest win rate that is expected: only a proved win is one in 1000 of 1000 games.
const MAX_WIN_RATE: f64 = 0.999;

/// Pawns with a sign, such as `+0.35`, `#` and the number of moves to the end of the game, or `wins`
/// and `loses` by endgame tables without distances.
impl Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Centipawns(WON..) => f.pad("wins"),
            Self::Centipawns(..=LOST) => f.pad("loses"),
            Self::Centipawns(cp) => f.pad(&format!("{:+.2}", f64::from(cp) / 100.0)),
            Self::Mate(moves) if moves < 0 => f.pad(&format!("-#{}", moves.unsigned_abs())),
            Self::Mate(moves) => f.pad(&format!("#{moves}")),
        }
    }
}

/// The expected wins, draws and losses of the side to move in 1000 games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Wdl {
    pub const DRAWN: Self = Self { wins: 0, draws: 1000, losses: 0 };
}

impl EvalScale {
    pub(super) fn uci_score(&self, score: Score) -> UciScore {
        match score.mate_in() {
            Some(moves) => UciScore::Mate(moves),
            // By endgame tables without distances.
            None if score.is_decided() => UciScore::Centipawns(score.raw().into()),
            None => UciScore::Centipawns(self.centipawns(score.raw().into())),
        }
    }

    /// Converts an evaluation to centipawns. An evaluation, however high, is no certain win.
    pub fn centipawns(&self, evaluation: i32) -> i32 {
        let centipawns = (100.0 * f64::from(evaluation) / self.three_quarters()).round();
        (centipawns as i32).clamp(LOST + 1, WON - 1)
    }

    /// The win/draw/loss expectation for a score.
    pub(super) fn wdl(&self, score: Score) -> Wdl {
        let (win, loss) = if score.is_mate() {
            (f64::from(u8::from(score.is_won())), f64::from(u8::from(score.is_lost())))
        } else {
            let evaluation = f64::from(score.raw());
            let win_rate = |evaluation| self.win_rate(evaluation).min(MAX_WIN_RATE);
            (win_rate(evaluation), win_rate(-evaluation))
        };
        let (wins, losses) = ((1000.0 * win).round() as u32, (1000.0 * loss).round() as u32);
        Wdl { wins, draws: 1000_u32.saturating_sub(wins + losses), losses }
    }

    fn win_rate(&self, evaluation: f64) -> f64 {
        1.0 / (1.0 + ((self.margin - evaluation) / self.spread).exp())
    }

    /// The evaluation at which a player expects to score 75 % of the points. There the win rate
    /// exceeds the loss rate by 1/2. With x = exp(evaluation / spread) and a = exp(margin / spread)
    /// this means x / (x + a) - 1 / (1 + a x) = 1 / 2, a quadratic equation in x.
    fn three_quarters(&self) -> f64 {
        let a = (self.margin / self.spread).exp();
        let b = 1.0 + a * a;
        self.spread * ((b + (b * b + 12.0 * a * a).sqrt()) / (2.0 * a)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [EvalScale; 3] = [
        EvalScale { margin: 0.0, spread: 100.0 },
        EvalScale { margin: 4.0, spread: 93.0 },
        EvalScale { margin: 103.0, spread: 20.0 },
    ];

    #[test]
    fn at_100_centipawns_75_percent_of_the_points_are_expected() {
        for scale in TABLE {
            let even = scale.three_quarters();
            let wdl = scale.wdl(Score::eval(even.round() as i32));
            let points = wdl.wins + wdl.draws / 2;
            assert!(points.abs_diff(750) <= 3, "{scale:?}: {wdl:?}");
            assert_eq!(scale.centipawns(even.round() as i32), 100);
        }
    }

    #[test]
    fn an_evaluation_is_no_proved_win() {
        let steep = EvalScale { margin: 0.0, spread: 20.0 };
        let wdl = [30_000, -30_000].map(|evaluation| steep.wdl(Score::eval(evaluation)));
        assert_eq!((wdl[0].wins, wdl[1].losses), (999, 999));
        for evaluation in [30_000, -30_000] {
            let score = steep.uci_score(Score::eval(evaluation));
            assert_eq!(
                score.to_string(),
                format!("{:+.2}", 197.99 * f64::from(evaluation.signum()))
            );
        }
    }

    #[test]
    fn wdl_adds_up_to_1000_and_is_symmetric() {
        for scale in TABLE {
            for evaluation in [-30_000, -300, -1, 0, 1, 80, 30_000] {
                let wdl = scale.wdl(Score::eval(evaluation));
                assert_eq!(wdl.wins + wdl.draws + wdl.losses, 1000);
                let negated = scale.wdl(Score::eval(-evaluation));
                assert_eq!((wdl.wins, wdl.losses), (negated.losses, negated.wins));
            }
            assert_eq!(scale.wdl(Score::win_in(3)).wins, 1000);
            assert_eq!(scale.wdl(Score::loss_in(4)).losses, 1000);
        }
    }
}
