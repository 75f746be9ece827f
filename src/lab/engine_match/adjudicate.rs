//! Adjudication: ends games early, when both engines agree on the result or the endgame tables
//! contain the position. It is off by default.

use std::str::FromStr;

use clap::Args;
use serde::Serialize;

use soucie::engine::uci_score::UciScore;
use soucie::game::{Side, TablebaseValue};
use soucie_program::arguments::read_number;

/// The maximum number of plies of a game. Like the other bounds, it exceeds any practical value and
/// rules out overflow.
pub const MOST_PLIES: usize = 10_000;

/// The condition under which two engines agree on a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Agreement {
    /// The score threshold, in centipawns.
    pub centipawns: i32,
    /// The number of consecutive plies, counting both sides.
    pub plies: usize,
}

impl FromStr for Agreement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (cp, plies) = text.split_once(',').ok_or("expected CP,PLIES, such as 400,6")?;
        let centipawns = read_number(cp, 0..=i32::MAX).map_err(|why| format!("CP: {why}"))?;
        // A single ply is the score of only one engine.
        let plies = read_number(plies, 2..=MOST_PLIES).map_err(|why| format!("PLIES: {why}"))?;
        Ok(Self { centipawns, plies })
    }
}

#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Adjudication {
    /// End a game won when both engines agree on CP centipawns for PLIES plies in a row
    #[arg(long = "adjudicate-win", value_name = "CP,PLIES")]
    pub win: Option<Agreement>,
    /// End a game drawn when neither score exceeds CP centipawns for PLIES plies in a row
    #[arg(long = "adjudicate-draw", value_name = "CP,PLIES")]
    pub draw: Option<Agreement>,
}

/// The winner, or `None` for a draw, and the reason.
pub type AdjudicatedResult = (Option<Side>, String);

pub struct Adjudicator {
    rules: Adjudication,
    /// The side scored ahead, and the number of consecutive plies.
    ahead: Option<(Side, usize)>,
    /// The number of consecutive plies with a drawn score.
    even: usize,
    /// The winner by the endgame tables, or `Some(None)` for a draw.
    table_result: Option<Option<Side>>,
}

impl Adjudicator {
    pub fn new(rules: Adjudication) -> Self {
        Self { rules, ahead: None, even: 0, table_result: None }
    }

    /// Records a move of `side`: the score that its engine reported, and the value of the position
    /// after it in the endgame tables, for the side to move there.
    pub fn note(&mut self, side: Side, score: Option<UciScore>, table: Option<TablebaseValue>) {
        self.table_result = table.map(|value| match value {
            TablebaseValue::Won(_) => Some(!side),
            TablebaseValue::Lost(_) => Some(side),
            TablebaseValue::Drawn => None,
        });
        let leader = self.rules.win.and_then(|rule| leader(side, score?, rule.centipawns));
        self.ahead = leader.map(|leader| match self.ahead {
            Some((before, plies)) if before == leader => (leader, plies + 1),
            _ => (leader, 1),
        });
        let is_even = |bound: i32| matches!(score, Some(UciScore::Centipawns(cp)) if cp.unsigned_abs() <= bound.unsigned_abs());
        let goes_on = self.rules.draw.is_some_and(|rule| is_even(rule.centipawns));
        self.even = if goes_on { self.even + 1 } else { 0 };
    }

    /// Returns the result after the moves so far, if there is one.
    pub fn result(&self) -> Option<AdjudicatedResult> {
        if let Some(winner) = self.table_result {
            let reason = "by the endgame tables".to_string();
            return Some((winner, adjudicated(winner, &reason)));
        }
        if let (Some(rule), Some((side, plies))) = (self.rules.win, self.ahead)
            && plies >= rule.plies
        {
            let reason = format!("{} cp ahead for {plies} plies", rule.centipawns);
            return Some((Some(side), adjudicated(Some(side), &reason)));
        }
        let rule = self.rules.draw.filter(|rule| self.even >= rule.plies)?;
        let reason = format!("within {} cp for {} plies", rule.centipawns, self.even);
        Some((None, adjudicated(None, &reason)))
    }
}

fn adjudicated(winner: Option<Side>, reason: &str) -> String {
    match winner {
        Some(side) => format!("{side} has won: adjudicated, {reason}"),
        None => format!("drawn: adjudicated, {reason}"),
    }
}

/// Returns the side that is ahead by at least `bound` centipawns; `score` is from the point of view
/// of `side`.
fn leader(side: Side, score: UciScore, bound: i32) -> Option<Side> {
    let ahead = match score {
        UciScore::Centipawns(cp) if cp.unsigned_abs() < bound.unsigned_abs() => return None,
        UciScore::Centipawns(value) | UciScore::Mate(value) => value > 0,
    };
    Some(if ahead { side } else { !side })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Returns the result after these scores, reported by Black and White in turn.
    fn after(scores: &[Option<UciScore>]) -> Option<AdjudicatedResult> {
        let win = Some(Agreement { centipawns: 500, plies: 4 });
        let draw = Some(Agreement { centipawns: 5, plies: 3 });
        let mut adjudicator = Adjudicator::new(Adjudication { win, draw });
        for (score, side) in scores.iter().zip(Side::BOTH.into_iter().cycle()) {
            assert_eq!(adjudicator.result(), None);
            adjudicator.note(side, *score, None);
        }
        adjudicator.result()
    }

    #[test]
    fn a_game_ends_when_the_scores_agree_for_enough_plies() {
        let cp = |cp| Some(UciScore::Centipawns(cp));
        let mate = |moves| Some(UciScore::Mate(moves));
        let black =
            Some((Some(Side::Black), "Black has won: adjudicated, 500 cp ahead for 4 plies"));
        let white =
            Some((Some(Side::White), "White has won: adjudicated, 500 cp ahead for 4 plies"));
        let drawn = Some((None, "drawn: adjudicated, within 5 cp for 3 plies"));
        let table = [
            (vec![cp(500), cp(-500), cp(900), cp(-501)], black),
            (vec![cp(-600), cp(600), mate(-4), mate(4)], white),
            (vec![cp(-9), mate(4), cp(-500), cp(700), mate(-2)], white),
            // Both engines score themselves ahead, one score is too low, or one is missing.
            (vec![cp(500), cp(500), cp(500), cp(500), cp(500)], None),
            (vec![cp(500), cp(-499), cp(500), cp(-500), cp(500)], None),
            (vec![cp(500), cp(-500), None, cp(-500), cp(500)], None),
            (vec![cp(0), cp(5), cp(-5)], drawn),
            (vec![cp(i32::MIN), cp(i32::MAX), mate(i32::MIN), cp(500)], white),
            (vec![cp(0), cp(6), cp(-5), cp(0)], None),
            (vec![cp(0), cp(0), mate(30)], None),
        ];
        for (scores, result) in table {
            let result = result.map(|(winner, reason)| (winner, reason.to_string()));
            assert_eq!(after(&scores), result, "{scores:?}");
        }
    }

    #[test]
    fn the_tables_have_the_result_for_the_side_to_move_after_a_move() {
        for (value, winner) in [
            (TablebaseValue::Won(Some(3)), Some(Side::White)),
            (TablebaseValue::Lost(None), Some(Side::Black)),
            (TablebaseValue::Drawn, None),
        ] {
            let mut adjudicator = Adjudicator::new(Adjudication::default());
            adjudicator.note(Side::Black, None, Some(value));
            let result = adjudicator.result().unwrap();
            assert_eq!(result, (winner, adjudicated(winner, "by the endgame tables")));
        }
    }

    #[test]
    fn an_agreement_is_read_from_two_numbers() {
        assert_eq!("500,4".parse(), Ok(Agreement { centipawns: 500, plies: 4 }));
        let wrong = ["5", "-5,4", "5,1", "x,4"];
        assert!(wrong.iter().all(|text| text.parse::<Agreement>().is_err()));
    }
}
