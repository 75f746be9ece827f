//! Setups and moves of English draughts as text.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use arrayvec::ArrayVec;

use super::error::{DraughtsError, MAX_PIECES};
use super::position::{Draughts, DraughtsMove, HOME};
use super::rules::DraughtsRules;
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{
    Heuristics, MoveFormat, MoveList, Notation, Piece, PieceKind, Side, distinct_moves, outcome,
    plain_move, readable_moves,
};
use crate::games::board::{self, Letters};

impl Notation for Draughts {
    type Rules = DraughtsRules;
    type Error = DraughtsError;

    const PIECES: &'static [PieceKind] = &[
        PieceKind { name: "man", words: ["man", "men"], letters: ['m', 'M'] },
        PieceKind { name: "king", words: ["king", "kings"], letters: ['k', 'K'] },
    ];

    fn read_setup(text: &str, rules: DraughtsRules) -> Result<Self, DraughtsError> {
        read_setup(text, rules)
    }

    fn write_setup(&self) -> String {
        write_setup(self)
    }

    fn read_move(&self, text: &str) -> Result<DraughtsMove, DraughtsError> {
        read_move(self, text)
    }

    fn read_moves(&self, text: &str) -> MoveList<DraughtsMove> {
        match read_move(self, text) {
            Err(DraughtsError::Ambiguous(_)) => {
                let path = read_path(&plain_move(text)).unwrap_or_default();
                let moves = readable_moves(self).into_iter();
                distinct_moves(self, moves.filter(|mv| fits(*mv, &path)))
            }
            read => read.into_iter().collect(),
        }
    }

    fn may_be_ambiguous(text: &str) -> bool {
        // A step or a single jump has one path.
        let is_long = |from: &Square, to: &Square| {
            let ranks = from.rank().abs_diff(to.rank());
            ranks != from.file().abs_diff(to.file()) || !matches!(ranks, 1 | 2)
        };
        let path = read_path(&plain_move(text)).unwrap_or_default();
        path.iter().zip(path.iter().skip(1)).any(|(from, to)| is_long(from, to))
    }

    fn read_square(text: &str) -> Option<Square> {
        let text = plain_move(text);
        Square::read(text.as_bytes()).or_else(|| Square::numbered(read_number(&text)?))
    }

    fn check_origin(&self, square: Square, text: &str) -> Result<(), DraughtsError> {
        let moves = distinct_moves(self, readable_moves(self));
        Err(why_immovable(self, &moves, square, text))
    }

    fn write_move(&self, mv: DraughtsMove, format: MoveFormat) -> String {
        write_move(self, mv, format)
    }

    fn path(&self, mv: DraughtsMove) -> Vec<usize> {
        mv.squares().map(Square::index).collect()
    }

    fn piece_on(&self, square: usize) -> Option<Piece> {
        let owner = |side: &Side| self.pieces[*side] >> square & 1 != 0;
        let kind = (self.kings >> square & 1) as usize;
        Side::BOTH.into_iter().find(owner).map(|side| Piece { side, kind })
    }

    fn piece_counts(&self) -> [u32; 2] {
        self.pieces.map(Bits::count_ones)
    }
}

fn dark() -> Bits {
    (1..=32).filter_map(Square::numbered).fold(0, |set, square| set | square.bit())
}

/// Parses a PDN setup, a FEN-like placement by ranks, or a drawn board.
fn read_setup(text: &str, rules: DraughtsRules) -> Result<Draughts, DraughtsError> {
    let text = text.trim();
    let setup = if text.is_empty() {
        return Err(DraughtsError::Empty);
    } else if text.contains('\n') {
        let drawing = board::read_drawing(text)?;
        read_letters(&drawing.board, drawing.next.as_deref())?
    } else if text.contains('/') {
        let mut fields = text.split_whitespace();
        let placement = fields.next().ok_or(DraughtsError::Empty)?;
        let setup = read_letters(&board::read_placement(placement)?, fields.next())?;
        // The other fields of a chess FEN are ignored, but moves must not be lost.
        if let Some(mv) = fields.find(|field| read_path(field).is_some()) {
            return Err(DraughtsError::Moves(mv.to_string()));
        }
        setup
    } else {
        read_pdn(text)?
    };
    let Setup { pieces, kings, side } = setup;
    if pieces == [0; 2] {
        return Err(DraughtsError::NoPieces);
    }
    for owner in Side::BOTH {
        let count = pieces[owner].count_ones();
        if count > MAX_PIECES {
            return Err(DraughtsError::TooMany { side: owner, pieces: count });
        }
        if let Some(square) = squares(pieces[owner] & !kings & HOME[!owner]).last() {
            return Err(DraughtsError::Uncrowned { side: owner, square });
        }
    }
    Ok(Draughts::new(pieces, kings, side, rules))
}

struct Setup {
    pieces: [Bits; 2],
    kings: Bits,
    side: Side,
}

fn read_side(name: &str) -> Result<Side, DraughtsError> {
    Side::read(name).ok_or_else(|| DraughtsError::Side(name.to_string()))
}

fn read_letters(board: &Letters, side: Option<&str>) -> Result<Setup, DraughtsError> {
    let mut setup = Setup { pieces: [0; 2], kings: 0, side: Side::Black };
    if let Some(name) = side {
        setup.side = read_side(name)?;
    }
    for (square, &letter) in squares(!0).zip(board.iter().rev().flatten()) {
        let (side, king) = match letter {
            '-' => continue,
            // Small letters and capitals tell the sides apart, or, as in the console, men and kings.
            'm' | 'p' | 'b' => (Side::Black, false),
            'k' | 'B' => (Side::Black, true),
            'M' | 'P' | 'w' => (Side::White, false),
            'K' | 'W' => (Side::White, true),
            _ => return Err(DraughtsError::Letter { letter, square }),
        };
        if dark() & square.bit() == 0 {
            return Err(DraughtsError::LightSquare(square));
        }
        setup.pieces[side] |= square.bit();
        setup.kings |= if king { square.bit() } else { 0 };
    }
    Ok(setup)
}

/// Parses a PDN setup such as `B:W21,22,K23:B1-12.`; blanks around the signs are ignored.
fn read_pdn(text: &str) -> Result<Setup, DraughtsError> {
    let text = text.replace('"', "");
    let end = |c: char| c == '.' || c.is_whitespace();
    let mut parts = text.trim_end_matches(end).split(':').map(str::trim);
    let side = read_side(parts.next().unwrap_or_default())?;
    let mut setup = Setup { pieces: [0; 2], kings: 0, side };
    for part in parts.filter(|part| !part.is_empty()) {
        let owner = match part.chars().next() {
            Some('W' | 'w') => Side::White,
            Some('B' | 'b') => Side::Black,
            // Some programs add the quiet plies and the move number: `:H0:F1`.
            Some('H' | 'F') if part.bytes().skip(1).all(|byte| byte.is_ascii_digit()) => continue,
            _ => return Err(DraughtsError::Colour(part.to_string())),
        };
        let list = part.get(1..).unwrap_or_default();
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let king = is_king(item);
            let (first, last) = read_range(item)?;
            for number in first..=last {
                let Some(square) = Square::numbered(number) else { continue };
                if (setup.pieces[0] | setup.pieces[1]) & square.bit() != 0 {
                    return Err(DraughtsError::Twice(number));
                }
                setup.pieces[owner] |= square.bit();
                setup.kings |= if king { square.bit() } else { 0 };
            }
        }
    }
    Ok(setup)
}

/// Whether the item of a setup begins with the letter of kings.
fn is_king(item: &str) -> bool {
    item.trim_start().starts_with(['K', 'k'])
}

/// Parses `7`, `K7`, `1-12`, `K1-12` or `K1-K12`.
fn read_range(item: &str) -> Result<(usize, usize), DraughtsError> {
    let number = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix(['K', 'k']).unwrap_or(text);
        read_number(text.trim_start()).ok_or_else(|| DraughtsError::Number(item.to_string()))
    };
    let (first, last) = item.split_once('-').unwrap_or((item, item));
    // `1-K12` would leave open which squares have kings.
    if is_king(last) && !is_king(first) {
        return Err(DraughtsError::Number(item.to_string()));
    }
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(DraughtsError::Range(item.to_string()));
    }
    Ok((first, last))
}

/// Parses the number of a square: digits only, because `str::parse` would accept a sign.
fn read_number(text: &str) -> Option<usize> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)?;
    number.parse().ok().filter(|&number| Square::numbered(number).is_some())
}

/// The setup in PDN, White's pieces first.
fn write_setup(position: &Draughts) -> String {
    let list = |side: Side| {
        let numbers = (1..=32).filter_map(|number| Some((number, Square::numbered(number)?.bit())));
        let pieces = numbers.filter(|&(_, bit)| position.pieces[side] & bit != 0);
        let name =
            |(number, bit)| format!("{}{number}", if position.kings & bit != 0 { "K" } else { "" });
        pieces.map(name).collect::<Vec<_>>().join(",")
    };
    let side = match position.side {
        Side::Black => 'B',
        Side::White => 'W',
    };
    format!("{side}:W{}:B{}", list(Side::White), list(Side::Black))
}

/// Parses a path of squares or numbers. Squares between the ends may be omitted where this leaves
/// one legal move. Captures that lead to the same position are one move.
fn read_move(position: &Draughts, text: &str) -> Result<DraughtsMove, DraughtsError> {
    let legal = readable_moves(position);
    if legal.is_empty()
        && let Some(end) = outcome(position)
    {
        return Err(DraughtsError::Over(end.to_string()));
    }
    let plain = plain_move(text);
    let path = read_path(&plain).ok_or_else(|| DraughtsError::Unreadable(text.to_string()))?;
    let text = &*plain;
    // An exact match wins over a longer move that passes through the same squares.
    let is_exact = |mv: &&DraughtsMove| {
        path.first() == Some(&mv.from) && mv.squares().eq(path.iter().copied())
    };
    if let Some(&mv) = legal.iter().find(is_exact) {
        return Ok(mv);
    }
    let fitting = legal.iter().copied().filter(|mv| fits(*mv, &path));
    match distinct_moves(position, fitting).as_slice() {
        [mv] => Ok(*mv),
        [] => Err(why_illegal(position, &distinct_moves(position, legal), &path, text)),
        several => Err(DraughtsError::Ambiguous(list(several, text))),
    }
}

/// Whether a move is written in numbers, not in squares.
fn is_in_numbers(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

type Path = ArrayVec<Square, 32>;

/// Parses `h6f4d2`, `h6-f4`, `11-15` or `22x15x8`.
fn read_path(text: &str) -> Option<Path> {
    let is_in_numbers = is_in_numbers(text);
    let mut path = Path::new();
    let mut rest = text.as_bytes();
    loop {
        // There must be a square before each separator and at the end.
        let (square, after) = match rest {
            _ if is_in_numbers => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
                let number = digits.clone().fold(0, |number: usize, digit| {
                    number.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
                });
                (Square::numbered(number)?, rest.get(digits.count()..)?)
            }
            [file, rank, after @ ..] => (Square::read(&[*file, *rank])?, after),
            _ => return None,
        };
        path.try_push(square).ok()?;
        rest = match after {
            [] => return (path.len() >= 2).then_some(path),
            [b'-' | b'x' | b'X' | b':', after @ ..] => after,
            // Squares by file and rank need no separator.
            _ if !is_in_numbers => after,
            _ => return None,
        };
    }
}

/// Whether a move has these ends and passes the squares between them in this order.
fn fits(mv: DraughtsMove, path: &[Square]) -> bool {
    let [first, between @ .., last] = path else { return false };
    if mv.from != *first || mv.to != *last {
        return false;
    }
    let passed: ArrayVec<Square, 32> = mv.squares().collect();
    let mut passed = passed.iter().skip(1).rev().skip(1).rev();
    between.iter().all(|square| passed.any(|landing| landing == square))
}

fn list(moves: &[DraughtsMove], text: &str) -> String {
    let write = |&mv: &DraughtsMove| {
        if is_in_numbers(text) { write_numbers(mv, mv.squares()) } else { write_path(mv) }
    };
    moves.iter().map(write).collect::<Vec<_>>().join(", ")
}

fn kind_name(piece: Piece) -> &'static str {
    Draughts::PIECES.get(piece.kind).map_or("piece", |kind| kind.name)
}

/// Why none of the legal moves begins on a square.
fn why_immovable(
    position: &Draughts,
    legal: &MoveList<DraughtsMove>,
    square: Square,
    text: &str,
) -> DraughtsError {
    if dark() & square.bit() == 0 {
        return DraughtsError::LightSquare(square);
    }
    match position.piece_on(square.index()) {
        None => DraughtsError::NoPiece { side: position.side, square },
        Some(piece) if piece.side != position.side => {
            let (side, kind) = (piece.side, kind_name(piece));
            DraughtsError::OtherSide { side, kind, square }
        }
        Some(_) if position.is_forced() => DraughtsError::OtherMustCapture(list(legal, text)),
        Some(piece) => DraughtsError::Blocked { kind: kind_name(piece), square },
    }
}

/// The first rule that a move breaks.
fn why_illegal(
    position: &Draughts,
    legal: &MoveList<DraughtsMove>,
    path: &[Square],
    text: &str,
) -> DraughtsError {
    let Some(&square) = path.first() else { return DraughtsError::Unreadable(text.to_string()) };
    if position.pieces[position.side] & square.bit() == 0 {
        return why_immovable(position, legal, square, text);
    }
    let own: Vec<DraughtsMove> = legal.iter().copied().filter(|mv| mv.from == square).collect();
    let is_forced = position.is_forced();
    if let Some(&to) = path.last().filter(|&&to| to != square)
        && let Some(piece) = position.piece_on(to.index())
        && (piece.side == position.side || !is_forced)
    {
        let name = if is_in_numbers(text) { to.number().to_string() } else { to.to_string() };
        let kind = kind_name(piece);
        return if piece.side == position.side {
            DraughtsError::OwnPiece { square: name, kind }
        } else {
            DraughtsError::OpponentPiece { square: name, kind }
        };
    }
    let is_backward = |to: &Square| match position.side {
        Side::Black => to.rank() > square.rank(),
        Side::White => to.rank() < square.rank(),
    };
    let is_man = position.men(position.side) & square.bit() != 0;
    if is_man && !is_forced && !own.is_empty() && path.last().is_some_and(is_backward) {
        return DraughtsError::Backward(list(&own, text));
    }
    match own.as_slice() {
        [] => why_immovable(position, legal, square, text),
        moves if is_forced => DraughtsError::MustCapture(list(moves, text)),
        moves => DraughtsError::Illegal { square, moves: list(moves, text) },
    }
}

fn write_path(mv: DraughtsMove) -> String {
    mv.squares().map(|square| square.to_string()).collect()
}

fn write_numbers(mv: DraughtsMove, path: impl Iterator<Item = Square>) -> String {
    let sign = if mv.taken == 0 { "-" } else { "x" };
    path.map(|square| square.number().to_string()).collect::<Vec<_>>().join(sign)
}

/// The move in squares or, in the standard format, in numbers: the shortest form that one path fits.
fn write_move(position: &Draughts, mv: DraughtsMove, format: MoveFormat) -> String {
    if format == MoveFormat::Coordinate {
        return write_path(mv);
    }
    let same_ends = |other: &&DraughtsMove| other.from == mv.from && other.to == mv.to;
    if readable_moves(position).iter().filter(same_ends).count() > 1 {
        write_numbers(mv, mv.squares())
    } else {
        write_numbers(mv, [mv.from, mv.to].into_iter())
    }
}
