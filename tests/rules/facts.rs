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

const ONLY_MOVE: (&str, &str) = ("only-move", "is the only legal move");

#[test]
fn moves_of_lines_of_action_have_facts() {
    const STONE: (&str, &str) = ("captures", "captures a stone");
    const GATHERS: (&str, &str) = ("gathers", "brings Black's stones closer together");
    check::<Loa>(&[
        ("", "", "b8b6", &[("nearer", "brings a stone nearer to Black's largest group"), GATHERS]),
        (
            "",
            "",
            "c1a3",
            &[
                STONE,
                ("splits", "splits the opponent into 3 groups"),
                ("escapes", "saves a stone from capture"),
                ("nearer", "brings a stone nearer to Black's largest group"),
                GATHERS,
                ("restricts", "takes 5 moves from White"),
            ],
        ),
        (
            "",
            "b1b3 a2c2 b3b1 c2a2 b1b3 a2c2 b3b1",
            "c2a2",
            &[
                ("draws", "ends the game in a draw: repetition"),
                ("joins", "joins White's stones into 2 groups"),
            ],
        ),
        (
            "l7/2l5/7L/8/8/6L1/8/8 b",
            "",
            "a8b7",
            &[("wins", "wins at once"), ("connects", "connects all of Black's stones")],
        ),
        ("8/8/8/1l1L4/5LL1/7L/6l1/8 w", "", "d5b5", &[("loses", "loses at once"), STONE]),
        (
            "l7/2l5/7L/8/8/8/5L2/8 w",
            "",
            "h6g5",
            &[
                ("allows-win", "lets the opponent win at once"),
                ("gathers", "brings White's stones closer together"),
            ],
        ),
        ("8/6L1/8/LL6/3l4/1L6/l7/8 w", "", "g7h7", &[("stops-win", "stops a win in one")]),
        (
            "l7/8/6ll/8/4LL2/8/8/4L3 b",
            "",
            "g6e6",
            &[
                ("only-defence", "is the only move that stops a win in one"),
                ("escapes", "saves a stone from capture"),
                ("restricts", "takes 3 moves from White"),
            ],
        ),
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
                ("joins", "joins Black's stones into 3 groups"),
                ("largest-group", "brings Black's largest group to 3 stones"),
                ("blocks", "blocks the stone on f7"),
                GATHERS,
            ],
        ),
        (
            "6Ll/6LL/8/8/8/8/LL6/lL6 b",
            "",
            "pass",
            &[ONLY_MOVE, ("passes", "passes, because no stone can move")],
        ),
        (
            "Ll1llll1/2l2L1L/6lL/L7/4l1LL/L6L/Ll5L/4lll1 w",
            "",
            "g4f3",
            &[("escapes", "saves a stone from capture")],
        ),
        (
            "L3l1ll/2LL1l1L/1l4lL/1lL3L1/1l2L1L1/7L/7l/2l3l1 w",
            "",
            "c5c2",
            &[("prevents", "keeps Black from joining into 3 groups")],
        ),
        (
            "Lllllll1/3L3L/2L3lL/L6L/7L/L6L/Ll5L/1l2lll1 b",
            "",
            "g6g3",
            &[("prepares", "threatens to join into 3 groups")],
        ),
        (
            "Ll1llll1/3L3L/6lL/1l6/4llLL/L6L/Ll5L/1L2l1l1 w",
            "",
            "h3h8",
            &[("restricts", "takes 3 moves from Black")],
        ),
    ]);
}

#[test]
fn moves_of_draughts_have_facts() {
    const MAN: (&str, &str) = ("captures", "captures a man");
    check::<Draughts>(&[
        ("", "", "11-15", &[("centre", "takes a square in the centre")]),
        ("", "11-15", "22-18", &[("exchange", "offers an exchange")]),
        (
            "",
            "11-15 22-18",
            "15x22",
            &[ONLY_MOVE, MAN, ("forces-capture", "makes the opponent capture")],
        ),
        (
            "B:W16,23,32:B12",
            "",
            "12x26",
            &[
                ONLY_MOVE,
                ("captures", "captures two men"),
                ("advances", "brings a man within one step of crowning"),
                ("restricts", "takes 3 moves from White"),
            ],
        ),
        (
            "B:W16,K23,32:B12",
            "",
            "12x26",
            &[
                ONLY_MOVE,
                ("captures", "captures a man and a king"),
                ("advances", "brings a man within one step of crowning"),
                ("restricts", "takes 5 moves from White"),
            ],
        ),
        ("B:W17:BK14", "", "14x21", &[ONLY_MOVE, ("wins", "wins at once"), MAN]),
        (
            "W:W21:BK14",
            "",
            "21-17",
            &[
                ONLY_MOVE,
                ("allows-win", "lets the opponent win at once"),
                ("forces-capture", "makes the opponent capture"),
            ],
        ),
        (
            "W:WK31:B8,K32",
            "",
            "31-26",
            &[
                ("only-defence", "is the only move that stops a win in one"),
                ("avoids-loss", "is the only move that loses no piece at once"),
            ],
        ),
        (
            "B:WK14,24:BK23",
            "",
            "23-26",
            &[
                ("stops-win", "stops a win in one"),
                ("avoids-loss", "is one of 2 moves that lose no piece at once"),
            ],
        ),
        ("B:W9,21:B27", "", "27-31", &[("crowns", "crowns a man")]),
        (
            "W:WK2,9,K12:BK14",
            "",
            "9-6",
            &[
                ("avoids-loss", "is one of 2 moves that lose no piece at once"),
                ("saves", "leaves nothing to capture"),
                ("advances", "brings a man within one step of crowning"),
                ("supports", "supports a piece in front of it"),
            ],
        ),
        (
            "W:W21,23,24,25,26,27,28,29,30,31,32:B1,3,4,5,7,8,9,10,12,15,16",
            "",
            "24-19",
            &[("wins-pieces", "wins two pieces in an exchange")],
        ),
        (
            "W:W14,20,21,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,11,12,16,19",
            "",
            "25-22",
            &[("avoids-loss", "loses no piece at once")],
        ),
        (
            "B:W17,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,11,12,15",
            "",
            "9-13",
            &[("attacks", "threatens to jump")],
        ),
        (
            "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13",
            "",
            "21-17",
            &[("blocks", "blocks a piece")],
        ),
        (
            "W:W17,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12,15,16",
            "",
            "17-13",
            &[("advances", "brings a man within 3 steps of crowning")],
        ),
        (
            "B:W17,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,11,12,15",
            "",
            "6-10",
            &[("supports", "supports a piece in front of it")],
        ),
        (
            "W:WK5:B19,26,K27,28",
            "",
            "5-1",
            &[("approaches", "brings a king nearer to the opponent's pieces")],
        ),
        (
            "B:WK3,10,12,21,28:B4,5,27",
            "",
            "4-8",
            &[("blocks", "blocks a piece"), ("restricts", "takes 2 moves from White")],
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
