//! The 8x8 board that the games share: squares, bitboards, board text and hash keys.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::{self, Display};

use thiserror::Error;

use crate::game::mix;

/// A bitboard: bit 0 is a1, bit 7 is h1, bit 63 is h8.
pub type Bits = u64;

/// The squares of the a-file.
pub const FILE_A: Bits = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const FILE_H: Bits = FILE_A << 7;
/// The squares on the edge of the board.
pub const EDGE: Bits = FILE_A | FILE_H | 0xff | 0xff << 56;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Square(u8);

impl Square {
    /// The square with this index: a1 is 0, h1 is 7, h8 is 63. Higher bits are ignored.
    pub const fn new(index: u8) -> Self {
        Self(index & 63)
    }

    /// The index, 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask lets the compiler omit bounds checks.
        (self.0 & 63) as usize
    }

    /// The file, 0 for a.
    pub const fn file(self) -> i8 {
        (self.0 & 7) as i8
    }

    /// The rank, 0 for rank 1.
    pub const fn rank(self) -> i8 {
        (self.0 >> 3) as i8
    }

    /// The dark square with this number: 1 is b8, 32 is g1.
    pub fn numbered(number: usize) -> Option<Self> {
        let index = number.checked_sub(1).filter(|&index| index < 32)?;
        let rank = 7 - index / 4;
        Some(Self::new((rank * 8 + 2 * (index % 4) + rank % 2) as u8))
    }

    /// The number of a dark square, from 1 to 32.
    pub const fn number(self) -> usize {
        (7 - self.rank() as usize) * 4 + self.file() as usize / 2 + 1
    }

    /// The bitboard of this square alone.
    #[inline]
    pub const fn bit(self) -> Bits {
        1 << self.index()
    }

    /// Parses `c4` or `C4`.
    pub fn read(text: &[u8]) -> Option<Self> {
        let [file, rank] = *text else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&f| f < 8)?;
        let rank = rank.checked_sub(b'1').filter(|&r| r < 8)?;
        Some(Self::new(rank * 8 + file))
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

/// The squares of a bitboard, lowest first.
pub fn squares(mut set: Bits) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| Square(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(square)
    })
}

/// The squares of a set and all their neighbours, in eight directions.
#[inline]
pub const fn grown(set: Bits) -> Bits {
    let row = set | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    row | row << 8 | row >> 8
}

/// The squares with a neighbour in the set. A square of the set is included only if it has a
/// neighbour in it.
#[inline]
pub const fn neighbours(set: Bits) -> Bits {
    let beside = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let row = set | beside;
    beside | row << 8 | row >> 8
}

/// The mirror image of a set, with file A on the place of file H.
#[inline]
pub const fn mirrored(set: Bits) -> Bits {
    let set = swapped(set, 1, 0x5555_5555_5555_5555);
    let set = swapped(set, 2, 0x3333_3333_3333_3333);
    swapped(set, 4, 0x0f0f_0f0f_0f0f_0f0f)
}

/// A set with files and ranks exchanged.
#[inline]
pub const fn transposed(set: Bits) -> Bits {
    let set = swapped(set, 28, 0x0000_0000_f0f0_f0f0);
    let set = swapped(set, 14, 0x0000_cccc_0000_cccc);
    swapped(set, 7, 0x00aa_00aa_00aa_00aa)
}

/// Exchanges each square of `lower` with the one that is `distance` higher.
const fn swapped(set: Bits, distance: u32, lower: Bits) -> Bits {
    let different = (set ^ set >> distance) & lower;
    set ^ different ^ different << distance
}

/// An error in the placement of pieces on a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// The number of ranks is not 8.
    #[error("expected 8 ranks, found {0}")]
    Ranks(usize),
    /// The number of squares in a rank is not 8.
    #[error("rank {rank}: expected 8 squares, found {squares}")]
    Squares {
        /// The rank, 1 to 8.
        rank: usize,
        /// The number of squares found.
        squares: usize,
    },
    /// An unknown letter.
    #[error("rank {rank}: expected a piece or a number of empty squares, found '{letter}'")]
    Letter {
        /// The rank, 1 to 8.
        rank: usize,
        /// The letter.
        letter: char,
    },
    /// A rank label in a diagram that is not the expected one.
    #[error("diagram: expected rank {expected}, found rank {found}")]
    Label {
        /// The label that was read.
        found: usize,
        /// The expected label.
        expected: usize,
    },
}

/// The eight ranks of a board, rank 8 first, as letters with `-` for an empty square.
pub type Letters = [[char; 8]; 8];

/// Parses ranks of letters and numbers of empty squares, as in `1llllll1/L6L/...`.
pub fn read_placement(text: &str) -> Result<Letters, PlacementError> {
    let mut board = [['-'; 8]; 8];
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(PlacementError::Ranks(ranks));
    }
    for (i, (row, text)) in board.iter_mut().zip(text.split('/')).enumerate() {
        let rank = 8 - i;
        let mut squares = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(0 | 9) => return Err(PlacementError::Letter { rank, letter }),
                Some(empty) => squares += empty as usize,
                None => {
                    if let Some(cell) = row.get_mut(squares) {
                        *cell = letter;
                    }
                    squares += 1;
                }
            }
        }
        if squares != 8 {
            return Err(PlacementError::Squares { rank, squares });
        }
    }
    Ok(board)
}

/// Writes a board in the format of [`read_placement`].
pub fn write_placement(letter: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match letter(Square(rank * 8 + file)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    text.push(piece);
                }
            }
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// A board read from a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The letters on the squares.
    pub board: Letters,
    /// The text after `Next move:`, if present.
    pub next: Option<String>,
}

/// Parses a diagram of eight lines with eight cells each.
///
/// Spaces are optional, and so is the rank number at both ends of a line. A line of file letters,
/// `===` lines and a line `Next move: black` may precede or follow the ranks.
pub fn read_drawing(text: &str) -> Result<Drawing, PlacementError> {
    let mut board = [['-'; 8]; 8];
    let mut next = None;
    let mut ranks = 0;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("===") {
            continue;
        }
        if let Some(side) = after_next_move(line) {
            next = Some(side.to_string());
            continue;
        }
        let cells: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
        if cells.iter().collect::<String>().eq_ignore_ascii_case("abcdefgh") {
            continue;
        }
        if let Some(row) = board.get_mut(ranks) {
            *row = read_drawn_rank(&cells, 8 - ranks)?;
        }
        ranks += 1;
    }
    if ranks != 8 {
        return Err(PlacementError::Ranks(ranks));
    }
    Ok(Drawing { board, next })
}

/// The text after `Next move:`.
fn after_next_move(line: &str) -> Option<&str> {
    const LABEL: &str = "next move:";
    let (label, side) = line.split_at_checked(LABEL.len())?;
    label.eq_ignore_ascii_case(LABEL).then(|| side.trim())
}

/// The cells of one rank without its labels.
fn read_drawn_rank(cells: &[char], rank: usize) -> Result<[char; 8], PlacementError> {
    let mut cells = cells;
    if let [label, rest @ ..] = cells
        && let Some(found) = label.to_digit(10)
    {
        if found as usize != rank {
            return Err(PlacementError::Label { found: found as usize, expected: rank });
        }
        cells = rest;
    }
    if let [rest @ .., label] = cells
        && label.is_ascii_digit()
    {
        cells = rest;
    }
    let wrong = PlacementError::Squares { rank, squares: cells.len() };
    let mut row: [char; 8] = cells.try_into().map_err(|_| wrong)?;
    for cell in &mut row {
        if *cell == '.' {
            *cell = '-';
        }
    }
    Ok(row)
}

/// `N` fixed random numbers for hash keys, determined by the seed. The generator is SplitMix64
/// (Steele, Lea and Flood 2014).
#[expect(clippy::indexing_slicing, reason = "a constant function has no other access")]
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        keys[i] = mix(state);
        i += 1;
    }
    keys
}
