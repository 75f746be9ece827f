//! `GameHistory`: repetition, taking back moves, and forks.

use soucie::game::{EndReason, Game, GameHistory, Notation, Outcome};
use soucie::games::loa::{Loa, LoaRules, RepetitionSide};

/// Both sides move to and fro: the start position occurs again after every fourth ply.
const TO_AND_FRO: [&str; 4] = ["b8b6", "a2c2", "b6b8", "c2a2"];

fn game(plies: usize, repetition: u8) -> GameHistory<Loa> {
    let rules = LoaRules { repetition, ..LoaRules::default() };
    let mut game = GameHistory::new(Loa::read_setup(Loa::VARIANTS[0].start, rules).unwrap());
    for text in TO_AND_FRO.into_iter().cycle().take(plies) {
        game.play(game.position().read_move(text).unwrap());
    }
    game
}

#[test]
fn a_game_is_drawn_at_the_repetition_limit() {
    let drawn = Some(Outcome::drawn(&EndReason { code: "repetition", text: "repetition" }));
    // Plies played, occurrences that draw, outcome.
    let rows = [
        (3, 2, None),
        (4, 2, drawn),
        (4, 3, None),
        (7, 3, None),
        (8, 3, drawn),
        (9, 3, drawn),
        (8, 0, None),
    ];
    for (plies, repetition, outcome) in rows {
        assert_eq!(game(plies, repetition).outcome(), outcome, "{plies} plies, {repetition}");
    }
}

#[test]
fn repetition_side_decides_whether_the_side_to_move_counts() {
    // Black returns after three moves, White after two: White is then to move.
    const SETUP: &str = "5l2/8/7L/8/8/2l5/8/6L1 b";
    const TRIANGLE: [&str; 5] = ["c3c4", "h6h7", "c4d3", "h7h6", "d3c3"];
    let drawn = Some(Outcome::drawn(&EndReason { code: "repetition", text: "repetition" }));
    for (repetition_side, outcome) in
        [(RepetitionSide::Same, None), (RepetitionSide::Either, drawn)]
    {
        let rules = LoaRules { repetition: 2, repetition_side, ..LoaRules::default() };
        let mut game = GameHistory::new(Loa::read_setup(SETUP, rules).unwrap());
        for text in TRIANGLE {
            assert_eq!(game.outcome(), None);
            game.play(game.position().read_move(text).unwrap());
        }
        assert_eq!(game.outcome(), outcome, "{repetition_side:?}");
    }
}

#[test]
fn take_back_restores_the_earlier_game() {
    let whole = game(8, 3);
    for plies in 0..=8 {
        let mut game = whole.clone();
        assert!(game.take_back(plies));
        let earlier = self::game(8 - plies, 3);
        assert_eq!(game.position(), earlier.position());
        assert_eq!(game.earlier(), earlier.earlier());
        assert!(game.turns().eq(earlier.turns()));
        assert_eq!(game.start(), whole.start());
    }
    let mut game = whole.clone();
    assert!(!game.take_back(9));
    assert_eq!(game.position(), whole.position());
    assert_eq!(game.plies(), 8);
}

#[test]
fn a_fork_keeps_repetitions_but_no_moves() {
    let whole = game(7, 3);
    let mut fork = whole.fork();
    assert_eq!((fork.start(), fork.plies()), (whole.position(), 0));
    assert_eq!(fork.outcome(), None);
    fork.play(fork.position().read_move(TO_AND_FRO[3]).unwrap());
    assert_eq!(
        fork.outcome(),
        Some(Outcome::drawn(&EndReason { code: "repetition", text: "repetition" }))
    );
    assert!(fork.take_back(1) && !fork.take_back(1));
    assert_eq!(fork.earlier(), whole.earlier());
}
