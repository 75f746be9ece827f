//! The errors in setups and moves of English draughts.

use thiserror::Error;

use crate::game::bitboard::Square;
use crate::game::{NotationError, Side};
use crate::games::board::PlacementError;

pub(super) const MAX_PIECES: u32 = 12;

/// An error in a setup or a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DraughtsError {
    #[error("the setup is empty")]
    Empty,
    #[error(transparent)]
    Placement(#[from] PlacementError),
    #[error("{square}: expected a piece (m, p, k for Black, M, P, K for White), found '{letter}'")]
    Letter { letter: char, square: Square },
    #[error("{0} is a light square; pieces stand on dark squares")]
    LightSquare(Square),
    #[error("expected the side to move, B or W, found '{0}'")]
    Side(String),
    #[error("expected W or B before the squares, found '{0}'")]
    Colour(String),
    #[error("expected a square from 1 to 32 or a range such as 1-12, found '{0}'")]
    Number(String),
    #[error("the range '{0}' ends before it begins")]
    Range(String),
    #[error("two pieces on square {0}")]
    Twice(usize),
    #[error("{side} man on its crowning rank: square {} ({square})", square.number())]
    Uncrowned { side: Side, square: Square },
    #[error("expected 'moves' before the moves, found '{0}'")]
    Moves(String),
    #[error("{side} has {pieces} pieces, more than {MAX_PIECES}")]
    TooMany { side: Side, pieces: u32 },
    #[error("no pieces")]
    NoPieces,
    #[error("expected a move such as 11-15, 22x15 or c3d4, found '{0}'")]
    Unreadable(String),
    #[error("the game is over: {0}")]
    Over(String),
    #[error("it is {}'s turn: the {kind} on square {} ({square}) is {side}'s", !*side, square.number())]
    OtherSide { side: Side, kind: &'static str, square: Square },
    #[error("no {side} piece on square {} ({square})", square.number())]
    NoPiece { side: Side, square: Square },
    #[error("square {square} holds your own {kind}")]
    OwnPiece { square: String, kind: &'static str },
    #[error("square {square} holds the opponent's {kind}")]
    OpponentPiece { square: String, kind: &'static str },
    #[error("a man moves forward only; its moves: {0}")]
    Backward(String),
    #[error("a capture is compulsory and must be completed: {0}")]
    MustCapture(String),
    #[error("a capture is compulsory: {0}")]
    OtherMustCapture(String),
    #[error(
        "the {kind} on square {} ({square}) cannot move: the squares it could reach are occupied",
        square.number()
    )]
    Blocked { kind: &'static str, square: Square },
    #[error("ambiguous move: {0}")]
    Ambiguous(String),
    #[error("illegal for the piece on square {} ({square}); its moves: {moves}", square.number())]
    Illegal { square: Square, moves: String },
}

impl NotationError for DraughtsError {
    fn code(&self) -> &'static str {
        match self {
            Self::LightSquare(_) => "light-square",
            Self::Unreadable(_) => "unreadable",
            Self::Over(_) => "game-over",
            Self::NoPiece { .. } | Self::OtherSide { .. } => "no-piece",
            Self::OwnPiece { .. } => "own-piece",
            Self::OpponentPiece { .. } => "opponent-piece",
            Self::Backward(_) => "backward",
            Self::MustCapture(_) | Self::OtherMustCapture(_) => "must-capture",
            Self::Blocked { .. } => "blocked",
            Self::Ambiguous(_) => "ambiguous",
            Self::Illegal { .. } => "illegal",
            _ => "setup",
        }
    }
}
