//! The `info` lines of a search.

use soucie::engine::open;
use soucie::engine::session::GameSession;
use soucie::options::Options;

use crate::dialogue::Dialogue;
use crate::{MATE, PASS, WON, behind, both, last, number, scores};

/// The start of a variant, played by its rules.
fn start(variant: &str) -> Box<dyn GameSession> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(variant)).unwrap();
    open(&options).unwrap()
}

/// Plays a line, which must be legal to its end, and says who has won there, if anybody has.
fn replay(root: &dyn GameSession, line: &str) -> (usize, Option<String>) {
    let pv: Vec<&str> = line.split(" pv ").nth(1).unwrap_or_default().split_whitespace().collect();
    let end = root.with_moves(&pv).unwrap_or_else(|error| panic!("{line}: {error}"));
    let ending = end.view().outcome.map(|ending| ending.to_string());
    (pv.len(), ending)
}

/// The setups of this test: variant, setup (the start where there is none), moves, nodes.
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
        let shown = root.view();
        let us = if shown.setup.contains(" w") || shown.setup.starts_with("W:") {
            "White"
        } else {
            "Black"
        };
        let input = format!(
            "setoption name UCI_Variant value {variant}\nposition fen {}\ngo nodes 400000\n",
            shown.setup
        );
        for text in both(&input) {
            let lines = scores(&text);
            for line in &lines {
                let (plies, ending) = replay(&*root, line);
                if !line.contains(" mate ") || line.contains("bound") {
                    continue;
                }
                // The winner's moves are counted; who loses may make the last one.
                let moves = number(line, "mate");
                let range = 2 * moves.unsigned_abs() as usize;
                let fits = if moves > 0 { [range - 1, range] } else { [range, range + 1] };
                assert!(fits.contains(&plies) || (moves, plies) == (-1, 1), "{line}");
                let ending = ending.unwrap_or_else(|| panic!("{line}: the game is not over"));
                assert_eq!(ending.starts_with(us), moves > 0, "{line}: {ending}");
                proved += 1;
            }
            let line = lines.last().copied().unwrap_or_default();
            assert_eq!(behind(line, "pv"), behind(last(&text), "bestmove"), "{text}");
        }
    }
    assert!(proved > 10, "{proved}");
}

#[test]
fn multipv_lines_are_ordered_and_at_most_one_per_move() {
    for mut engine in Dialogue::both() {
        for (position, moves) in
            [("position startpos", 36), (PASS, 1), (MATE, 9), ("position startpos moves d1b3", 33)]
        {
            for wanted in [1, 3, 128, 2] {
                engine.say(&format!("{position}\nsetoption name MultiPV value {wanted}"));
                engine.say("go depth 3");
                let lines = engine.hear_until("bestmove ");
                check_lines(&lines, wanted.min(moves));
            }
        }
        engine.say(&format!("setoption name MultiPV value 3\n{WON}\ngo depth 2"));
        assert!(engine.hear_until("bestmove ").concat().ends_with("(none)"));
    }
}

/// The last depth shows each line number once, its scores fall, and its moves differ.
fn check_lines(lines: &[String], count: i64) {
    let text = lines.join("\n");
    let shown = scores(&text);
    let last_ones = &shown[shown.len().saturating_sub(count as usize)..];
    let numbers: Vec<_> = last_ones.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{text}");
    // A win is more than any number of centipawns, a sooner one more than a later one.
    let worth = |line: &&str| match behind(line, "score") {
        Some("mate") if number(line, "mate") > 0 => 1_000_000 - number(line, "mate"),
        Some("mate") => -1_000_000 - number(line, "mate"),
        _ => number(line, "cp"),
    };
    assert!(last_ones.iter().map(worth).is_sorted_by(|a, b| a >= b), "{text}");
    let mut moves: Vec<_> = last_ones.iter().map(|line| behind(line, "pv")).collect();
    assert_eq!(moves[0], behind(last(&text), "bestmove"), "{text}");
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), count as usize, "{text}");
}
