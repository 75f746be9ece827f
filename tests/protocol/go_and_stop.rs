//! Searches start, print their best move and stop as requested.

use std::time::Duration;

use crate::dialogue::{Dialogue, run_uci};
use crate::programs::waits::wait_for_rest;
use crate::{DRAUGHTS, MATE, MOVES, PASS, WON, count, last, scores, word_after};

#[test]
fn isready_replies_during_a_search_and_does_not_disturb_the_search() {
    let mut engine = Dialogue::with_program();
    for go in ["go infinite", "go ponder btime 100 wtime 100", "go"] {
        engine.send(go);
        engine.read_until("info depth 3 ");
        for _ in 0..20 {
            engine.send("isready");
            engine.read_until("readyok");
        }
        // The same search continues.
        let next = engine.read_until("info depth");
        assert!(!next.iter().any(|line| line.starts_with("info depth 1 ")), "{next:?}");
        engine.send("stop");
        engine.read_until("bestmove ");
    }
}

/// Positions with small trees, and drawn ones.
pub const TRIVIAL: [&str; 7] = [
    "position startpos",
    PASS,
    MATE,
    "position fen l6L/8/8/8/8/8/8/L6l b",
    "setoption name UCI_Variant value draughts\nposition fen W:WK14:BK1",
    "setoption name UCI_Variant value draughts\nposition fen W:WK10,K15:BK1,K28",
    "setoption name UCI_Variant value draughts\nposition fen B:WK32:B1",
];

/// Limits of all kinds.
const LIMITS: [&str; 23] = [
    "depth 1",
    "depth 6",
    "nodes 1",
    "nodes 5000",
    "movetime 0",
    "movetime 1",
    "movetime -5",
    "movetime 50",
    "wtime 100 btime 100",
    "btime 0 wtime 0",
    "wtime 50",
    "btime -3",
    "btime 60 movestogo 1",
    "btime 10 binc 5",
    "depth 9 nodes 3000 movetime 1000",
    "depth 3 bogus words",
    "depth 3 searchmoves b1b3 c1c3",
    "infinite",
    "",
    "ponder btime 1000 wtime 1000",
    "ponder",
    "mate 3",
    "depth 99999999999999999999999 nodes 10",
];

#[test]
fn every_go_gets_exactly_one_bestmove_after_a_score_and_a_pv() {
    let mut engine = Dialogue::with_program();
    let connected = "position fen 8/8/8/8/3l4/3l4/8/L6L b";
    for position in ["position startpos", PASS, MATE, WON, connected, DRAUGHTS] {
        engine.query(position);
        for limits in LIMITS {
            if limits.contains("searchmoves") && !position.ends_with("startpos") {
                continue;
            }
            engine.send(&format!("go {limits}"));
            if ["", "infinite", "ponder"].contains(&limits.split(' ').next().unwrap()) {
                engine.send("stop");
            }
            let lines = engine.read_until("bestmove ");
            assert_eq!(engine.query(""), [""; 0], "{limits}");
            let text = lines.join("\n");
            let best = word_after(last(&text), "bestmove").unwrap();
            let pv = scores(&text).last().and_then(|line| word_after(line, "pv"));
            if [WON, connected].contains(&position) {
                assert_eq!((best, pv), ("(none)", None), "{limits}");
            } else {
                assert_eq!(pv, Some(best), "{limits}: {text}");
            }
            let is_legal = || MOVES.split_whitespace().any(|mv| mv == best);
            assert!(!position.ends_with("startpos") || is_legal(), "{limits}: {text}");
        }
    }
    for input in [
        "go depth 5\nposition startpos moves d1b3\ngo depth 5\nisready\ngo infinite\ngo depth 3\n",
        "go infinite\ngo infinite\ngo ponder\ngo depth 1\n",
        "go depth\ngo depth 2\ngo searchmoves a1a2\ngo nodes x\n",
        "stop\ngo depth 1\nstop\nstop\ngo infinite\nstop\nponderhit\ngo depth 2\n",
    ] {
        let text = run_uci(input);
        assert_eq!(count(&text, "bestmove "), input.matches("go ").count(), "{input}{text}");
    }
}

/// Clients pair each best move with the oldest `go` that has none.
#[test]
fn best_moves_keep_the_order_of_the_searches() {
    let searches =
        ["go movetime 50", "go depth", "go movetime 50", "go nodes x", "go depth 1 searchmoves z9"];
    let text = run_uci(searches.join("\n"));
    let best_moves = text.lines().filter(|line| line.starts_with("bestmove "));
    let empty: Vec<bool> = best_moves.map(|line| line.contains("(none)")).collect();
    assert_eq!(empty, [false, true, false, true, true], "{text}");
    let mut engine = Dialogue::with_program();
    // The error is printed at once.
    engine.send("go movetime 200\ngo depth\nisready");
    assert!(engine.read_until("readyok").concat().contains("error go depth: expected"));
    engine.send("go perft 5\ngo depth");
    assert!(!engine.read_until("bestmove ").concat().contains("(none)"));
    engine.read_until("bestmove (none)");
    // After `go perft` the best move follows the node count.
    let lines = engine.read_until("bestmove (none)");
    assert!(lines.iter().any(|line| line.starts_with("Nodes searched: ")), "{lines:?}");
    // An invalid `go` stops infinite searches, as every `go` does.
    for infinite in ["go infinite", "go ponder wtime 1000", "go"] {
        engine.send(&format!("{infinite}\ngo depth"));
        assert!(!engine.read_until("bestmove ").concat().contains("(none)"), "{infinite}");
        engine.read_until("bestmove (none)");
    }
}

/// Searches that complete and then wait: position, `go`, and the start of the last line before the
/// wait.
const WAITING: [(&str, &str, &str); 3] = [
    (WON, "go ponder movetime 1", "info depth 0 "),
    (MATE, "go infinite", "info depth 1 "),
    ("position startpos", "go ponder depth 2 btime 1 wtime 1", "info depth 2 "),
];

#[test]
fn completed_searches_rest_until_stop() {
    let mut engine = Dialogue::with_program();
    for (position, go, start) in WAITING {
        engine.send(position);
        engine.send(go);
        engine.read_until(start);
        wait_for_rest(engine.process().unwrap().id());
        assert_eq!(engine.query(""), [""; 0], "{go}");
        engine.send("stop");
        let end = engine.read_until("bestmove ");
        assert_eq!(end.len(), 1, "{go}: {end:?}");
    }
}

#[test]
fn rapid_stop_and_go_lose_no_bestmove() {
    let mut engine = Dialogue::with_program();
    for _ in 0..50 {
        engine.send("go infinite\nstop\ngo infinite\nisready\nstop");
        engine.read_until("bestmove ");
        engine.read_until("bestmove ");
        engine.send("stop\ngo nodes 100\ngo infinite\nstop\ngo ponder\nstop\nstop");
        for _ in 0..3 {
            engine.read_until("bestmove ");
        }
    }
    assert_eq!(engine.query(""), [""; 0]);
}

/// With one thread, and how long `stop` takes, is in the table of `time_controls.rs`.
#[test]
fn stop_ends_searches_of_trivial_and_drawn_positions() {
    let mut engine = Dialogue::with_program();
    engine.send("setoption name Threads value 4");
    for position in TRIVIAL {
        engine.send(&format!("setoption name UCI_Variant value linesofaction\n{position}"));
        engine.send("go infinite");
        engine.read_until("info depth 1 ");
        // Time to reach the maximum depth in small trees.
        engine.read_within(Duration::from_millis(100));
        engine.send("stop");
        engine.read_until("bestmove ");
    }
    assert!(engine.finish());
}
