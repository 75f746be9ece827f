//! The rules of English draughts: moves and perft.

use std::collections::{BTreeSet, HashMap};

use crate::positions::{self, check_perft, perft_positions, play, set};
use soucie::game::bitboard::Square;
use soucie::game::{Heuristics, MoveFormat, Notation, Position, legal_moves};
use soucie::games::draughts::{Captures, Draughts, DraughtsRules};

const PERFT: &str = include_str!("../data/draughts/perft.json");

pub fn setup(text: &str) -> Draughts {
    positions::setup(text)
}

pub fn setup_under(text: &str, rules: DraughtsRules) -> Draughts {
    positions::setup_under(text, rules)
}

/// The number of a dark square: 1 is b8, 4 is h8, 5 is a7, 32 is g1.
fn number(square: Square) -> usize {
    (7 - square.rank() as usize) * 4 + square.file() as usize / 2 + 1
}

/// The legal moves as square numbers, with every landing square.
fn moves(position: &Draughts) -> BTreeSet<String> {
    let write = |mv| {
        let path = position.write_move(mv, MoveFormat::Coordinate);
        let numbers = path.as_bytes().chunks(2).map(|name| number(Square::read(name).unwrap()));
        let sign = if position.is_noisy(mv) { "x" } else { "-" };
        numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(sign)
    };
    legal_moves(position).into_iter().map(write).collect()
}

#[test]
fn captures_can_be_optional() {
    let rows = [
        (Captures::Compulsory, set(&["18x9", "18x11x4"]), true),
        (Captures::Optional, set(&["18x9", "18x11", "26-22", "26-23"]), false),
    ];
    for (captures, expected, is_forced) in rows {
        let rules = DraughtsRules { captures, ..DraughtsRules::default() };
        let position = Draughts::read_setup("W:W18,26:B8,14,15", rules).unwrap();
        assert_eq!(moves(&position), expected);
        assert_eq!(position.count_moves(), expected.len());
        assert_eq!(position.is_forced(), is_forced);
        assert_eq!(position.repetition_limit(), 3);
        // The same holds for kings, and the captured pieces are removed.
        let position = Draughts::read_setup("W:WK18:B8,14,15", rules).unwrap();
        let jump = position.read_move(if is_forced { "18x11x4" } else { "18x11" }).unwrap();
        let after = if is_forced { "B:WK4:B14" } else { "B:WK11:B8,14" };
        assert_eq!(position.play(jump).write_setup(), after);
    }
}

// Perft.

/// Larger counts take seconds, so only an ignored test checks them.
const MAX_NODES: u64 = 20_000_000;

#[test]
fn perft_matches_the_file() {
    assert_eq!(check_perft::<Draughts>(PERFT, |nodes| nodes < MAX_NODES), 58);
}

#[test]
#[ignore = "takes ten seconds"]
fn perft_of_the_start_to_twelve_plies_matches_the_file() {
    assert_eq!(check_perft::<Draughts>(PERFT, |nodes| nodes >= MAX_NODES), 2);
}

/// Perft in which moves to the same position count once.
fn unique_perft(position: &Draughts, depth: u32) -> u64 {
    let results: HashMap<u64, Draughts> = legal_moves(position)
        .into_iter()
        .map(|mv| position.play(mv))
        .map(|next| (next.key(), next))
        .collect();
    if depth == 1 {
        return results.len() as u64;
    }
    results.values().map(|next| unique_perft(next, depth - 1)).sum()
}

#[test]
fn perft_with_equal_results_merged_matches_the_file() {
    let mut checked = 0;
    for row in perft_positions(PERFT) {
        let position = setup(row["fen"].as_str().unwrap());
        let Some(counts) = row["unique"].as_array() else { continue };
        for (depth, nodes) in (1..).zip(counts) {
            checked += 1;
            let counted = unique_perft(&position, depth);
            assert_eq!(Some(counted), nodes.as_u64(), "{} to depth {depth}", row["name"]);
        }
    }
    assert_eq!(checked, 24);
}

// Moves.

#[test]
fn legal_moves_follow_the_rules() {
    let rows: &[(&str, &[&str])] = &[
        // The start, for either side.
        ("B:W21-32:B1-12", &["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]),
        ("W:W21-32:B1-12", &["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"]),
        // A man steps diagonally forward, at the edge in one direction only.
        ("B:W32:B14", &["14-17", "14-18"]),
        ("B:W32:B13", &["13-17"]),
        ("B:W32:B12", &["12-16"]),
        ("W:W18:B1", &["18-14", "18-15"]),
        ("W:W21:B1", &["21-17"]),
        ("W:W20:B1", &["20-16"]),
        // A king steps one square in all four diagonal directions.
        ("B:WK4:BK18", &["18-14", "18-15", "18-22", "18-23"]),
        ("W:WK15:BK29", &["15-10", "15-11", "15-18", "15-19"]),
        ("B:W32:BK4", &["4-8"]),
        ("B:WK4:BK29", &["29-25"]),
        // Own pieces block a move, as do enemy pieces with no free square behind them.
        ("B:W32:B14,17,18", &["17-21", "17-22", "18-22", "18-23"]),
        ("B:W18,23:B14", &["14-17"]),
        ("B:W17,18,21,23,22:B14", &[]),
        // A capture is compulsory, for every piece.
        ("B:W18,32:B1,14", &["14x23"]),
        ("W:W27,28:B24,25", &["27x20", "28x19"]),
        // A man captures forward only, a king backward too.
        ("B:W10,32:B14", &["14-17", "14-18"]),
        ("B:W10,32:BK14", &["14x7"]),
        ("W:W14:B18,1", &["14-9", "14-10"]),
        ("W:WK14:B18,1", &["14x23"]),
        // Kings are captured as men are, and by men.
        ("B:WK18,32:B14", &["14x23"]),
        // A piece on the edge cannot be captured.
        ("B:W13,32:B9", &["9-14"]),
        ("B:W12,32:B8", &["8-11"]),
        ("W:W16:B20,12,1", &["16-11"]),
    ];
    for &(text, expected) in rows {
        assert_eq!(moves(&setup(text)), set(expected), "{text}");
    }
}

#[test]
fn captures_are_completed() {
    let rows: &[(&str, &[&str])] = &[
        // Any capture may be chosen, also a shorter one.
        ("B:W17,18,26,32:B14", &["14x21", "14x23x30"]),
        ("B:W18,24,26,16:B14,12,20", &["12x19x28", "14x23x30", "20x27"]),
        // Further jumps are compulsory, and the path may fork.
        ("B:W6,14,15:B1", &["1x10x17", "1x10x19"]),
        ("B:W10,18:B7,1", &["7x14x23"]),
        ("B:W10,17,18:B7", &["7x14x21", "7x14x23"]),
        // A man does not capture backward, a king does.
        ("B:W18,19,32:B14", &["14x23"]),
        ("B:W18,19,32:BK14", &["14x23x16"]),
        // Two paths with the same squares in opposite order.
        ("B:W6,7,14,15:BK2", &["2x9x18x11x2", "2x11x18x9x2"]),
        // A capture may end on its origin square, which counts as empty.
        ("B:W10,11,18,19,32:BK7", &["7x14x23x16x7", "7x16x23x14x7"]),
        // A capture may visit a square twice, but jumps no piece twice.
        (
            "B:W6,7,8,14,15,16,22,23,24:BK2",
            &[
                "2x9x18x11x2",
                "2x9x18x11x4",
                "2x9x18x11x20x27x18x25",
                "2x9x18x25",
                "2x9x18x27x20x11x2",
                "2x9x18x27x20x11x4",
                "2x9x18x27x20x11x18x25",
                "2x11x4",
                "2x11x18x9x2",
                "2x11x18x25",
                "2x11x18x27x20x11x4",
                "2x11x20x27x18x9x2",
                "2x11x20x27x18x11x4",
                "2x11x20x27x18x25",
            ],
        ),
    ];
    for &(text, expected) in rows {
        assert_eq!(moves(&setup(text)), set(expected), "{text}");
    }
}

#[test]
fn crowning_ends_the_move() {
    let rows: &[(&str, &[&str])] = &[
        // A king on the crowning square could capture another piece in each of these.
        ("B:W25,26,27:B21,22", &["21x30", "22x29", "22x31"]),
        ("B:W19,20,25,26,27:B1,18,21,22", &["21x30", "22x29", "22x31"]),
        ("W:W11,12:B6,7,8", &["11x2", "11x4", "12x3"]),
        // A king continues its capture from there.
        ("B:W25,26,27:BK21", &["21x30x23x32"]),
        ("W:WK12:B6,7,8", &["12x3x10x1"]),
    ];
    for &(text, expected) in rows {
        assert_eq!(moves(&setup(text)), set(expected), "{text}");
    }
}

#[test]
fn moves_update_the_pieces() {
    let rows = [
        // A man that reaches the last row becomes a king, other men do not.
        ("B:W12:B25", "25-30", "W:W12:BK30"),
        ("W:W6:BK29", "6-2", "B:WK2:BK29"),
        ("B:W12,26:B22", "22x31", "W:W12:BK31"),
        ("W:W6,12:BK29", "12-8", "B:W6,8:BK29"),
        ("B:W12:B22", "22-26", "W:W12:B26"),
        // A king stays a king on either end row, and no other man is crowned.
        ("B:W12:BK25", "25-30", "W:W12:BK30"),
        ("B:W12:BK6,22", "6-1", "W:W12:BK1,22"),
        // The jumped pieces are removed, kings and men, and no others.
        ("B:WK18,19,20,26,32:B14", "14x30", "W:W19,20,32:BK30"),
        ("B:W10,11,18,19,32:BK7", "7x14x23x16x7", "W:W32:BK7"),
        ("B:W10,K11,18,19,32:BK7", "7x16x23x14x7", "W:W32:BK7"),
    ];
    for (text, mv, after) in rows {
        assert_eq!(play(setup(text), mv).write_setup(), after, "{mv} in {text}");
    }
}
