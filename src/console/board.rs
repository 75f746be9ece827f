//! The board as it is drawn for people: with letters, numbers and, where players use them, the
//! numbers of the squares.

use super::command::letter;
use crate::engine::session::Squares;

/// The width of a square that has room for its number and a piece.
const NUMBERED_WIDTH: usize = 4;

/// The board with the letters of its files below and the numbers of its ranks to the left. With
/// `is_numbered` each dark square has its number, 1 to 32 from the left of the eighth rank; an
/// empty one has only that.
pub fn diagram(squares: &Squares, is_numbered: bool) -> String {
    let width = if is_numbered { NUMBERED_WIDTH } else { 2 };
    let mut text = String::new();
    let mut number = 0;
    for (row, rank) in squares.iter().enumerate() {
        let mut line = format!("{} ", 8 - row);
        for (file, &piece) in rank.iter().enumerate() {
            let square = if !is_numbered {
                letter(piece).to_string()
            } else if (row + file) % 2 == 1 {
                number += 1;
                let letter = piece.map_or(' ', |piece| letter(Some(piece)));
                format!("{number}{letter}")
            } else {
                String::new()
            };
            line += &format!("{square:>width$}");
        }
        text += &format!("{}\n", line.trim_end());
    }
    let files = ('a'..='h').map(|file| {
        // Below the last digit of a number.
        if is_numbered { format!("{file:>3} ") } else { format!("{file:>2}") }
    });
    text + "  " + files.collect::<String>().trim_end()
}
