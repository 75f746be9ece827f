//! The transposition table: its size, its memory, repetitions and threads.

use std::process::Stdio;

use crate::dialogue::{Dialogue, run_uci};
use crate::{count, number_after, programs, scores, word_after};

/// Where the system provides memory only when it is first written, a search would wait for it.
#[test]
fn the_memory_of_a_table_of_any_size_is_there_before_readyok() {
    const BESIDES: u64 = 64 << 10;
    let mut engine = Dialogue::with_program();
    for mib in [1, 2, 3, 7, 33, 301] {
        assert_eq!(engine.query(&format!("setoption name Hash value {mib}")), [""; 0]);
        if let Some(memory) = programs::status(engine.process().unwrap().id(), "VmRSS") {
            let table = mib << 10;
            assert!((table..table + BESIDES).contains(&memory), "{mib} MiB: {memory} KiB");
        }
        engine.send("go depth 3");
        engine.read_until("bestmove ");
    }
}

/// The memory of the process is limited to 2 GiB.
#[test]
#[cfg(target_os = "linux")]
fn a_failed_allocation_keeps_the_old_table() {
    let mut command = programs::command("sh");
    command.args(["-c", &format!("ulimit -v 2097152; exec '{}'", programs::SOUCIE)]);
    let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = "setoption name Hash value 7\ngo depth 5\nsetoption name Hash value 4096\n\
        go depth 5\nucinewgame\nsetoption name Clear Hash\ngo depth 5\n\
        setoption name Hash value 3\ngo depth 5\n";
    std::io::Write::write_all(&mut program.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // One error: later commands allocate a table of the old size, not of the failed one.
    assert_eq!(count(&text, "info string error"), 1, "{text}");
    assert_eq!(
        count(&text, "info string error cannot allocate a transposition table of 4096 MiB"),
        1
    );
    assert_eq!(count(&text, "bestmove "), 4, "{text}");
    assert!(output.status.success());
}

#[test]
fn clearing_the_table_allocates_no_second_table() {
    for mib in [16, 128] {
        let mut program = Dialogue::with_program();
        let mut search = |before: &str| {
            program.send(&format!("{before}\nposition startpos\ngo nodes 100000"));
            program.read_until("bestmove ");
            programs::status(program.process().unwrap().id(), "VmHWM")
        };
        let first = search(&format!("setoption name Hash value {mib}"));
        let mut last = first;
        for clear in ["setoption name Clear Hash", "ucinewgame", "setoption name Clear Hash"] {
            last = search(clear);
        }
        if let (Some(first), Some(last)) = (first, last) {
            assert!(last < first + (6 << 10), "Hash {mib}: from {first} to {last} KiB");
        }
    }
}

/// The last score in centipawns of each search.
fn centipawns(input: &str) -> Vec<i64> {
    let text = run_uci(input);
    let searches = text.split_inclusive("bestmove ");
    let last = |search| scores(search).last().map(|line| number_after(line, "cp"));
    searches.filter_map(last).collect()
}

#[test]
fn the_table_does_not_hide_a_repetition() {
    // White's c2a2 reaches the start position for the third time.
    let once = "b1b3 a2c2 b3b1 c2a2";
    let first = "position startpos moves b1b3 a2c2 b3b1";
    let thrice = format!("position startpos moves {once} b1b3 a2c2 b3b1");
    let go = "go depth 7 searchmoves c2a2";
    let found = centipawns(&format!("{first}\n{go}\n{thrice}\n{go}\n{first}\n{go}\n"));
    assert!(matches!(found[..], [before, 0, after] if before != 0 && after != 0), "{found:?}");
    // The same in a longer game, with other moves in between.
    let long = format!("position startpos moves {once} d1b3 h4f2 b3d1 f2h4 b1b3 a2c2 b3b1");
    assert_eq!(centipawns(&format!("{first}\ngo depth 7\n{long}\n{go}\n"))[1], 0);
    // One ply earlier: after c3c1 White can draw, so Black's score is at most 0, although Black is
    // ahead.
    let ahead = "position fen LllllllL/8/L6L/L6L/L6L/L6L/8/LllllllL b - - 0 1 moves c1c3 h4f4";
    let go = "go depth 7 searchmoves c3c1";
    let found = centipawns(&format!("{ahead}\n{go}\n{ahead} c3c1 f4h4 c1c3 h4f4\n{go}\n"));
    assert!(found.len() == 2 && found[0] > 0 && found[1] <= 0, "{found:?}");
}

#[test]
fn a_repetition_at_the_root_is_a_draw_without_reply() {
    let first = "position startpos moves b1b3 a2c2 b3b1";
    for depth in [1, 7] {
        let go = format!("{first} c2a2 b1b3 a2c2 b3b1\ngo depth {depth} searchmoves c2a2");
        let text = run_uci(format!("{first}\ngo depth 7\n{go}\n"));
        assert!(text.ends_with("\nbestmove c2a2\n"), "{text}");
        let line = scores(&text).last().copied().unwrap_or_default();
        assert_eq!(word_after(line, "cp"), Some("0"), "{text}");
    }
}

#[test]
fn many_threads_on_a_small_table_find_the_win() {
    let input = "setoption name Hash value 1\nsetoption name Threads value 16\n\
        go nodes 100000\nposition startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1\n\
        go nodes 100000\n";
    let text = run_uci(input);
    assert_eq!(count(&text, "bestmove "), 2);
    let line = scores(&text).last().copied().unwrap_or_default();
    assert_eq!(word_after(line, "mate"), Some("1"), "{text}");
}
