//! Reasons, facts and openings: what is announced to players must be true in every game.

use std::collections::HashSet;

use soucie::game::bitboard::squares;
use soucie::game::{
    Game, GameHistory, MoveFormat, NotationError, facts, legal_moves, outcome, root_moves,
};

use super::{GameExpectations, visit_open};
use crate::fact_witness::expected_facts;

/// A square on which no legal move begins has a reason: another one where a piece of the side stands.
pub fn squares_without_moves_have_a_reason<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        // Some of the positions.
        if !position.key().is_multiple_of(16) {
            return;
        }
        let moves = legal_moves(position);
        for square in squares(!0) {
            let name = square.to_string();
            assert_eq!(P::read_square(&name), Some(square));
            if moves.iter().all(|&mv| position.path(mv).first() != Some(&square.index())) {
                let code = position.check_origin(square, &name).unwrap_err().code();
                let piece = position.piece_on(square.index());
                let is_own = piece.is_some_and(|piece| piece.side == position.side());
                let fits = if is_own {
                    ["blocked", "must-capture", "must-pass"].contains(&code)
                } else {
                    ["no-piece", "light-square", "must-pass"].contains(&code)
                };
                assert!(fits, "{name} in {}: {code}", position.write_setup());
            }
        }
    });
}

/// The facts about which nothing but the legal moves of a game must be known.
const GENERAL: [&str; 6] = ["only-move", "wins", "loses", "draws", "allows-win", "only-defence"];

/// Whether the second computation knows all facts about a game. Of draughts it does if captures are compulsory.
fn is_known<P: Game>(rules: P::Rules) -> bool {
    match P::name() {
        "linesofaction" => true,
        "englishdraughts" => format!("{rules:?}").contains("captures: Compulsory"),
        _ => false,
    }
}

/// The facts about moves are those of a second computation: all that it knows.
pub fn facts_are_true<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, rules| {
        // Some of the moves of some positions.
        if !position.key().is_multiple_of(256) {
            return;
        }
        for &mv in root_moves(position, &[]).iter().step_by(5) {
            let game = GameHistory::new(*position);
            let found = facts(&game, mv).into_iter().map(|fact| (fact.code, fact.text)).collect();
            let [found, expected] = [found, expected_facts(&game, rules, mv)].map(|mut facts| {
                facts.retain(|(code, _)| is_known::<P>(rules) || GENERAL.contains(code));
                facts.sort();
                facts
            });
            let name = position.write_move(mv, MoveFormat::Coordinate);
            assert_eq!(found, expected, "{name} in {}, {rules:?}", position.write_setup());
        }
    });
}

/// The openings of a variant are legal, and lead to their setups.
pub fn openings_lead_to_their_setups<P: Game>(_: GameExpectations) {
    for variant in P::VARIANTS {
        let mut setups = HashSet::new();
        for opening in P::openings(variant) {
            let mut position = P::read_setup(variant.start, P::Rules::default()).unwrap();
            for text in opening.moves.split(' ') {
                let mv = position.read_move(text).unwrap();
                assert_eq!(position.write_move(mv, MoveFormat::Standard), text);
                position = position.play(mv);
            }
            assert_eq!(position.write_setup(), opening.setup, "{}", opening.moves);
            assert_eq!(outcome(&position), None, "{}", opening.moves);
            assert!(setups.insert(opening.setup), "{} twice", opening.setup);
        }
    }
}
