//! The rule options of Lines of Action: connections, passes, repetitions and move counts.

use crate::loa::{moves_where, setup_under, start, winner};
use crate::positions::{play, rules_with, set};
use soucie::game::{EndReason, Game, Heuristics, Outcome, Position, Side, legal_moves, outcome};
use soucie::games::loa::{Loa, LoaRules, NoMove, OpponentConnection, RepetitionSide, Simultaneous};

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
        assert_eq!(rules_with::<LoaRules>(name, value), rules, "{name} {value}");
    }
}

#[test]
fn a_move_that_connects_both_sides_wins_or_draws() {
    const BOTH: &str = "2o5/2oo4/1xoxo3/x1ooo3/1xx5/1xx5/3o4/8 w";
    let rows = [
        (
            Simultaneous::Mover,
            Outcome::won(
                Side::White,
                &EndReason { code: "both-connected", text: "its move has connected both sides" },
            ),
        ),
        (
            Simultaneous::Draw,
            Outcome::drawn(&EndReason {
                code: "both-connected",
                text: "one move has connected both sides",
            }),
        ),
    ];
    for (simultaneous, end) in rows {
        let position = setup_under(BOTH, LoaRules { simultaneous, ..LoaRules::default() });
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
        let position = play(setup_under(ONE_LEFT, rules), "b3b1");
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
    const NO_LEGAL_MOVE: &str = "6ox/6oo/8/8/8/8/oo6/xo6 b";
    const REASON: &EndReason =
        &EndReason { code: "no-moves", text: "the side to move has no legal move" };
    let rows = [
        (NoMove::Pass, None, set(&["0000"])),
        (NoMove::Loss, Some(Outcome::won(Side::White, REASON)), set(&[])),
        (NoMove::Draw, Some(Outcome::drawn(REASON)), set(&[])),
    ];
    for (no_move, end, moves) in rows {
        let position = setup_under(NO_LEGAL_MOVE, LoaRules { no_move, ..LoaRules::default() });
        assert_eq!(position.outcome(), None, "{no_move:?}");
        assert_eq!(outcome(&position), end, "{no_move:?}");
        assert_eq!(moves_where(&position, |_, _| true), moves, "{no_move:?}");
    }
}

#[test]
fn the_repetition_limit_follows_the_option() {
    // One occurrence cannot draw, or every game would be drawn.
    for (value, occurrences) in [(0, 0), (1, 2), (2, 2), (3, 3), (9, 9)] {
        let position = setup_under(Loa::VARIANTS[0].start, rules_with("Repetition Draw", value));
        assert_eq!(position.repetition_limit(), occurrences, "Repetition Draw {value}");
    }
    assert_eq!(start().repetition_limit(), 3);
}

#[test]
fn the_repetition_side_option_can_ignore_the_side_to_move() {
    for (value, step) in [(0, 2), (1, 1)] {
        let rules = rules_with("Repetition Side", value);
        let [black, white] = ["b", "w"].map(|side| {
            setup_under(&format!("1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 {side}"), rules)
        });
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
fn the_no_capture_draw_limits_moves_without_a_capture() {
    let drawn = Some(Outcome::drawn(&EndReason {
        code: "no-capture",
        text: "no capture for too many moves",
    }));
    let rows = [
        (1, "b8b6", None),
        (1, "b8b6 a4c4", drawn),
        // Moves after a draw are read.
        (1, "b8b6 a4c4 b6b8", drawn),
        (1, "b8b6 a4c4 c1xa3", None),
        (2, "b8b6 a4c4 b6b8", None),
        (2, "b8b6 a4c4 b6b8 c4a4", drawn),
        (2, "b8b6 a4c4 c1xa3 c4a4 b6b8", None),
        (0, "b8b6 a4c4 b6b8 c4a4", None),
    ];
    for (value, moves, expected) in rows {
        let position =
            play(setup_under(Loa::VARIANTS[0].start, rules_with("No Capture Draw", value)), moves);
        assert_eq!(outcome(&position), expected, "{value}: {moves}");
    }
    let mut position = setup_under(Loa::VARIANTS[0].start, rules_with("No Capture Draw", 100));
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
fn the_move_limit_draws_after_that_many_moves_of_each_side() {
    const LINE: [&str; 4] = ["b8b6", "a4c4", "b6b8", "c4a4"];
    for (limit, plies) in [(1, 2), (2, 4), (60, 120)] {
        let mut position = setup_under(Loa::VARIANTS[0].start, rules_with("Move Limit", limit));
        for ply in 0..plies {
            assert_eq!(outcome(&position), None, "limit {limit} after {ply} plies");
            position = play(position, LINE[ply % LINE.len()]);
        }
        let drawn =
            Outcome::drawn(&EndReason { code: "move-limit", text: "the move limit is reached" });
        assert_eq!(outcome(&position), Some(drawn), "limit {limit}");
        assert!(legal_moves(&position).is_empty());
        // Moves after it are read.
        assert_eq!(outcome(&play(position, LINE[plies % LINE.len()])), Some(drawn));
    }
}

#[test]
fn a_win_takes_precedence_over_the_move_limit() {
    let rules = LoaRules { move_limit: 1, ..LoaRules::default() };
    let before = setup_under("8/3l4/8/8/8/3l4/8/L6L w", rules);
    let end = play(before, "a1a2 d3d5");
    assert_eq!(
        end.outcome(),
        Some(Outcome::drawn(&EndReason { code: "move-limit", text: "the move limit is reached" }))
    );
    let before = setup_under("8/8/3l4/8/8/3l4/8/L6L w", rules);
    let end = play(before, "a1a2 d3d5");
    assert_eq!(winner(&end), Some(Side::Black));
}

#[test]
fn positions_near_the_move_limit_have_their_own_tt_keys() {
    let rows = [(0, true), (10, false), (5000, true)];
    for (limit, same) in rows {
        let before = setup_under(Loa::VARIANTS[0].start, rules_with("Move Limit", limit));
        let after = play(before, "b8b6 a4c4 b6b8 c4a4");
        assert_eq!(after.key(), before.key(), "limit {limit}");
        assert_eq!(after.tt_key() == before.tt_key(), same, "limit {limit}");
    }
}
