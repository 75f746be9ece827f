//! How lines are read: positions, long and invalid lines, commands while a search runs.

use proptest::prelude::*;

use crate::dialogue::{Dialogue, run_uci};
use crate::{DRAUGHTS, both, count, word_after};

#[test]
fn commands_during_a_search_apply_from_the_next_go() {
    for mut engine in Dialogue::both() {
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
        engine.send("stop");
        let best = engine.read_until("bestmove ").pop().unwrap_or_default();
        // White's move in the first position, in the first move format.
        let best = word_after(&best, "bestmove").unwrap_or_default();
        assert!(best.len() == 4 && best.starts_with(['a', 'h']), "{best}");
        engine.send("go depth 3");
        let best = engine.read_until("bestmove ").pop();
        assert!(best.is_some_and(|best| best.contains(['-', 'x'])));
        // A new variant also applies from the next `go`.
        engine.send(&format!("go infinite\n{DRAUGHTS}\ngo depth 1"));
        engine.read_until("bestmove ");
        let best = engine.read_until("bestmove ").pop().unwrap_or_default();
        let best = word_after(&best, "bestmove").unwrap_or_default();
        assert!(best.starts_with(char::is_numeric), "{best}");
    }
}

#[test]
fn position_replaces_the_last_one_and_go_keeps_it() {
    for mut engine in Dialogue::both() {
        let start = engine.query("d");
        engine.send("position startpos moves d1b3 h4f2");
        let later = engine.query("d");
        assert_ne!(start, later);
        for go in ["go depth 4", "go perft 2", "go ponder depth 2\nponderhit", "bench 2"] {
            engine.send(go);
            match go {
                "go perft 2" => drop(engine.read_until("Nodes searched")),
                "bench 2" => while !engine.read_line().unwrap().ends_with(" nps") {},
                _ => drop(engine.read_until("bestmove ")),
            }
            assert_eq!(engine.query("d"), later, "{go}");
        }
        engine.send("position startpos moves d1b3 h4f2");
        assert_eq!(engine.query("d"), later);
        engine.send("position startpos");
        assert_eq!(engine.query("d"), start);
        // The repetitions of the last game are cleared.
        let shuffle = "b1b3 a2c2 b3b1 c2a2";
        engine.send(&format!("position startpos moves {shuffle} {shuffle}\nposition startpos"));
        assert_eq!(engine.query("d"), start);
        engine.send("go depth 2");
        assert!(!engine.read_until("bestmove ").concat().contains("(none)"));
    }
}

/// Checks that each command that needs a position prints the error, and its empty reply if it has
/// one.
fn check_refused(engine: &mut Dialogue, reason: &str) {
    let error = format!("info string error the last position was refused: {reason}");
    for (command, reply) in [
        ("go depth 2", Some("bestmove (none)")),
        ("go infinite", Some("bestmove (none)")),
        ("go ponder wtime 1000", Some("bestmove (none)")),
        ("moves", Some("moves")),
        ("legalmoves", Some("legalmoves")),
        ("state", Some("state null")),
        ("export", Some("export null")),
        ("export {}", Some("export null")),
        ("go perft 1", None),
        ("d", None),
        ("eval", None),
    ] {
        let mut output = engine.query(command);
        // The answer to a search may wait until the transposition table is cleared.
        if command.starts_with("go") && reply.is_some() && output.len() == 1 {
            output.extend(engine.read_until("bestmove "));
        }
        let lines: Vec<&str> = output.iter().map(String::as_str).collect();
        assert_eq!(lines, [Some(&*error), reply].into_iter().flatten().collect::<Vec<_>>());
    }
}

#[test]
fn refused_positions_are_not_searched() {
    let table: [(&str, &str, &[&str]); 2] = [
        (
            "setoption name UCI_Variant value loa",
            "d1b3",
            &[
                "fen 8/8 w",
                "fen 9/8/8/8/8/8/8/8 b",
                "fen 8/8/8/8/8/8/8/8 b",
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
                "fen W:W33:B1",
                "fen W:W1:B2",
                "fen X:W14:B1",
                "fen W",
                "fen :::",
                "fen W:W:B",
                "fen W:WK1-32:B",
                "fen B:W5-1:B32",
                "fen 8/8/8/8/8/8/8/8 w",
                "startpos moves 11-15 11-15",
                "startpos moves 11-16 22x15",
                "diagram -m",
            ],
        ),
    ];
    for (variant, moves, refused) in table {
        for mut engine in Dialogue::both() {
            engine.query(variant);
            engine.send(&format!("position startpos moves {moves}"));
            let before = engine.query("d");
            for position in refused {
                let output = engine.query(&format!("position {position}"));
                assert_eq!(output.len(), 1, "{position}: {output:?}");
                let reason = output[0].strip_prefix("info string error ");
                let reason = reason.unwrap_or_else(|| panic!("{position}: {output:?}"));
                check_refused(&mut engine, reason);
                engine.send(&format!("position startpos moves {moves}"));
                assert_eq!(engine.query("d"), before, "{position}");
            }
        }
    }
    // Trailing fields may be missing.
    for mut engine in Dialogue::both() {
        let start = engine.query("d");
        let fen = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1";
        for tail in ["", " b", " b -", " b - -", " b - - 0", " b - - 0 1", " b what else"] {
            assert_eq!(engine.query(&format!("position fen {fen}{tail}\nd")), start, "'{tail}'");
        }
    }
}

#[test]
fn only_a_new_position_clears_a_refusal() {
    let later = "position startpos moves d1b3 h4f2";
    let wrong = "position startpos moves d1b3 h4f2 h4f2";
    for mut engine in Dialogue::both() {
        let start = engine.query("d");
        let shown = engine.query(&format!("{later}\nd"));
        for (command, after) in [
            (later, Some(&shown)),
            ("ucinewgame", Some(&start)),
            ("setoption name UCI_Variant value loa", Some(&start)),
            ("uci", None),
            ("stop", None),
            ("bench 1", None),
            ("position", None),
            ("ponderhit", None),
            ("setoption name Hash value 3", None),
            ("setoption name UCI_Variant value chess", None),
            ("setoption name Repetition Draw value 0", None),
            ("setoption name EvalFile value <empty>", None),
        ] {
            engine.send(&format!("{later}\n{wrong}"));
            if command == "bench 1" {
                engine.send(command);
                while !engine.read_line().unwrap().ends_with(" nps") {}
            } else {
                engine.query(command);
            }
            let output = engine.query("d");
            match after {
                Some(after) => assert_eq!(output, *after, "{command}"),
                None => assert!(output[0].starts_with("info string error "), "{command}"),
            }
        }
        // Without a refusal `ucinewgame` keeps the position.
        engine.query(&format!("{later}\nucinewgame"));
        assert_eq!(engine.query("d"), shown);
    }
}

#[test]
fn overlong_position_lines_are_refused() {
    let moves = "b1b3 a2c2 b3b1 c2a2 ".repeat(60_000);
    for text in both(format!("position startpos moves {moves}\ngo depth 1\n{moves}\ngo depth 1\n"))
    {
        assert_eq!(count(&text, "bestmove (none)"), 2, "{text}");
    }
    // Other overlong lines do not affect the position.
    for text in both(format!("{}\ngo depth 1\n", "x".repeat(2 << 20))) {
        assert_eq!((count(&text, "bestmove "), count(&text, "bestmove (none)")), (1, 0), "{text}");
    }
}

#[test]
fn invalid_utf8_and_long_lines_are_errors() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(
        b"\nisready\n\xff\xfe\x00go\nisready\nposition fen \xc3\xa4\xe2\x82\xac b\nisready\n\
        setoption name Hash value\ngo ponder wtime\nsetoption name \xf0\x9f\x98\x80 value 1\nisready",
    );
    for text in both(input) {
        assert_eq!(count(&text, "readyok"), 4);
        assert_eq!(count(&text, "info string error"), 6, "{text}");
        assert_eq!(count(&text, "bestmove (none)"), 1);
        let first = "info string error line longer than 1048576 bytes ignored\n";
        assert!(text.starts_with(first), "{text}");
    }
    // A line just below the maximum length is read to its end.
    let moves = "b1b3 a2c2 b3b1 c2a2 ".repeat(50_000);
    for text in both(format!(
        "setoption name Repetition Draw value 0\nposition startpos moves {moves}\nd\n"
    )) {
        assert!(text.contains("Fen: 1llllll1/"), "{text}");
        assert_eq!(count(&text, "info string error"), 0, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        run_uci(bytes);
    }

    #[test]
    fn arbitrary_words_do_not_panic(words in proptest::collection::vec(word(), 0..40)) {
        run_uci(words.join(" ").replace(" nl ", "\n"));
    }
}

/// Words of the protocol and arbitrary text; `nl` ends a line.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &str = "nl nl nl uci isready position startpos fen diagram moves go depth nodes \
        movetime wtime binc movestogo infinite ponder searchmoves stop ponderhit setoption name \
        value Hash Threads Move Limit UCI_Variant loa d1b3 h4f2 0000 b1xb3 \
        1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b w -1 0 1 2 3 99999999999999999999 d eval \
        legalmoves state variants export import {} {\"text\":\"1\"} ucinewgame é /";
    let words: Vec<_> = WORDS.split_whitespace().collect();
    prop_oneof![8 => proptest::sample::select(words).prop_map(str::to_string), 1 => "\\PC{0,9}"]
}

#[test]
fn white_space_and_unknown_words_are_tolerated() {
    let table = [
        ("\n  \t\r\n", ""),
        ("  isready\t \r\n", "readyok"),
        ("isready", "readyok"),
        ("isready please\n", "readyok"),
        ("\thello \t you\r\n", "error unknown command 'hello'; 'help' lists the commands"),
        ("hello\nisready\n", "'hello'; 'help' lists the commands\nreadyok"),
        ("\tgo \t perft   1 \r\n", "Nodes searched: 36"),
        ("position \tstartpos   moves\td1b3  \r\ngo perft 1\r\n", "Nodes searched: 33"),
        (
            " setoption  name  UCI_Variant\tvalue  English \tDraughts \r\ngo perft 1",
            "Nodes searched: 7",
        ),
    ];
    for (input, end) in table {
        for text in both(input) {
            assert!(text.ends_with(end) && text.is_empty() == end.is_empty(), "{input}: {text}");
            assert_eq!(count(&text, "info string error"), usize::from(end.contains("'hello'")));
        }
    }
    // A path is not changed.
    let path = "no-such  folder/a";
    for text in both(format!("setoption name EvalFile value  {path} \n")) {
        assert!(text.starts_with(&format!("info string error EvalFile: {path}: ")), "{text}");
    }
    let long = format!("setoption name {}\nisready\n", "a ".repeat(400_000));
    for text in both(long) {
        assert!(text.starts_with("info string error ") && text.ends_with("readyok"), "{text}");
    }
    for text in both("go quickly depth 2 and well\n") {
        assert_eq!((count(&text, "info depth 2 "), count(&text, "bestmove ")), (1, 1), "{text}");
    }
}

#[test]
fn answers_that_wait_for_a_search_are_bounded() {
    // Each `go` has its answer, however many are refused while a search runs.
    let refused = "go depth x\n".repeat(2_000);
    for text in both(format!("go infinite\n{refused}isready\nstop\n")) {
        assert_eq!(count(&text, "bestmove "), 2_001);
        assert_eq!(count(&text, "info string error "), 2_000);
    }
    let pings: String = (0..100).map(|number| format!("ping {number}\n")).collect();
    for text in both(format!("xboard\nprotover 2\nst 60\ngo\n{pings}?\n")) {
        assert_eq!(count(&text, "pong "), 64, "{text}");
        assert_eq!(text.matches("64 pings wait for the move").count(), 36, "{text}");
    }
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
        for text in both(format!("position {text}\nmoves\n{import}")) {
            assert!(!text.contains("error\":\""), "{text}");
            assert!(text.contains("\"coordinate\":\"d1b3\""), "{text}");
        }
    }
}
