//! The notation: reading and writing of setups and moves.

use std::array;
use std::error::Error;

use serde::Deserialize;

use super::bitboard::Square;
use super::{Move, MoveList, Position, Rules, Side, plain_move};

/// A notation for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveFormat {
    /// The squares of the path, the same for every game: `b8b6`.
    #[default]
    Coordinate,
    /// The customary notation of the game.
    Standard,
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceKind {
    /// The stable name for programs.
    pub name: &'static str,
    /// The words of the game for one piece and for several.
    pub words: [&'static str; 2],
    /// The letters in diagrams, for Black and White.
    pub letters: [char; 2],
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub side: Side,
    /// The index of its kind in [`Notation::PIECES`].
    pub kind: usize,
}

/// The contents of the board, by rank from the eighth down and by file from the first.
pub type Board = [[Option<Piece>; 8]; 8];

/// An error in a setup or a move.
pub trait NotationError: Error + Send + Sync + 'static {
    /// The stable name of the reason for programs: `own-piece`.
    fn code(&self) -> &'static str;
}

/// The notation of a game for setups and moves.
pub trait Notation: Position {
    /// The configurable rules, which a setup does not contain.
    type Rules: Rules;
    /// The error for an invalid setup or move.
    type Error: NotationError;

    /// The kinds of pieces. The kind that the start position consists of comes first.
    const PIECES: &'static [PieceKind];

    /// Reads a setup: one line of setup notation, or the lines of a diagram.
    fn read_setup(text: &str, rules: Self::Rules) -> Result<Self, Self::Error>;

    /// Returns the setup on one line, in the standard notation of the game.
    fn write_setup(&self) -> String;

    /// Reads one of the [`readable_moves`](super::readable_moves) in any notation of the game.
    fn read_move(&self, text: &str) -> Result<Self::Move, Self::Error>;

    /// The moves that a text may mean: several if it is ambiguous, none if it is no move.
    fn read_moves(&self, text: &str) -> MoveList<Self::Move> {
        self.read_move(text).into_iter().collect()
    }

    /// Whether the text of a move may fit several legal moves in some position: a first look, by which most
    /// texts cannot.
    fn may_be_ambiguous(text: &str) -> bool {
        let _ = text;
        false
    }

    /// Reads a square that stands alone, in any notation of the game.
    fn read_square(text: &str) -> Option<Square> {
        Square::read(plain_move(text).as_bytes())
    }

    /// Fails with the reason why no legal move begins on a square. This must be so, but another move
    /// must be legal. `text` names the square; the error names squares in the same notation.
    fn check_origin(&self, square: Square, text: &str) -> Result<(), Self::Error> {
        let _ = text;
        self.read_move(&format!("{square}{square}")).map(drop)
    }

    /// Writes one of the [`readable_moves`](super::readable_moves).
    fn write_move(&self, mv: Self::Move, format: MoveFormat) -> String;

    /// The squares on which the piece of a move stands one after the other, 0 for a1 to 63 for h8;
    /// none for a pass, which is a move with one square.
    fn path(&self, mv: Self::Move) -> Vec<usize> {
        let ends = [mv.origin(), mv.target()];
        if ends[0] == ends[1] { Vec::new() } else { ends.to_vec() }
    }

    /// The piece on a square, 0 for a1 to 63 for h8.
    fn piece_on(&self, square: usize) -> Option<Piece>;

    /// The number of pieces of each side.
    fn piece_counts(&self) -> [u32; 2] {
        let mut counts = [0; 2];
        (0..64)
            .filter_map(|square| self.piece_on(square))
            .for_each(|piece| counts[piece.side] += 1);
        counts
    }

    /// The contents of all squares.
    fn board(&self) -> Board {
        array::from_fn(|row| array::from_fn(|file| self.piece_on((7 - row) * 8 + file)))
    }

    /// The board as lines of text, with the eighth rank first and labelled ranks and files.
    fn diagram(&self) -> String {
        let letter = |piece: &Option<Piece>| {
            piece.map_or('-', |piece| Self::PIECES[piece.kind].letters[piece.side])
        };
        let mut text = String::new();
        for (row, squares) in self.board().iter().enumerate() {
            text += &format!("{} ", 8 - row);
            text.extend(squares.iter().flat_map(|square| [' ', letter(square)]));
            text.push('\n');
        }
        text + "   a b c d e f g h\n"
    }
}
