//! The values of endgame tables for the search.

use super::super::Draughts;
use super::entry::{Entry, Value};
use super::lookup::{self, Entries};
use crate::game::{Heuristics, Position, Side, Tablebase, TablebaseValue};

/// The longest distance that is reported. The search has no distinct scores for much longer
/// wins.
const FARTHEST: u16 = 120;

impl<E: Entries> Tablebase<Draughts> for E {
    /// The tables are for compulsory captures only. They ignore the draw by the move limit, so wins and
    /// losses need care:
    ///
    /// - If the distance is known, the value is reported if the game ends before the draw. Otherwise the
    ///   search goes on, as it can see whether an advance of a man resets the count in time.
    /// - Without distances, it is reported if an advance of a man or a capture is likely to reset the
    ///   count of quiet plies; the search has to find the way.
    fn value(&self, position: &Draughts) -> Option<TablebaseValue> {
        let (entry, distance) = found(position, self)?;
        let is_certain = match distance {
            Some(plies) => in_time(position, plies),
            None => entry.value() == Value::Draw || may_reset_quiet_count(position),
        };
        is_certain.then(|| reported(entry, distance))
    }

    fn expected_value(&self, position: &Draughts) -> Option<TablebaseValue> {
        let (entry, distance) = found(position, self)?;
        Some(reported(entry, distance))
    }

    /// `None` also if a move counter may draw the game before the win: always where one is on and the
    /// distance is unknown. A counter never helps to win.
    fn can_win(&self, position: &Draughts, side: Side) -> Option<bool> {
        let (entry, distance) = found(position, self)?;
        let winner = match entry.value() {
            Value::Draw => None,
            Value::Win => Some(position.side()),
            Value::Loss => Some(!position.side()),
        };
        if winner != Some(side) {
            return Some(false);
        }
        in_time(position, distance.unwrap_or(u16::MAX)).then_some(true)
    }

    fn identity(&self) -> Option<String> {
        self.proof_name()
    }
}

/// The entry of a position, and its distance if that is known.
fn found(position: &Draughts, entries: &impl Entries) -> Option<(Entry, Option<u16>)> {
    if position.has_optional_captures() {
        return None;
    }
    let entry = lookup::entry(position, entries.pieces(), entries)?;
    Some((entry, lookup::distance(position, entry, entries)))
}

fn reported(entry: Entry, distance: Option<u16>) -> TablebaseValue {
    let distance = distance.filter(|&plies| plies <= FARTHEST);
    match entry.value() {
        Value::Draw => TablebaseValue::Drawn,
        Value::Win => TablebaseValue::Won(distance),
        Value::Loss => TablebaseValue::Lost(distance),
    }
}

/// Whether the game can last for `plies` quiet plies without a draw by the move limit.
fn in_time(position: &Draughts, plies: u16) -> bool {
    position.move_counters().into_iter().flatten().all(|left| plies < left)
}

/// Whether the count of quiet plies is likely to be reset before it draws the game.
fn may_reset_quiet_count(position: &Draughts) -> bool {
    let early = |count: u16, limit: u16| limit == 0 || count < limit / 4 * 3;
    early(position.quiet, position.draw_after)
        && early(position.since_capture.into(), position.no_capture.into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::DraughtsRules;
    use crate::games::draughts::tablebase::shape::Placement;

    /// Where each position is won.
    struct Wins;

    impl Entries for Wins {
        fn pieces(&self) -> usize {
            6
        }

        fn quiet(&self, _: &Placement) -> Option<Entry> {
            Some(Entry::WON)
        }
    }

    #[test]
    fn tables_without_distances_give_no_distance() {
        let rows = [
            ("W:WK14,K15,K18:BK1", Some(1)),
            ("W:W14,15,18:B1,2", Some(1)),
            ("W:WK14,K15,K18,K19:BK1", Some(1)),
            ("W:WK14,K15,K18,K19:BK1,K2", None),
        ];
        for (setup, plies) in rows {
            let position = Draughts::read_setup(setup, Default::default()).unwrap();
            assert_eq!(lookup::distance(&position, Entry::WON, &Wins), plies, "{setup}");
        }
    }

    /// A win without its distance is certain only if no counter can draw the game before it.
    #[test]
    fn counters_make_wins_without_distances_uncertain() {
        let (near, far) = ("W:WK14,K15,K18:BK1", "W:WK14,K15,K18,K19:BK1,K2");
        let rows = [
            // Each side's answer, the winner's first.
            (near, 0, 0, [Some(true), Some(false)]),
            (near, 40, 0, [Some(true), Some(false)]),
            (far, 0, 0, [Some(true), Some(false)]),
            (far, 40, 0, [None, Some(false)]),
            (far, 0, 40, [None, Some(false)]),
            (far, 1_000, 0, [None, Some(false)]),
        ];
        for (setup, draw_moves, no_capture, expected) in rows {
            let rules = DraughtsRules { draw_moves, no_capture, ..DraughtsRules::default() };
            let position = Draughts::read_setup(setup, rules).unwrap();
            let found = [Side::White, Side::Black].map(|side| Wins.can_win(&position, side));
            assert_eq!(found, expected, "{setup} {draw_moves} {no_capture}");
        }
    }
}
