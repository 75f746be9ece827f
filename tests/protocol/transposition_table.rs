//! The transposition table: its size, repetitions, threads, and reproducible searches.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;
use crate::programs;
use crate::{DRAUGHTS, both, count, number_after, scores, word_after};

#[test]
fn a_table_of_any_size_is_allocated_at_once() {
    for mut engine in Dialogue::both() {
        for mib in [1, 2, 3, 7, 33, 1000, 8191] {
            let start = Instant::now();
            assert_eq!(engine.query(&format!("setoption name Hash value {mib}")), [""; 0]);
            engine.query("uci");
            assert!(start.elapsed() < Duration::from_secs(5), "{mib} MiB");
            engine.send("go depth 3");
            engine.read_until("bestmove ");
        }
        // The allocation succeeds on a machine with that much memory.
        let output = engine.query("setoption name Hash value 1048576");
        assert!(output.is_empty() || output[0].contains("cannot allocate"), "{output:?}");
        engine.send("go depth 3\nsetoption name Hash value 2\ngo depth 3");
        assert!(!engine.read_until("bestmove ").concat().contains("error"));
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
fn the_table_does_not_hide_a_repetition() {
    // White's c2a2 reaches the start position for the third time.
    let once = "b1b3 a2c2 b3b1 c2a2";
    let thrice = format!("position startpos moves {once} b1b3 a2c2 b3b1");
    let first = "position startpos moves b1b3 a2c2 b3b1";
    let go = "go depth 7 searchmoves c2a2";
    for text in both(format!("{first}\n{go}\n{thrice}\n{go}\n{first}\n{go}\n")) {
        let draws: Vec<bool> = text
            .split("bestmove")
            .filter_map(|part| scores(part).last().map(|line| line.contains(" score cp 0 ")))
            .collect();
        assert_eq!(draws, [false, true, false], "{text}");
    }
    // One ply earlier: after c3c1 White can draw, so Black's score is at most 0, although Black is
    // ahead.
    let ahead = "position fen LllllllL/8/L6L/L6L/L6L/L6L/8/LllllllL b - - 0 1 moves";
    let before = format!("{ahead} c1c3 h4f4 c3c1 f4h4 c1c3 h4f4");
    let go = "go depth 7 searchmoves c3c1";
    for text in both(format!("{ahead} c1c3 h4f4\n{go}\n{before}\n{go}\n")) {
        let scores: Vec<i64> = text
            .split("bestmove")
            .filter_map(|part| scores(part).last().map(|line| number_after(line, "cp")))
            .collect();
        assert!(scores.len() == 2 && scores[0] > 0 && scores[1] <= 0, "{scores:?}");
    }
    // The same in a longer game, with other moves in between.
    let long = format!("position startpos moves {once} d1b3 h4f2 b3d1 f2h4 b1b3 a2c2 b3b1");
    for text in both(format!("{first}\ngo depth 7\n{long}\ngo depth 7 searchmoves c2a2\n")) {
        let line = scores(&text).last().copied().unwrap_or_default();
        assert_eq!(word_after(line, "cp"), Some("0"), "{text}");
    }
}

#[test]
fn a_repetition_at_the_root_is_a_draw_without_reply() {
    let first = "position startpos moves b1b3 a2c2 b3b1";
    let thrice = format!("{first} c2a2 b1b3 a2c2 b3b1");
    for depth in [1, 7] {
        let go = format!("go depth {depth} searchmoves c2a2");
        for text in both(format!("{first}\ngo depth 7\n{thrice}\n{go}\n")) {
            assert!(text.ends_with("\nbestmove c2a2"), "{text}");
            let line = scores(&text).last().copied().unwrap_or_default();
            assert_eq!(word_after(line, "cp"), Some("0"), "{text}");
        }
    }
}

#[test]
fn many_threads_on_a_small_table_find_the_win() {
    let input = "setoption name Hash value 1\nsetoption name Threads value 16\n\
        go nodes 200000\nposition startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1\n\
        go nodes 200000\n";
    for text in both(input) {
        assert_eq!(count(&text, "bestmove "), 2);
        let line = scores(&text).last().copied().unwrap_or_default();
        assert_eq!(word_after(line, "mate"), Some("1"), "{text}");
    }
}

#[test]
fn fixed_searches_are_reproducible() {
    for (setup, limits) in [
        ("", "depth 8"),
        ("", "nodes 20000"),
        ("position startpos moves d1b3 h4f2\n", "depth 7"),
        ("setoption name UCI_Variant value draughts\n", "depth 9"),
        ("setoption name UCI_Variant value draughts\n", "nodes 12345"),
    ] {
        let go = format!("{setup}go {limits}\n");
        // The same search again, also after other searches.
        let others = "go depth 6\nposition startpos\ngo nodes 5000\n";
        let texts = both(format!("{go}ucinewgame\n{go}{others}ucinewgame\n{go}"));
        let mut searches = texts.iter().flat_map(|text| searches(text)).collect::<Vec<_>>();
        assert_eq!(searches.len(), 10);
        // Remove the other searches.
        for index in [8, 7, 3, 2] {
            searches.remove(index);
        }
        let [first, rest @ ..] = searches.as_slice() else { panic!("no search") };
        assert!(rest.iter().all(|search| search == first), "{limits}: {searches:#?}");
        if let Some(nodes) = limits.strip_prefix("nodes ") {
            let most =
                first.iter().filter(|line| line.contains(" pv ")).map(|l| number_after(l, "nodes"));
            assert!(most.max().is_some_and(|most| most <= nodes.parse().unwrap()));
        }
    }
    // A change of the variant forgets the searches of the other game.
    for text in both(format!("go depth 6\n{DRAUGHTS}\ngo depth 8\nucinewgame\ngo depth 8\n")) {
        let [_, changed, new] = &searches(&text)[..] else { panic!("{text}") };
        assert_eq!(changed, new);
    }
    for text in both(format!("{DRAUGHTS}\nbench 3\nsetoption name Hash value 3\nbench 3\n")) {
        let nodes: Vec<_> = text
            .lines()
            .filter_map(|line| line.split_once(" nodes "))
            .map(|(nodes, _)| nodes)
            .collect();
        assert!(nodes.len() == 2 && nodes[0] == nodes[1], "{text}");
    }
}

/// The output of each search, without the values of `nps` and `time`.
fn searches(text: &str) -> Vec<Vec<String>> {
    let plain = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let before = [""].into_iter().chain(words.iter().copied());
        let untimed = words.iter().zip(before).filter(|&(_, word)| !matches!(word, "nps" | "time"));
        untimed.map(|(&word, _)| word).collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = text.lines().map(plain).collect();
    lines.split_inclusive(|line| line.starts_with("bestmove")).map(<[String]>::to_vec).collect()
}
