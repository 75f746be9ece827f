//! The notation of draughts: the accepted forms of setups and moves, the written form, and errors.

use crate::draughts::setup;
use crate::positions::{check_move_errors, check_moves, check_setup_errors, check_setups, play};
use proptest::prelude::*;
use soucie::game::{
    Move, MoveFormat, Notation, Position, are_same_move, distinct_moves, legal_moves, root_moves,
};
use soucie::games::draughts::Draughts;

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const START_WHITE: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

// Setups.

#[test]
fn setups_are_read_in_every_form_and_written_in_one() {
    let rows = [
        // The standard, and ranges.
        (START, START),
        (START_WHITE, START_WHITE),
        ("B:W21-32:B1-12", START),
        ("W:W21-24,25,26-32:B1,2-11,12", START_WHITE),
        ("B:W32,31,30-30:B12,1", "B:W30,31,32:B1,12"),
        // Black first, colours more than once, and blanks, dots and quotes.
        ("B:B1-12:W21-32", START),
        ("B:B1-6:W21-32:B7-12", START),
        ("B:W21-32:B1-12.", START),
        (" B : W 21-32 : B 1 - 12 . ", START),
        ("\t\"B:W21-32:B1-12\"\r\n", START),
        // The colours in any case, the side in full.
        ("b:w21-32:b1-12", START),
        ("White:W21-32:B1-12", START_WHITE),
        ("black:W21-32:B1-12", START),
        // Kings, alone and in ranges.
        ("B:W21,K23:BK30,1", "B:W21,K23:B1,K30"),
        ("B:WK1-4:Bk29-32", "B:WK1,K2,K3,K4:BK29,K30,K31,K32"),
        ("B:WK1-K3:B5", "B:WK1,K2,K3:B5"),
        // A side may have lost all its pieces.
        ("B:W21:B", "B:W21:B"),
        ("B:W21", "B:W21:B"),
        ("W:B1,,2,", "W:W:B1,2"),
        // Letters by ranks, the colour of the side in any case, Black's turn if none is named.
        ("1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 b", START),
        ("1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 w", START_WHITE),
        ("1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1", START),
        ("1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 White 0 1", START_WHITE),
        ("1K6/8/3k4/8/-m------/M7/8/2k5 W", "W:WK1,21:BK10,17,K30"),
    ];
    check_setups::<Draughts>(&rows);
}

const DRAWING: &str = "
8  - - - m - - - K
7  - - - - m - - -
6  - - - - - - - -
5  k - - - - - - -
4  - - - - - - - M
3  - - - - - - - -
2  - M - - - - - -
1  - - - - - - - -
   a b c d e f g h
";

#[test]
fn drawings_are_read_as_setups() {
    let black = "B:WK4,20,25:B2,7,K13";
    let white = "W:WK4,20,25:B2,7,K13";
    let rows = [
        (DRAWING.to_string(), black),
        (format!("{DRAWING}Next move: Black"), black),
        (format!("===\n{DRAWING}Next move: white\n==="), white),
        (DRAWING.replace('-', "."), black),
        (DRAWING.replace('\n', "\r\n"), black),
        (setup(white).diagram(), black),
    ];
    check_setups::<Draughts>(&rows);
    assert_eq!(setup(white).diagram(), DRAWING.trim_start());
}

#[test]
fn setup_errors_name_the_cause() {
    const NO_SQUARE: &str = "expected a square from 1 to 32 or a range such as 1-12";
    let no_square = |item: &str| format!("{NO_SQUARE}, found '{item}'");
    let rows = [
        // Empty, or not a setup of draughts.
        ("", "the setup is empty".to_string()),
        (" \t ", "the setup is empty".to_string()),
        ("B", "no pieces".to_string()),
        ("B:W:B", "no pieces".to_string()),
        ("W:WK:B1", no_square("K")),
        ("hello", "expected the side to move, B or W, found 'hello'".to_string()),
        (":W21:B1", "expected the side to move, B or W, found ''".to_string()),
        ("G:W21:B1", "expected the side to move, B or W, found 'G'".to_string()),
        ("W21:B1", "expected the side to move, B or W, found 'W21'".to_string()),
        ("B:21:B1", "expected W or B before the squares, found '21'".to_string()),
        ("B:W21:R1", "expected W or B before the squares, found 'R1'".to_string()),
        ("B:W21:B1:X0", "expected W or B before the squares, found 'X0'".to_string()),
        // Squares.
        ("B:W0:B1", no_square("0")),
        ("B:W33:B1", no_square("33")),
        ("B:WK33:B1", no_square("K33")),
        ("B:W21-33:B1", no_square("21-33")),
        ("B:W0-4:B1", no_square("0-4")),
        ("B:W21-:B1", no_square("21-")),
        ("B:W-21:B1", no_square("-21")),
        ("B:W21-22-23:B1", no_square("21-22-23")),
        ("B:W+21:B1", no_square("+21")),
        ("B:WKK21:B1", no_square("KK21")),
        ("B:WD21:B1", no_square("D21")),
        ("B:W21:B1-K3", no_square("1-K3")),
        ("B:Wc3:B1", no_square("c3")),
        ("B:W21;22:B1", no_square("21;22")),
        ("B:W99999999999999999999:B1", no_square("99999999999999999999")),
        ("B:Wä:B1", no_square("ä")),
        ("B:W24-21:B1", "the range '24-21' ends before it begins".to_string()),
        // Invalid placements.
        ("B:W21,21:B1", "two pieces on square 21".to_string()),
        ("B:W21-24,23:B1", "two pieces on square 23".to_string()),
        ("B:W5,21:B1-12", "two pieces on square 5".to_string()),
        ("B:W21-32,20:B1-12", "White has 13 pieces, more than 12".to_string()),
        ("B:W32:B1-14,K15", "Black has 15 pieces, more than 12".to_string()),
        ("B:W1:B12", "White man on its crowning rank: square 1 (b8)".to_string()),
        ("W:W21:B12,32", "Black man on its crowning rank: square 32 (g1)".to_string()),
        // Letters by ranks.
        ("8/8/8/8/8/8/8 b", "expected 8 ranks, found 7".to_string()),
        ("8/8/8/8/8/8/8/7 b", "rank 1: expected 8 squares, found 7".to_string()),
        (
            "9/8/8/8/8/8/8/8 b",
            "rank 8: expected a piece or a number of empty squares, found '9'".to_string(),
        ),
        ("8/8/8/8/8/8/8/8 b", "no pieces".to_string()),
        (
            "1l6/8/8/8/8/8/8/8 b",
            "b8: expected a piece (m, p, k for Black, M, P, K for White), found 'l'".to_string(),
        ),
        ("m7/8/8/8/8/8/8/8 b", "a8 is a light square; pieces stand on dark squares".to_string()),
        ("8/8/8/8/8/8/8/7K b", "h1 is a light square; pieces stand on dark squares".to_string()),
        ("1m6/8/8/8/8/8/M7/8 b", "a2 is a light square; pieces stand on dark squares".to_string()),
        ("1M6/8/8/8/8/8/8/8 b", "White man on its crowning rank: square 1 (b8)".to_string()),
        (
            "1k1k1k1k/k1k1k1k1/1k1k1k1k/m7/8/8/8/8 b",
            "Black has 13 pieces, more than 12".to_string(),
        ),
        ("1m6/8/8/8/8/8/8/8 red", "expected the side to move, B or W, found 'red'".to_string()),
    ];
    check_setup_errors::<Draughts>(&rows);
}

#[test]
fn drawing_errors_name_the_cause() {
    let rows = [
        (DRAWING.replace("4  -", "5  -"), "diagram: expected rank 4, found rank 5"),
        (DRAWING.replace("3  -", "3  - -"), "rank 3: expected 8 squares, found 9"),
        (
            DRAWING.replace("3  -", "3  o"),
            "a3: expected a piece (m, p, k for Black, M, P, K for White), found 'o'",
        ),
        (DRAWING.replace("6  -", "6  k"), "a6 is a light square; pieces stand on dark squares"),
        (format!("{DRAWING}Next move: red"), "expected the side to move, B or W, found 'red'"),
    ];
    check_setup_errors::<Draughts>(&rows);
}

// Moves.

/// A choice between the capture of one piece and of two.
const CHOICE: &str = "B:W17,18,26,32:B14";
/// Two captures with the same origin and target.
const FORK: &str = "B:W10,17,18,25,26:B1,7";
/// A king that can capture in a circle in either direction.
const CIRCLE: &str = "B:W10,11,18,19,32:BK7";
/// Steps of a king and of a man.
const STEPS: &str = "B:WK4,32:B1,K18";

#[test]
fn moves_are_read_in_every_form_and_written_in_two() {
    check_moves::<Draughts>(&[
        (START, &["f6g5", "F6G5", "f6-g5", "11-16"], "f6g5", "11-16"),
        (START_WHITE, &["22-18", "c3d4"], "c3d4", "22-18"),
        (STEPS, &["18-15", "d4e5", "018-015"], "d4e5", "18-15"),
        // A capture with its full path, or its origin and target only.
        (CHOICE, &["14x21", "14-21", "14:21", "c5a3", "c5xa3", "C5:A3"], "c5a3", "14x21"),
        (
            CHOICE,
            &["14x23x30", "14x30", "14-30", "14-23-30", "14X23X30", "c5e3c1", "c5c1", "c5xe3xc1"],
            "c5e3c1",
            "14x30",
        ),
        // Any unambiguous part of the path. It is written in full if its ends are ambiguous.
        (FORK, &["7x14x21x30", "7x21x30", "e7c5a3c1", "e7a3c1"], "e7c5a3c1", "7x14x21x30"),
        (FORK, &["7x14x23x30", "7x23x30", "e7c5xe3c1", "e7e3c1"], "e7c5e3c1", "7x14x23x30"),
        // A circle ends on its origin square.
        (
            CIRCLE,
            &["7x14x23x16x7", "7x14x23x7", "e7c5e3g5e7", "e7c5e3e7"],
            "e7c5e3g5e7",
            "7x14x23x16x7",
        ),
        (CIRCLE, &["7x7", "7-7", "7x23x7", "e7xe3xe7"], "e7c5e3g5e7", "7x14x23x16x7"),
        (CIRCLE, &["7x16x23x14x7", "7x16x23x7", "7x23x14x7"], "e7g5e3c5e7", "7x16x23x14x7"),
        ("B:W10,11,18,19,22,32:BK7,17", &["17x26"], "b4d2", "17x26"),
    ]);
}

#[test]
fn move_errors_name_the_cause() {
    const UNREADABLE: &str = "expected a move such as 11-15, 22x15 or c3d4";
    let unreadable = |text: &'static str| (START, text, format!("{UNREADABLE}, found '{text}'"));
    let case = |setup, text, message: &str| (setup, text, message.to_string());
    let rows = [
        // Not a move.
        unreadable(""),
        unreadable("11"),
        unreadable("f6"),
        unreadable("11-"),
        unreadable("-15"),
        unreadable("11--15"),
        unreadable("11-+15"),
        unreadable("11 15 18-"),
        unreadable("11-15x"),
        unreadable("11-33"),
        unreadable("0-5"),
        unreadable("0000"),
        unreadable("11-g5"),
        unreadable("f6-15"),
        unreadable("f6g"),
        unreadable("f6g9"),
        unreadable("i6g5"),
        unreadable("f6g5-"),
        unreadable("f-6g5"),
        unreadable("f6--g5"),
        unreadable("éf6g5"),
        unreadable("pass"),
        // Not from a piece of the side to move.
        case(START, "15-18", "no Black piece on square 15 (e5)"),
        case(START, "e5d4", "no Black piece on square 15 (e5)"),
        case(START, "22-18", "it is Black's turn: the man on square 22 (c3) is White's"),
        case(START_WHITE, "11-15", "it is White's turn: the man on square 11 (f6) is Black's"),
        case(START, "a8b7", "a8 is a light square; pieces stand on dark squares"),
        // Illegal targets. The error lists the legal moves in the notation of the input.
        case(START, "11-18", "illegal for the piece on square 11 (f6); its moves: 11-15, 11-16"),
        case(START, "f6f5", "illegal for the piece on square 11 (f6); its moves: f6e5, f6g5"),
        case(
            "B:W32:B1,2,5,6",
            "1-10",
            "the man on square 1 (b8) cannot move: the squares it could reach are occupied",
        ),
        // The target square is not free.
        case(START, "1-5", "square 5 holds your own man"),
        case(START, "b8a7", "square a7 holds your own man"),
        case(START, "11-7", "square 7 holds your own man"),
        case(STEPS, "1-18", "square 18 holds your own king"),
        case(STEPS, "18-32", "square 32 holds the opponent's man"),
        case(STEPS, "18-4", "square 4 holds the opponent's king"),
        case(CHOICE, "14-17", "a capture is compulsory and must be completed: 14x21, 14x23x30"),
        // Men move forward.
        case("B:W32:B18", "18-15", "a man moves forward only; its moves: 18-22, 18-23"),
        case("W:W18:B1", "d4c3", "a man moves forward only; its moves: d4c5, d4e5"),
        case(START, "11-15-18", "illegal for the piece on square 11 (f6); its moves: 11-15, 11-16"),
        // Captures are compulsory and must be completed.
        case(CHOICE, "14-23", "a capture is compulsory and must be completed: 14x21, 14x23x30"),
        case(CHOICE, "c5e3", "a capture is compulsory and must be completed: c5a3, c5e3c1"),
        case(CHOICE, "14x23x32", "a capture is compulsory and must be completed: 14x21, 14x23x30"),
        case(CHOICE, "14x30x30", "a capture is compulsory and must be completed: 14x21, 14x23x30"),
        case(FORK, "1-6", "a capture is compulsory: 7x14x21x30, 7x14x23x30"),
        // Ambiguous moves.
        case(FORK, "7x30", "ambiguous move: 7x14x21x30, 7x14x23x30"),
        case(FORK, "7x14x30", "ambiguous move: 7x14x21x30, 7x14x23x30"),
        case(FORK, "e7c1", "ambiguous move: e7c5a3c1, e7c5e3c1"),
        // The game is over.
        case(
            "B:W5,K6,9,10,13,14,17:B1",
            "1-6",
            "the game is over: White has won: the opponent cannot move",
        ),
        case("W:W:B1", "hello", "the game is over: Black has won: the opponent has no pieces"),
    ];
    check_move_errors::<Draughts>(&rows);
}

#[test]
fn a_square_without_moves_has_a_reason() {
    let rows = [
        (START, "15", "no Black piece on square 15 (e5)"),
        (START, "c3", "it is Black's turn: the man on square 22 (c3) is White's"),
        (START, "a8", "a8 is a light square; pieces stand on dark squares"),
        (
            START,
            "4",
            "the man on square 4 (h8) cannot move: the squares it could reach are occupied",
        ),
        // Captures in the notation of the square.
        (FORK, "1", "a capture is compulsory: 7x14x21x30, 7x14x23x30"),
        (FORK, "B8", "a capture is compulsory: e7c5a3c1, e7c5e3c1"),
        (CIRCLE, "7", "legal"),
    ];
    for (text, name, expected) in rows {
        let (position, square) = (setup(text), Draughts::read_square(name).unwrap());
        let begins_here = |mv: &<Draughts as Position>::Move| mv.origin() == square.index();
        let reason = if legal_moves(&position).iter().any(begins_here) {
            "legal".to_string()
        } else {
            position.check_origin(square, name).unwrap_err().to_string()
        };
        assert_eq!(reason, expected, "{name} in {text}");
    }
    for name in ["", "0", "33", "+1", "i1", "a9", "11-15", "1 2", "pass"] {
        assert_eq!(Draughts::read_square(name), None, "{name}");
    }
}

/// Setups in which captures of the same pieces in another order lead to one position: the number of
/// paths, and that of moves.
const SAME_PIECES: [(&str, usize, usize); 7] = [
    (CIRCLE, 2, 1),
    ("B:W6,7,14,15,32:BK2", 2, 1),
    ("W:WK22:B9,10,17,18", 2, 1),
    ("B:WK6,7,14,15:BK2,20", 2, 1),
    // A rhombus that is entered and left on other squares.
    ("B:W10,11,18,19,26:BK7", 4, 3),
    ("W:WK32:B27,18,19,10,11,26", 3, 2),
    (FORK, 2, 2),
];

#[test]
fn captures_of_the_same_pieces_are_one_move() {
    for (text, paths, count) in SAME_PIECES {
        let position = setup(text);
        let legal = legal_moves(&position);
        let distinct = distinct_moves(&position, legal.clone());
        let name =
            |mv: &<Draughts as Position>::Move| position.write_move(*mv, MoveFormat::Coordinate);
        let names: Vec<_> = legal.iter().map(name).collect();
        assert_eq!((legal.len(), distinct.len()), (paths, count), "{text}: {names:?}");
        // The reference: the setups that the paths lead to.
        let mut reached: Vec<_> = legal.iter().map(|&mv| position.play(mv).write_setup()).collect();
        reached.sort();
        reached.dedup();
        assert_eq!(reached.len(), count, "{text}: {names:?}");
        for &mv in &legal {
            // Its ends alone are clear if all paths between them are the same move.
            let ends = format!("{}{}", &name(&mv)[..2], &name(&mv)[name(&mv).len() - 2..]);
            let others = legal.iter().filter(|other| {
                name(other).starts_with(&ends[..2]) && name(other).ends_with(&ends[2..])
            });
            let is_clear = others.clone().all(|&other| are_same_move(&position, mv, other));
            assert_eq!(position.read_move(&ends).is_ok(), is_clear, "{text}: {ends}");
            // Every path is read and written in full.
            assert_eq!(position.read_move(&name(&mv)), Ok(mv), "{text}");
            // One requested path stands for all.
            assert_eq!(root_moves(&position, &[mv]).as_slice(), [mv], "{text}");
            let standard = position.write_move(mv, MoveFormat::Standard);
            assert_eq!(standard.split('x').count() > 2, others.count() > 1, "{text}: {standard}");
        }
    }
}

proptest! {
    /// A standard move consists of origin and target unless another move has the same ones.
    #[test]
    fn standard_moves_are_as_short_as_possible(
        choices in proptest::collection::vec(0..48_usize, 90)
    ) {
        let mut position = setup(START);
        for choice in choices {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let texts = moves.iter().map(|&mv| position.write_move(mv, MoveFormat::Standard));
            for (text, &mv) in texts.zip(&moves) {
                prop_assert_eq!(position.read_move(&text), Ok(mv));
                let numbers: Vec<&str> = text.split(['-', 'x']).collect();
                let short = format!("{}x{}", numbers[0], numbers[numbers.len() - 1]);
                let is_clear = position.read_move(&short).is_ok();
                let paths = moves.iter().filter(|&&other| are_same_move(&position, mv, other));
                prop_assert!(numbers.len() == 2 || !is_clear || paths.count() > 1, "{}", text);
            }
            let text = position.write_move(moves[choice % moves.len()], MoveFormat::Coordinate);
            position = play(position, &text);
        }
    }
}
