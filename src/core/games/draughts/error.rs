//! The errors in setups and moves of English draughts.

use thiserror::Error;

use crate::game::bitboard::Square;
use crate::game::{NotationError, Side};
use crate::games::board::PlacementError;

/// The maximum number of pieces of a side.
pub(super) const MAX_PIECES: u32 = 12;

/// An error in a setup or a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DraughtsError {
    /// The setup is empty.
    #[error("the setup is empty")]
    Empty,
    /// The board drawing is malformed.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A letter that is not a piece.
    #[error("{square}: expected a piece (m, p, k for Black, M, P, K for White), found '{letter}'")]
    Letter {
        /// The letter found.
        letter: char,
        /// Its square.
        square: Square,
    },
    /// A piece or a move on a light square.
    #[error("{0} is a light square; pieces stand on dark squares")]
    LightSquare(Square),
    /// Not a side to move.
    #[error("expected the side to move, B or W, found '{0}'")]
    Side(String),
    /// A PDN part that does not begin with a colour.
    #[error("expected W or B before the squares, found '{0}'")]
    Colour(String),
    /// Not the number of a square, nor a range of numbers.
    #[error("expected a square from 1 to 32 or a range such as 1-12, found '{0}'")]
    Number(String),
    /// A range with its end before its start.
    #[error("the range '{0}' ends before it begins")]
    Range(String),
    /// Two pieces on one square.
    #[error("two pieces on square {0}")]
    Twice(usize),
    /// A man on its crowning rank.
    #[error("{side} man on its crowning rank: square {number} ({square})")]
    Uncrowned {
        /// The side of the man.
        side: Side,
        /// Its square.
        square: Square,
        /// The number of the square.
        number: usize,
    },
    /// A move after the setup without the word before it.
    #[error("expected 'moves' before the moves, found '{0}'")]
    Moves(String),
    /// More pieces than a side has at the start.
    #[error("{side} has {pieces} pieces, more than {MAX_PIECES}")]
    TooMany {
        /// The side.
        side: Side,
        /// The number of its pieces.
        pieces: u32,
    },
    /// A board without pieces.
    #[error("no pieces")]
    NoPieces,
    /// Text that cannot be parsed as a move.
    #[error("expected a move such as 11-15, 22x15 or c3d4, found '{0}'")]
    Unreadable(String),
    /// A move after the end of the game.
    #[error("the game is over: {0}")]
    Over(String),
    /// A piece of the side that is not to move.
    #[error("it is {}'s turn: the {kind} on square {number} ({square}) is {side}'s", !*side)]
    OtherSide {
        /// The side of the piece.
        side: Side,
        /// The kind of the piece.
        kind: &'static str,
        /// The origin square.
        square: Square,
        /// The number of the square.
        number: usize,
    },
    /// No piece on the origin square.
    #[error("no {side} piece on square {number} ({square})")]
    NoPiece {
        /// The side to move.
        side: Side,
        /// The origin square.
        square: Square,
        /// The number of the square.
        number: usize,
    },
    /// The target square holds an own piece.
    #[error("square {square} holds your own {kind}")]
    OwnPiece {
        /// The target square, as in the move.
        square: String,
        /// The kind of the piece.
        kind: &'static str,
    },
    /// The target square of a step holds a piece of the opponent.
    #[error("square {square} holds the opponent's {kind}")]
    OpponentPiece {
        /// The target square, as in the move.
        square: String,
        /// The kind of the piece.
        kind: &'static str,
    },
    /// A man that moves backward.
    #[error("a man moves forward only; its moves: {0}")]
    Backward(String),
    /// A quiet move where a capture is possible, or an incomplete capture.
    #[error("a capture is compulsory and must be completed: {0}")]
    MustCapture(String),
    /// A piece that cannot capture, where another one can and must.
    #[error("a capture is compulsory: {0}")]
    OtherMustCapture(String),
    /// A piece without a legal move.
    #[error(
        "the {kind} on square {number} ({square}) cannot move: the squares it could reach are occupied"
    )]
    Blocked {
        /// The kind of the piece.
        kind: &'static str,
        /// Its square.
        square: Square,
        /// The number of the square.
        number: usize,
    },
    /// An ambiguous move.
    #[error("ambiguous move: {0}")]
    Ambiguous(String),
    /// A move that the piece cannot make.
    #[error("illegal for the piece on square {number} ({square}); its moves: {moves}")]
    Illegal {
        /// The origin square.
        square: Square,
        /// The number of the square.
        number: usize,
        /// The legal moves of the piece.
        moves: String,
    },
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
