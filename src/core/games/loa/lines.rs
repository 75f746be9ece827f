//! Lines of Action: the lines of the board, whose stones determine how far a stone moves.

use super::Loa;
use crate::game::BoardLine;
use crate::game::bitboard::{Square, squares};

/// The steps along a line, in files and ranks, one of the two directions each.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The lines of at least two squares with at least one stone.
pub(super) fn lines(position: &Loa) -> Vec<BoardLine> {
    let occupied = position.stones[0] | position.stones[1];
    let mut lines = Vec::new();
    for (files, ranks) in STEPS {
        for start in squares(!0).filter(|&start| stepped(start, -files, -ranks).is_none()) {
            let line = std::iter::successors(Some(start), |&at| stepped(at, files, ranks));
            let squares: Vec<Square> = line.collect();
            let stones = squares.iter().filter(|square| occupied & square.bit() != 0).count();
            if stones > 0 && squares.len() > 1 {
                lines.push(BoardLine { squares, stones });
            }
        }
    }
    lines
}

/// The square that is so many files and ranks away; `None` off the board.
fn stepped(square: Square, files: i8, ranks: i8) -> Option<Square> {
    let (file, rank) = (square.file() + files, square.rank() + ranks);
    let is_inside = (0..8).contains(&file) && (0..8).contains(&rank);
    is_inside.then(|| Square::new((rank * 8 + file) as u8))
}
