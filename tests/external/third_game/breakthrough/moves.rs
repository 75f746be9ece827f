//! Breakthrough: move generation.

use super::{Breakthrough, BreakthroughMove};
use crate::game::{MoveList, Position, Side};
use crate::game::bitboard::{Bits, FILE_A, FILE_H, Square, squares};

/// The moves of a side, as target squares with the offset of their origin.
fn targets(position: &Breakthrough, side: Side) -> [(Bits, i8); 3] {
    let (own, enemy) = (position.pawns[side], position.pawns[!side]);
    let [left, right] = [own & !FILE_A, own & !FILE_H];
    match side {
        Side::Black => {
            [(left >> 9 & !own, 9), (own >> 8 & !(own | enemy), 8), (right >> 7 & !own, 7)]
        }
        Side::White => {
            [(left << 7 & !own, -7), (own << 8 & !(own | enemy), -8), (right << 9 & !own, -9)]
        }
    }
}

/// Appends the moves of the side to move to these squares.
pub(super) fn generate(
    position: &Breakthrough,
    wanted: Bits,
    out: &mut MoveList<BreakthroughMove>,
) {
    for (targets, back) in targets(position, position.side()) {
        for to in squares(targets & wanted) {
            let from = Square::new((to.index() as i8 + back) as u8);
            out.push(BreakthroughMove::new(from, to));
        }
    }
}

/// The number of moves of the side to move.
pub(super) fn count(position: &Breakthrough) -> usize {
    targets(position, position.side()).map(|(set, _)| set.count_ones() as usize).iter().sum()
}

/// The squares diagonally ahead of the pawns of a side.
pub(super) fn attacks(pawns: Bits, side: Side) -> Bits {
    let [left, right] = [pawns & !FILE_A, pawns & !FILE_H];
    match side {
        Side::Black => left >> 9 | right >> 7,
        Side::White => left << 7 | right << 9,
    }
}
