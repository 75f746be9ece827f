//! Reasons, facts and openings: what is announced to players must be true in every game.

use std::collections::HashSet;

use soucie::game::bitboard::squares;
use soucie::game::{
    Game, GameHistory, MoveFormat, NotationError, Piece, facts, legal_moves, outcome, root_moves,
};

use super::{GameExpectations, visit_open, wins};

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

/// The facts about moves are true, and those that every game has are complete.
pub fn facts_are_true<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        // Some of the moves of some positions.
        if position.key().is_multiple_of(256) {
            let moves = root_moves(position, &[]);
            moves.iter().step_by(5).for_each(|&mv| check_facts(position, mv));
        }
    });
}

fn check_facts<P: Game>(position: &P, mv: P::Move) {
    let name = position.write_move(mv, MoveFormat::Coordinate);
    let name = format!("{name} in {}", position.write_setup());
    let found = facts(&GameHistory::new(*position), mv);
    let codes: HashSet<&str> = found.iter().map(|fact| fact.code).collect();
    assert_eq!(codes.len(), found.len(), "{name}");
    let next = position.play(mv);
    let pieces = |at: &P| {
        let is_theirs = |piece: &Piece| piece.side == next.side();
        (0..64).filter_map(|square| at.piece_on(square)).filter(is_theirs).count()
    };
    let taken = found.iter().find(|fact| fact.code == "captures");
    let taken = taken.map_or(0, |fact| number_in(&fact.text));
    assert_eq!(taken, pieces(position) - pieces(&next), "{name}");
    let end = outcome(&next);
    let is_won = |side| end.is_some_and(|end| end.winner == Some(side));
    let allows = |mv| {
        let next = position.play(mv);
        match outcome(&next) {
            Some(end) => end.winner == Some(next.side()),
            None => legal_moves(&next).iter().any(|&reply| wins(&next, reply)),
        }
    };
    let moves = root_moves(position, &[]);
    let losing = moves.iter().filter(|&&mv| allows(mv)).count();
    let stops = losing > 0 && end.is_none() && !allows(mv);
    let rows = [
        ("wins", is_won(position.side())),
        ("loses", is_won(next.side())),
        ("draws", end.is_some_and(|end| end.winner.is_none())),
        ("allows-win", end.is_none() && allows(mv)),
        ("only-defence", stops && losing + 1 == moves.len()),
        ("stops-win", stops && 2 * losing >= moves.len() && losing + 1 < moves.len()),
        ("only-move", moves.len() == 1),
    ];
    for (code, is_true) in rows {
        assert_eq!(codes.contains(code), is_true, "{code}: {name}");
    }
}

/// The sum of the numbers in a text such as "captures two men and a king".
fn number_in(text: &str) -> usize {
    const NUMBERS: [&str; 6] = ["a", "two", "three", "four", "five", "six"];
    let number = |word| NUMBERS.iter().position(|&number| number == word);
    text.split(' ').filter_map(number).map(|index| index + 1).sum()
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
