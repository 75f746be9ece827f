//! The values of endgame tables for the search.

use super::super::Draughts;
use super::rules::{self, Entries, count};
use super::shape::DISTANCE_PIECES;
use super::value::Value;
use crate::game::{Heuristics, TablebaseValue};

/// The longest distance that is reported. The search has no distinct scores for much longer
/// wins.
const FARTHEST: u16 = 120;

/// The value of a position with at most `pieces` pieces for the search. All these have entries.
///
/// The tables are for compulsory captures only. They ignore the draw by the move limit, so wins and
/// losses need care:
///
/// - If the game ends before the draw, the value is reported with its distance.
/// - If an advance of a man or a capture is likely to reset the count of quiet plies, the value is
///   reported without a distance; the search has to find the way.
/// - Otherwise nothing is reported.
pub(super) fn value(
    position: &Draughts,
    pieces: usize,
    entries: &impl Entries,
) -> Option<TablebaseValue> {
    if count(position) > pieces || position.has_optional_captures() {
        return None;
    }
    let entry = rules::entry(position, entries)?;
    let distance = rules::distance(position, entry).filter(|&plies| in_time(position, plies));
    let is_reported = distance.is_some() || may_reset_quiet_count(position);
    match entry.value() {
        Value::Draw => Some(TablebaseValue::Drawn),
        Value::Win => is_reported.then_some(TablebaseValue::Won(distance)),
        Value::Loss => is_reported.then_some(TablebaseValue::Lost(distance)),
    }
}

/// Whether the game can last for `plies` quiet plies without a draw by the move limit.
fn in_time(position: &Draughts, plies: u16) -> bool {
    plies <= FARTHEST && position.move_counters().into_iter().flatten().all(|left| plies < left)
}

/// Whether the count of quiet plies is likely to be reset before it draws the game.
fn may_reset_quiet_count(position: &Draughts) -> bool {
    let men = !position.kings & (position.pieces[0] | position.pieces[1]);
    let early = |count: u16, limit: u16| limit == 0 || count < limit / 4 * 3;
    let has_time = early(position.quiet, position.draw_after)
        && early(position.since_capture.into(), position.no_capture.into());
    has_time && (men != 0 || count(position) > DISTANCE_PIECES)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::draughts::tables::entry::Entry;

    #[test]
    fn tables_without_distances_give_no_distance() {
        let rows = [
            ("W:WK14,K15,K18:BK1", Some(1)),
            ("W:WK14,K15,K18:BK1,K2", Some(1)),
            ("W:WK14,K15,18:BK1,K2", Some(1)),
            ("W:WK14,K15,18:BK1,2", None),
            ("W:WK14,K15,K18,K19:BK1", None),
        ];
        for (setup, plies) in rows {
            let position = Draughts::read_setup(setup, Default::default()).unwrap();
            assert_eq!(rules::distance(&position, Entry::WON), plies, "{setup}");
        }
    }
}
