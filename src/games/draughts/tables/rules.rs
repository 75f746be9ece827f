//! The rules for tables: the value of a position from its successors.
//!
//! Draws by repetition or by the move limit are ignored.

use super::super::moves;
use super::super::position::{Draughts, DraughtsMove};
use super::entry::{Entry, SuccessorBounds};
use super::shape::{MAX_PIECES, Placement, Shape};
use crate::game::{MoveList, Position};

/// A source of entries for positions without a capture.
pub(super) trait Entries {
    /// The entry of a placement; `None` if its table is missing.
    fn quiet(&self, placement: &Placement) -> Option<Entry>;
}

/// The value of a position from its successors, with the distance if `exact` is set. `None` if a
/// successor has no value.
#[inline]
pub(super) fn best_entry(
    position: &Draughts,
    moves: &[DraughtsMove],
    exact: bool,
    successor: impl Fn(&Draughts, DraughtsMove) -> Option<Entry>,
) -> Option<Entry> {
    let mut bounds = SuccessorBounds::default();
    for &mv in moves {
        bounds.add(successor(&position.play(mv), mv)?);
        if !exact && bounds.is_won() {
            break;
        }
    }
    let entry = bounds.entry();
    Some(if exact { entry } else { entry.plain() })
}

/// The number of pieces on the board.
pub(super) fn count(position: &Draughts) -> usize {
    (position.pieces[0] | position.pieces[1]).count_ones() as usize
}

/// The entry of a position; `None` without pieces of a side, or if its table is missing.
pub(super) fn entry(position: &Draughts, entries: &impl Entries) -> Option<Entry> {
    let known = position.pieces.iter().all(|&set| set != 0) && count(position) <= MAX_PIECES;
    if known { after_captures(position, entries) } else { None }
}

/// The value of any position. Captures are played out, because tables store only positions without
/// one.
pub(super) fn after_captures(position: &Draughts, entries: &impl Entries) -> Option<Entry> {
    if position.pieces[position.side] == 0 {
        return Some(Entry::LOST);
    }
    if !moves::can_capture(position, position.side) {
        return entries.quiet(&Placement::of(position));
    }
    let mut captures = MoveList::new();
    moves::captures(position, &mut captures);
    let exact = Shape::of(position).keeps_distance();
    best_entry(position, &captures, exact, |next, _| after_captures(next, entries))
}

/// The distance of an entry; `None` for a draw, or if the table stores no distances.
pub(super) fn distance(position: &Draughts, entry: Entry) -> Option<u16> {
    entry.distance().filter(|_| Shape::of(position).keeps_distance())
}
