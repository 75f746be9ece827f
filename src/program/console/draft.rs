//! A board edited square by square.

use super::refusal::ConsoleRefusal;
use soucie::engine::{Engine, EngineError};
use soucie::game::bitboard::Square;
use soucie::game::{Board, Piece, Side};

/// A board edited square by square. It need not be a legal position.
pub(super) struct Draft {
    pub(super) squares: Board,
    pub(super) next: Side,
    /// Whether the board was rejected as a position.
    pub(super) is_rejected: bool,
}

impl Draft {
    /// A board with another content of a square, which is a name or a number where squares have some.
    pub(super) fn with_square(
        engine: &Engine,
        mut squares: Board,
        square: &str,
        piece: Option<Piece>,
        next: Side,
    ) -> Result<Self, ConsoleRefusal> {
        let is_numbered = engine.variant().is_numbered;
        let number = square.parse().ok().filter(|_| is_numbered);
        let named = number.and_then(Square::numbered).or_else(|| Square::read(square.as_bytes()));
        let named =
            named.ok_or_else(|| ConsoleRefusal(format!("expected a square, found '{square}'")))?;
        let is_light = (named.file() + named.rank()) % 2 != 0;
        if piece.is_some() && is_numbered && is_light {
            return Err(ConsoleRefusal(format!(
                "set: {named} is a light square; pieces stand on dark squares"
            )));
        }
        if piece.is_some_and(|piece| piece.kind >= engine.session().kinds().len()) {
            return Err(ConsoleRefusal::new("this game has no such piece"));
        }
        let row = squares.get_mut(7 - named.rank() as usize);
        if let Some(cell) = row.and_then(|row| row.get_mut(named.file() as usize)) {
            *cell = piece;
        }
        Ok(Self { squares, next, is_rejected: false })
    }

    /// Makes the board the position of `engine`.
    pub(super) fn apply(&mut self, engine: &mut Engine) -> Result<(), ConsoleRefusal> {
        self.is_rejected = true;
        engine.set_board(&self.squares, self.next).map_err(|error| match error {
            EngineError::Setup(why) => ConsoleRefusal(format!(
                "the board is not a legal position: {why}; set other squares or enter new"
            )),
            error => error.into(),
        })
    }
}
