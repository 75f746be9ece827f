//! Boards and moves as the window has them.

use thiserror::Error;

use crate::engine::MoveView;
use crate::game::bitboard::Square;
use crate::game::{Board, Piece, Side};

/// The game of the window: English draughts.
pub const GAME: &str = "englishdraughts";

/// A board of the window, by column and row: square 1 is (6, 0), and 32 is (1, 7).
pub type Squares = [[i32; 8]; 8];

const EMPTY: i32 = 0;
const WHITE: i32 = 1;
const BLACK: i32 = 2;
const MAN: i32 = 4;
const KING: i32 = 8;

/// A square, by column and row.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coordinates {
    pub x: i32,
    pub y: i32,
}

/// The description of a move (`struct CBmove`).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CbMove {
    pub jumps: i32,
    /// The piece after the move.
    pub new_piece: i32,
    /// The piece before the move.
    pub old_piece: i32,
    pub from: Coordinates,
    pub to: Coordinates,
    /// The squares after each step, from index 1 on.
    pub path: [Coordinates; 12],
    pub captured: [Coordinates; 12],
    pub captured_pieces: [i32; 12],
}

/// A position that the game does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum InvalidPosition {
    #[error("{0} is no piece")]
    Piece(i32),
    #[error("a piece stands on a light square")]
    LightSquare,
    #[error("{0} is no colour")]
    Colour(i32),
}

/// The column and the row of a square: the window shows the board from White's side, and counts from
/// the corner of a Black man.
fn coordinates(square: Square) -> Coordinates {
    Coordinates { x: 7 - i32::from(square.file()), y: 7 - i32::from(square.rank()) }
}

fn piece_on(squares: &Squares, square: Square) -> i32 {
    let Coordinates { x, y } = coordinates(square);
    squares.get(x as usize).and_then(|column| column.get(y as usize)).copied().unwrap_or(EMPTY)
}

pub fn read(squares: &Squares, colour: i32) -> Result<(Board, Side), InvalidPosition> {
    let mut board = Board::default();
    for square in (0..64).map(Square::new) {
        let piece = read_piece(piece_on(squares, square))?;
        if piece.is_some() && (square.file() + square.rank()) % 2 != 0 {
            return Err(InvalidPosition::LightSquare);
        }
        let rank = board.get_mut(7 - square.rank() as usize);
        if let Some(place) = rank.and_then(|rank| rank.get_mut(square.file() as usize)) {
            *place = piece;
        }
    }
    let side = match colour {
        WHITE => Side::White,
        BLACK => Side::Black,
        other => return Err(InvalidPosition::Colour(other)),
    };
    Ok((board, side))
}

fn read_piece(value: i32) -> Result<Option<Piece>, InvalidPosition> {
    let piece = |side, kind| Ok(Some(Piece { side, kind }));
    match (value & (WHITE | BLACK), value & !(WHITE | BLACK)) {
        (EMPTY, EMPTY) => Ok(None),
        (WHITE, MAN) => piece(Side::White, 0),
        (WHITE, KING) => piece(Side::White, 1),
        (BLACK, MAN) => piece(Side::Black, 0),
        (BLACK, KING) => piece(Side::Black, 1),
        _ => Err(InvalidPosition::Piece(value)),
    }
}

pub fn write(board: &Board) -> Squares {
    let mut squares = Squares::default();
    for (y, rank) in board.iter().enumerate() {
        for (column, piece) in squares.iter_mut().rev().zip(rank) {
            if let Some(place) = column.get_mut(y) {
                *place = piece.map_or(EMPTY, write_piece);
            }
        }
    }
    squares
}

fn write_piece(piece: Piece) -> i32 {
    let colour = if piece.side == Side::White { WHITE } else { BLACK };
    colour | if piece.kind == 0 { MAN } else { KING }
}

/// Describes a legal move on a board.
pub fn describe(squares: &Squares, mv: &MoveView) -> CbMove {
    let mut description = CbMove { jumps: mv.captures.len() as i32, ..CbMove::default() };
    if let [from, .., to] = *mv.path.as_slice() {
        description.from = coordinates(from);
        description.to = coordinates(to);
        description.old_piece = piece_on(squares, from);
        let is_crowned = description.old_piece & MAN != 0 && [0, 7].contains(&description.to.y);
        description.new_piece =
            if is_crowned { description.old_piece ^ (MAN | KING) } else { description.old_piece };
    }
    for (place, square) in description.path.iter_mut().skip(1).zip(mv.path.iter().skip(1)) {
        *place = coordinates(*square);
    }
    let captured = description.captured.iter_mut().zip(&mut description.captured_pieces);
    for ((place, piece), square) in captured.zip(&mv.captures) {
        (*place, *piece) = (coordinates(*square), piece_on(squares, *square));
    }
    description
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_places_of_the_interface() {
        for (number, x, y) in [
            (1, 6, 0),
            (2, 4, 0),
            (4, 0, 0),
            (5, 7, 1),
            (8, 1, 1),
            (9, 6, 2),
            (29, 7, 7),
            (32, 1, 7),
        ] {
            assert_eq!(coordinates(Square::numbered(number).unwrap()), Coordinates { x, y });
        }
    }

    #[test]
    fn positions_are_read_and_written() {
        let mut squares = Squares::default();
        (squares[6][0], squares[0][0], squares[7][1], squares[1][7]) = (6, 10, 9, 5);
        let (board, side) = read(&squares, 2).unwrap();
        assert_eq!(side, Side::Black);
        assert_eq!(board[0][1], Some(Piece { side: Side::Black, kind: 0 }));
        assert_eq!(board[0][7], Some(Piece { side: Side::Black, kind: 1 }));
        assert_eq!(board[1][0], Some(Piece { side: Side::White, kind: 1 }));
        assert_eq!(board[7][6], Some(Piece { side: Side::White, kind: 0 }));
        assert_eq!(write(&board), squares);
        for (x, y, value, error) in [
            (0, 0, 7, InvalidPosition::Piece(7)),
            (0, 0, 4, InvalidPosition::Piece(4)),
            (0, 0, 1, InvalidPosition::Piece(1)),
            (0, 0, -1, InvalidPosition::Piece(-1)),
            (0, 1, 6, InvalidPosition::LightSquare),
        ] {
            let mut squares = squares;
            squares[x][y] = value;
            assert_eq!(read(&squares, 1), Err(error));
        }
        assert_eq!(read(&squares, 0), Err(InvalidPosition::Colour(0)));
    }
}
