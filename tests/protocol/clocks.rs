//! Time management: the engine moves in time.
//!
//! On a busy machine any single reply may be late. With bad time management every reply is late, so
//! each test requires a quarter of the replies to be in time.

use std::thread;
use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;
use crate::{MOVES, PASS, both, count, last, scores, word_after};

#[test]
fn negative_clocks_and_the_clock_of_one_side_limit_the_search() {
    for limits in
        ["btime -5 wtime -5", "btime -1", "wtime -1", "movetime -1", "wtime 100", "btime 100"]
    {
        // Without a limit the search would wait for `stop`.
        for mut engine in Dialogue::both() {
            engine.send(&format!("go {limits}"));
            let lines = engine.read_until("bestmove ");
            assert!(lines.iter().all(|line| !line.contains("error")), "{limits}: {lines:?}");
        }
    }
}

/// A time control, in milliseconds, and the length of a game with it.
struct Control {
    time: u64,
    increment: u64,
    /// The number of moves after which the clock is reset.
    moves: Option<u32>,
    threads: usize,
    plies: u32,
}

const CONTROLS: [Control; 5] = [
    Control { time: 500, increment: 0, moves: None, threads: 1, plies: 120 },
    Control { time: 100, increment: 10, moves: None, threads: 1, plies: 60 },
    Control { time: 80, increment: 0, moves: Some(1), threads: 1, plies: 20 },
    Control { time: 400, increment: 0, moves: Some(10), threads: 1, plies: 40 },
    Control { time: 500, increment: 10, moves: None, threads: 16, plies: 40 },
];

#[test]
fn no_game_is_lost_on_time() {
    let [library, program] = Dialogue::both();
    for (variant, mut engine) in [("linesofaction", library), ("englishdraughts", program)] {
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.send("setoption name Move Overhead value 40");
        for control in &CONTROLS {
            engine.send(&format!("setoption name Threads value {}", control.threads));
            let (late, plies) = play(&mut engine, control);
            let Control { time, increment, moves, threads, .. } = control;
            let control = format!("{time} + {increment}, {moves:?}, {threads} threads");
            assert!(
                4 * late <= 3 * plies,
                "{variant}, {control}: {late} of {plies} moves are late"
            );
        }
    }
}

/// Plays a game and returns how many moves exceeded their clock, and how many there were. A clock
/// that runs out is reset, so that one delay counts as one late move.
fn play(engine: &mut Dialogue, control: &Control) -> (u32, u32) {
    let initial = Duration::from_millis(control.time);
    let mut clocks = [initial; 2];
    let mut late = 0;
    let mut moves = String::new();
    for ply in 0..control.plies {
        let (side, played) = (ply as usize % 2, ply / 2);
        if control.moves.is_some_and(|moves| played.is_multiple_of(moves)) {
            clocks[side] = initial;
        }
        let to_go = control.moves.map(|moves| format!(" movestogo {}", moves - played % moves));
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let inc = control.increment;
        engine.send(&format!("position startpos moves{moves}"));
        let started = Instant::now();
        engine.send(&format!(
            "go btime {black} wtime {white} binc {inc} winc {inc}{}",
            to_go.unwrap_or_default()
        ));
        let best = engine.read_until("bestmove ").pop().unwrap_or_default();
        match clocks[side].checked_sub(started.elapsed()) {
            Some(left) => clocks[side] = left + Duration::from_millis(inc),
            None => {
                late += 1;
                clocks[side] = initial;
            }
        }
        match word_after(&best, "bestmove") {
            Some("(none)") | None => return (late, ply + 1),
            Some(best) => moves += &format!(" {best}"),
        }
    }
    (late, control.plies)
}

#[test]
fn movetime_is_respected() {
    for mut engine in Dialogue::both() {
        let movetimes = [80, 120].repeat(6);
        let replies = movetimes.iter().map(|&movetime| {
            let started = Instant::now();
            engine.send(&format!("go movetime {movetime}"));
            engine.read_until("bestmove ");
            started.elapsed() > 2 * Duration::from_millis(movetime)
        });
        let late = replies.filter(|&is_late| is_late).count();
        assert!(4 * late <= 3 * movetimes.len(), "{late} of {} replies are late", movetimes.len());
    }
}

#[test]
fn without_time_the_best_move_is_legal() {
    for limits in ["movetime 0", "btime 0 wtime 0", "btime 1 wtime 1", "nodes 1", "movetime 1"] {
        for text in both(format!("go {limits}\n{PASS}\ngo {limits}\n")) {
            let bests: Vec<_> =
                text.lines().filter_map(|line| word_after(line, "bestmove")).collect();
            let is_legal = |best: &str| MOVES.split_whitespace().any(|mv| mv == best);
            assert!(matches!(bests[..], [first, "0000"] if is_legal(first)), "{text}");
            assert!(scores(&text).len() >= 2, "{text}");
        }
    }
    // It is also one of the `searchmoves`.
    for text in both("go nodes 1 searchmoves g8a8 b1h1\n") {
        let best = word_after(last(&text), "bestmove");
        assert!(matches!(best, Some("g8a8" | "b1h1")), "{text}");
    }
}

#[test]
fn ponderhit_keeps_the_search_and_starts_the_clock() {
    for mut engine in Dialogue::both() {
        engine.send("position startpos moves d1b3");
        engine.send("go ponder wtime 600 btime 600");
        engine.read_until("info depth 4 ");
        thread::sleep(Duration::from_millis(700));
        // A search with a running clock would have ended.
        assert_eq!(count(&engine.query("").join("\n"), "bestmove"), 0);
        engine.send("ponderhit");
        let lines = engine.read_until("bestmove ");
        assert!(lines.iter().all(|line| !line.starts_with("info depth 1 ")), "{lines:?}");
        // Only the next search starts at depth 1, and `ponderhit` without a search is ignored.
        engine.send("ponderhit\ngo ponder depth 1");
        assert_eq!(engine.read_until("info depth 1 ").len(), 1);
        assert_eq!(count(&engine.query("").join("\n"), "bestmove"), 0);
        engine.send("stop");
        engine.read_until("bestmove ");
        // If the depth limit is reached, `ponderhit` ends the search.
        engine.send("go ponder depth 2\nponderhit");
        engine.read_until("bestmove ");
        // Without a limit only `stop` ends the search, also after `ponderhit`.
        engine.send("go ponder\nponderhit");
        engine.read_until("info depth 2 ");
        assert_eq!(count(&engine.query("").join("\n"), "bestmove"), 0);
        engine.send("stop");
        engine.read_until("bestmove ");
    }
}
