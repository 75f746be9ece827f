//! The positions of a game, move by move.

use std::vec;

use crate::engine::session::{GameSession, PositionView};

/// A position with the game that leads to it.
pub struct ReplayedPosition {
    /// The game up to this position.
    pub session: Box<dyn GameSession>,
    /// The board, setup and side to move.
    pub view: PositionView,
    /// The move played in it; `None` at the end of a game and for a single position.
    pub played: Option<String>,
    /// Why the next move of the record could not be read or played.
    pub error: Option<String>,
}

impl ReplayedPosition {
    /// The position that `game` has reached, without a move played in it.
    pub fn new(game: &dyn GameSession) -> Self {
        Self { session: game.fork(), view: game.view(), played: None, error: None }
    }
}

/// A game that is replayed lazily. No move is played in its last position.
pub struct Replay {
    /// The game up to the next position; `None` after the last one.
    game: Option<Box<dyn GameSession>>,
    moves: vec::IntoIter<(String, String)>,
    /// The syntax error after the moves.
    fault: Option<String>,
}

impl Replay {
    /// The replay of `moves` from `start`. Each move comes with the prefix of its error message,
    /// the location in the record. `fault` is the syntax error after them.
    pub fn new(
        start: Box<dyn GameSession>,
        moves: Vec<(String, String)>,
        fault: Option<String>,
    ) -> Self {
        Self { game: Some(start), moves: moves.into_iter(), fault }
    }
}

impl Iterator for Replay {
    type Item = ReplayedPosition;

    fn next(&mut self) -> Option<ReplayedPosition> {
        let game = self.game.as_mut()?;
        let mut position = ReplayedPosition::new(&**game);
        match self.moves.next() {
            Some((mv, location)) => match game.play(&mv) {
                Ok(()) => position.played = game.last_move(),
                Err(illegal) => position.error = Some(format!("{location}{illegal}")),
            },
            None => position.error = self.fault.take(),
        }
        if position.played.is_none() {
            self.game = None;
        }
        Some(position)
    }
}
