//! The `info` lines of a search.

use std::collections::BTreeSet;

use soucie::engine::open;
use soucie::engine::session::GameSession;
use soucie::options::Options;

use crate::analysis::iterations;
use crate::dialogue::{Dialogue, run_uci};
use crate::{DRAUGHTS, MATE, PASS, last, number_after, score_value, scores, word_after};

/// The start position of a variant.
fn start(variant: &str) -> Box<dyn GameSession> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(variant)).unwrap();
    open(&options).unwrap()
}

/// Plays the PV of a line, which must be legal, and returns its length and the outcome of the game,
/// if it is over.
fn replay(root: &dyn GameSession, line: &str) -> (usize, Option<String>) {
    let pv: Vec<&str> = line.split(" pv ").nth(1).unwrap_or_default().split_whitespace().collect();
    let end = root.with_moves(&pv).unwrap_or_else(|error| panic!("{line}: {error}"));
    let outcome = end.outcome().map(|outcome| outcome.to_string());
    (pv.len(), outcome)
}

/// Positions to search: variant, setup (empty for the start position), moves.
const SEARCHES: [(&str, &str, &str); 9] = [
    ("linesofaction", "", ""),
    ("linesofaction", "", "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1"),
    ("linesofaction", "", "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1"),
    ("linesofaction", "L6L/8/8/8/8/8/l7/2l5 w", ""),
    ("linesofaction", "8/8/8/3L4/3L4/8/l7/L1l5 b", ""),
    ("linesofaction", "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b", ""),
    ("scrambledeggs", "", ""),
    ("englishdraughts", "", ""),
    ("englishdraughts", "W:WK14,K15,K18:BK1,K6", ""),
];

#[test]
fn lines_are_legal_and_mate_lines_end_the_game() {
    let mut proved = 0;
    for (variant, setup, moves) in SEARCHES {
        let mut root = start(variant);
        let moves: Vec<&str> = moves.split_whitespace().collect();
        root.set_position(Some(setup).filter(|setup| !setup.is_empty()), &moves).unwrap();
        let (us, setup) = (root.side().to_string(), root.setup());
        let text = run_uci(format!(
            "setoption name UCI_Variant value {variant}\nposition fen {setup}\ngo nodes 60000\n"
        ));
        let lines = scores(&text);
        for line in &lines {
            let (plies, outcome) = replay(&*root, line);
            if !line.contains(" mate ") || line.contains("bound") {
                continue;
            }
            // `mate` counts the winner's moves; the last move may be the loser's.
            let moves = number_after(line, "mate");
            let range = 2 * moves.unsigned_abs() as usize;
            let lengths = if moves > 0 { [range - 1, range] } else { [range, range + 1] };
            assert!(lengths.contains(&plies) || (moves, plies) == (-1, 1), "{line}");
            let outcome = outcome.unwrap_or_else(|| panic!("{line}: the game is not over"));
            assert_eq!(outcome.starts_with(&us), moves > 0, "{line}: {outcome}");
            proved += 1;
        }
        let line = lines.last().copied().unwrap_or_default();
        assert_eq!(word_after(line, "pv"), word_after(last(&text), "bestmove"), "{text}");
    }
    assert!(proved > 3, "{proved}");
}

#[test]
fn multipv_lines_are_ordered_and_at_most_one_per_move() {
    let mut engine = Dialogue::with_program();
    let kings = "setoption name UCI_Variant value draughts\nposition fen B:WK32:BK1";
    for (position, moves, go) in [
        ("position startpos", 36, "depth 3"),
        ("position startpos", 36, "nodes 20000"),
        ("position startpos", 36, "movetime 50"),
        ("position startpos", 36, "depth 6"),
        ("position startpos", 2, "depth 2 searchmoves b8b6 c1c3"),
        (PASS, 1, "depth 3"),
        (MATE, 9, "depth 3"),
        ("position startpos moves d1b3", 33, "depth 3"),
        (DRAUGHTS, 7, "depth 7"),
        (kings, 2, "depth 5"),
    ] {
        for multipv in [1, 3, 128, 2] {
            engine.send(&format!("{position}\nsetoption name MultiPV value {multipv}\ngo {go}"));
            check_lines(&engine.read_until("bestmove ").join("\n"), multipv.min(moves));
        }
    }
}

/// Checks that each depth has every line number once, descending scores and different moves.
fn check_lines(text: &str, count: usize) {
    let iterations = iterations(text);
    assert!(!iterations.is_empty(), "{text}");
    for lines in &iterations {
        let same = |line: &&str| number_after(line, "depth") == number_after(lines[0], "depth");
        let numbers = lines.iter().map(|line| number_after(line, "multipv"));
        assert!(numbers.eq(1..=count as i64) && lines.iter().all(same), "{text}");
        assert!(lines.is_sorted_by(|a, b| score_value(a) >= score_value(b)), "{text}");
        let moves: BTreeSet<_> = lines.iter().map(|line| word_after(line, "pv")).collect();
        assert_eq!(moves.len(), count, "{text}");
    }
    let best = iterations.last().and_then(|lines| word_after(lines[0], "pv"));
    assert_eq!(best, word_after(last(text), "bestmove"), "{text}");
}
