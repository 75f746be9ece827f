//! The rules of Lines of Action: moves, perft, the end of the game, and published games.

use std::collections::BTreeSet;

use crate::positions::{self, check_perft, perft_positions, play, set};
use crate::published_games;
use serde_json::Value;
use soucie::game::bitboard::Bits;
use soucie::game::{
    EndReason, Game, Heuristics, MoveFormat, Notation, Outcome, Position, Side, legal_moves,
    outcome, perft,
};
use soucie::games::loa::{Loa, LoaMove, LoaRules, is_connected};
use soucie::records::{HeaderField, RecordResult};

const PERFT: &str = include_str!("../data/loa/perft.json");

pub fn start() -> Loa {
    positions::start()
}

pub fn setup(text: &str) -> Loa {
    positions::setup(text)
}

pub fn setup_under(text: &str, rules: LoaRules) -> Loa {
    positions::setup_under(text, rules)
}

/// The winner, if the game is over and not drawn.
pub fn winner(position: &Loa) -> Option<Side> {
    outcome(position).and_then(|end| end.winner)
}

/// The legal moves for which `predicate` holds, given the move and the resulting position.
pub fn moves_where(position: &Loa, predicate: impl Fn(LoaMove, &Loa) -> bool) -> BTreeSet<String> {
    legal_moves(position)
        .into_iter()
        .filter(|&mv| predicate(mv, &position.play(mv)))
        .map(|mv| position.write_move(mv, MoveFormat::Coordinate))
        .collect()
}

fn from_square(position: &Loa, square: &str) -> BTreeSet<String> {
    moves_where(position, |mv, _| mv.from().to_string() == square)
}

// Perft.

/// Larger counts take as long as all other tests here, so only an ignored test checks them.
const MAX_NODES: u64 = 1_000_000_000;

/// The moves of a list in the file.
fn listed(position: &Value, list: &str) -> BTreeSet<String> {
    let texts = position[list].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    texts.map(|mv| if mv == "pass" { "0000" } else { mv }.to_string()).collect()
}

#[test]
fn perft_matches_the_file() {
    check_perft::<Loa>(PERFT, |nodes| nodes < MAX_NODES);
}

#[test]
#[ignore = "counts two billion moves"]
fn perft_of_the_start_to_six_plies_is_correct() {
    assert_eq!(perft(&start(), 6, &|| false), Some(1_938_494_632));
}

#[test]
fn perft_can_be_aborted() {
    assert_eq!(perft(&start(), 6, &|| true), None);
}

#[test]
fn legal_moves_match_the_file() {
    let connected = |next: &Loa| Side::BOTH.map(|side| is_connected(next.stones(side)));
    for row in perft_positions(PERFT) {
        let name = &row["name"];
        let position = setup(row["fen"].as_str().unwrap());
        let mover = position.side();
        let found = [
            ("legal", moves_where(&position, |_, _| true)),
            ("captures", moves_where(&position, |mv, _| position.is_noisy(mv))),
            ("winning_moves", moves_where(&position, |_, next| winner(next) == Some(mover))),
            ("connects_both", moves_where(&position, |_, next| connected(next) == [true; 2])),
            (
                "connects_only_opponent",
                moves_where(&position, |_, next| {
                    let connected = connected(next);
                    connected[!mover] && !connected[mover]
                }),
            ),
        ];
        for (list, moves) in found {
            assert_eq!(moves, listed(&row, list), "{list} of {name}");
        }
        assert_eq!(outcome(&position).is_some(), row["decided"].as_bool().unwrap(), "{name}");
    }
}

// Moves.

/// The drawing in the rules that explains the moves of the stone on c7.
const EXAMPLE: &str = "
8  - - - - - - - -
7  - - B W - - - W
6  - - - - - - - -
5  - - - - - - - -
4  - - - - - - - -
3  - - W - - - - -
2  - - B B - - - -
1  - - B - - - - -
   a b c d e f g h
";

#[test]
fn the_worked_example_has_the_documented_moves() {
    let position = setup(EXAMPLE);
    assert_eq!(position.side(), Side::Black);
    // One square on either diagonal and the capture: not left, over the edge, nor right, over
    // an enemy stone, nor up, over the edge.
    assert_eq!(from_square(&position, "c7"), set(&["c7b6", "c7b8", "c7c3", "c7d6", "c7d8"]));

    let capture = position.read_move("c7xc3").unwrap();
    let end = position.play(capture).outcome();
    assert_eq!(
        end,
        Some(Outcome::won(
            Side::Black,
            &EndReason { code: "connected", text: "all its stones are connected" }
        ))
    );
    assert_eq!(position.winning_move(), Some(capture));
}

#[test]
fn a_move_goes_as_far_as_there_are_stones_on_its_line() {
    let rows: &[(&str, &str, &[&str])] = &[
        // A lone stone: one square in all eight directions, fewer at the edge.
        (
            "8/8/8/3l4/7l/8/8/L5L1 b",
            "d5",
            &["d5c4", "d5c5", "d5c6", "d5d4", "d5d6", "d5e4", "d5e5", "d5e6"],
        ),
        ("l7/8/8/8/8/4L3/8/2l3L1 b", "a8", &["a8a7", "a8b7", "a8b8"]),
        // It may jump its own stones, and may not land on them.
        (
            "8/8/8/2lll3/8/8/7l/L6L b",
            "c5",
            &["c5b4", "c5b6", "c5c4", "c5c6", "c5d4", "c5d6", "c5f5"],
        ),
        (
            "8/8/8/2l1l3/8/8/8/L6L b",
            "c5",
            &["c5a5", "c5b4", "c5b6", "c5c4", "c5c6", "c5d4", "c5d6"],
        ),
        // It may not jump an enemy stone, and may land on one.
        ("8/8/8/l1L1l3/8/8/8/7L b", "a5", &["a5a4", "a5a6", "a5b4", "a5b6"]),
        ("8/8/8/l2L4/8/7l/8/7L b", "a5", &["a5a4", "a5a6", "a5b4", "a5b6", "a5c5"]),
        ("8/8/8/l1L5/8/8/8/L6l b", "a5", &["a5b4", "a5b6", "a5a3", "a5a7", "a5c5"]),
        // Seven stones on a rank carry a stone from edge to edge.
        ("8/8/8/8/3L4/6l1/8/llllll1L b", "a1", &["a1a2", "a1c3", "a1h1"]),
    ];
    for &(text, square, moves) in rows {
        let position = setup(text);
        assert_eq!(from_square(&position, square), set(moves), "{square} of {text}");
    }
}

/// The squares along the edge, without the corners, clockwise from b1.
fn around_the_edge() -> Vec<Bits> {
    let files = |rank: usize| (1..7).map(move |file| rank * 8 + file);
    let ranks = |file: usize| (1..7).map(move |rank| rank * 8 + file);
    let ring = files(0).chain(ranks(7)).chain(files(7).rev()).chain(ranks(0).rev());
    ring.map(|square| 1 << square).collect()
}

#[test]
fn scrambled_eggs_alternates_the_colours_around_the_edge() {
    let variant = Loa::VARIANTS.iter().find(|variant| variant.name == "scrambledeggs").unwrap();
    let position = setup(variant.start);
    for (i, square) in around_the_edge().into_iter().enumerate() {
        let owner = if i % 2 == 0 { Side::Black } else { Side::White };
        assert_ne!(position.stones(owner) & square, 0, "stone {i} from b1");
    }
    assert_eq!(Side::BOTH.map(|side| position.stones(side).count_ones()), [12, 12]);
}

// Wins and passes.

#[test]
fn the_shortest_game_takes_nine_plies() {
    let end = play(start(), "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5");
    assert_eq!(
        end.outcome(),
        Some(Outcome::won(
            Side::Black,
            &EndReason { code: "connected", text: "all its stones are connected" }
        ))
    );
    assert!(legal_moves(&end).is_empty());
}

#[test]
fn a_connected_side_wins() {
    use Side::{Black, White};
    let rows: &[(&str, &str, Option<Side>)] = &[
        // A side that connects itself wins, one that connects its opponent loses.
        ("8/8/8/3l4/8/3l4/8/L6L b", "d3c4", Some(Black)),
        ("8/8/8/3l4/8/3l4/8/L6L b", "d3c2", None),
        ("8/8/1l4l1/8/3L4/8/3l3L/8 b", "b6d4", Some(White)),
        // Adjacent squares connect, also diagonally, but not across the edge of the board.
        ("8/8/8/2l5/3l4/8/8/L6L w", "", Some(Black)),
        ("8/8/8/2ll4/8/8/8/L6L w", "", Some(Black)),
        ("8/8/7l/l7/8/8/8/L6L w", "", None),
        ("L6l/8/8/8/8/8/8/lL6 b", "", None),
        // One stone is connected.
        ("8/8/3l4/8/8/L6L/8/8 b", "", Some(Black)),
        ("8/8/3l4/8/8/L6L/8/8 w", "", Some(Black)),
        ("8/8/l2L4/8/8/l6l/8/8 b", "", Some(White)),
    ];
    for &(text, moves, won) in rows {
        let position = setup(text);
        let end = play(position, moves);
        assert_eq!(winner(&end), won, "{text} {moves}");
    }
}

#[test]
fn a_pass_changes_the_side_to_move_and_nothing_else() {
    let position = setup("6ox/6oo/8/8/8/8/oo6/xo6 b");
    let next = play(position, "0000");
    assert_eq!(next.side(), Side::White);
    for side in Side::BOTH {
        assert_eq!(next.stones(side), position.stones(side));
    }
    assert_ne!(next.key(), position.key());
    assert_eq!(next.reversible_plies(), 1);
}

// Repetitions.

#[test]
fn a_repeated_position_has_the_same_key() {
    let position = start();
    let again = play(position, "b8b6 a4c4 b6b8 c4a4");
    assert_eq!(again.key(), position.key());
    assert_eq!(again.reversible_plies(), 4);
    // The same stones with the other side to move are another position.
    let other = setup("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w");
    assert_ne!(other.key(), position.key());
}

#[test]
fn transpositions_have_the_same_key() {
    let one = play(start(), "b8b6 a4c4 d1f3");
    let other = play(start(), "d1f3 a4c4 b8b6");
    assert_eq!(one.key(), other.key());
}

#[test]
fn captures_reset_the_reversible_plies() {
    let rows = [("", 0), ("b8b6", 1), ("b8b6 a4c4", 2), ("b8b6 a4c4 c1xa3", 0)];
    for (moves, reversible) in rows {
        assert_eq!(play(start(), moves).reversible_plies(), reversible, "{moves}");
    }
}

// Published games and symmetry.

#[test]
fn published_games_replay_to_their_results() {
    let records = published_games::records();
    assert_eq!(records.len(), 26);
    for (record, positions) in records.iter().zip(published_games::games()) {
        let end = outcome(positions.last().unwrap()).map(|end| end.winner);
        // A game that was resigned or drawn by agreement stops before its end.
        let event = record.info(HeaderField::Event).unwrap_or_default();
        let expected = match record.outcome() {
            RecordResult::Won(side) if !event.contains("resigns") => Some(Some(side)),
            _ => None,
        };
        assert_eq!(end, expected, "{event}: {record}");
    }
}

#[test]
fn published_openings_are_legal() {
    let lines = include_str!("../data/loa/openings.txt").lines();
    let openings: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    assert_eq!(openings.len(), 10);
    for opening in openings {
        let position = play(start(), opening);
        assert_eq!((position.side(), outcome(&position)), (Side::Black, None), "{opening}");
    }
}

#[test]
fn balanced_openings_are_positions_of_games_in_progress() {
    let lines = include_str!("../../src/lab/openings/balanced.txt").lines();
    let openings: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    assert_eq!(openings.len(), 500);
    for opening in openings {
        let position = setup(opening);
        assert!(outcome(&position).is_none() && position.winning_move().is_none(), "{opening}");
    }
}

/// The position under one of the eight symmetries of the board.
fn transformed(position: &Loa, symmetry: usize) -> Loa {
    let drawing = position.diagram();
    let cells: Vec<Vec<&str>> =
        drawing.lines().take(8).map(|line| line.split_whitespace().skip(1).collect()).collect();
    let mut text = String::new();
    for row in 0..8 {
        for column in 0..8 {
            let row = if symmetry & 1 == 0 { row } else { 7 - row };
            let column = if symmetry & 2 == 0 { column } else { 7 - column };
            text += if symmetry & 4 == 0 { cells[row][column] } else { cells[column][row] };
        }
        text.push('\n');
    }
    setup(&format!("{text}Next move: {}", position.side()))
}

#[test]
fn rules_and_evaluation_are_invariant_under_symmetry() {
    for position in published_games::games().into_iter().flatten() {
        for symmetry in 0..8 {
            let image = transformed(&position, symmetry);
            let summary = |position: &Loa| {
                let captures = moves_where(position, |mv, _| position.is_noisy(mv)).len();
                let wins = moves_where(position, |_, next| winner(next) == Some(position.side()));
                let counts = (legal_moves(position).len(), captures, wins.len());
                (counts, outcome(position), position.evaluate())
            };
            assert_eq!(summary(&image), summary(&position), "{}", position.write_setup());
        }
    }
}
