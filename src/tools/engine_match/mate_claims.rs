//! Mate announcements of the engines, and whether they are fulfilled.
//!
//! `score mate N` counts the moves of the announcing engine, as in UCI. The engine must have won
//! before its next move after those N. Only this limit is checked, not how soon the opponent could
//! lose, so that the check applies to any engine.

use super::engine_id::{EngineId, PerEngine};
use super::lines::ReportedScore;
use crate::tools::analyse::analyser::Score;

/// The open mate announcements of both engines in one game.
#[derive(Default)]
pub struct MateClaims {
    open: PerEngine<Option<MateClaim>>,
}

/// A mate announcement.
struct MateClaim {
    /// The announced number of moves.
    moves: i32,
    /// The number of these moves that are left.
    left: i32,
    /// The position in which the mate was announced.
    place: String,
}

impl MateClaims {
    /// Checks the announcement of the engine to move. Returns a description if it was not
    /// fulfilled.
    pub fn turn(&mut self, seat: EngineId) -> Option<String> {
        let kept = self.open.of(seat).as_ref().is_none_or(|promise| promise.left > 0);
        if kept { None } else { self.take(seat, "the game goes on") }
    }

    /// Records the score that an engine reported for its move in the position `place`. Returns a
    /// description if it contradicts an earlier announcement. A new announcement replaces the old
    /// one.
    pub fn note(&mut self, seat: EngineId, told: &ReportedScore, place: &str) -> Option<String> {
        let announced = told.score.filter(|_| told.is_exact);
        let mut broken = None;
        if let Some(Score::Mate(moves @ 1..)) = announced
            && self.open.of(seat).as_ref().is_none_or(|promise| promise.left != moves)
        {
            if self.open.of(seat).as_ref().is_some_and(|promise| promise.left < moves) {
                broken = self.take(seat, &format!("now mate {moves}"));
            }
            let place = place.to_string();
            *self.open.of_mut(seat) = Some(MateClaim { moves, left: moves, place });
        }
        if let Some(promise) = self.open.of_mut(seat) {
            promise.left -= 1;
        }
        broken
    }

    /// Records the end of the game by its rules. Returns descriptions of the announcements that are
    /// not fulfilled.
    pub fn end(&mut self, winner: Option<EngineId>, reason: &str) -> PerEngine<Option<String>> {
        let mut broken = |seat| {
            let has_won = winner == Some(seat);
            if has_won { None } else { self.take(seat, reason) }
        };
        PerEngine { first: broken(EngineId::First), second: broken(EngineId::Second) }
    }

    /// Removes an announcement and returns the description of its failure.
    fn take(&mut self, seat: EngineId, came: &str) -> Option<String> {
        let MateClaim { moves, left, place } = self.open.of_mut(seat).take()?;
        let made = moves - left;
        Some(format!("mate {moves} was announced; {made} of {moves} moves made, {came} [{place}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: EngineId = EngineId::First;
    const SECOND: EngineId = EngineId::Second;

    /// Returns the unfulfilled announcements after the scores of the first engine's moves and the
    /// end of the game. `None` as the end is one not made by the rules, such as an adjudication.
    fn broken(scores: &[ReportedScore], end: Option<Option<EngineId>>) -> Vec<String> {
        let mut promises = MateClaims::default();
        let mut broken = Vec::new();
        for (place, told) in (1..).zip(scores) {
            broken.extend(promises.turn(FIRST));
            broken.extend(promises.note(FIRST, told, &format!("at {place}")));
        }
        if let Some(winner) = end {
            let ended = promises.end(winner, "it is over");
            assert_eq!(ended.second, None);
            broken.extend(ended.first);
        }
        broken
    }

    fn told(score: Score) -> ReportedScore {
        ReportedScore { score: Some(score), is_exact: true, ..ReportedScore::default() }
    }

    fn mate(moves: i32) -> ReportedScore {
        told(Score::Mate(moves))
    }

    #[test]
    fn whoever_announces_a_win_must_win_in_time() {
        let cp = told(Score::Cp(900));
        let silent = ReportedScore::default();
        let bound = ReportedScore { is_exact: false, ..mate(2) };
        let (won, lost, drawn) = (Some(Some(FIRST)), Some(Some(SECOND)), Some(None));
        let late = "mate 2 was announced; 2 of 2 moves made, the game goes on [at 1]";
        let longer = "mate 3 was announced; 1 of 3 moves made, now mate 3 [at 1]";
        let over = "mate 2 was announced; 1 of 2 moves made, it is over [at 1]";
        let table: [(&[ReportedScore], _, &[&str]); 14] = [
            (&[mate(3), mate(2), mate(1)], won, &[]),
            (&[mate(2), cp], won, &[]),
            (&[mate(2), silent, cp], won, &[late]),
            (&[mate(2), cp, mate(1)], won, &[late]),
            // A shorter mate is accepted, and then replaces the announcement.
            (&[mate(9), mate(2)], won, &[]),
            (&[mate(9), mate(2), cp, cp], won, &[&late.replace("at 1", "at 2")]),
            (&[mate(3), mate(3), mate(2), mate(1)], won, &[longer]),
            (&[mate(2)], drawn, &[over]),
            (&[mate(2)], lost, &[over]),
            // Centipawn scores, bounds and negative mates are not announcements.
            (&[cp, silent, bound, cp, cp, cp], drawn, &[]),
            (&[mate(-2), mate(-1), mate(0)], lost, &[]),
            // An end not made by the rules fails no announcement, unless the limit has passed
            // already.
            (&[mate(2)], None, &[]),
            (&[mate(2), cp, cp], None, &[late]),
            (&[mate(i32::MAX), mate(1)], won, &[]),
        ];
        for (scores, end, expected) in table {
            assert_eq!(broken(scores, end), expected, "{scores:?} {end:?}");
        }
    }

    #[test]
    fn each_engine_is_held_to_its_own_word() {
        let mut promises = MateClaims::default();
        assert_eq!(promises.note(FIRST, &mate(2), "one"), None);
        assert_eq!(promises.note(SECOND, &mate(5), "two"), None);
        let PerEngine { first, second } = promises.end(Some(FIRST), "it is over");
        let expected = "mate 5 was announced; 1 of 5 moves made, it is over [two]";
        assert_eq!((first, second.as_deref()), (None, Some(expected)));
    }
}
