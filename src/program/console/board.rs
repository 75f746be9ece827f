//! The board diagram for players: coordinates and, where customary, square numbers.

use super::command::letter;
use soucie::game::{Board, Side};

/// The width of a square with a number and a piece, in characters.
const NUMBERED_WIDTH: usize = 4;

/// The board with the letters of the files below and the numbers of the ranks at the left. With
/// `is_numbered` each dark square shows its number, 1 to 32 from the left of the eighth rank,
/// followed by its piece if any.
pub fn diagram(squares: &Board, is_numbered: bool) -> String {
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
        // Aligned with the last digit of the square numbers.
        if is_numbered { format!("{file:>3} ") } else { format!("{file:>2}") }
    });
    text + "  " + files.collect::<String>().trim_end()
}

/// The board between its markers, for scripts.
pub fn dump(squares: &Board, side: Side) -> String {
    let mut text = String::from("===\n");
    for rank in squares {
        let rank = rank.map(|square| format!(" {}", letter(square)));
        text += &format!("   {}\n", rank.concat());
    }
    format!("{text}Next move: {}\n===", side.to_string().to_lowercase())
}
