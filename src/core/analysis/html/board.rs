//! Boards as SVG pictures.

use maud::{Markup, html};

use crate::engine::MoveView;
use crate::game::bitboard::Square;
use crate::game::{Board, Piece, Side};
use crate::games;

pub struct BoardPicture {
    squares: Board,
    is_numbered: bool,
}

/// An arrow that shows a move.
pub enum Arrow<'a> {
    Played(&'a MoveView),
    Better(&'a MoveView),
}

impl BoardPicture {
    pub fn new(squares: Board, variant: &str) -> Self {
        Self {
            squares,
            is_numbered: games::variant(variant).is_some_and(|variant| variant.is_numbered),
        }
    }

    /// The squares from a8 to h1, one character each: `b` and `w` for men, `B` and `W` for kings,
    /// `-` for an empty square. The letters are also the names of the piece pictures.
    pub fn code(&self) -> String {
        self.squares.iter().flatten().map(|square| square.map_or('-', letter)).collect()
    }

    fn pieces(&self) -> impl Iterator<Item = (Square, char)> {
        let squares = (0..8u8).rev().flat_map(|rank| (0..8).map(move |file| rank * 8 + file));
        squares
            .zip(self.squares.iter().flatten())
            .filter_map(|(square, piece)| Some((Square::new(square), letter((*piece)?))))
    }

    /// The board in words, as the alternative text of the picture.
    fn describe(&self) -> String {
        let of = |wanted: [char; 2]| {
            let name = |(square, piece): (Square, char)| {
                if piece.is_uppercase() { format!("king {square}") } else { square.to_string() }
            };
            let pieces = self.pieces().filter(|(_, piece)| wanted.contains(piece));
            pieces.map(name).collect::<Vec<_>>().join(" ")
        };
        format!("Black: {}. White: {}.", of(['b', 'B']), of(['w', 'W']))
    }

    /// The picture of the board, with the squares of the last move highlighted.
    pub fn picture(&self, last: Option<&MoveView>, arrows: &[Arrow]) -> Markup {
        let lit = last.map(ends).unwrap_or_default();
        html! {
            svg.board viewBox="-0.55 -0.08 8.63 8.68" role="img" aria-label=(self.describe()) {
                use href=(if self.is_numbered { "#grid-numbered" } else { "#grid" }) {}
                use href="#labels" {}
                g.lit {
                    @for square in lit {
                        rect x=(left(square)) y=(top(square)) width="1" height="1" {}
                    }
                }
                g.men {
                    @for (square, piece) in self.pieces() {
                        use href={ "#" (piece) } x=(left(square)) y=(top(square)) {}
                    }
                }
                @for shown in arrows { (arrow(shown)) }
                @if self.is_numbered { use href="#numbers" {} }
            }
        }
    }
}

fn letter(piece: Piece) -> char {
    match (piece.side, piece.kind) {
        (Side::Black, 0) => 'b',
        (Side::White, 0) => 'w',
        (Side::Black, _) => 'B',
        (Side::White, _) => 'W',
    }
}

fn left(square: Square) -> i8 {
    square.file()
}

fn top(square: Square) -> i8 {
    7 - square.rank()
}

/// The first and the last square of a move; none for a pass.
pub fn ends(mv: &MoveView) -> Vec<Square> {
    match mv.path.as_slice() {
        [first, .., last] => vec![*first, *last],
        _ => Vec::new(),
    }
}

/// An arrow through the centres of the squares of a move.
fn arrow(arrow: &Arrow) -> Markup {
    let (class, mv) = match arrow {
        Arrow::Played(mv) => ("played", mv),
        Arrow::Better(mv) => ("better", mv),
    };
    let centre = |square: &Square| format!("{}.5,{}.5", left(*square), top(*square));
    let points: Vec<String> = mv.path.iter().map(centre).collect();
    html! {
        @if points.len() > 1 { (arrow_through(class, &points.join(" "))) }
    }
}

/// An arrow through these points, with a light halo. The style sheet gives both their heads.
pub fn arrow_through(class: &str, points: &str) -> Markup {
    html! {
        g.arrow.(class) {
            polyline.halo points=(points) {}
            polyline.shaft points=(points) {}
        }
    }
}

/// The SVG definitions that all pictures share. A board is 8 units wide, with the centre of a8 at
/// 0.5, 0.5; the names that end in `-flipped` are for a board seen from the other side.
pub const DEFINITIONS: &str = include_str!("definitions.svg");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_numbers_are_on_the_dark_squares_of_both_views() {
        for (number, square) in (1..=32).filter_map(|n| Some((n, Square::numbered(n)?))) {
            let (x, y) = (left(square), top(square));
            for (x, y) in [(x, y), (7 - x, 7 - y)] {
                let text = format!("<text x=\"{x}.05\" y=\"{y}.25\">{number}</text>");
                assert!(DEFINITIONS.contains(&text), "{text}");
            }
        }
    }
}
