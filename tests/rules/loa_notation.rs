//! The notation of Lines of Action: the accepted forms of setups and moves, the written form, and
//! errors.

use crate::loa::setup;
use crate::positions::{check_move_errors, check_moves, check_setup_errors, check_setups};
use soucie::game::{Move, Notation, Position, Side, legal_moves};
use soucie::games::loa::{Loa, LoaRules, NoMove};

const START: &str = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1";
const START_WHITE: &str = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w - - 0 1";

/// Black has no legal move.
const NO_LEGAL_MOVE: &str = "6Ll/6LL/8/8/8/8/LL6/lL6 b";
/// Black can move or capture, and is blocked by own and enemy stones.
const EXAMPLE: &str = "8/2lL3L/8/8/8/2L5/2ll4/2l5 b";

// Setups.

#[test]
fn setups_are_read_in_every_form_and_written_in_one() {
    let rows = [
        // The standard form, complete and without trailing fields.
        (START, START),
        (START_WHITE, START_WHITE),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0", START),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w - -", START_WHITE),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w", START_WHITE),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1", START),
        // What follows the side to move is ignored, unless it is a move.
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b KQkq e3 7 40", START),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w anything", START_WHITE),
        // Blanks around and between fields.
        ("  1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1   b\t-  - 0 1 \n", START),
        // Other letters for the two sides.
        ("1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b", START),
        ("1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b", START),
        ("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", START),
        ("1XXXXXX1/O6O/O6O/O6O/O6O/O6O/O6O/1XXXXXX1 b", START),
        // The name of the side in full and in any case.
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 W", START_WHITE),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 white", START_WHITE),
        ("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 Black", START),
        // Empty squares one by one.
        ("1llllll1/L33L/L6L/L1113L/L------L/L6L/L6L/-llllll- b", START),
        // White on the ranks, and White to begin.
        (
            "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1",
            "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1",
        ),
    ];
    check_setups::<Loa>(&rows);
}

/// The drawing of the start position in the rules.
const DRAWN_START: &str = "
 8  - B B B B B B -
 7  W - - - - - - W
 6  W - - - - - - W
 5  W - - - - - - W
 4  W - - - - - - W
 3  W - - - - - - W
 2  W - - - - - - W
 1  - B B B B B B -
    a b c d e f g h
";

/// A board dump between two separators, with the side to move.
const DUMP: &str = "===
    - b b b b b b -
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    - b b b b b b -
Next move: white
===";

const DOTS: &str = "
.XXXXXX.
O......O
O......O
O......O
O......O
O......O
O......O
.XXXXXX.
";

const LABELLED_ON_BOTH_SIDES: &str = "
  a b c d e f g h
8 . l l l l l l . 8
7 L . . . . . . L 7
6 L . . . . . . L 6
5 L . . . . . . L 5
4 L . . . . . . L 4
3 L . . . . . . L 3
2 L . . . . . . L 2
1 . l l l l l l . 1
  A B C D E F G H

NEXT MOVE: B
";

#[test]
fn drawings_are_read_as_setups() {
    let rows = [
        (DRAWN_START.to_string(), START),
        (DUMP.to_string(), START_WHITE),
        (DUMP.replace("white", "black"), START),
        (DUMP.replace("Next move: white\n", ""), START),
        (DUMP.replace('\n', "\r\n"), START_WHITE),
        (DOTS.to_string(), START),
        (LABELLED_ON_BOTH_SIDES.to_string(), START),
    ];
    check_setups::<Loa>(&rows);
}

#[test]
fn setup_errors_name_the_cause() {
    let rows = [
        ("", "the setup is empty"),
        ("  \t ", "the setup is empty"),
        ("hello", "expected 8 ranks, found 1"),
        ("8/8/8/8/8/8/8 b", "expected 8 ranks, found 7"),
        ("8/8/8/8/8/8/8/8/8 b", "expected 8 ranks, found 9"),
        ("8/8/8/7/8/8/8/8 b", "rank 5: expected 8 squares, found 7"),
        ("8/8/8/8/8/8/ll6L/8 b", "rank 2: expected 8 squares, found 9"),
        ("/8/8/8/8/8/8/8 b", "rank 8: expected 8 squares, found 0"),
        ("9/8/8/8/8/8/8/8 b", "rank 8: expected a piece or a number of empty squares, found '9'"),
        ("8/8/8/8/8/8/8/0l7 b", "rank 1: expected a piece or a number of empty squares, found '0'"),
        (
            "8/8/8/8/3q4/8/8/8 b",
            "d4: expected a stone (l, p, B, X for Black, L, P, W, O for White), found 'q'",
        ),
        (
            "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 green",
            "expected the side to move, b or w, found 'green'",
        ),
        (
            "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 -",
            "expected the side to move, b or w, found '-'",
        ),
        ("llllllll/L6L/8/8/8/8/8/lllll3 b", "Black has 13 stones, more than 12"),
        ("LLLLLLLL/LLLLLLLL/8/8/8/8/8/lllll3 b", "White has 16 stones, more than 12"),
        ("8/8/8/8/8/8/8/8 b", "Black has no stones"),
        ("8/L7/8/8/8/8/8/8 b", "Black has no stones"),
        ("8/l7/8/8/8/8/8/8 b", "White has no stones"),
    ];
    check_setup_errors::<Loa>(&rows);
}

#[test]
fn drawing_errors_name_the_cause() {
    let rows = [
        (DRAWN_START.replace(" 4  W", " 5  W"), "diagram: expected rank 4, found rank 5"),
        (
            DRAWN_START.replace(" 5  W - - - - - - W\n", ""),
            "diagram: expected rank 5, found rank 4",
        ),
        (DRAWN_START.replace(" 1  - B B B B B B -\n", ""), "expected 8 ranks, found 7"),
        (DOTS.replace(".XXXXXX.", ".XXXXXX.\n........"), "expected 8 ranks, found 10"),
        (DRAWN_START.replace(" 3  W -", " 3  W"), "rank 3: expected 8 squares, found 7"),
        (DRAWN_START.replace(" 3  W -", " 3  W - -"), "rank 3: expected 8 squares, found 9"),
        (
            DRAWN_START.replace(" 3  W -", " 3  W #"),
            "b3: expected a stone (l, p, B, X for Black, L, P, W, O for White), found '#'",
        ),
        (DUMP.replace("white", "red"), "expected the side to move, b or w, found 'red'"),
        (DUMP.replace("white", ""), "expected the side to move, b or w, found ''"),
    ];
    check_setup_errors::<Loa>(&rows);
}

// Moves.

#[test]
fn moves_are_read_in_every_form_and_written_in_two() {
    check_moves::<Loa>(&[
        (START, &["b8b6", "B8B6", "b8-b6", "B8-B6", "B8b6"], "b8b6", "b8-b6"),
        (START, &["c1a3", "C1A3", "c1xa3", "C1XA3", "c1:a3", "C1:A3", "c1-a3"], "c1a3", "c1xa3"),
        (NO_LEGAL_MOVE, &["0000"], "0000", "0000"),
    ]);
}

#[test]
fn move_errors_name_the_cause() {
    const UNREADABLE: &str = "expected a move such as b8b6, or pass";
    let unreadable = |text: &str| format!("{UNREADABLE}, found '{text}'");
    let over = "8/8/8/8/8/8/1L5L/3ll3 w";
    let rows = [
        // Not a move.
        (START, "", unreadable("")),
        (START, "b8", unreadable("b8")),
        (START, "b8b", unreadable("b8b")),
        (START, "b8b9", unreadable("b8b9")),
        (START, "i8b6", unreadable("i8b6")),
        (START, "b8b6x", unreadable("b8b6x")),
        (START, "b8--b6", unreadable("b8--b6")),
        (START, "b8+b6", unreadable("b8+b6")),
        (START, "b8 b6 b4", unreadable("b8 b6 b4")),
        (START, "é8b6", unreadable("é8b6")),
        // Illegal moves: the error names the first violated rule.
        (START, "a7b7", "it is Black's turn: the stone on a7 is White's".to_string()),
        (START, "d4d5", "no Black stone on d4".to_string()),
        (START_WHITE, "b8b6", "it is White's turn: the stone on b8 is Black's".to_string()),
        (START, "b8c6", "b8 to c6 is not a straight line".to_string()),
        (START, "b8b8", "b8 to b8 is not a straight line".to_string()),
        (START, "b8c8", "square c8 holds your own stone".to_string()),
        (START, "b8e1", "square e1 holds your own stone".to_string()),
        (START, "b8b7", "b8 to b7: the line holds 2 stones, so it moves 2".to_string()),
        (EXAMPLE, "c7b7", "c7 to b7: the line holds 3 stones, so it moves 3".to_string()),
        (EXAMPLE, "c7a5", "c7 to a5: the line holds 1 stone, so it moves 1".to_string()),
        (EXAMPLE, "c7f7", "c7 to f7: blocked by the opponent's stone on d7".to_string()),
        (EXAMPLE, "c1d2", "square d2 holds your own stone".to_string()),
        ("L7/8/8/8/8/8/2l1l3/l6L b", "c2e2", "square e2 holds your own stone".to_string()),
        (START, "b8xb6", "b8xb6: no opponent's stone on b6".to_string()),
        (START, "b8:b6", "b8xb6: no opponent's stone on b6".to_string()),
        // A pass although there are legal moves, and a move although only a pass is legal.
        (START, "0000", "Black has legal moves and may not pass".to_string()),
        (START, "Pass", "Black has legal moves and may not pass".to_string()),
        (START_WHITE, "0000", "White has legal moves and may not pass".to_string()),
        (NO_LEGAL_MOVE, "a1a2", "Black has no legal move and must pass".to_string()),
        (NO_LEGAL_MOVE, "h8h8", "Black has no legal move and must pass".to_string()),
        // The game is over.
        (over, "b2b3", "the game is over: Black has won: all its stones are connected".to_string()),
        (over, "0000", "the game is over: Black has won: all its stones are connected".to_string()),
    ];
    check_move_errors::<Loa>(&rows);
}

#[test]
fn a_square_without_moves_has_a_reason() {
    let rows = [
        (START, "a7", "it is Black's turn: the stone on a7 is White's"),
        (START, "d4", "no Black stone on d4"),
        (NO_LEGAL_MOVE, "a1", "Black has no legal move and must pass"),
        (
            "7L/8/8/8/8/8/LL6/lL5l b",
            "a1",
            "the stone on a1 cannot move: each way ends off the board or on your own stone, or passes \
             an opponent's stone",
        ),
    ];
    for (text, name, expected) in rows {
        let (position, square) = (setup(text), Loa::read_square(name).unwrap());
        assert!(legal_moves(&position).iter().all(|mv| mv.origin() != square.index()), "{text}");
        let error = position.check_origin(square, name).unwrap_err();
        assert_eq!(error.to_string(), expected, "{name} in {text}");
    }
}

#[test]
fn a_pass_is_rejected_if_the_rules_end_the_game_instead() {
    const REASON: &str = "the side to move has no legal move";
    let rows = [
        (NoMove::Loss, format!("the game is over: White has won: {REASON}")),
        (NoMove::Draw, format!("the game is over: drawn: {REASON}")),
    ];
    for (no_move, message) in rows {
        let rules = LoaRules { no_move, ..LoaRules::default() };
        let position = Loa::read_setup(NO_LEGAL_MOVE, rules).unwrap();
        assert_eq!(position.read_move("0000").unwrap_err().to_string(), message);
        assert!(legal_moves(&position).is_empty());
    }
}

#[test]
fn setups_set_the_side_to_move() {
    assert_eq!(setup(START).side(), Side::Black);
    assert_eq!(setup(START_WHITE).side(), Side::White);
}
