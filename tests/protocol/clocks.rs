//! Clocks: the engine does not plan to be late.
//!
//! On a busy machine any single answer may be late. An engine that plans badly is late every time,
//! so each test requires a quarter of the answers to be in time.

use std::thread;
use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;
use crate::{MOVES, PASS, behind, both, count, last, scores};

#[test]
fn a_negative_clock_is_empty_and_a_single_clock_serves_both_sides() {
    for limits in
        ["btime -5 wtime -5", "btime -1", "wtime -1", "movetime -1", "wtime 100", "btime 100"]
    {
        // Were such a search endless, the second would wait for a `stop`.
        for mut engine in Dialogue::both() {
            engine.say(&format!("go {limits}"));
            let lines = engine.hear_until("bestmove ");
            assert!(lines.iter().all(|line| !line.contains("error")), "{limits}: {lines:?}");
        }
    }
}

/// A time control, in milliseconds, and the length of a game with it.
struct Control {
    time: u64,
    increment: u64,
    /// The moves after which the time is full again.
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
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        engine.say("setoption name Move Overhead value 40");
        for control in &CONTROLS {
            engine.say(&format!("setoption name Threads value {}", control.threads));
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
/// that runs out is full again, so that one delay is one late move.
fn play(engine: &mut Dialogue, control: &Control) -> (u32, u32) {
    let full = Duration::from_millis(control.time);
    let mut clocks = [full; 2];
    let mut late = 0;
    let mut moves = String::new();
    for ply in 0..control.plies {
        let (side, played) = (ply as usize % 2, ply / 2);
        if control.moves.is_some_and(|moves| played.is_multiple_of(moves)) {
            clocks[side] = full;
        }
        let to_go = control.moves.map(|moves| format!(" movestogo {}", moves - played % moves));
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let inc = control.increment;
        engine.say(&format!("position startpos moves{moves}"));
        let started = Instant::now();
        engine.say(&format!(
            "go btime {black} wtime {white} binc {inc} winc {inc}{}",
            to_go.unwrap_or_default()
        ));
        let best = engine.hear_until("bestmove ").pop().unwrap_or_default();
        match clocks[side].checked_sub(started.elapsed()) {
            Some(left) => clocks[side] = left + Duration::from_millis(inc),
            None => {
                late += 1;
                clocks[side] = full;
            }
        }
        match behind(&best, "bestmove") {
            Some("(none)") | None => return (late, ply + 1),
            Some(best) => moves += &format!(" {best}"),
        }
    }
    (late, control.plies)
}

#[test]
fn a_movetime_is_kept() {
    for mut engine in Dialogue::both() {
        let movetimes = [80, 120].repeat(6);
        let answers = movetimes.iter().map(|&movetime| {
            let started = Instant::now();
            engine.say(&format!("go movetime {movetime}"));
            engine.hear_until("bestmove ");
            started.elapsed() > 2 * Duration::from_millis(movetime)
        });
        let late = answers.filter(|&is_late| is_late).count();
        assert!(4 * late <= 3 * movetimes.len(), "{late} of {} answers are late", movetimes.len());
    }
}

#[test]
fn without_any_time_the_best_move_is_legal() {
    for limits in ["movetime 0", "btime 0 wtime 0", "btime 1 wtime 1", "nodes 1", "movetime 1"] {
        for text in both(format!("go {limits}\n{PASS}\ngo {limits}\n")) {
            let bests: Vec<_> = text.lines().filter_map(|line| behind(line, "bestmove")).collect();
            assert!(matches!(bests[..], [first, "0000"] if MOVES.contains(first)), "{text}");
            assert!(scores(&text).len() >= 2, "{text}");
        }
    }
    // It is one of those asked for, too.
    for text in both("go nodes 1 searchmoves g8a8 b1h1\n") {
        let best = behind(last(&text), "bestmove");
        assert!(matches!(best, Some("g8a8" | "b1h1")), "{text}");
    }
}

#[test]
fn ponderhit_keeps_the_search_and_starts_the_clock() {
    for mut engine in Dialogue::both() {
        engine.say("position startpos moves d1b3");
        engine.say("go ponder wtime 600 btime 600");
        engine.hear_until("info depth 4 ");
        thread::sleep(Duration::from_millis(700));
        // The clock would have run out.
        assert_eq!(count(&engine.ask("").join("\n"), "bestmove"), 0);
        engine.say("ponderhit");
        let lines = engine.hear_until("bestmove ");
        assert!(lines.iter().all(|line| !line.starts_with("info depth 1 ")), "{lines:?}");
        // Only the next search begins anew, and a `ponderhit` without one means nothing.
        engine.say("ponderhit\ngo ponder depth 1");
        assert_eq!(engine.hear_until("info depth 1 ").len(), 1);
        assert_eq!(count(&engine.ask("").join("\n"), "bestmove"), 0);
        engine.say("stop");
        engine.hear_until("bestmove ");
        // With a limit of depth that is reached, the answer comes with the hit.
        engine.say("go ponder depth 2\nponderhit");
        engine.hear_until("bestmove ");
        // Without any limit only `stop` ends it, also after the hit.
        engine.say("go ponder\nponderhit");
        engine.hear_until("info depth 2 ");
        assert_eq!(count(&engine.ask("").join("\n"), "bestmove"), 0);
        engine.say("stop");
        engine.hear_until("bestmove ");
    }
}
