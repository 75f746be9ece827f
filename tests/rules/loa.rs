//! The rules of Lines of Action, against worked examples, published games and counted moves.

use std::collections::BTreeSet;

use crate::published_games;
use crate::published_games::replay;
use serde_json::Value;
use soucie::game::{
    Game, Heuristics, MoveFormat, Notation, Outcome, Position, Rules, Side, legal_moves, outcome,
    perft,
};
use soucie::games::board::{Bits, squares};
use soucie::games::loa::{
    Loa, LoaMove, LoaRules, NoMove, OpponentConnection, RepetitionSide, Simultaneous, is_connected,
};

fn start() -> Loa {
    Loa::read_setup(Loa::VARIANTS[0].start, LoaRules::default()).unwrap()
}

fn setup(text: &str, rules: LoaRules) -> Loa {
    Loa::read_setup(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves written as text, each from a position in which the game goes on.
fn play(position: Loa, moves: &str) -> Loa {
    moves.split_whitespace().fold(position, |position, text| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv)
    })
}

fn winner(position: &Loa) -> Option<Side> {
    outcome(position).and_then(|end| end.winner)
}

/// The legal moves for which `chosen` holds of the move and the position after it.
fn texts(position: &Loa, chosen: impl Fn(LoaMove, &Loa) -> bool) -> BTreeSet<String> {
    legal_moves(position)
        .into_iter()
        .filter(|&mv| chosen(mv, &position.play(mv)))
        .map(|mv| position.write_move(mv, MoveFormat::Coordinate))
        .collect()
}

fn from_square(position: &Loa, square: &str) -> BTreeSet<String> {
    texts(position, |mv, _| mv.from().to_string() == square)
}

fn set(moves: &[&str]) -> BTreeSet<String> {
    moves.iter().map(|mv| mv.to_string()).collect()
}

// Counted moves.

/// The count of the start to six plies is run by hand: it takes as long as all other tests here.
const MOST_NODES: u64 = 1_000_000_000;

fn counted_positions() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../data/loa/perft.json")).unwrap();
    file["positions"].as_array().unwrap().clone()
}

fn listed(position: &Value, list: &str) -> BTreeSet<String> {
    let texts = position[list].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    texts.map(|mv| if mv == "pass" { "0000" } else { mv }.to_string()).collect()
}

#[test]
fn counted_positions_have_their_perft() {
    for row in counted_positions() {
        let position = setup(row["fen"].as_str().unwrap(), LoaRules::default());
        for (depth, nodes) in (1..).zip(row["perft"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            if nodes < MOST_NODES {
                let counted = perft(&position, depth, &|| false);
                assert_eq!(counted, Some(nodes), "{} to depth {depth}", row["name"]);
            }
        }
    }
}

#[test]
#[ignore = "counts two thousand million moves"]
fn start_has_its_perft_to_six_plies() {
    assert_eq!(perft(&start(), 6, &|| false), Some(1_938_494_632));
}

#[test]
fn a_count_can_be_given_up() {
    assert_eq!(perft(&start(), 6, &|| true), None);
}

#[test]
fn counted_positions_have_their_moves() {
    let connected = |next: &Loa| Side::BOTH.map(|side| is_connected(next.stones(side)));
    for row in counted_positions() {
        let name = &row["name"];
        let position = setup(row["fen"].as_str().unwrap(), LoaRules::default());
        let mover = position.side();
        let found = [
            ("legal", texts(&position, |_, _| true)),
            ("captures", texts(&position, |mv, _| position.is_noisy(mv))),
            ("winning_moves", texts(&position, |_, next| winner(next) == Some(mover))),
            ("connects_both", texts(&position, |_, next| connected(next) == [true; 2])),
            (
                "connects_only_opponent",
                texts(&position, |_, next| {
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

// The start and the worked examples.

/// The drawing in which the rules explain the moves of the stone on c7.
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
fn the_worked_example_has_its_moves() {
    let position = setup(EXAMPLE, LoaRules::default());
    assert_eq!(position.side(), Side::Black);
    // One square on either diagonal and the capture: not left, over the edge, nor right, over
    // an enemy stone, nor up, over the edge.
    assert_eq!(from_square(&position, "c7"), set(&["c7b6", "c7b8", "c7c3", "c7d6", "c7d8"]));

    let capture = position.read_move("c7xc3").unwrap();
    let end = position.play(capture).outcome();
    assert_eq!(end, Some(Outcome::won(Side::Black, "all its stones are connected")));
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
        let position = setup(text, LoaRules::default());
        assert_eq!(from_square(&position, square), set(moves), "{square} of {text}");
    }
}

#[test]
fn the_start_has_36_moves_and_black_begins() {
    for variant in Loa::VARIANTS {
        let position = setup(variant.start, LoaRules::default());
        assert_eq!(position.side(), Side::Black, "{}", variant.name);
        assert_eq!(outcome(&position), None, "{}", variant.name);
    }
    assert_eq!(legal_moves(&start()).len(), 36);
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
    let position = setup(variant.start, LoaRules::default());
    for (i, square) in around_the_edge().into_iter().enumerate() {
        let owner = if i % 2 == 0 { Side::Black } else { Side::White };
        assert_ne!(position.stones(owner) & square, 0, "stone {i} from b1");
    }
    assert_eq!(Side::BOTH.map(|side| position.stones(side).count_ones()), [12, 12]);
}

// The end of the game.

#[test]
fn the_shortest_game_takes_nine_plies() {
    let end = play(start(), "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5");
    assert_eq!(end.outcome(), Some(Outcome::won(Side::Black, "all its stones are connected")));
    assert!(legal_moves(&end).is_empty());
}

#[test]
fn who_wins_is_who_is_connected() {
    use Side::{Black, White};
    let rows: &[(&str, &str, Option<Side>)] = &[
        // A side that connects itself wins, one that connects its opponent loses.
        ("8/8/8/3l4/8/3l4/8/L6L b", "d3c4", Some(Black)),
        ("8/8/8/3l4/8/3l4/8/L6L b", "d3c2", None),
        ("8/8/1l4l1/8/3L4/8/3l3L/8 b", "b6d4", Some(White)),
        // Neighbours by a side or a corner are connected, over the edge of the board not.
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
        let position = setup(text, LoaRules::default());
        let end = play(position, moves);
        assert_eq!(winner(&end), won, "{text} {moves}");
    }
}

#[test]
fn a_move_that_connects_both_sides_wins_or_draws() {
    const BOTH: &str = "2o5/2oo4/1xoxo3/x1ooo3/1xx5/1xx5/3o4/8 w";
    let rows = [
        (Simultaneous::Mover, Outcome::won(Side::White, "its move has connected both sides")),
        (Simultaneous::Draw, Outcome::drawn("one move has connected both sides")),
    ];
    for (simultaneous, end) in rows {
        let position = setup(BOTH, LoaRules { simultaneous, ..LoaRules::default() });
        assert_eq!(outcome(&position), None);
        assert_eq!(play(position, "d2d6").outcome(), Some(end), "{simultaneous:?}");
    }
}

#[test]
fn a_move_that_connects_only_the_opponent_loses_or_is_ignored() {
    // The capture on b1 leaves White with one stone, which is connected.
    const ONE_LEFT: &str = "8/8/8/8/8/1l5l/8/1L5L b";
    let rows = [(OpponentConnection::Wins, Some(Side::White)), (OpponentConnection::Ignored, None)];
    for (opponent, won) in rows {
        let rules = LoaRules { opponent, ..LoaRules::default() };
        let position = play(setup(ONE_LEFT, rules), "b3b1");
        assert_eq!(winner(&position), won, "{opponent:?}");
        assert_eq!(legal_moves(&position).is_empty(), won.is_some(), "{opponent:?}");
        if won.is_none() {
            // White wins with any move that leaves it connected.
            assert_eq!(winner(&play(position, "h1g2")), Some(Side::White));
            assert!(position.winning_move().is_some());
        }
    }
}

#[test]
fn a_side_without_a_move_passes_loses_or_draws() {
    const STUCK: &str = "6ox/6oo/8/8/8/8/oo6/xo6 b";
    const REASON: &str = "the side to move has no legal move";
    let rows = [
        (NoMove::Pass, None, set(&["0000"])),
        (NoMove::Loss, Some(Outcome::won(Side::White, REASON)), set(&[])),
        (NoMove::Draw, Some(Outcome::drawn(REASON)), set(&[])),
    ];
    for (no_move, end, moves) in rows {
        let position = setup(STUCK, LoaRules { no_move, ..LoaRules::default() });
        assert_eq!(position.outcome(), None, "{no_move:?}");
        assert_eq!(outcome(&position), end, "{no_move:?}");
        assert_eq!(texts(&position, |_, _| true), moves, "{no_move:?}");
    }
}

#[test]
fn a_pass_changes_the_side_to_move_and_nothing_else() {
    let position = setup("6ox/6oo/8/8/8/8/oo6/xo6 b", LoaRules::default());
    let next = play(position, "0000");
    assert_eq!(next.side(), Side::White);
    for side in Side::BOTH {
        assert_eq!(next.stones(side), position.stones(side));
    }
    assert_ne!(next.key(), position.key());
    assert_eq!(next.reversible_plies(), 1);
}

// Counts: repetitions and the limit.

#[test]
fn a_position_that_comes_again_has_the_same_key() {
    let position = start();
    let again = play(position, "b8b6 a4c4 b6b8 c4a4");
    assert_eq!(again.key(), position.key());
    assert_eq!(again.reversible_plies(), 4);
    // The same stones with the other side to move are another position.
    let other = setup("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 w", LoaRules::default());
    assert_ne!(other.key(), position.key());
}

#[test]
fn the_same_stones_after_other_moves_have_the_same_key() {
    let one = play(start(), "b8b6 a4c4 d1f3");
    let other = play(start(), "d1f3 a4c4 b8b6");
    assert_eq!(one.key(), other.key());
}

#[test]
fn nothing_before_a_capture_can_come_again() {
    let rows = [("", 0), ("b8b6", 1), ("b8b6 a4c4", 2), ("b8b6 a4c4 c1xa3", 0)];
    for (moves, reversible) in rows {
        assert_eq!(play(start(), moves).reversible_plies(), reversible, "{moves}");
    }
}

/// The rules with one option set as a user sets it.
fn rules_with(name: &str, value: u16) -> LoaRules {
    let mut rules = LoaRules::default();
    let option = LoaRules::OPTIONS.iter().find(|option| option.name == name).unwrap();
    (option.set)(&mut rules, value);
    rules
}

#[test]
fn the_side_to_move_can_be_left_out_of_repetitions() {
    for (value, step) in [(0, 2), (1, 1)] {
        let rules = rules_with("Repetition Side", value);
        let [black, white] = ["b", "w"]
            .map(|side| setup(&format!("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 {side}"), rules));
        assert_eq!(black.key() == white.key(), value == 1);
        assert_eq!(black.repetition_step(), step);
        // The transposition table always distinguishes them.
        assert_ne!(black.tt_key(), white.tt_key());
        assert_ne!(black.proof_key(), white.proof_key());
        assert_eq!(play(black, "b8b6 a4c4 b6b8 c4a4").key(), black.key());
        assert_ne!(play(black, "b8b6").key(), black.key());
    }
}

#[test]
fn the_game_is_drawn_after_so_many_moves_without_a_capture() {
    let drawn = Some(Outcome::drawn("no capture for too many moves"));
    let rows = [
        (1, "b8b6", None),
        (1, "b8b6 a4c4", drawn),
        (2, "b8b6 a4c4 b6b8", None),
        (2, "b8b6 a4c4 b6b8 c4a4", drawn),
        (2, "b8b6 a4c4 c1xa3 c4a4 b6b8", None),
        (0, "b8b6 a4c4 b6b8 c4a4", None),
    ];
    for (value, moves, expected) in rows {
        let position =
            play(setup(Loa::VARIANTS[0].start, rules_with("No Capture Draw", value)), moves);
        assert_eq!(outcome(&position), expected, "{value}: {moves}");
    }
    let mut position = setup(Loa::VARIANTS[0].start, rules_with("No Capture Draw", 100));
    let before = position;
    for ply in 0..200 {
        assert_eq!(outcome(&position), None, "{ply} plies");
        position = play(position, ["b8b6", "a4c4", "b6b8", "c4a4"][ply % 4]);
    }
    assert_eq!(outcome(&position), drawn);
    assert_eq!(position.key(), before.key());
    assert_ne!(position.tt_key(), before.tt_key());
    assert_ne!(position.proof_key(), before.proof_key());
}

#[test]
fn repetition_is_as_often_as_the_rules_say() {
    // One occurrence cannot draw, or every game would be drawn.
    for (value, occurrences) in [(0, 0), (1, 2), (2, 2), (3, 3), (9, 9)] {
        let position = setup(Loa::VARIANTS[0].start, rules_with("Repetition Draw", value));
        assert_eq!(position.repetition_limit(), occurrences, "Repetition Draw {value}");
    }
    assert_eq!(start().repetition_limit(), 3);
}

#[test]
fn options_set_the_rules_they_name() {
    let usual = LoaRules::default();
    let rows = [
        ("Simultaneous Connection", 0, usual),
        ("Simultaneous Connection", 1, LoaRules { simultaneous: Simultaneous::Draw, ..usual }),
        ("No Legal Move", 0, usual),
        ("No Legal Move", 1, LoaRules { no_move: NoMove::Loss, ..usual }),
        ("No Legal Move", 2, LoaRules { no_move: NoMove::Draw, ..usual }),
        ("Repetition Draw", 2, LoaRules { repetition: 2, ..usual }),
        ("Repetition Draw", 0, LoaRules { repetition: 0, ..usual }),
        ("Move Limit", 60, LoaRules { move_limit: 60, ..usual }),
        ("Opponent Connection", 0, usual),
        ("Opponent Connection", 1, LoaRules { opponent: OpponentConnection::Ignored, ..usual }),
        ("Repetition Side", 0, usual),
        ("Repetition Side", 1, LoaRules { repetition_side: RepetitionSide::Either, ..usual }),
        ("No Capture Draw", 0, usual),
        ("No Capture Draw", 30, LoaRules { no_capture: 30, ..usual }),
    ];
    for (name, value, rules) in rows {
        assert_eq!(rules_with(name, value), rules, "{name} {value}");
    }
}

#[test]
fn the_move_limit_draws_after_that_many_moves_of_each_side() {
    const LINE: [&str; 4] = ["b8b6", "a4c4", "b6b8", "c4a4"];
    for (limit, plies) in [(1, 2), (2, 4), (60, 120)] {
        let mut position = setup(Loa::VARIANTS[0].start, rules_with("Move Limit", limit));
        for ply in 0..plies {
            assert_eq!(outcome(&position), None, "limit {limit} after {ply} plies");
            position = play(position, LINE[ply % LINE.len()]);
        }
        let drawn = Outcome::drawn("the move limit is reached");
        assert_eq!(outcome(&position), Some(drawn), "limit {limit}");
        assert!(legal_moves(&position).is_empty());
    }
}

#[test]
fn a_win_on_the_last_move_before_the_limit_counts() {
    let rules = LoaRules { move_limit: 1, ..LoaRules::default() };
    let before = setup("8/3l4/8/8/8/3l4/8/L6L w", rules);
    let end = play(before, "a1a2 d3d5");
    assert_eq!(end.outcome(), Some(Outcome::drawn("the move limit is reached")));
    let before = setup("8/8/3l4/8/8/3l4/8/L6L w", rules);
    let end = play(before, "a1a2 d3d5");
    assert_eq!(winner(&end), Some(Side::Black));
}

#[test]
fn positions_near_the_limit_are_remembered_apart() {
    let rows = [(0, true), (10, false), (5000, true)];
    for (limit, same) in rows {
        let before = setup(Loa::VARIANTS[0].start, rules_with("Move Limit", limit));
        let after = play(before, "b8b6 a4c4 b6b8 c4a4");
        assert_eq!(after.key(), before.key(), "limit {limit}");
        assert_eq!(after.tt_key() == before.tt_key(), same, "limit {limit}");
    }
}

// Games that were played.

#[test]
fn published_games_replay_to_their_results() {
    let records = published_games::games();
    assert_eq!(records.len(), 26);
    for record in &records {
        let end = outcome(replay(record).last().unwrap()).map(|end| end.winner);
        // A game that was resigned or drawn by agreement stops before its end.
        let expected = match record.result.as_str() {
            _ if record.event.contains("resigns") => None,
            "B+" => Some(Some(Side::Black)),
            "W+" => Some(Some(Side::White)),
            _ => None,
        };
        assert_eq!(end, expected, "{} ({}): {}", record.name, record.event, record.result);
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
fn a_win_in_one_is_found_wherever_published_games_have_one() {
    for record in published_games::games() {
        for position in replay(&record).into_iter().filter(|position| outcome(position).is_none()) {
            let wins = texts(&position, |_, next| winner(next) == Some(position.side())).is_empty();
            assert_eq!(position.winning_move().is_none(), wins, "{}", position.write_setup());
        }
    }
}

/// The position after one of the eight turns and reflections of the board.
fn turned(position: &Loa, symmetry: usize) -> Loa {
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
    setup(&format!("{text}Next move: {}", position.side()), LoaRules::default())
}

#[test]
fn the_rules_are_the_same_from_every_side_of_the_board() {
    for record in published_games::games() {
        for position in replay(&record) {
            for symmetry in 0..8 {
                let turned = turned(&position, symmetry);
                let facts = |position: &Loa| {
                    let captures = texts(position, |mv, _| position.is_noisy(mv)).len();
                    let wins = texts(position, |_, next| winner(next) == Some(position.side()));
                    (legal_moves(position).len(), captures, wins.len(), outcome(position))
                };
                assert_eq!(facts(&turned), facts(&position), "{}", position.write_setup());
            }
        }
    }
}

#[test]
fn a_stone_is_one_bit_of_its_own() {
    let position = start();
    let [black, white] = Side::BOTH.map(|side| position.stones(side));
    assert_eq!(black & white, 0);
    let names = |stones| squares(stones).map(|square| square.to_string()).collect::<Vec<_>>();
    assert_eq!(
        names(black),
        ["b1", "c1", "d1", "e1", "f1", "g1", "b8", "c8", "d8", "e8", "f8", "g8"]
    );
    assert_eq!(
        names(white),
        ["a2", "h2", "a3", "h3", "a4", "h4", "a5", "h5", "a6", "h6", "a7", "h7"]
    );
}
