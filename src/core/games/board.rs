//! Boards as text, which the games share.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use thiserror::Error;

use crate::game::bitboard::Square;

/// An error in the placement of pieces on a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    #[error("expected 8 ranks, found {0}")]
    Ranks(usize),
    #[error("rank {rank}: expected 8 squares, found {squares}")]
    Squares { rank: usize, squares: usize },
    #[error("rank {rank}: expected a piece or a number of empty squares, found '{letter}'")]
    Letter { rank: usize, letter: char },
    #[error("diagram: expected rank {expected}, found rank {found}")]
    Label { found: usize, expected: usize },
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
            match letter(Square::new(rank * 8 + file)) {
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
