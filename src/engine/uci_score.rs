//! Scores as people read them: centipawns, moves to the win, and the odds of each result.

use crate::game::{Calibration, EvalScale};
use crate::nnue::Network;
use crate::search::Score;

/// A score as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    /// A guess: with a hundred of these a player expects to score three quarters of the points.
    Centipawns(i32),
    /// A proved result: the moves of the winner until the win is on the board, negative if the
    /// side to move loses.
    Mate(i32),
}

/// How many of a thousand games the side to move wins, draws and loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// The games won.
    pub wins: u32,
    /// The games drawn.
    pub draws: u32,
    /// The games lost.
    pub losses: u32,
}

impl Calibration {
    /// What judgements are worth: those of the network, or without one those by hand.
    pub fn of(&self, network: Option<&Network>) -> EvalScale {
        if network.is_some() { self.network } else { self.handcrafted }
    }
}

impl EvalScale {
    /// A score as people read it.
    pub(super) fn uci_score(&self, score: Score) -> UciScore {
        match score.mate_in() {
            Some(moves) => UciScore::Mate(moves),
            // A win without a length stands far above all that an evaluation says.
            None if score.is_certain() => UciScore::Centipawns(score.raw().into()),
            None => UciScore::Centipawns(self.centipawns(score.raw().into())),
        }
    }

    /// What an evaluation is worth in centipawns.
    pub fn centipawns(&self, evaluation: i32) -> i32 {
        (100.0 * f64::from(evaluation) / self.three_quarters()).round() as i32
    }

    /// The odds that go with a score.
    pub(super) fn wdl(&self, score: Score) -> Wdl {
        let (win, loss) = if score.is_certain() {
            (f64::from(u8::from(score.is_won())), f64::from(u8::from(score.is_lost())))
        } else {
            let evaluation = f64::from(score.raw());
            (self.win_rate(evaluation), self.win_rate(-evaluation))
        };
        let (wins, losses) = ((1000.0 * win).round() as u32, (1000.0 * loss).round() as u32);
        Wdl { wins, draws: 1000_u32.saturating_sub(wins + losses), losses }
    }

    fn win_rate(&self, evaluation: f64) -> f64 {
        1.0 / (1.0 + ((self.margin - evaluation) / self.spread).exp())
    }

    /// The evaluation with which a player expects to score 75 %: where the win rate is half more
    /// than the loss rate. With x = exp(evaluation / spread) and a = exp(margin / spread) that is
    /// x / (x + a) - 1 / (1 + a x) = 1 / 2, which is quadratic in x.
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
        EvalScale { margin: 117.0, spread: 69.0 },
    ];

    #[test]
    fn a_hundred_centipawns_score_three_quarters() {
        for worth in TABLE {
            let even = worth.three_quarters();
            let odds = worth.wdl(Score::eval(even.round() as i32));
            let points = odds.wins + odds.draws / 2;
            assert!(points.abs_diff(750) <= 3, "{worth:?}: {odds:?}");
            assert_eq!(worth.centipawns(even.round() as i32), 100);
        }
    }

    #[test]
    fn odds_are_of_a_thousand_and_turn_with_the_board() {
        for worth in TABLE {
            for evaluation in [-30_000, -300, -1, 0, 1, 80, 30_000] {
                let odds = worth.wdl(Score::eval(evaluation));
                assert_eq!(odds.wins + odds.draws + odds.losses, 1000);
                let turned = worth.wdl(Score::eval(-evaluation));
                assert_eq!((odds.wins, odds.losses), (turned.losses, turned.wins));
            }
            assert_eq!(worth.wdl(Score::win_in(3)).wins, 1000);
            assert_eq!(worth.wdl(Score::loss_in(4)).losses, 1000);
        }
    }
}
