//! Reads moves and squares of a game, or gives the reason why they cannot be played.

use std::error::Error;

use super::error::EngineError;
use crate::game::{Game, GameHistory, NotationError, legal_moves};

pub(super) fn read_move<P: Game>(position: &P, text: &str) -> Result<P::Move, EngineError> {
    position.read_move(text).map_err(|error| refused(position, text, error))
}

/// Reads a legal move. In a finished game there is none.
pub(super) fn read_legal_move<P: Game>(
    game: &GameHistory<P>,
    text: &str,
) -> Result<P::Move, EngineError> {
    check_open(game, text)?;
    read_move(game.position(), text)
}

/// Whether a legal move begins on the square that a text names; `None` if the text names no square.
pub(super) fn check_square<P: Game>(
    game: &GameHistory<P>,
    text: &str,
) -> Option<Result<(), EngineError>> {
    let position = game.position();
    let square = P::read_square(text)?;
    let begins_here = |&mv: &P::Move| position.path(mv).first() == Some(&square.index());
    Some(check_open(game, text).and_then(|()| {
        if legal_moves(position).iter().any(begins_here) {
            return Ok(());
        }
        position.check_origin(square, text).map_err(|error| refused(position, text, error))
    }))
}

fn check_open<P: Game>(game: &GameHistory<P>, text: &str) -> Result<(), EngineError> {
    let over = |end| {
        let why = format!("the game is over: {end}").into();
        error(game.position(), text, "game-over", why)
    };
    game.outcome().map_or(Ok(()), |end| Err(over(end)))
}

fn refused<P: Game>(position: &P, text: &str, why: P::Error) -> EngineError {
    error(position, text, why.code(), Box::new(why))
}

fn error<P: Game>(
    position: &P,
    text: &str,
    code: &'static str,
    why: Box<dyn Error + Send + Sync>,
) -> EngineError {
    EngineError::Move { text: text.to_string(), setup: position.write_setup(), code, why }
}
