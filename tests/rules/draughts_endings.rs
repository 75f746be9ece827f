//! The end of a game of draughts: wins, and draws by repetition and by move counts.

use std::collections::BTreeSet;

use crate::draughts::{setup, setup_under};
use crate::positions::{play, rules_with, start};
use soucie::game::{
    EndReason, Heuristics, MoveFormat, Notation, Outcome, Position, Side, legal_moves, outcome,
};
use soucie::games::draughts::{Captures, Draughts, DraughtsRules};

const CANNOT_MOVE: &EndReason = &EndReason { code: "no-moves", text: "the opponent cannot move" };
const NO_PIECES: &EndReason = &EndReason { code: "no-pieces", text: "the opponent has no pieces" };

// Wins.

#[test]
fn a_side_without_moves_or_pieces_loses() {
    use Side::{Black, White};
    let rows = [
        ("B:W5,K6,9,10,13,14,17:B1", "", Some((White, CANNOT_MOVE))),
        ("W:W5,K6,9,10,13,14,17:B1", "", None),
        ("B:W17,18,21,22,23:B14", "", Some((White, CANNOT_MOVE))),
        ("W:W12:B8,3", "", Some((Black, CANNOT_MOVE))),
        ("W:W12:B8", "", None),
        // The last move leaves the opponent without a move or a piece.
        ("W:W16:B3,12,8", "16-11", None),
        ("B:W12:B4,3", "4-8", Some((Black, CANNOT_MOVE))),
        ("B:W18:B14", "14x23", Some((Black, NO_PIECES))),
        ("W:WK7:BK2,11", "7x16", None),
        ("W:WK7:B11", "7x16", Some((White, NO_PIECES))),
        // In a setup either side may be to move.
        ("B:W18:B", "", Some((White, NO_PIECES))),
        ("W:W18:B", "", Some((White, NO_PIECES))),
        ("W:W:B1", "", Some((Black, NO_PIECES))),
        ("B:W:B1", "", Some((Black, NO_PIECES))),
    ];
    for (text, moves, expected) in rows {
        let end = play(setup(text), moves);
        let expected = expected.map(|(side, reason)| Outcome::won(side, reason));
        assert_eq!(outcome(&end), expected, "{text} {moves}");
        assert_eq!(legal_moves(&end).is_empty(), expected.is_some(), "{text} {moves}");
    }
}

// Draws by repetition and by moves without progress.

const KINGS: &str = "B:W29,K32:BK1,4";
/// Two moves of each side that restore the position.
const SHUFFLE: [&str; 4] = ["1-6", "32-27", "6-1", "27-32"];

#[test]
fn options_set_the_rules_they_name() {
    let usual = DraughtsRules::default();
    assert_eq!(
        usual,
        DraughtsRules {
            captures: Captures::Compulsory,
            repetition: 3,
            draw_moves: 40,
            no_capture: 0
        }
    );
    let rows = [
        ("Repetition Draw", 3, usual),
        ("Repetition Draw", 2, DraughtsRules { repetition: 2, ..usual }),
        ("Repetition Draw", 5, DraughtsRules { repetition: 5, ..usual }),
        ("Repetition Draw", 0, DraughtsRules { repetition: 0, ..usual }),
        // One occurrence cannot draw, or every game would be drawn.
        ("Repetition Draw", 1, DraughtsRules { repetition: 2, ..usual }),
        ("Draw Move Count", 40, usual),
        ("Draw Move Count", 25, DraughtsRules { draw_moves: 25, ..usual }),
        ("Draw Move Count", 0, DraughtsRules { draw_moves: 0, ..usual }),
        ("Captures", 0, usual),
        ("Captures", 1, DraughtsRules { captures: Captures::Optional, ..usual }),
        ("No Capture Draw", 0, usual),
        ("No Capture Draw", 100, DraughtsRules { no_capture: 100, ..usual }),
    ];
    for (name, value, rules) in rows {
        assert_eq!(rules_with::<DraughtsRules>(name, value), rules, "{name} {value}");
        let repetitions = setup_under(KINGS, rules).repetition_limit();
        assert_eq!(repetitions, usize::from(rules.repetition), "{name} {value}");
    }
}

#[test]
fn the_draw_move_count_limits_moves_without_progress() {
    const DRAWN: Outcome = Outcome::drawn(&EndReason {
        code: "no-progress",
        text: "no capture and no advance of a man for too many moves",
    });
    let rows = [
        (Some(1), Some(2)),
        (Some(2), Some(4)),
        (Some(25), Some(50)),
        (None, Some(80)),
        (Some(40), Some(80)),
        (Some(1000), Some(2000)),
        (Some(0), None),
    ];
    for (value, plies) in rows {
        let rules =
            value.map_or(DraughtsRules::default(), |value| rules_with("Draw Move Count", value));
        let mut position = setup_under(KINGS, rules);
        for ply in 0..plies.unwrap_or(3000) {
            assert_eq!(outcome(&position), None, "{value:?} after {ply} plies");
            position = play(position, SHUFFLE[ply % SHUFFLE.len()]);
        }
        assert_eq!(outcome(&position), plies.map(|_| DRAWN), "{value:?}");
        assert_eq!(legal_moves(&position).is_empty(), plies.is_some(), "{value:?}");
    }
}

#[test]
fn moves_after_a_draw_by_the_move_count_are_read() {
    // Players need not notice such a draw. The advance of a man then begins the count again.
    let drawn = play(setup_under(KINGS, rules_with("Draw Move Count", 1)), "1-6 32-27");
    let later = play(drawn, "6-1");
    assert!(outcome(&drawn).is_some_and(|end| end.winner.is_none()));
    assert_eq!(outcome(&later), outcome(&drawn));
    assert_eq!(outcome(&play(later, "29-25")), None);
    // Of two captures with the same ends, each is written with its path.
    let setup = setup_under("W:WK1,30:B10,11,18,19,K31", rules_with("Draw Move Count", 1));
    let drawn = play(setup, "1-5 31-26");
    assert!(outcome(&drawn).is_some());
    for text in ["30x23x14x7", "30x23x16x7"] {
        let mv = drawn.read_move(text).unwrap();
        assert_eq!(drawn.write_move(mv, MoveFormat::Standard), text);
    }
}

#[test]
fn only_captures_reset_the_no_capture_count() {
    const DRAWN: Outcome =
        Outcome::drawn(&EndReason { code: "no-capture", text: "no capture for too many moves" });
    // Kings and men move, then a king captures.
    let rows = [
        (1, "1-6", None),
        (1, "1-6 32-27", Some(DRAWN)),
        (1, "1-6 29-25", Some(DRAWN)),
        (2, "1-6 32-27 4-8", None),
        (2, "1-6 32-27 4-8 27-32", Some(DRAWN)),
        (3, "1-6 32-27 6-10 27-23 10-14 23-18", Some(DRAWN)),
        (4, "1-6 32-27 6-10 27-23 10-14 23-18 14x23", None),
        (100, "1-6 32-27 6-10 27-23 10-14 23-18 14x23", None),
        (0, "1-6 32-27 6-10 27-23 10-14 23-18", None),
    ];
    for (value, moves, expected) in rows {
        let position = play(setup_under(KINGS, rules_with("No Capture Draw", value)), moves);
        assert_eq!(outcome(&position), expected, "{value}: {moves}");
    }
    let mut rules: DraughtsRules = rules_with("No Capture Draw", 100);
    rules.draw_moves = 0;
    let mut position = setup_under(KINGS, rules);
    for ply in 0..200 {
        assert_eq!(outcome(&position), None, "{ply} plies");
        position = play(position, SHUFFLE[ply % SHUFFLE.len()]);
    }
    assert_eq!(outcome(&position), Some(DRAWN));
}

#[test]
fn man_moves_and_captures_reset_the_reversible_plies() {
    let rows = [
        ("", 0),
        ("1-6", 1),
        ("1-6 32-27", 2),
        ("1-6 32-27 6-1", 3),
        // A man of either side.
        ("1-6 32-27 4-8", 0),
        ("1-6 29-25", 0),
        ("1-6 29-25 6-1 32-27", 2),
        // A capture by a king.
        ("1-6 32-27 6-10 27-23 10-14", 5),
        ("1-6 32-27 6-10 27-23 10-14 23-18", 6),
        ("1-6 32-27 6-10 27-23 10-14 23-18 14x23", 0),
    ];
    let rules = rules_with("Draw Move Count", 4);
    for (moves, reversible) in rows {
        let position = play(setup_under(KINGS, rules), moves);
        assert_eq!(position.reversible_plies(), reversible, "{moves}");
        assert_eq!(outcome(&position), None, "{moves}");
    }
    // Crowning is an advance of a man; later moves of the new king are not.
    let crowned = play(setup("B:WK32:B25"), "25-30");
    assert_eq!(crowned.reversible_plies(), 0);
    assert_eq!(play(crowned, "32-28 30-26").reversible_plies(), 2);
}

#[test]
fn a_win_takes_precedence_over_the_draw_count() {
    let before = setup_under("B:WK18,K21,K22:BK25", rules_with("Draw Move Count", 1));
    let end = outcome(&play(before, "25-29 21-25"));
    assert_eq!(end, Some(Outcome::won(Side::White, CANNOT_MOVE)));
}

#[test]
fn positions_near_the_draw_have_their_own_tt_keys() {
    let rows = [
        ("Draw Move Count", 0, true),
        ("Draw Move Count", 10, false),
        ("Draw Move Count", 1000, true),
        ("No Capture Draw", 100, false),
    ];
    for (name, value, same) in rows {
        let before = setup_under(KINGS, rules_with(name, value));
        let after = play(before, &SHUFFLE.join(" "));
        assert_eq!(after.key(), before.key(), "{value}");
        assert_eq!(after.tt_key() == before.tt_key(), same, "{value}");
    }
}

#[test]
fn transpositions_have_the_same_key() {
    let again = play(setup(KINGS), &SHUFFLE.join(" "));
    assert_eq!(again.key(), setup(KINGS).key());
    let start: Draughts = start();
    let one = play(start, "11-15 22-18 15x22 25x18 9-13");
    let other = play(start, "9-13 22-18 11-15 18x11 8x15");
    assert_ne!(one.key(), other.key());
    let one = play(start, "11-16 24-20 9-13");
    let other = play(start, "9-13 24-20 11-16");
    assert_eq!((one.key(), one.write_setup()), (other.key(), other.write_setup()));
    // Another side to move, another colour, a king for a man.
    let texts = ["B:W32:B1", "W:W32:B1", "B:W1:B32", "B:W32:BK1", "B:WK32:B1", "B:WK1:BK32"];
    let rows = texts.map(|text| text.replace("W1:B32", "W12:B21"));
    let keys: BTreeSet<u64> = rows.iter().map(|text| setup(text).key()).collect();
    assert_eq!(keys.len(), rows.len());
}
