//! Breakthrough: setups and moves as text.

use thiserror::Error;

use super::{Breakthrough, BreakthroughMove};
use crate::game::{
    Heuristics, MoveFormat, MoveList, Notation, NotationError, Piece, PieceKind, Position, RuleOption,
    Rules, Side, outcome, plain_move,
};
use crate::game::bitboard::{Square, squares};
use crate::games::board::{self, PlacementError};

/// The maximum number of pawns of a side.
const MAX_PAWNS: u32 = 16;

/// The rules, none of which is configurable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BreakthroughRules;

impl Rules for BreakthroughRules {
    const OPTIONS: &'static [RuleOption<Self>] = &[];
}

/// An error in a setup or a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BreakthroughError {
    /// The placement of the pawns is invalid.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// An unknown letter on a square.
    #[error("{square}: expected a pawn (p, b, B for Black, P, w, W for White), found '{letter}'")]
    Pawn {
        /// The letter.
        letter: char,
        /// The square.
        square: Square,
    },
    /// An unknown name of a side.
    #[error("expected the side to move, b or w, found '{0}'")]
    Side(String),
    /// A side has too many pawns.
    #[error("{side} has {pawns} pawns, more than {MAX_PAWNS}")]
    TooMany {
        /// The side.
        side: Side,
        /// The number of its pawns.
        pawns: u32,
    },
    /// The board is empty.
    #[error("there are no pawns")]
    NoPawns,
    /// The text is not a move.
    #[error("expected a move such as b7b6, found '{0}'")]
    Unreadable(String),
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(String),
    /// The move is illegal.
    #[error("no pawn of {side} moves from {from} to {to}")]
    Illegal {
        /// The side to move.
        side: Side,
        /// The origin square.
        from: Square,
        /// The target square.
        to: Square,
    },
}

impl NotationError for BreakthroughError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Over(_) => "game-over",
            Self::Illegal { .. } => "illegal",
            _ => "setup",
        }
    }
}

impl Notation for Breakthrough {
    type Rules = BreakthroughRules;
    type Error = BreakthroughError;

    const PIECES: &'static [PieceKind] =
        &[PieceKind { name: "pawn", words: ["pawn", "pawns"], letters: ['B', 'W'] }];

    /// Reads `pppppppp/.../PPPPPPPP b` or a diagram of several lines. Black moves first by default.
    fn read_setup(text: &str, _: BreakthroughRules) -> Result<Self, BreakthroughError> {
        let (board, side) = if text.trim().contains('\n') {
            let drawing = board::read_drawing(text)?;
            (drawing.board, drawing.next)
        } else {
            let mut fields = text.split_whitespace();
            let placement = fields.next().unwrap_or_default();
            (board::read_placement(placement)?, fields.next().map(str::to_string))
        };
        let side = match side.map(|side| side.to_ascii_lowercase()).as_deref() {
            None | Some("b" | "black") => Side::Black,
            Some("w" | "white") => Side::White,
            Some(name) => return Err(BreakthroughError::Side(name.to_string())),
        };
        let mut pawns = [0; 2];
        for (square, &letter) in squares(!0).zip(board.iter().rev().flatten()) {
            let owner = match letter {
                '-' => continue,
                'p' | 'b' | 'B' => Side::Black,
                'P' | 'w' | 'W' => Side::White,
                _ => return Err(BreakthroughError::Pawn { letter, square }),
            };
            pawns[owner] |= square.bit();
        }
        for owner in Side::BOTH {
            let count = pawns[owner].count_ones();
            if count > MAX_PAWNS {
                return Err(BreakthroughError::TooMany { side: owner, pawns: count });
            }
        }
        if pawns == [0; 2] {
            return Err(BreakthroughError::NoPawns);
        }
        Ok(Self::new(pawns, side))
    }

    /// Writes the setup with `P` for White and `p` for Black, in the six fields of a chess FEN.
    fn write_setup(&self) -> String {
        let letter = |piece: Piece| if piece.side == Side::White { 'P' } else { 'p' };
        let placement = board::write_placement(|square| self.piece_on(square.index()).map(letter));
        let side = if self.side == Side::White { 'w' } else { 'b' };
        format!("{placement} {side} - - 0 1")
    }

    /// Parses `b7b6`, `b7-b6` or `b7xa6` in any case.
    fn read_move(&self, text: &str) -> Result<BreakthroughMove, BreakthroughError> {
        if let Some(end) = outcome(self) {
            return Err(BreakthroughError::Over(end.to_string()));
        }
        let (from, to) = split_move(plain_move(text).as_bytes())
            .ok_or_else(|| BreakthroughError::Unreadable(text.to_string()))?;
        let mv = BreakthroughMove::new(from, to);
        let mut legal = MoveList::new();
        self.moves(&mut legal);
        let illegal = || BreakthroughError::Illegal { side: self.side, from, to };
        legal.contains(&mv).then_some(mv).ok_or_else(illegal)
    }

    /// Writes `b7b6`, or `b7-b6` and `b7xa6` in the standard notation.
    fn write_move(&self, mv: BreakthroughMove, format: MoveFormat) -> String {
        let sign = match format {
            MoveFormat::Coordinate => "",
            MoveFormat::Standard if self.is_noisy(mv) => "x",
            MoveFormat::Standard => "-",
        };
        format!("{}{sign}{}", mv.from(), mv.to())
    }

    fn piece_on(&self, square: usize) -> Option<Piece> {
        let owner = |side: &Side| self.pawns[*side] >> square & 1 != 0;
        Side::BOTH.into_iter().find(owner).map(|side| Piece { side, kind: 0 })
    }
}

/// The two squares of a move.
fn split_move(text: &[u8]) -> Option<(Square, Square)> {
    let (from, rest) = text.split_at_checked(2)?;
    let to = match rest {
        [b'-' | b'x' | b'X' | b':', to @ ..] => to,
        to => to,
    };
    Some((Square::read(from)?, Square::read(to)?))
}
