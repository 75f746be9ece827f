//! Positions of draughts, shared by the tests.

#![allow(dead_code, reason = "not every test asks everything")]

use soucie::game::{Game, Notation, Position, Rules};
use soucie::games::draughts::{Draughts, DraughtsRules};

/// A position under rules.
pub fn setup_under(text: &str, rules: DraughtsRules) -> Draughts {
    Draughts::read_setup(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A position under the usual rules.
pub fn setup(text: &str) -> Draughts {
    setup_under(text, DraughtsRules::default())
}

/// The start.
pub fn start() -> Draughts {
    setup(Draughts::VARIANTS[0].start)
}

/// Plays moves written as text, each from a position in which the game goes on.
pub fn play(position: Draughts, moves: &str) -> Draughts {
    moves.split_whitespace().fold(position, |position, text| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv)
    })
}

/// The rules with one option set as a user sets it.
pub fn rules_with(name: &str, value: u16) -> DraughtsRules {
    let mut rules = DraughtsRules::default();
    let option = DraughtsRules::OPTIONS.iter().find(|option| option.name == name).unwrap();
    (option.set)(&mut rules, value);
    rules
}
