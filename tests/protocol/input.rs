//! How lines are read: positions, long and invalid lines, commands while a search runs.

use std::fs;

use soucie::protocol::UciLoop;

use crate::dialogue::{Dialogue, run_loop, run_uci};
use crate::{DRAUGHTS, count, word_after};

#[test]
fn commands_during_a_search_apply_from_the_next_go() {
    let mut engine = Dialogue::with_program();
    engine.send("position startpos moves d1b3\ngo infinite");
    engine.read_until("info depth 2 ");
    // These commands are executed at once and do not affect the running search.
    for command in [
        "setoption name Hash value 2",
        "setoption name Move Format value standard",
        "ucinewgame",
        "position fen 8/8/8/3L4/3L4/8/l7/L1l5 b",
    ] {
        let output = engine.query(command);
        assert!(output.iter().all(|line| line.starts_with("info depth")), "{output:?}");
    }
    let moves = engine.query("moves");
    assert!(moves.iter().any(|line| line.starts_with("moves ") && line.contains("c1xa1")));
    let mut best_move = |lines: &str| {
        engine.send(lines);
        let line = engine.read_until("bestmove ").pop().unwrap();
        word_after(&line, "bestmove").unwrap().to_string()
    };
    // White's move in the first position, in the first move format.
    let best = best_move("stop");
    assert!(best.len() == 4 && best.starts_with(['a', 'h']), "{best}");
    assert!(best_move("go depth 3").contains(['-', 'x']));
    // A new variant also applies from the next `go`.
    best_move(&format!("go infinite\n{DRAUGHTS}\ngo depth 1"));
    assert!(best_move("").starts_with(char::is_numeric));
}

#[test]
fn position_replaces_the_last_one_and_go_keeps_it() {
    let mut engine = Dialogue::with_program();
    let start = engine.query("d");
    let later = engine.query("position startpos moves d1b3 h4f2\nd");
    assert_ne!(start, later);
    for (go, end) in [
        ("go depth 4", "bestmove"),
        ("go perft 2", "Nodes searched"),
        ("go ponder depth 2\nponderhit", "bestmove"),
        ("bench 2\nstop\ngo depth 1", "bestmove"),
    ] {
        engine.send(go);
        engine.read_until(end);
        assert_eq!(engine.query("d"), later, "{go}");
    }
    // The repetitions of the last game are cleared.
    let shuffle = "b1b3 a2c2 b3b1 c2a2";
    engine.send(&format!("position startpos moves {shuffle} {shuffle}\nposition startpos"));
    assert_eq!(engine.query("d"), start);
    engine.send("go depth 2");
    assert!(!engine.read_until("bestmove ").concat().contains("(none)"));
}

#[test]
fn refused_positions_are_not_searched() {
    let table: [(&str, &str, &[&str]); 2] = [
        (
            "setoption name UCI_Variant value loa",
            "d1b3",
            &[
                "fen 8/8 w",
                "fen",
                "fen b",
                "fen LLLLLLLL/LLLLL3/8/8/8/8/8/7l w",
                "fen 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 x",
                "fen 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b move d1b3",
                "diagram a/b",
                "diagram",
                "",
                "startpos moves d1b3 h4f2 h4f2",
                "startpos moves d1b3 0000",
                "startpos moves (none)",
            ],
        ),
        (
            DRAUGHTS,
            "11-15",
            &[
                "fen W:W14:B14",
                "fen X:W14:B1",
                "fen W",
                "fen :::",
                "fen B:W5-1:B32",
                "fen 8/8/8/8/8/8/8/8 w",
                "startpos moves 11-15 11-15",
                "diagram -m",
            ],
        ),
    ];
    let mut engine = Dialogue::with_program();
    for (variant, moves, refused) in table {
        engine.query(variant);
        let before = engine.query(&format!("position startpos moves {moves}\nd"));
        for position in refused {
            let output = engine.query(&format!("position {position}"));
            let [error] = &output[..] else { panic!("{position}: {output:?}") };
            let reason = error.strip_prefix("info string error ").unwrap();
            let error = format!("info string error the last position was refused: {reason}");
            assert_eq!(engine.query("state"), [&error, "state null"], "{position}");
            let after = engine.query(&format!("position startpos moves {moves}\nd"));
            assert_eq!(after, before, "{position}");
        }
    }
}

#[test]
fn overlong_position_lines_are_refused() {
    let moves = "b1b3 a2c2 b3b1 c2a2 ".repeat(60_000);
    let text =
        run_uci(format!("position startpos moves {moves}\ngo depth 1\n{moves}\ngo depth 1\n"));
    assert_eq!(count(&text, "bestmove (none)"), 2, "{text}");
    // Other overlong lines do not affect the position.
    let text = run_uci(format!("{}\ngo depth 1\n", "x".repeat(2 << 20)));
    assert_eq!((count(&text, "bestmove "), count(&text, "bestmove (none)")), (1, 0), "{text}");
}

#[test]
fn invalid_utf8_and_long_lines_are_errors() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(
        b"\nisready\n\xff\xfe\x00go\nisready\nposition fen \xc3\xa4\xe2\x82\xac b\nisready\n\
        setoption name Hash value\ngo ponder wtime\nsetoption name \xf0\x9f\x98\x80 value 1\nisready",
    );
    let text = run_uci(input);
    assert_eq!(count(&text, "readyok"), 4);
    assert_eq!(count(&text, "info string error"), 6, "{text}");
    assert_eq!(count(&text, "bestmove (none)"), 1);
    let first = "info string error line longer than 1048576 bytes ignored\n";
    assert!(text.starts_with(first), "{text}");
    // A line just below the maximum length is read to its end.
    let moves = "b1b3 a2c2 b3b1 c2a2 ".repeat(50_000);
    let text = run_uci(format!(
        "setoption name Repetition Draw value 0\nposition startpos moves {moves}\nd\n"
    ));
    assert!(text.contains("Fen: 1llllll1/"), "{text}");
    assert_eq!(count(&text, "info string error"), 0, "{text}");
}

#[test]
fn white_space_and_unknown_words_are_tolerated() {
    let long = format!("setoption name {}\nisready\n", "a ".repeat(400_000));
    let reason = fs::read("no-such  folder/a").unwrap_err();
    let unread = format!("EvalFile: no-such  folder/a: {reason}\nreadyok");
    let table = [
        ("\n  \t\r\n", ""),
        ("  isready\t \r\n", "readyok"),
        ("isready", "readyok"),
        ("hello\nisready\n", "'hello'; 'help' lists the commands\nreadyok"),
        ("\tgo \t perft   1 \r\n", "Nodes searched: 36"),
        ("position \tstartpos   moves\td1b3  \r\ngo perft 1\r\n", "Nodes searched: 33"),
        (
            " setoption  name  UCI_Variant\tvalue  English \tDraughts \r\ngo perft 1",
            "Nodes searched: 7",
        ),
        (&long, "readyok"),
        // A path is not changed.
        ("setoption name EvalFile value  no-such  folder/a \nisready", &unread),
    ];
    for (input, end) in table {
        let text = run_uci(input);
        assert!(
            text.trim_end().ends_with(end) && text.is_empty() == end.is_empty(),
            "{input}: {text}"
        );
    }
}

#[test]
fn every_malformed_go_has_one_answer() {
    let numbers =
        "depth nodes mate movetime btime wtime binc winc movestogo p1time p2time p1inc p2inc";
    let wrong = [
        "",
        "x",
        "perft",
        "go",
        "infinite",
        "searchmoves",
        "-",
        "+",
        "1.5",
        "0x1",
        "1e3",
        "\u{661}",
    ];
    let mut input = String::new();
    for word in numbers.split(' ') {
        for value in wrong {
            for before in ["", "infinite ", "ponder ", "depth 1 ", "x ", "searchmoves d1b3 "] {
                input += &format!("go {before}{word} {value}\n");
            }
        }
    }
    let text = run_uci(&input);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 * input.lines().count());
    for (go, answer) in input.lines().zip(lines.chunks(2)) {
        assert!(answer[0].starts_with("info string error go "), "{go}: {answer:?}");
        assert_eq!(answer[1], "bestmove (none)", "{go}");
    }
    // The last word is in the place of a command again.
    let perft = numbers.split(' ').map(|word| format!("go {word} x perft 1\n"));
    let text = run_uci(perft.collect::<String>());
    assert_eq!((count(&text, "bestmove"), text.lines().count()), (0, 13), "{text}");
}

#[test]
fn without_files_the_file_options_are_rejected() {
    let run = |input: &str| run_loop(UciLoop::new().without_files(), input);
    let options = run("uci");
    assert!(options.contains("option name Hash ") && options.ends_with("uciok\n"), "{options}");
    for name in ["TablePath", "EvalFile", "evalfile", "BookFile"] {
        assert!(!options.contains(name), "{options}");
        let error = format!("info string error option '{name}': this client may not name files\n");
        for value in ["/", "<empty>", ""] {
            assert_eq!(run(&format!("setoption name {name} value {value}")), error);
        }
    }
    assert_eq!(run("setoption name Threads value 2"), "");
}

#[test]
fn the_single_thread_loop_has_no_thread_and_file_options() {
    let mut engine = Dialogue::with_single_thread();
    let options = engine.query("uci").join("\n");
    assert!(options.contains("option name Hash "));
    for (name, error) in [
        ("Threads", "searches have one thread here"),
        ("TablePath", "this client may not name files"),
        ("evalfile", "this client may not name files"),
    ] {
        assert!(!options.to_lowercase().contains(&name.to_lowercase()), "{name}");
        let output = engine.query(&format!("setoption name {name} value 1"));
        assert_eq!(output, [format!("info string error option '{name}': {error}")]);
    }
}

#[test]
fn answers_that_wait_for_a_search_are_bounded() {
    // Each `go` has its answer, however many are refused while a search runs.
    let refused = "go depth x\n".repeat(2_000);
    let text = run_uci(format!("go infinite\n{refused}isready\nstop\n"));
    assert_eq!(count(&text, "bestmove "), 2_001);
    assert_eq!(count(&text, "info string error "), 2_000);
    let pings: String = (0..100).map(|number| format!("ping {number}\n")).collect();
    let text = run_uci(format!("xboard\nprotover 2\nst 60\ngo\n{pings}?\n"));
    assert_eq!(count(&text, "pong "), 64, "{text}");
    assert_eq!(text.matches("64 pings wait for the move").count(), 36, "{text}");
}

#[test]
fn import_and_position_read_one_grammar() {
    for text in [
        "startpos moves d1b3",
        "startpos  moves\td1b3",
        " startpos\tmoves  d1b3 ",
        "startpos\u{a0}moves d1b3",
    ] {
        let import =
            format!("import {}", serde_json::json!({ "text": format!("position {text}") }));
        let text = run_uci(format!("position {text}\nmoves\n{import}"));
        assert!(!text.contains("error\":\""), "{text}");
        assert!(text.contains("\"coordinate\":\"d1b3\""), "{text}");
    }
}

#[test]
fn an_empty_default_is_written_as_the_dialect_does() {
    for (greeting, option, empty) in [
        ("uci", "option name EvalFile ", "option name EvalFile type string default <empty>"),
        ("ugi", "option name EvalFile ", "option name EvalFile type string default <empty>"),
        ("xboard\nprotover 2", "feature option=\"EvalFile ", "feature option=\"EvalFile -file \""),
        ("hub", "param name=evalfile ", "param name=evalfile value=\"\" type=string"),
    ] {
        let output = run_uci(format!("{greeting}\nquit\n"));
        let found = output.lines().find(|line| line.starts_with(option));
        assert_eq!(found, Some(empty), "{greeting}");
        let is_wrong = |line: &&str| match greeting {
            "uci" | "ugi" => line.ends_with("default ") || line.ends_with("default"),
            _ => line.contains("<empty>") || line.contains("value= "),
        };
        assert_eq!(output.lines().find(is_wrong), None, "{greeting}");
    }
}
