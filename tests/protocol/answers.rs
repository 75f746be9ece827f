//! Replies of the library to commands.

use soucie::protocol::UciLoop;

use crate::dialogue::{Dialogue, run_loop, run_uci};
use crate::{count, last, number_after};

#[test]
fn uci_prints_the_name_and_the_options() {
    let text = run_uci("uci\n");
    assert!(text.starts_with(&format!("id name Soucie {}\nid author", env!("CARGO_PKG_VERSION"))));
    for option in [
        "option name UCI_Variant type combo default linesofaction var linesofaction var scrambledeggs var englishdraughts",
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name Ponder type check default false",
        "option name Simultaneous Connection type combo default mover var mover var draw",
        "option name No Legal Move type combo default pass var pass var loss var draw",
        "option name Repetition Draw type spin default 3 min 0 max 9",
        "option name Opponent Connection type combo default wins var wins var ignored",
        "option name Repetition Side type combo default same var same var either",
        "option name No Capture Draw type spin default 0 min 0 max 100",
        "option name Move Limit type spin default 0 min 0 max 10000",
        "option name Move Format type combo default coordinate var coordinate var standard",
        "option name Draw Move Count type spin default 40 min 0 max 1000",
    ] {
        assert_eq!(count(&text, option), 1, "{option}");
    }
    assert_eq!(last(&text), "uciok");
    assert_eq!(run_uci("uci\nuci\n"), text.repeat(2));
}

#[test]
fn commands_print_their_replies_and_errors() {
    let table = [
        ("isready\n", "readyok\n"),
        ("\n  \t\r\n", ""),
        ("  isready\t \r\n", "readyok\n"),
        ("isready", "readyok\n"),
        (
            "setoption name Hash value 1\nsetoption name Clear Hash\nucinewgame\nisready\n",
            "readyok\n",
        ),
        ("hello\n", "info string error unknown command 'hello'; 'help' lists the commands\n"),
        ("setoption\n", "info string error setoption: expected 'name NAME value VALUE'\n"),
        ("setoption name Hash value\n", "info string error option 'Hash': expected a value\n"),
        (
            "position\n",
            "info string error position: expected 'startpos', 'fen SETUP' or 'diagram LINES'\n",
        ),
        ("position fen\n", "info string error position fen: expected a setup\n"),
        ("go depth\n", "info string error go depth: expected a whole number\nbestmove (none)\n"),
        (
            "go ponder wtime\n",
            "info string error go wtime: expected a whole number\nbestmove (none)\n",
        ),
        (
            "go movetime soon\n",
            "info string error go movetime: expected a whole number, found 'soon'\nbestmove (none)\n",
        ),
        (
            "position startpos moves d1b3 a1a2\n",
            "info string error illegal move a1a2 in 1llllll1/L6L/L6L/L6L/L6L/Ll5L/L6L/1ll1lll1 w - - 0 1: \
             no White stone on a1\n",
        ),
        ("position fen 8/8/8 b\n", "info string error setup: expected 8 ranks, found 3\n"),
        (
            "go searchmoves a1a2 depth 3\n",
            "info string error illegal move a1a2 in 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1: \
             no Black stone on a1\nbestmove (none)\n",
        ),
    ];
    for (input, output) in table {
        assert_eq!(run_uci(input), output, "{input}");
    }
}

#[test]
fn invalid_perft_prints_no_bestmove() {
    let table = [
        ("go perft\n", "go perft: expected a whole number"),
        ("go perft deep\n", "go perft: expected a whole number, found 'deep'"),
        ("go depth x perft 3\n", "go depth: expected a whole number, found 'x'"),
    ];
    for (input, error) in table {
        assert_eq!(run_uci(input), format!("info string error {error}\n"), "{input}");
    }
}

#[test]
fn every_malformed_go_has_one_answer() {
    let numbers = [
        "depth",
        "nodes",
        "mate",
        "movetime",
        "btime",
        "wtime",
        "binc",
        "winc",
        "movestogo",
        "p1time",
        "p2time",
        "p1inc",
        "p2inc",
    ];
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
    for word in numbers {
        for value in wrong {
            for before in ["", "infinite ", "ponder ", "depth 1 ", "x ", "searchmoves d1b3 "] {
                let go = format!("go {before}{word} {value}");
                let text = run_uci(format!("{go}\n"));
                assert!(text.starts_with("info string error go "), "{go}: {text}");
                assert_eq!((text.lines().count(), last(&text)), (2, "bestmove (none)"), "{go}");
            }
        }
        // The last word is in the place of a command again.
        let text = run_uci(format!("go {word} x perft 1\n"));
        assert_eq!(count(&text, "bestmove"), 0, "{word}: {text}");
    }
}

#[test]
fn go_mate_beyond_the_limit_is_reduced_to_the_limit() {
    for (mate, notices) in [(63, 0), (64, 1), (1_000, 1), (99_999_999_999_u64, 1)] {
        let text = run_uci(format!("go mate {mate} nodes 100\n"));
        assert_eq!(count(&text, "info string mate "), notices, "{text}");
        let end = text.lines().rev().nth(1);
        assert_eq!(end, Some("info string no win in 63 moves was found"), "{text}");
    }
    let text = run_uci("go mate 64 nodes 1\n");
    let notice = "info string mate 64 is beyond the limit: looking for a win in 63 moves\n";
    assert!(text.starts_with(notice), "{text}");
}

#[test]
fn help_lists_the_commands_of_the_specification() {
    let help = run_uci("help\n");
    let text = include_str!("../../protocol.md");
    let table = text.split("\n## Commands\n").nth(1).unwrap().split("\n#").next().unwrap();
    let rows: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    assert!(rows.len() > 15, "{table}");
    for row in rows {
        let command = row.split(['`', '[']).next().unwrap().trim();
        assert!(count(&help, command) > 0, "no '{command}' in {help}");
    }
    assert!(help.contains("protocol.md") && help.lines().all(|line| line.len() < 100), "{help}");
}

/// The legal moves at the start, in alphabetical order.
const MOVES: &str = "b1b3 b1d3 b1h1 b8b6 b8d6 b8h8 c1a3 c1c3 c1e3 c8a6 c8c6 c8e6 d1b3 d1d3 d1f3 d8b6 d8d6 d8f6 \
    e1c3 e1e3 e1g3 e8c6 e8e6 e8g6 f1d3 f1f3 f1h3 f8d6 f8f6 f8h6 g1a1 g1e3 g1g3 g8a8 g8e6 g8g6";

#[test]
fn moves_lists_the_legal_moves() {
    for word in ["moves", "legalmoves"] {
        let text = run_uci(format!("{word}\n"));
        let mut words: Vec<_> = text.split_whitespace().collect();
        assert_eq!(words.remove(0), word);
        words.sort_unstable();
        assert_eq!(words.join(" "), MOVES);
        assert_eq!(text.lines().count(), 1);
    }
}

#[test]
fn d_prints_the_position() {
    let board = "8  - B B B B B B -\n7  W - - - - - - W\n6  W - - - - - - W\n5  W - - - - - - W\n\
        4  W - - - - - - W\n3  W - - - - - - W\n2  W - - - - - - W\n1  - B B B B B B -\n   a b c d e f g h\n";
    let text = run_uci("d\n");
    assert!(text.starts_with(board), "{text}");
    assert!(text.contains("\nFen: 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1\nKey: "));
    assert!(text.ends_with("\nLegal moves: 36\n"));
    let diagram = board.replace('\n', " / ");
    assert_eq!(run_uci(format!("position diagram {diagram}\nd\n")), text);
}

#[test]
fn draughts_positions_moves_and_errors_are_supported() {
    const DRAUGHTS: &str = "setoption name UCI_Variant value English Draughts\n";
    let sorted = |text: String| {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_string).collect();
        words.sort_unstable();
        words.join(" ")
    };
    assert_eq!(
        sorted(run_uci(format!("{DRAUGHTS}moves\n"))),
        "b6a5 b6c5 d6c5 d6e5 f6e5 f6g5 h6g5 moves"
    );
    let standard = format!("{DRAUGHTS}setoption name Move Format value standard\n");
    let text = run_uci(format!("{standard}position startpos moves b6a5 21-17 5-9\nmoves\nd\n"));
    assert!(
        text.contains(
            "\nFen: W:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,12,13\n"
        ),
        "{text}"
    );
    assert_eq!(
        sorted(text.lines().next().unwrap_or_default().to_string()),
        "17-14 22-18 23-18 23-19 24-19 24-20 25-21 moves"
    );
    let text = run_uci(format!("{standard}position fen W:WK14,K15,K18:BK1,K6\ngo nodes 300000\n"));
    let line = text.lines().rev().find(|line| line.contains(" pv ")).unwrap_or_default();
    assert!(line.contains(" mate ") || number_after(line, "cp") > 50, "{text}");
    assert!(last(&text).contains('-'), "{text}");
    let table = [
        (
            "position fen B:W21:B33",
            "setup: expected a square from 1 to 32 or a range such as 1-12, found '33'",
        ),
        ("position fen B:W1:B2", "setup: White man on its crowning rank: b8 (square 1)"),
        ("position fen B:W14:B14", "setup: two pieces on square 14"),
    ];
    for (line, message) in table {
        assert_eq!(
            run_uci(format!("{DRAUGHTS}{line}\n")),
            format!("info string error {message}\n")
        );
    }
}

/// GUIs for chess variants read the board size and the start position from this line. Draughts has
/// none.
#[test]
fn setting_the_variant_prints_its_start_position() {
    let board = "files 8 ranks 8 pocket 0 template fairy startpos";
    for (value, start) in [
        ("linesofaction", "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1"),
        ("scrambledeggs", "1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1"),
    ] {
        assert_eq!(
            run_uci(format!("setoption name UCI_Variant value {value}\n")),
            format!("info string variant {value} {board} {start}\n")
        );
    }
    assert_eq!(run_uci("setoption name UCI_Variant value englishdraughts\n"), "");
    // Setting the current variant also resets the position.
    let text = run_uci("position startpos moves d1b3\nsetoption name UCI_Variant value loa\nd\n");
    assert_eq!(count(&text, "Fen: 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b"), 1, "{text}");
    assert_eq!(
        count(&run_uci("setoption name UCI_Variant value chess\n"), "info string variant"),
        0
    );
}

/// `go` writes moves in the selected format; `position` reads both formats.
#[test]
fn the_move_format_applies_to_lines_of_action() {
    let text = run_uci(
        "setoption name Move Format value standard\nposition startpos moves d1b3 h4-f2\ngo depth 2\n",
    );
    assert!(
        last(&text).split_whitespace().nth(1).is_some_and(|mv| mv.contains(['-', 'x'])),
        "{text}"
    );
}

#[test]
fn finished_games_are_reported_and_not_searched() {
    let table = [
        // The side to move has lost.
        (
            "position startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5",
            "mate 0",
            "Black has won: all its stones are connected",
        ),
        // The other side's move has connected the side to move.
        (
            "position fen 8/8/8/8/3l4/3l4/8/L6L b",
            "mate 1",
            "Black has won: all its stones are connected",
        ),
    ];
    for (position, score, reason) in table {
        let text = run_uci(format!("{position}\nd\nmoves\ngo movetime 1000\n"));
        assert!(text.contains(&format!("Legal moves: 0\nGame over: {reason}\nmoves\n")), "{text}");
        assert!(
            text.ends_with(&format!("moves\ninfo depth 0 score {score}\nbestmove (none)\n")),
            "{text}"
        );
    }
    let shuffle = "b1b3 a2c2 b3b1 c2a2 ".repeat(2);
    let text = run_uci(format!("position startpos moves {shuffle}\nd\ngo depth 5\n"));
    assert!(text.contains("Game over: drawn: repetition\n"), "{text}");
    assert!(text.ends_with("info depth 0 score cp 0\nbestmove (none)\n"), "{text}");
    let text = run_uci(format!(
        "setoption name Repetition Draw value 0\nposition startpos moves {shuffle}\ngo depth 1\n"
    ));
    assert!(!last(&text).contains("none"), "{text}");
}

#[test]
fn go_finds_a_win_in_one() {
    let diagram = "8  - - - - - - - - / 7  - - B W - - - W / 6  - - - - - - - - / 5  - - - - - - - - / \
        4  - - - - - - - - / 3  - - W - - - - - / 2  - - B B - - - - / 1  - - B - - - - - / a b c d e f g h";
    let text = run_uci(format!("position diagram {diagram}\ngo movetime 1000\n"));
    assert!(text.contains("score mate 1 "), "{text}");
    assert_eq!(last(&text), "bestmove c7c3");
}

#[test]
fn a_forced_pass_is_a_move() {
    let position = "position fen 6ox/6oo/8/8/8/8/oo6/xo6 b";
    assert_eq!(run_uci(format!("{position}\nmoves\n")), "moves 0000\n");
    assert!(last(&run_uci(format!("{position}\ngo depth 4\n"))).starts_with("bestmove 0000"));
    for (value, score) in [("loss", "mate 0"), ("draw", "cp 0")] {
        let text = run_uci(format!(
            "setoption name No Legal Move value {value}\n{position}\ngo depth 4\n"
        ));
        assert_eq!(text, format!("info depth 0 score {score}\nbestmove (none)\n"));
    }
}

#[test]
fn searchmoves_restricts_the_search() {
    let text = run_uci("go depth 5 searchmoves b1h1 g8a8\n");
    let best = last(&text).split_whitespace().nth(1).unwrap();
    assert!(["b1h1", "g8a8"].contains(&best), "{text}");
}

#[test]
fn perft_prints_a_count_for_each_move() {
    let text = run_uci("go perft 2\n");
    assert_eq!(text.lines().count(), 37);
    assert!(text.contains("\nc1c3: "));
    assert_eq!(last(&text), "Nodes searched: 1244");
    // Counts are split by the first move, so the minimum depth is 1.
    for depth in ["0", "-1"] {
        assert_eq!(last(&run_uci(format!("go perft {depth}\n"))), "Nodes searched: 36");
    }
    for mut engine in Dialogue::both() {
        engine.send("go perft 30");
        engine.send("stop");
        let lines = engine.read_until("Nodes searched");
        assert_eq!(lines.last().unwrap(), "Nodes searched: unknown (stopped)");
        engine.send("bench 100");
        engine.send("stop");
        engine.read_until("unknown nodes (stopped)");
    }
    assert_eq!(
        run_uci("bench deep\n"),
        "info string error bench depth: expected a whole number, found 'deep'\n"
    );
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let text = run_uci("bench 4\n");
    let words: Vec<_> = last(&text).split_whitespace().collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{text}");
    assert_eq!(
        run_uci("bench 4\n").split(" nps").next().map(|t| t.lines().count()),
        Some(text.lines().count())
    );
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
