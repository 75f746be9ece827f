//! The value of a position from its successors.
//!
//! Draws by repetition or by the move limit are ignored.

use super::super::moves;
use super::super::position::{Draughts, DraughtsMove};
use super::entry::{Entry, SuccessorBounds};
use super::shape::{Placement, Shape};
use crate::game::{MoveList, Position};

/// A source of entries for positions without a capture.
pub(super) trait Entries: Send + Sync {
    /// The maximum number of pieces of a position that is looked up.
    fn pieces(&self) -> usize;

    /// The entry of a placement; `None` if its table is missing.
    fn quiet(&self, placement: &Placement) -> Option<Entry>;

    /// Whether the entries of a shape are distances, and not only results.
    fn keep_distance(&self, shape: Shape) -> bool {
        shape.keeps_distance()
    }

    /// The name of the tables in proofs; `None` if no proof can rest on them.
    fn proof_name(&self) -> Option<String> {
        None
    }
}

/// The value of a position from its successors, with the distance if `exact` is set. `None` if a
/// successor has no value and could change the result.
#[inline]
pub(super) fn best_entry(
    position: &Draughts,
    moves: &[DraughtsMove],
    exact: bool,
    successor: impl Fn(&Draughts, DraughtsMove) -> Option<Entry>,
) -> Option<Entry> {
    let mut bounds = SuccessorBounds::default();
    let mut is_whole = true;
    for &mv in moves {
        match successor(&position.play(mv), mv) {
            Some(entry) => bounds.add(entry),
            None if exact => return None,
            None => is_whole = false,
        }
        if !exact && bounds.is_won() {
            return Some(Entry::WON);
        }
    }
    let entry = bounds.entry();
    is_whole.then_some(if exact { entry } else { entry.plain() })
}

pub(super) fn count(position: &Draughts) -> usize {
    (position.pieces[0] | position.pieces[1]).count_ones() as usize
}

/// The entry of a position with at most `pieces` pieces; `None` without pieces of a side, or if its
/// table is missing.
pub(super) fn entry(position: &Draughts, pieces: usize, entries: &impl Entries) -> Option<Entry> {
    let known = position.pieces.iter().all(|&set| set != 0) && count(position) <= pieces;
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
    let exact = entries.keep_distance(Shape::of(position));
    best_entry(position, &captures, exact, |next, _| after_captures(next, entries))
}

/// The distance of an entry; `None` for a draw, or if the table stores no distances.
pub(super) fn distance(position: &Draughts, entry: Entry, entries: &impl Entries) -> Option<u16> {
    entry.distance().filter(|_| entries.keep_distance(Shape::of(position)))
}
