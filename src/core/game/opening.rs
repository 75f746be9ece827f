//! Openings: the first moves of a game, with the names that players give them.

use super::{Game, GameHistory, Variant};

/// The first moves of a game from the start position of its variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The moves in the standard notation, separated by spaces.
    pub moves: &'static str,
    /// The setup that they lead to.
    pub setup: &'static str,
    /// The name, if there is one.
    pub name: Option<&'static str>,
    /// Whether it is a ballot, which tournaments draw by lot.
    pub is_ballot: bool,
}

impl Opening {
    /// The number of its moves.
    pub fn plies(&self) -> usize {
        self.moves.split(' ').count()
    }
}

/// The name of the opening that a game from the start of its variant has reached, also by other moves
/// that lead to the same position. Later moves do not change it.
pub fn opening_name<P: Game>(game: &GameHistory<P>, variant: &Variant) -> Option<&'static str> {
    let openings = P::openings(variant);
    let longest = openings.iter().map(Opening::plies).max()?;
    if game.start().write_setup() != variant.start {
        return None;
    }
    let named = |position: &P| {
        let setup = position.write_setup();
        openings.iter().filter(|opening| opening.setup == setup).find_map(|opening| opening.name)
    };
    let positions = game.turns().map(|(position, _)| position).chain([game.position()]);
    positions.take(longest + 1).filter_map(named).last()
}
