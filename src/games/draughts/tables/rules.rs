//! The rules for tables: the value of a position from its successors.
//!
//! Draws by repetition or by the move limit are ignored.

use super::super::moves;
use super::super::position::{Draughts, DraughtsMove, HOME};
use super::entry::{Entry, SuccessorBounds};
use super::shape::{Placement, Shape};
use crate::game::{MoveList, Position};
use crate::games::board::{Bits, squares};

/// A source of entries for positions without a capture.
pub(super) trait Entries {
    /// The entry of a placement; `None` if its table is missing.
    fn quiet(&self, placement: &Placement) -> Option<Entry>;
}

/// The value of a position from its successors, with the distance if `exact` is set. `None` if a
/// successor has no value.
#[inline]
pub(super) fn judge(
    position: &Draughts,
    moves: &[DraughtsMove],
    exact: bool,
    successor: impl Fn(&Draughts, DraughtsMove) -> Option<Entry>,
) -> Option<Entry> {
    let mut outlook = SuccessorBounds::default();
    for &mv in moves {
        outlook.add(successor(&position.play(mv), mv)?);
        if !exact && outlook.is_won() {
            break;
        }
    }
    let entry = outlook.entry();
    Some(if exact { entry } else { entry.plain() })
}

/// The value of any position. Captures are played out, because tables store only positions without
/// one.
pub(super) fn settle(position: &Draughts, entries: &impl Entries) -> Option<Entry> {
    if position.pieces[position.side] == 0 {
        return Some(Entry::LOST);
    }
    if !moves::can_capture(position, position.side) {
        return entries.quiet(&Placement::of(position));
    }
    let mut captures = MoveList::new();
    moves::captures(position, &mut captures);
    let exact = Shape::of(position).keeps_distance();
    judge(position, &captures, exact, |next, _| settle(next, entries))
}

/// Calls `visit` with every possible predecessor by a quiet move without promotion, from the point
/// of view of the side that made it.
#[inline]
pub(super) fn predecessors(placement: &Placement, mut visit: impl FnMut(&Placement)) {
    let empty = !placement.all();
    // The opponent's men moved downwards, so their origins lie above.
    for direction in 0..4 {
        for sort in if direction < 2 { 0..2 } else { 1..2 } {
            let origins = moves::shift(placement.other[sort], direction) & empty;
            for from in squares(origins) {
                let to: Bits = moves::shift(from.bit(), moves::back(direction));
                let mut before = *placement;
                before.other[sort] ^= from.bit() | to;
                visit(&before.turned());
            }
        }
    }
}

/// Whether a move promotes a man.
#[inline]
pub(super) fn crowns(position: &Draughts, mv: DraughtsMove) -> bool {
    let last_rank = HOME[!position.side];
    last_rank & mv.to.bit() != 0 && position.kings & mv.from.bit() == 0
}
