//! Games that are ended before the rules do: because both engines agree, or because endgame tables
//! know better. Nothing of this is done unless somebody asks for it.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::MatchError;
use super::opening::Opening;
use crate::engine::session::rules_from;
use crate::game::{Side, TablebaseValue, Variant};
use crate::games::{GameVisitor, Tablebases, WithTablebase, open};
use crate::options::Options;
use crate::tools::analyse::analyser::Score;
use crate::tools::arguments;

/// How long engines must say the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Agreement {
    /// The bound of the score, in centipawns.
    pub centipawns: i32,
    /// So many moves in a row, those of both sides counted.
    pub plies: usize,
}

/// What ends a game besides its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Adjudication {
    /// A side wins if both engines see it that far ahead, or better.
    pub win: Option<Agreement>,
    /// The game is drawn if neither sees more than this for anybody.
    pub draw: Option<Agreement>,
}

/// The winner, if any, and why.
pub type Decision = (Option<Side>, String);

/// Watches a game: the side that has won after a move, or nobody, where that is known.
pub type Watch = Box<dyn FnMut(&str) -> Option<Option<Side>>>;

/// Decides a game, if it can.
pub struct Adjudicator {
    rules: Adjudication,
    tables: Option<Watch>,
    /// The side that was seen ahead, and for how many plies.
    ahead: Option<(Side, usize)>,
    /// For how many plies nobody was.
    even: usize,
    known: Option<Option<Side>>,
}

impl Adjudicator {
    /// At the beginning of a game.
    pub fn new(rules: Adjudication, tables: Option<Watch>) -> Self {
        Self { rules, tables, ahead: None, even: 0, known: None }
    }

    /// Hears of a move, and of the score that the engine of `side` gave it.
    pub fn note(&mut self, side: Side, score: Option<Score>, mv: &str) {
        self.known = self.tables.as_mut().and_then(|watch| watch(mv));
        let leader = self.rules.win.and_then(|rule| leader(side, score?, rule.centipawns));
        self.ahead = leader.map(|leader| match self.ahead {
            Some((before, plies)) if before == leader => (leader, plies + 1),
            _ => (leader, 1),
        });
        let is_even = |bound: i32| matches!(score, Some(Score::Cp(cp)) if cp.unsigned_abs() <= bound.unsigned_abs());
        let goes_on = self.rules.draw.is_some_and(|rule| is_even(rule.centipawns));
        self.even = if goes_on { self.even + 1 } else { 0 };
    }

    /// How the game ends after what was heard, if it does.
    pub fn verdict(&self) -> Option<Decision> {
        if let Some(winner) = self.known {
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

/// The side that is so far ahead by the score of `side`.
fn leader(side: Side, score: Score, bound: i32) -> Option<Side> {
    let ahead = match score {
        Score::Cp(cp) if cp.unsigned_abs() < bound.unsigned_abs() => return None,
        Score::Cp(worth) | Score::Mate(worth) => worth > 0,
    };
    Some(if ahead { side } else { !side })
}

/// Endgame tables, and the game in which they are looked up.
pub struct Tables {
    shelf: Tablebases,
    options: Options,
}

impl Tables {
    /// The tables in a folder.
    pub fn open(folder: &Path, options: &Options) -> Result<Self, MatchError> {
        let shelf =
            Tablebases::open(folder).map_err(|error| MatchError::Tables(error.to_string()))?;
        let tables = Self { shelf: shelf.0, options: options.clone() };
        let none = || format!("there are none for {} in {}", options.variant, folder.display());
        // Tables that are damaged would be missed later on.
        match shelf.1.first() {
            Some(refused) => Err(MatchError::Tables(refused.to_string())),
            None if tables.watch(&Opening::default()).is_none() => Err(MatchError::Tables(none())),
            None => Ok(tables),
        }
    }

    /// Which tables there are.
    pub fn describe(&self) -> Value {
        arguments::tables(&self.shelf)
    }

    /// Watches a game that begins so.
    pub fn watch(&self, opening: &Opening) -> Option<Watch> {
        open(self.options.variant, Begin { tables: self, opening }).flatten()
    }
}

struct Begin<'a> {
    tables: &'a Tables,
    opening: &'a Opening,
}

impl GameVisitor for Begin<'_> {
    type Output = Option<Watch>;

    fn visit<P: WithTablebase>(self, variant: &'static Variant) -> Self::Output {
        let oracle = P::tablebase(&self.tables.shelf)?;
        let rules = rules_from::<P::Rules>(&|rule| self.tables.options.rule(rule));
        let setup = self.opening.setup.as_deref().unwrap_or(variant.start);
        let mut position = P::read_setup(setup, rules).ok()?;
        for mv in &self.opening.moves {
            position = position.play(position.read_move(mv).ok()?);
        }
        Some(Box::new(move |mv| {
            position = position.play(position.read_move(mv).ok()?);
            Some(match oracle.value(&position)? {
                TablebaseValue::Won(_) => Some(position.side()),
                TablebaseValue::Lost(_) => Some(!position.side()),
                TablebaseValue::Drawn => None,
            })
        }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// What comes of scores, those of Black and White in turn.
    fn after(scores: &[Option<Score>]) -> Option<Decision> {
        let win = Some(Agreement { centipawns: 500, plies: 4 });
        let draw = Some(Agreement { centipawns: 5, plies: 3 });
        let mut adjudicator = Adjudicator::new(Adjudication { win, draw }, None);
        for (score, side) in scores.iter().zip(Side::BOTH.into_iter().cycle()) {
            assert_eq!(adjudicator.verdict(), None);
            adjudicator.note(side, *score, "");
        }
        adjudicator.verdict()
    }

    #[test]
    fn engines_that_agree_for_long_enough_end_a_game() {
        let cp = |cp| Some(Score::Cp(cp));
        let mate = |moves| Some(Score::Mate(moves));
        let black =
            Some((Some(Side::Black), "Black has won: adjudicated, 500 cp ahead for 4 plies"));
        let white =
            Some((Some(Side::White), "White has won: adjudicated, 500 cp ahead for 4 plies"));
        let drawn = Some((None, "drawn: adjudicated, within 5 cp for 3 plies"));
        let table = [
            (vec![cp(500), cp(-500), cp(900), cp(-501)], black),
            (vec![cp(-600), cp(600), mate(-4), mate(4)], white),
            (vec![cp(-9), mate(4), cp(-500), cp(700), mate(-2)], white),
            // Each sees itself ahead, one does not see it, or nobody tells.
            (vec![cp(500), cp(500), cp(500), cp(500), cp(500)], None),
            (vec![cp(500), cp(-499), cp(500), cp(-500), cp(500)], None),
            (vec![cp(500), cp(-500), None, cp(-500), cp(500)], None),
            (vec![cp(0), cp(5), cp(-5)], drawn),
            (vec![cp(i32::MIN), cp(i32::MAX), mate(i32::MIN), cp(500)], white),
            (vec![cp(0), cp(6), cp(-5), cp(0)], None),
            (vec![cp(0), cp(0), mate(30)], None),
        ];
        for (scores, decision) in table {
            let decision = decision.map(|(winner, reason)| (winner, reason.to_string()));
            assert_eq!(after(&scores), decision, "{scores:?}");
        }
    }

    #[test]
    fn nothing_is_adjudicated_unless_asked_for() {
        let mut adjudicator = Adjudicator::new(Adjudication::default(), None);
        for _ in 0..100 {
            adjudicator.note(Side::Black, Some(Score::Mate(1)), "");
            adjudicator.note(Side::White, Some(Score::Cp(0)), "");
        }
        assert_eq!(adjudicator.verdict(), None);
    }
}
