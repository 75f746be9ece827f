//! Lines of Action: setups and moves as text.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use thiserror::Error;

use super::{Loa, LoaMove, LoaRules, moves};
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{
    Heuristics, MoveFormat, Notation, NotationError, Piece, PieceKind, Side, outcome, plain_move,
    readable_moves,
};
use crate::games::board::{self, Letters, PlacementError};

const MAX_STONES: u32 = 12;

const PASS: &str = "0000";

/// An error in a setup or a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LoaError {
    #[error("the setup is empty")]
    Empty,
    #[error(transparent)]
    Placement(#[from] PlacementError),
    #[error(
        "{square}: expected a stone (l, p, B, X for Black, L, P, W, O for White), found '{letter}'"
    )]
    Stone { letter: char, square: Square },
    #[error("expected the side to move, b or w, found '{0}'")]
    Side(String),
    #[error("expected 'moves' before the moves, found '{0}'")]
    Moves(String),
    #[error("{side} has {stones} stones, more than {MAX_STONES}")]
    TooMany { side: Side, stones: u32 },
    #[error("{0} has no stones")]
    NoStones(Side),
    #[error("expected a move such as b8b6, or pass, found '{0}'")]
    Unreadable(String),
    #[error("the game is over: {0}")]
    Over(String),
    #[error("{0} has legal moves and may not pass")]
    MayMove(Side),
    #[error("{0} has no legal move and must pass")]
    MustPass(Side),
    #[error("it is {}'s turn: the stone on {square} is {side}'s", !*side)]
    OtherSide { side: Side, square: Square },
    #[error("no {side} stone on {square}")]
    NoStone { side: Side, square: Square },
    #[error("{from} to {to} is not a straight line")]
    NotALine { from: Square, to: Square },
    #[error("{from} to {to}: the line holds {}, so it moves {stones}", count(*.stones))]
    Distance { from: Square, to: Square, stones: u32 },
    #[error("{from} to {to}: blocked by the opponent's stone on {square}")]
    Blocked { from: Square, to: Square, square: Square },
    #[error(
        "the stone on {0} cannot move: each way ends off the board or on your own stone, or passes an \
         opponent's stone"
    )]
    Immovable(Square),
    #[error("square {0} holds your own stone")]
    OwnStone(Square),
    #[error("{from}x{to}: no opponent's stone on {to}")]
    NoCapture { from: Square, to: Square },
}

impl NotationError for LoaError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Over(_) => "game-over",
            Self::MayMove(_) => "no-pass",
            Self::MustPass(_) => "must-pass",
            Self::NoStone { .. } | Self::OtherSide { .. } => "no-piece",
            Self::NotALine { .. } => "not-a-line",
            Self::Distance { .. } => "distance",
            Self::Blocked { .. } | Self::Immovable(_) => "blocked",
            Self::OwnStone(_) => "own-piece",
            Self::NoCapture { .. } => "no-capture",
            _ => "setup",
        }
    }
}

impl Notation for Loa {
    type Rules = LoaRules;
    type Error = LoaError;

    const PIECES: &'static [PieceKind] =
        &[PieceKind { name: "man", words: ["stone", "stones"], letters: ['B', 'W'] }];

    fn read_setup(text: &str, rules: LoaRules) -> Result<Self, LoaError> {
        read_setup(text, rules)
    }

    fn write_setup(&self) -> String {
        write_setup(self)
    }

    fn read_move(&self, text: &str) -> Result<LoaMove, LoaError> {
        read_move(self, text)
    }

    fn check_origin(&self, square: Square, _: &str) -> Result<(), LoaError> {
        Err(why_immovable(self, square))
    }

    fn write_move(&self, mv: LoaMove, format: MoveFormat) -> String {
        write_move(self, mv, format)
    }

    fn piece_on(&self, square: usize) -> Option<Piece> {
        let owner = |side: &Side| self.stones[*side] >> square & 1 != 0;
        Side::BOTH.into_iter().find(owner).map(|side| Piece { side, kind: 0 })
    }

    fn piece_counts(&self) -> [u32; 2] {
        self.stones.map(Bits::count_ones)
    }
}

fn count(stones: u32) -> String {
    format!("{stones} stone{}", if stones == 1 { "" } else { "s" })
}

/// Reads `1llllll1/L6L/... b` or a diagram of several lines. Black moves first by default.
fn read_setup(text: &str, rules: LoaRules) -> Result<Loa, LoaError> {
    let (board, side) = if text.trim().contains('\n') {
        let drawing = board::read_drawing(text)?;
        (drawing.board, drawing.next)
    } else {
        let mut fields = text.split_whitespace();
        let placement = fields.next().ok_or(LoaError::Empty)?;
        let board = board::read_placement(placement)?;
        let side = fields.next().map(str::to_string);
        // The other fields of a chess FEN are ignored, but moves must not be lost.
        if let Some(mv) = fields.find(|field| split_move(field.as_bytes()).is_some()) {
            return Err(LoaError::Moves(mv.to_string()));
        }
        (board, side)
    };
    let side = side.map_or(Ok(Side::Black), |name| read_side(&name))?;
    let stones = read_stones(&board)?;
    for owner in Side::BOTH {
        match stones[owner].count_ones() {
            0 => return Err(LoaError::NoStones(owner)),
            n if n > MAX_STONES => return Err(LoaError::TooMany { side: owner, stones: n }),
            _ => {}
        }
    }
    Ok(Loa::new(stones, side, rules))
}

fn read_side(name: &str) -> Result<Side, LoaError> {
    Side::read(name).ok_or_else(|| LoaError::Side(name.to_string()))
}

fn read_stones(board: &Letters) -> Result<[Bits; 2], LoaError> {
    let mut stones = [0; 2];
    let letters = board.iter().rev().flatten();
    for (square, &letter) in squares(!0).zip(letters) {
        let side = match letter {
            '-' => continue,
            'l' | 'p' | 'b' | 'B' | 'x' | 'X' => Side::Black,
            'L' | 'P' | 'w' | 'W' | 'o' | 'O' => Side::White,
            _ => return Err(LoaError::Stone { letter, square }),
        };
        stones[side] |= square.bit();
    }
    Ok(stones)
}

/// Writes the setup with `L` for White and `l` for Black, in the six fields of a chess FEN.
fn write_setup(position: &Loa) -> String {
    let placement = board::write_placement(|square| letter(position, square, ['l', 'L']));
    let side = match position.side {
        Side::Black => 'b',
        Side::White => 'w',
    };
    format!("{placement} {side} - - 0 1")
}

fn letter(position: &Loa, square: Square, letters: [char; 2]) -> Option<char> {
    let owner = Side::BOTH.into_iter().find(|&side| position.stones[side] & square.bit() != 0)?;
    Some(letters[owner])
}

/// Parses `b8b6`, `b8-b6`, `b8xb6` or `b8:b6` in any case, or `0000` or `pass`.
fn read_move(position: &Loa, text: &str) -> Result<LoaMove, LoaError> {
    let legal = readable_moves(position);
    if legal.is_empty()
        && let Some(end) = outcome(position)
    {
        return Err(LoaError::Over(end.to_string()));
    }
    let plain = plain_move(text);
    let must_pass = legal.first() == Some(&LoaMove::PASS);
    if plain == PASS || plain.eq_ignore_ascii_case("pass") {
        return if must_pass { Ok(LoaMove::PASS) } else { Err(LoaError::MayMove(position.side)) };
    }
    let (from, capture, to) =
        split_move(plain.as_bytes()).ok_or_else(|| LoaError::Unreadable(text.to_string()))?;
    let mv = LoaMove::new(from, to);
    if must_pass {
        return Err(LoaError::MustPass(position.side));
    }
    if !legal.contains(&mv) {
        return Err(why_illegal(position, from, to));
    }
    if capture && !position.is_noisy(mv) {
        return Err(LoaError::NoCapture { from, to });
    }
    Ok(mv)
}

/// The two squares of a move, and whether a capture sign is between them.
fn split_move(text: &[u8]) -> Option<(Square, bool, Square)> {
    let (from, rest) = text.split_at_checked(2)?;
    let (capture, to) = match rest {
        [b'-', to @ ..] => (false, to),
        [b'x' | b'X' | b':', to @ ..] => (true, to),
        to => (false, to),
    };
    Some((Square::read(from)?, capture, Square::read(to)?))
}

/// Why no legal move begins on a square.
fn why_immovable(position: &Loa, square: Square) -> LoaError {
    let side = position.side;
    if moves::count(position) == 0 {
        LoaError::MustPass(side)
    } else if position.stones[!side] & square.bit() != 0 {
        LoaError::OtherSide { side: !side, square }
    } else if position.stones[side] & square.bit() == 0 {
        LoaError::NoStone { side, square }
    } else {
        LoaError::Immovable(square)
    }
}

/// The first rule that an illegal move violates.
fn why_illegal(position: &Loa, from: Square, to: Square) -> LoaError {
    let (own, enemy) = (position.stones[position.side], position.stones[!position.side]);
    if own & from.bit() == 0 {
        return why_immovable(position, from);
    }
    if from != to && own & to.bit() != 0 {
        return LoaError::OwnStone(to);
    }
    let (dx, dy) = (to.file() - from.file(), to.rank() - from.rank());
    if from == to || dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return LoaError::NotALine { from, to };
    }
    let on_line = |square: &Square| {
        let (x, y) = (square.file() - from.file(), square.rank() - from.rank());
        x * dy == y * dx
    };
    let stones = squares(own | enemy).filter(on_line).count() as u32;
    if dx.abs().max(dy.abs()) as u32 != stones {
        return LoaError::Distance { from, to, stones };
    }
    let between = |square: &Square| {
        let (x, y) = (square.file() - from.file(), square.rank() - from.rank());
        let ahead = x * dx + y * dy;
        on_line(square) && ahead > 0 && ahead < dx * dx + dy * dy
    };
    match squares(enemy).find(between) {
        Some(square) => LoaError::Blocked { from, to, square },
        // No legal move gets here.
        None => LoaError::NotALine { from, to },
    }
}

/// Writes `b8b6`, or `b8-b6` and `c1xa3` in the standard notation.
fn write_move(position: &Loa, mv: LoaMove, format: MoveFormat) -> String {
    if mv == LoaMove::PASS {
        return PASS.to_string();
    }
    let sign = match format {
        MoveFormat::Coordinate => "",
        MoveFormat::Standard if position.is_noisy(mv) => "x",
        MoveFormat::Standard => "-",
    };
    format!("{}{sign}{}", mv.from(), mv.to())
}
