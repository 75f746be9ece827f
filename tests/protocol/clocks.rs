//! Clocks: the engine does not plan to be late.
//!
//! The machine may be busy: what is asked is that the engine does not plan to be late, so time
//! that was overdrawn is added up over many moves and compared with whole seconds.

use std::thread;
use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;
use crate::{MOVES, PASS, behind, both, count, last, scores};

/// So much may be lost in a whole game because others use the machine too.
const LENIENCE: Duration = Duration::from_secs(2);

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

/// How a game is played: the time at first, what comes with each move, the moves until the same
/// time comes again.
struct Control {
    time: u64,
    increment: u64,
    moves: Option<u32>,
    threads: usize,
}

const CONTROLS: [Control; 5] = [
    Control { time: 1_000, increment: 0, moves: None, threads: 1 },
    Control { time: 100, increment: 10, moves: None, threads: 1 },
    Control { time: 60, increment: 0, moves: Some(1), threads: 1 },
    Control { time: 400, increment: 0, moves: Some(10), threads: 1 },
    Control { time: 1_000, increment: 10, moves: None, threads: 16 },
];

#[test]
fn no_game_is_lost_on_time() {
    for variant in ["linesofaction", "englishdraughts"] {
        for control in &CONTROLS {
            for mut engine in Dialogue::both() {
                engine.say(&format!("setoption name UCI_Variant value {variant}"));
                engine.say(&format!("setoption name Threads value {}", control.threads));
                let overdrawn = play(&mut engine, control);
                let Control { time, increment, moves, threads } = control;
                let control = format!("{time} + {increment}, {moves:?}, {threads} threads");
                assert!(overdrawn < LENIENCE, "{variant}, {control}: {overdrawn:?}");
            }
        }
    }
}

/// Plays a game of at most 60 moves of each side and says how much time was used that was not
/// there.
fn play(engine: &mut Dialogue, control: &Control) -> Duration {
    let [mut clocks, full] = [[Duration::from_millis(control.time); 2]; 2];
    let increment = Duration::from_millis(control.increment);
    let mut overdrawn = Duration::ZERO;
    let mut moves = String::new();
    for ply in 0..120 {
        let side = ply % 2;
        let played = ply as u32 / 2;
        if control.moves.is_some_and(|moves| played.is_multiple_of(moves)) {
            clocks[side] = full[side];
        }
        let to_go = control.moves.map(|moves| format!(" movestogo {}", moves - played % moves));
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let inc = control.increment;
        engine.say(&format!("position startpos moves{moves}"));
        let said = Instant::now();
        engine.say(&format!(
            "go btime {black} wtime {white} binc {inc} winc {inc}{}",
            to_go.unwrap_or_default()
        ));
        let best = engine.hear_until("bestmove ").pop().unwrap_or_default();
        let used = said.elapsed();
        overdrawn += used.saturating_sub(clocks[side]);
        clocks[side] = clocks[side].saturating_sub(used) + increment;
        match behind(&best, "bestmove") {
            Some("(none)") | None => break,
            Some(best) => moves += &format!(" {best}"),
        }
    }
    overdrawn
}

#[test]
fn a_movetime_is_kept() {
    for mut engine in Dialogue::both() {
        let mut overdrawn = Duration::ZERO;
        for movetime in [1, 10, 40, 80].repeat(6) {
            let said = Instant::now();
            engine.say(&format!("go movetime {movetime}"));
            engine.hear_until("bestmove ");
            overdrawn += said.elapsed().saturating_sub(Duration::from_millis(movetime));
        }
        assert!(overdrawn < LENIENCE, "{overdrawn:?}");
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
