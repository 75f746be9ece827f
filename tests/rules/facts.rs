//! The facts about moves, the lines of the board and the names of openings.

use soucie::game::bitboard::Square;
use soucie::game::{Game, GameHistory, facts, legal_moves, opening_name};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;

/// A game after these moves from a setup, or from the start without one, with the default rules.
fn game<P: Game>(setup: &str, moves: &str) -> GameHistory<P> {
    let setup = if setup.is_empty() { P::VARIANTS[0].start } else { setup };
    let mut game = GameHistory::new(P::read_setup(setup, P::Rules::default()).unwrap());
    for text in moves.split_whitespace() {
        game.play(game.position().read_move(text).unwrap());
    }
    game
}

/// A setup, moves from it, a move and the facts about it.
type Row = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

fn check<P: Game>(rows: &[Row]) {
    for (setup, moves, mv, expected) in rows {
        let game = game::<P>(setup, moves);
        let found = facts(&game, game.position().read_move(mv).unwrap());
        let found: Vec<_> = found.iter().map(|fact| (fact.code, fact.text.as_str())).collect();
        assert_eq!(found, *expected, "{mv} after '{moves}' in {setup}");
    }
}

const ONLY_MOVE: (&str, &str) = ("only-move", "is the only move");
const WINS: (&str, &str) = ("wins", "wins at once");
const ALLOWS_WIN: (&str, &str) = ("allows-win", "lets the opponent win at once");
const ONLY_DEFENCE: (&str, &str) = ("only-defence", "is the only move that stops a win in one");

#[test]
fn moves_of_lines_of_action_have_facts() {
    const STONE: (&str, &str) = ("captures", "captures a stone");
    const NEARER: (&str, &str) =
        ("nearer", "brings a stone nearer to Black's largest group: 5 squares away instead of 7");
    check::<Loa>(&[
        ("", "", "b8b6", &[NEARER]),
        ("", "", "c1a3", &[STONE, ("splits", "splits the opponent into 3 groups"), NEARER]),
        (
            "",
            "b1b3 a2c2 b3b1 c2a2 b1b3 a2c2 b3b1",
            "c2a2",
            &[
                ("draws", "ends the game in a draw: repetition"),
                ("joins", "joins White's stones into 2 groups instead of 3"),
            ],
        ),
        (
            "l7/2l5/7L/8/8/6L1/8/8 b",
            "",
            "a8b7",
            &[WINS, ("connects", "connects all of Black's stones")],
        ),
        ("8/8/8/1l1L4/5LL1/7L/6l1/8 w", "", "d5b5", &[("loses", "loses at once"), STONE]),
        ("l7/2l5/7L/8/8/8/5L2/8 w", "", "h6g5", &[ALLOWS_WIN]),
        (
            "8/6L1/8/LL6/3l4/1L6/l7/8 w",
            "",
            "g7h7",
            &[("stops-win", "stops a win in one, which 17 of the 24 legal moves allow")],
        ),
        ("l7/8/6ll/8/4LL2/8/8/4L3 b", "", "g6e6", &[ONLY_DEFENCE]),
        (
            "l7/8/2l4L/8/8/8/5L2/8 b",
            "",
            "c6a6",
            &[("threatens-win", "threatens to win with the next move")],
        ),
        (
            "8/L1l2L1L/1l3ll1/8/8/1l5L/L7/3l4 b",
            "",
            "b3e6",
            &[
                ("joins", "joins Black's stones into 3 groups instead of 4"),
                ("largest-group", "enlarges Black's largest group from 2 to 3 stones"),
                ("blocks", "blocks the stone on f7"),
            ],
        ),
        (
            "6Ll/6LL/8/8/8/8/LL6/lL6 b",
            "",
            "pass",
            &[("passes", "passes, because no stone can move"), ONLY_MOVE],
        ),
    ]);
}

#[test]
fn moves_of_draughts_have_facts() {
    const MAN: (&str, &str) = ("captures", "captures a man");
    const FORCES: (&str, &str) = ("forces-capture", "makes the opponent capture");
    const EXCHANGE: (&str, &str) =
        ("exchange", "makes the opponent capture, and allows a capture in return");
    check::<Draughts>(&[
        ("", "", "11-15", &[]),
        ("", "11-15", "22-18", &[EXCHANGE]),
        ("", "11-15 22-18", "15x22", &[MAN, FORCES, ONLY_MOVE]),
        ("B:W16,23,32:B12", "", "12x26", &[("captures", "captures two men"), ONLY_MOVE]),
        ("B:W16,K23,32:B12", "", "12x26", &[("captures", "captures a man and a king"), ONLY_MOVE]),
        ("B:W17:BK14", "", "14x21", &[WINS, MAN, ONLY_MOVE]),
        ("W:W21:BK14", "", "21-17", &[ALLOWS_WIN, FORCES, ONLY_MOVE]),
        ("W:WK31:B8,K32", "", "31-26", &[ONLY_DEFENCE]),
        (
            "B:WK14,24:BK23",
            "",
            "23-26",
            &[("stops-win", "stops a win in one, which 2 of the 4 legal moves allow")],
        ),
        ("B:W9,21:B27", "", "27-31", &[("crowns", "crowns a man")]),
        (
            "W:WK2,9,K12:BK14",
            "",
            "9-6",
            &[("saves", "leaves nothing that the opponent could capture")],
        ),
    ]);
}

#[test]
fn a_stone_moves_as_far_as_its_line_has_stones() {
    for setup in ["", "8/L1l2L1L/1l3ll1/8/8/1l5L/L7/3l4 b", "7L/8/8/3l4/8/8/LL6/l6l b"] {
        let game = game::<Loa>(setup, "");
        let lines = game.position().lines();
        assert!(lines.iter().all(|line| line.stones > 0 && line.squares.len() > 1));
        for mv in legal_moves(game.position()) {
            let ends = [mv.from(), mv.to()];
            let place = |squares: &[Square], end| squares.iter().position(|&at| at == end);
            let distances = lines.iter().filter_map(|line| {
                let [from, to] = ends.map(|end| place(&line.squares, end));
                Some((from?.abs_diff(to?), line.stones))
            });
            let distances: Vec<_> = distances.collect();
            assert!(matches!(*distances, [(far, stones)] if far == stones), "{mv:?} in {setup}");
        }
    }
    assert!(game::<Draughts>("", "").position().lines().is_empty());
}

#[test]
fn openings_of_draughts_have_names() {
    let variant = &Draughts::VARIANTS[0];
    let openings = Draughts::openings(variant);
    assert_eq!(openings.len(), 174);
    assert_eq!(openings.iter().filter(|opening| opening.is_ballot).count(), 156);
    let rows = [
        ("", "", None),
        ("", "9-13 22-18", None),
        ("", "9-13 22-18 11-15", Some("Edinburgh Single")),
        ("", "9-13 22-18 11-15 18x11", Some("Edinburgh Single")),
        // Another order of the moves, and a barred opening.
        ("", "11-16 22-18 9-13", Some("Wilderness I")),
        ("", "9-14 23-19 10-15", Some("Rattlesnake")),
        ("", "9-13 21-17 5-9", None),
        // Not from the start.
        ("W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,13,15", "", None),
    ];
    for (setup, moves, name) in rows {
        assert_eq!(opening_name(&game::<Draughts>(setup, moves), variant), name, "{moves}");
    }
    for variant in Loa::VARIANTS {
        assert_eq!(opening_name(&game::<Loa>("", "b8b6"), variant), None);
    }
}
