//! Positions of draughts, shared by the tests.

#![allow(dead_code, reason = "not every test uses every helper")]

use soucie::game::{Game, Notation, Position, Rules};
use soucie::games::draughts::{Draughts, DraughtsRules};

/// Reads a setup under these rules.
pub fn setup_under(text: &str, rules: DraughtsRules) -> Draughts {
    Draughts::read_setup(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Reads a setup under the default rules.
pub fn setup(text: &str) -> Draughts {
    setup_under(text, DraughtsRules::default())
}

/// The start position.
pub fn start() -> Draughts {
    setup(Draughts::VARIANTS[0].start)
}

/// Plays moves given as text. Panics at an illegal move and after the end of the game.
pub fn play(position: Draughts, moves: &str) -> Draughts {
    moves.split_whitespace().fold(position, |position, text| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv)
    })
}

/// The default rules with one option changed by its name.
pub fn rules_with(name: &str, value: u16) -> DraughtsRules {
    let mut rules = DraughtsRules::default();
    let option = DraughtsRules::OPTIONS.iter().find(|option| option.name == name).unwrap();
    (option.set)(&mut rules, value);
    rules
}
