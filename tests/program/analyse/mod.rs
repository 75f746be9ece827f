//! `soucie analyse`: its input, its reports and its errors.

mod journal;
mod long;
mod queries;
mod tables;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::{fs, thread};

use serde_json::Value;
use soucie::records::{HeaderField, RecordReader};

use crate::programs::waits::{wait_for_exit, wait_for_rest, wait_until};
use crate::programs::{self, Ran, run};

/// Twenty-six published games.
const GAMES: &str = "tests/data/loa/games.sgf";

/// The first five of them, in a file.
fn five_games(folder: &Path) -> PathBuf {
    let text = fs::read_to_string(GAMES).unwrap();
    let games: Vec<&str> = text.split_inclusive("(;").take(6).collect();
    let path = folder.join("five.sgf");
    fs::write(&path, games.concat().trim_end_matches("(;")).unwrap();
    path
}

/// A game of nine moves; the last but one loses.
const SHORT: &str = "startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";

const DRAUGHTS: &str = "[Event \"Club\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"1/2-1/2\"]\n\
    1. 11-15 22-18 2. 15x22 25x18 1/2-1/2\n";

const BOARD: &str = "8  - - - - - - - -\n7  - - B W - - - W\n6  - - - - - - - -\n5  - - - - - - - -\n\
    4  - - - - - - - -\n3  - - W - - - - -\n2  - - B B - - - -\n1  - - B - - - - -\n   a b c d e f g h\n";

fn soucie() -> Command {
    let mut command = programs::soucie();
    command.arg("analyse");
    command
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    programs::empty_folder(Path::new("analyse").join(name))
}

/// The file of a built-in network.
fn built_in_network(game: &str) -> PathBuf {
    let folder = programs::core().join("nnue/nets");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let is_network = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(game) && name.ends_with(".nnue")
    };
    files.into_iter().find(is_network).unwrap()
}

/// Analyses a file with this text.
fn analyse(name: &str, text: &str, arguments: &[&str]) -> Ran {
    let file = folder(name).join("input");
    fs::write(&file, text).unwrap();
    run(soucie().arg(file).args(arguments))
}

#[test]
fn game_report_has_a_row_per_move() {
    let output = analyse("table", SHORT, &["--nodes", "20000"]);
    assert!(output.succeeded());
    let text = output.out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Game 1: Black - White");
    let note = "Scores are Black's: + is good for Black, - for White; marks are for players of level medium.";
    assert_eq!(lines[1].trim(), note);
    let lines = &lines[1..];
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["move", "score", "better"]);
    assert!(lines[2].starts_with("  1.   d1-b3 "), "{text}");
    assert!(lines[10].starts_with("  5.   e1-e5 ") && lines[10].contains(" #1"), "{text}");
    assert_eq!(lines[11].trim(), "Black has won: all its stones are connected");
    // White's third move loses, against players who may miss the win: its row has a mark and a better line.
    assert!(lines[7].contains(" ? ") && lines[7].contains(" h7xe7 "), "{text}");
    // The score is Black's, also after a move of White.
    assert!(lines[9].contains(" #1"), "{text}");
    assert!(text.contains("      Black was winning for good after White's move "), "{text}");
    assert!(text.contains("      Black: 5 moves, ") && text.contains("      White: 4 moves, "));
}

#[test]
fn marks_are_for_the_players_of_the_chosen_level() {
    let of = |level: &str| {
        let option = format!("Chances={level}");
        let output = analyse(level, SHORT, &["--nodes", "20000", "--json", "--option", &option]);
        let moves = output.json()[0]["moves"].as_array().unwrap().clone();
        let losses = moves.iter().map(|review| review["loss"].as_f64().unwrap());
        (losses.sum::<f64>(), moves[0].get("chances").is_some())
    };
    let losses = ["beginner", "medium", "engine"].map(of);
    assert_eq!(losses.map(|(_, has_chances)| has_chances), [true, true, false]);
    assert!(losses[0].0 < losses[2].0, "{losses:?}");
    let usual = analyse("usual", SHORT, &["--nodes", "20000", "--json"]);
    let medium =
        analyse("given", SHORT, &["--nodes", "20000", "--json", "--option", "chances=medium"]);
    let without_file = |output: &Ran| output.json()[0]["moves"].clone();
    assert_eq!(without_file(&usual), without_file(&medium));
}

#[test]
fn a_draw_that_gives_away_a_win_is_named() {
    let moves = ";B[d1b3];W[h5g4];B[b1b4];W[g4g1];B[b4e7];W[a3c1];B[b3e6];W[h3f1]";
    let game = |result: &str| format!("(;FF[4]GM[9]SZ[8]RE[{result}]{moves})\n");
    let lost = "The draw gave away a proved win of Black.";
    let drawn = analyse("drawn", &game("Draw"), &["--nodes", "20000"]).out;
    assert!(drawn.contains(lost), "{drawn}");
    let won = analyse("won", &game("B+"), &["--nodes", "20000"]).out;
    assert!(!won.contains("The draw"), "{won}");
}

#[test]
fn every_input_format_is_read() {
    let dump = format!("===\n{}Next move: white\n===", BOARD.replace('B', "b").replace('W', "w"));
    let input = format!(
        "# positions\n8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b\nW:WK14,K15,K18:BK1,K6\n{BOARD}\n{dump}\n{SHORT}\n\
         startpos moves 11-15 22-18\n1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b\nstartpos moves\n"
    );
    let output = analyse("kinds", &input, &["--json", "--nodes", "2000"]);
    assert!(output.succeeded());
    let found = output.json();
    let kinds: Vec<_> = found
        .iter()
        .map(|object| {
            let kind = if object["game"].is_null() { "position" } else { "game" };
            (kind, object["variant"].as_str().unwrap(), object["line"].as_u64().unwrap())
        })
        .collect();
    let loa = "linesofaction";
    assert_eq!(
        kinds,
        [
            ("position", loa, 2),
            ("position", "englishdraughts", 3),
            ("position", loa, 4),
            ("position", loa, 14),
            ("game", loa, 26),
            ("game", "englishdraughts", 27),
            ("position", loa, 28),
            ("position", loa, 29),
        ]
    );
    assert_eq!(found[0]["lines"][0]["score"]["mate"], 2);
    assert_eq!(found[2]["lines"][0]["pv"][0], "c7c3");
    assert_eq!((&found[2]["side"], &found[3]["side"]), (&"black".into(), &"white".into()));
    assert_eq!(found[4]["moves"].as_array().unwrap().len(), 9);
    assert_eq!(found[4]["ending"], "Black has won: all its stones are connected");
}

#[test]
fn names_and_results_of_records_are_reported() {
    let output = analyse("names", DRAUGHTS, &["--json", "--nodes", "1000"]);
    let [game] = &output.json()[..] else { panic!("{output:?}") };
    for (key, value) in [("black", "A"), ("white", "B"), ("event", "Club"), ("result", "draw")] {
        assert_eq!(game[key], value);
    }
    assert_eq!(game["moves"][2]["move"], "e5c3");
    assert_eq!(game["play"]["black"]["moves"], 2);
    let output = run(soucie().args([GAMES, "--json", "--nodes", "200"]));
    let games = output.json();
    assert_eq!(games.len(), 26);
    assert_eq!((&games[0]["black"], &games[0]["result"]), (&"MIA II".into(), &"White won".into()));
    // The side that won on the board decided the game with its last move at the latest.
    for game in &games {
        let Some((winner, _)) = game["ending"].as_str().and_then(|end| end.split_once(" has won"))
        else {
            continue;
        };
        assert_eq!(game["decided"]["winner"], winner.to_lowercase(), "{game}");
        assert_eq!(game["result"], format!("{winner} won"));
    }
}

#[test]
fn unsupported_file_gets_one_error() {
    let chess =
        "[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"y\"]\n\n1. d4 d5 0-1\n".repeat(40);
    let prose = "It was a dark and stormy night.\n".repeat(200);
    let rows: [(&[u8], &str); 7] = [
        (chess.as_bytes(), "expected a move, found 'e4'; "),
        (
            prose.as_bytes(),
            "expected a game or a position, found 'It was a dark and stormy night.'; ",
        ),
        (b"\x89PNG\r\n\x1a\nrest\n\n\n", "this is a PNG picture; "),
        (b"<!DOCTYPE html>\n<p>x</p>\n", "this is an HTML page; "),
        (b"{\\rtf1\\ansi {\\b 1.} 11-15}", "this is RTF, the format of a word processor: "),
        (b"ab\0cd\nef\n", "this is binary data; "),
        (b"(;GM[1]SZ[19];B[aa])\n(;GM[1];B[bb])", "expected Lines of Action, GM 9, found GM 1; "),
    ];
    for (text, error) in rows {
        let file = folder("other-kind").join("input");
        fs::write(&file, text).unwrap();
        let output = run(soucie().arg(&file).args(["--json", "--nodes", "100"]));
        assert_eq!(output.code, Some(1));
        let found = output.json();
        let [failure] = &found[..] else { panic!("{error}: {found:?}") };
        let message = failure["error"].as_str().unwrap();
        assert!(
            message.starts_with(error)
                && message.contains("supported formats: Lines of Action in SGF"),
            "{message}"
        );
    }
    // In a file with readable input, each error is reported separately.
    let mixed = "nonsense\nmore of it\nB:W21-32:B1-12\nnonsense\n";
    let found = analyse("mixed-kinds", mixed, &["--json", "--nodes", "100"]).json();
    assert_eq!(found.len(), 4, "{found:?}");
}

/// The rules in a record count, unless an option names other ones.
#[test]
fn a_record_is_analysed_under_its_rules() {
    let named = "[Rules \"Captures: optional\"]\n1. 11-15 22-18 2. 8-11 *\n";
    let (plain, list) = ("1. 11-15 22-18 2. 8-11 *\n", "startpos moves 11-15 22-18 8-11\n");
    let [optional, compulsory] = ["Captures=optional", "Captures=compulsory"];
    // Also the rules of the annotated record.
    let table: [(&str, &[&str], bool, bool); 6] = [
        (named, &[], true, true),
        (named, &["--option", "Repetition Draw=5"], true, true),
        (named, &["--option", compulsory], false, true),
        (plain, &[], false, false),
        (plain, &["--option", optional], true, true),
        (list, &["--option", optional], true, true),
    ];
    for (text, options, is_legal, has_rules) in table {
        let out = folder("rules-of-a-record-out").join("out.pdn");
        let arguments = ["--json", "--nodes", "100", "--annotate", out.to_str().unwrap()];
        let arguments = [&["--variant", "draughts"], &arguments[..], options].concat();
        let found = analyse("rules-of-a-record", text, &arguments).json();
        assert_eq!(found[0]["error"].is_null(), is_legal, "{text} {options:?}: {found:?}");
        let annotated = fs::read_to_string(&out).unwrap();
        let header = "[Rules \"Captures: optional\"]";
        assert_eq!(annotated.contains(header), has_rules, "{text} {options:?}: {annotated}");
    }
    let unread = "[Rules \"American\"]\n1. 11-15 *\n";
    let fault = "Rules: expected NAME: VALUE, found 'American'; no rules are read";
    let found = analyse("unread-rules", unread, &["--json", "--nodes", "100"]).json();
    assert_eq!(found[0]["rules_error"], fault);
    let printed = analyse("unread-rules-text", unread, &["--nodes", "100"]).out;
    assert!(printed.contains(&format!("      {fault}; --option sets them.\n")), "{printed}");
}

#[test]
fn variant_option_selects_the_game() {
    let list = "1. d1-b3 h4-f2 2. d8-b6\n";
    let found = analyse("variant-option", list, &["--json", "--nodes", "100"]).json();
    assert_eq!(
        (&found[0]["variant"], &found[0]["moves"][2]["move"]),
        (&"linesofaction".into(), &"d8b6".into())
    );
    let arguments = ["--variant", "draughts", "--json", "--nodes", "100"];
    let found = analyse("variant-option", "1. a1-b2 c3-d4\n", &arguments).json();
    assert_eq!(found[0]["variant"], "englishdraughts");
    assert_eq!(found[0].get("variant_assumed"), None);
    for text in [list, "(;GM[9];B[b8-b6])"] {
        let found = analyse("variant-option", text, &arguments).json();
        let error = "expected a game of englishdraughts (--variant), found linesofaction";
        assert_eq!((found.len(), &found[0]["error"]), (1, &error.into()));
    }
    let guessed = analyse("variant-option", "1. a1-b2 c3-d4\n", &["--nodes", "100"]);
    assert!(
        guessed.out.contains("Assumed variant: linesofaction; --variant overrides it."),
        "{guessed:?}"
    );
}

#[test]
fn multipv_lines_are_reported() {
    let output =
        analyse("lines", "B:W21-32:B1-12\n", &["--json", "--multipv", "3", "--depth", "5"]);
    let lines = output.json()[0]["lines"].as_array().unwrap().clone();
    assert_eq!(lines.len(), 3);
    for line in &lines {
        let wdl: Vec<u64> =
            line["wdl"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
        assert_eq!(wdl.iter().sum::<u64>(), 1000);
    }
    let output = analyse("lines", "B:W21-32:B1-12\n", &["--depth", "5"]);
    assert!(output.out.contains("depth 5, score "), "{}", output.out);
}

#[test]
fn errors_do_not_stop_the_analysis() {
    let input =
        format!("8/8 b\n{SHORT} a1a2\nW:W1:B2\nstartpos moves b8b6 b8b6\n8/8/3l4/8/8/3L4/8/8 b\n");
    let output = analyse("wrong", &input, &["--json", "--nodes", "500"]);
    assert_eq!(output.code, Some(1));
    let found = output.json();
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["error"], "setup: expected 8 ranks, found 2");
    assert!(found[1]["error"].as_str().unwrap().contains("the game is over"), "{}", found[1]);
    assert_eq!(found[1]["moves"].as_array().unwrap().len(), 9);
    assert!(found[2]["error"].as_str().unwrap().contains("on its crowning rank"));
    assert!(found[3]["error"].as_str().unwrap().contains("no White stone on b8"));
    assert_eq!(found[4]["position"], 5);

    let records = "(;GM[9];B[b8-b6];W[a1-a2])(;GM[1];B[aa])(;GM[9];B[c1-c3])";
    let found = analyse("wrong", records, &["--json", "--nodes", "500"]).json();
    assert!(found[0]["error"].as_str().unwrap().starts_with("line 1, column 20: illegal move a1"));
    assert_eq!(found[1]["column"], 32);
    assert_eq!(found[1]["error"], "expected Lines of Action, GM 9, found GM 1");
    assert_eq!(found[2]["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn invalid_arguments_are_reported_before_any_output() {
    let table: [(&[&str], &str); 7] = [
        (&["no-such-file"], "no-such-file: "),
        (&[GAMES, "--option", "Sugar=2"], "unknown option 'Sugar'"),
        (
            &[GAMES, "--option", "Hash=2"],
            "option 'Hash' has no effect here: expected a rule or Solve",
        ),
        (&[GAMES, "--annotate", "no-such-folder/x"], "no-such-folder/x: "),
        (&[GAMES, "--html", "."], ".: is a directory"),
        (&[GAMES, "--annotate", "-"], "-: expected a file, not standard output"),
        (&[GAMES, "--resume", "no-such-folder/x"], "no-such-folder/x: "),
    ];
    for (arguments, wanted) in table {
        let output = run(soucie().args(arguments));
        assert!(!output.succeeded() && output.out.is_empty(), "{arguments:?}");
        assert!(output.err.starts_with(&format!("soucie: {wanted}")), "{}", output.err);
    }
    for option in ["--jobs", "--nodes", "--depth", "--movetime", "--variant"] {
        let output = run(soucie().args([GAMES, option, "0"]));
        assert_eq!(output.code, Some(2), "{option}");
        assert!(output.err.starts_with(&format!("error: invalid value '0' for '{option} ")));
        let output = run(soucie().args([GAMES, option, "-1"]));
        assert!(output.err.starts_with(&format!("error: invalid value '-1' for '{option} ")));
    }
}

#[test]
fn files_given_twice_are_refused() {
    let folder = folder("twice");
    fs::write(folder.join("games"), SHORT).unwrap();
    let table: [(&[&str], &str, &str); 7] = [
        (&["--html", "games"], "games", "games"),
        (&["--annotate", "./games"], "./games", "games"),
        (&["--resume", "../twice/games"], "../twice/games", "games"),
        (&["--annotate", "a", "--html", "a"], "a", "a"),
        (&["--annotate", "a", "--html", "./a"], "./a", "a"),
        (&["--problems", "a", "--html", "a"], "a", "a"),
        (&["--html", "a", "--resume", "../twice/a"], "../twice/a", "a"),
    ];
    for (arguments, name, other) in table {
        let output = run(soucie().current_dir(&folder).arg("games").args(arguments));
        let wanted = if name == other {
            format!("soucie: {name} is given twice: each option needs its own file\n")
        } else {
            format!("soucie: {name} is the same file as {other}: each option needs its own\n")
        };
        assert_eq!((output.err, output.code), (wanted, Some(1)), "{arguments:?}");
        assert_eq!(fs::read_to_string(folder.join("games")).unwrap(), SHORT);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}

#[test]
fn output_to_an_input_file_is_refused() {
    let folder = folder("streams");
    fs::write(folder.join("games"), SHORT).unwrap();
    let open = |name: &str| fs::File::open(folder.join(name)).unwrap();
    let append = || fs::File::options().append(true).open(folder.join("games")).unwrap();
    let error_of = |command: &mut Command| {
        let output = run(command.current_dir(&folder));
        assert_eq!(output.code, Some(1), "{output:?}");
        assert_eq!(fs::read_to_string(folder.join("games")).unwrap(), SHORT);
        output.err
    };
    let wanted = "soucie: games and standard input are the same file: write to another file\n";
    for option in ["--html", "--annotate", "--problems", "--resume"] {
        let error = error_of(soucie().args(["-", option, "games"]).stdin(open("games")));
        assert_eq!(error, wanted, "{option}");
    }
    let wanted = "soucie: standard output and games are the same file: write to another file\n";
    assert_eq!(error_of(soucie().arg("games").stdout(append())), wanted);
    let wanted = wanted.replace("games", "standard input");
    assert_eq!(error_of(soucie().arg("-").stdin(open("games")).stdout(append())), wanted);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games", folder.join("link")).unwrap();
        let error = error_of(soucie().args(["-", "--html", "link"]).stdin(open("games")));
        assert!(error.starts_with("soucie: link and standard input are the same file"), "{error}");
    }
    // Another file is accepted as output, also when standard input is a file.
    let mut command = soucie();
    command.current_dir(&folder).args(["-", "--nodes", "100", "--html", "page"]);
    assert!(run(command.stdin(open("games"))).succeeded());
    let network = ["--option", "EvalFile=net", "--html", "net"];
    fs::write(folder.join("net"), "a network").unwrap();
    let error = error_of(soucie().arg("games").args(network));
    assert_eq!(error, "soucie: net is given twice: each option needs its own file\n");
}

#[test]
fn records_cannot_control_the_terminal() {
    let record = "[Event \"\u{1b}]0;title\u{7}\"]\n[Black \"A\u{1b}[31m\u{202e}\"]\n[White \"B\u{9b}2J\"]\n\
        [Result \"*\"]\n1. 11-15 22-18 *\n";
    let output = analyse("terminal", record, &["--nodes", "100"]);
    let shown = output.out + &output.err;
    assert!(
        shown.starts_with("Game 1: A\u{fffd}[31m\u{fffd} (Black) - B\u{fffd}2J (White), "),
        "{shown}"
    );
    let is_unsafe = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!shown.contains(is_unsafe), "{shown:?}");
    let output = run(soucie().arg("no\u{1b}[2Jfile"));
    assert!(output.err.starts_with("soucie: no\u{fffd}[2Jfile: "));
}

/// A page replaces a regular file when it is complete, but a pipe is written directly.
#[test]
#[cfg(unix)]
fn page_is_written_to_a_pipe() {
    let pipe = folder("pipe").join("page");
    programs::make_pipe(&pipe);
    let path = pipe.clone();
    let reader = thread::spawn(move || fs::read_to_string(path).unwrap());
    let options = ["--nodes", "100", "--html", pipe.to_str().unwrap()];
    assert!(analyse("into-pipe", SHORT, &options).succeeded());
    let page = reader.join().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(fs::read_dir(pipe.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn files_without_games_are_reported() {
    let folder = folder("nothing");
    let texts = [
        ("empty", ""),
        ("blank", "\n# none\n"),
        ("open", &"(".repeat(100_000)),
        ("some", "8/8 b\n8/8/3l4/8/8/3L4/8/8 b\n"),
        ("unreadable", "\u{1}\u{2}\u{0}\u{3}"),
        ("half", "(;GM[9];B[b8-b6])(;GM[9];B[zz])"),
        ("old", "older"),
    ];
    for (name, text) in texts {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = |names: &[&str]| {
        let mut command = soucie();
        command.current_dir(&folder).args(names).args(["--json", "--nodes", "100"]);
        run(&mut command)
    };
    let none = |name: &str| format!("soucie: no game or position in {name}\n");
    for name in ["empty", "blank"] {
        let output = run(&[name, "--html", "old"]);
        assert_eq!((output.code, output.err), (Some(1), none(name)));
        assert!(output.out.is_empty());
        assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "older");
    }
    for (name, option) in
        [("unreadable", "--html"), ("unreadable", "--annotate"), ("open", "--annotate")]
    {
        let output = run(&[name, option, "old"]);
        assert_eq!((output.code, output.json().len()), (Some(1), 1), "{name}");
        assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "older");
    }
    let output = run(&["some", "--annotate", "old"]);
    assert_eq!(output.err, "soucie: old: not written: no game to annotate\n");
    assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "older");
    let output = run(&["half", "--annotate", "old"]);
    let left_out = "soucie: old: 1 entry is left out: unreadable or not ";
    assert!(output.err.starts_with(left_out), "{}", output.err);
    assert!(fs::read_to_string(folder.join("old")).unwrap().contains(";B[b8-b6]"));
    // With another file it is no failure, and gets no number.
    let output = run(&["empty", "some"]);
    assert_eq!(output.err, none("empty"));
    assert_eq!(output.json()[1]["position"], 2);
    fs::write(folder.join("some"), SHORT).unwrap();
    assert!(run(&["empty", "some"]).succeeded());
}

#[test]
fn reports_name_their_file() {
    let folder = folder("files");
    for (name, text) in [("a", "8/8 b\n"), ("b", SHORT)] {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut command = soucie();
    command.current_dir(&folder).args(["a", "b", "--json", "--nodes", "100"]);
    let found = run(&mut command).json();
    assert_eq!((&found[0]["file"], &found[1]["file"]), (&"a".into(), &"b".into()));
    command.args(["--html", "page.html"]);
    run(&mut command);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("A, line 1: setup: "), "{page}");
}

#[test]
fn output_does_not_depend_on_the_number_of_jobs() {
    let games = five_games(&folder("jobs"));
    let output_with = |jobs| {
        let arguments = ["--json", "--nodes", "1000", "--jobs", jobs];
        run(soucie().arg(&games).args(arguments)).out
    };
    let single = output_with("1");
    assert_eq!(single.lines().count(), 5);
    assert_eq!(output_with("3"), single);
}

#[test]
fn annotated_record_has_the_marks_of_the_report() {
    let folder_of_games = folder("annotated");
    let (target, games) = (folder_of_games.join("out.sgf"), five_games(&folder_of_games));
    let limits = ["--nodes", "2000", "--option", "Chances=engine", "--annotate"];
    let reports = run(soucie().arg("--json").arg(&games).args(limits).arg(&target)).json();
    let annotated = fs::read(&target).unwrap();
    let (mut marks, mut better) = (0, 0);
    let records: Vec<_> = RecordReader::new(&*annotated).map(Result::unwrap).collect();
    let originals: Vec<_> =
        RecordReader::new(&*fs::read(games).unwrap()).map(Result::unwrap).collect();
    assert_eq!((records.len(), originals.len()), (5, 5));
    for ((record, original), game) in records.iter().zip(&originals).zip(&reports) {
        assert!(record.moves().eq(original.moves()));
        let annotator = format!("{}, 2000 nodes a search", soucie::engine::NAME);
        assert_eq!(record.info(HeaderField::Annotator), Some(annotator));
        assert!(record.to_string().contains("AP[Soucie:"), "{record}");
        for (i, review) in game["moves"].as_array().unwrap().iter().enumerate() {
            let glyph = match review["mark"].as_str() {
                Some("?") => vec![2],
                Some("??") => vec![4],
                _ => vec![],
            };
            assert_eq!(record.glyphs(i + 1), glyph, "{review}");
            assert!(!record.comment(i + 1).is_empty());
            marks += glyph.len();
            better += record.variations(i + 1).len();
        }
    }
    assert!(marks > 5 && better >= marks, "{marks} {better}");
    // The file does not change if its games are annotated again, with `--json` or without.
    let again = folder("annotated-again").join("out.sgf");
    assert!(run(soucie().arg(&target).args(limits).arg(&again)).succeeded());
    assert!(fs::read(&again).unwrap() == annotated);
    // A list of moves becomes a record.
    let target = folder("annotated").join("out.pdn");
    let moves = "startpos moves 11-15 22-18 15x22 25x18";
    let file = folder("moves").join("input");
    fs::write(&file, moves).unwrap();
    let annotate = |inputs: &[&PathBuf], target: &Path| {
        let limit = ["--nodes", "100", "--annotate"];
        run(soucie().args(inputs).args(limit).arg(target))
    };
    assert!(annotate(&[&file], &target).succeeded());
    let record = fs::read_to_string(&target).unwrap();
    assert!(record.contains("11-15") && record.contains("15x22"), "{record}");
    assert!(
        record.contains(", 100 nodes a search, chances of players of level medium\"]"),
        "{record}"
    );
    // So does a game by other rules.
    fs::write(&file, "startpos moves 11-15 22-18 8-11").unwrap();
    let optional = ["--variant", "draughts", "--option", "Captures=optional", "--nodes", "100"];
    let optional = run(soucie().arg(&file).args(optional).arg("--annotate").arg(&target));
    assert!(optional.succeeded());
    assert!(fs::read_to_string(&target).unwrap().contains("2. 8-11"));
    fs::write(&file, moves).unwrap();
    assert!(annotate(&[&file], &target).succeeded());
    // A file has one format.
    let both = folder("both").join("out");
    let output = annotate(&[&file, &again], &both);
    assert!(
        output.err.ends_with("5 entries are left out: unreadable or not PDN, as the first one\n")
    );
    assert_eq!(fs::read_to_string(&both).unwrap(), record);
}

#[test]
fn output_may_be_closed_early() {
    let mut command = soucie();
    command.args([GAMES, "--nodes", "100"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Game 1: MIA II (Black) - YL (White), 6th Computer Olympiad 2001, "));
    let output = Ran::from(child.wait_with_output().unwrap());
    assert!(output.code == Some(1) && output.err.is_empty(), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn more_jobs_than_the_system_has_threads_for_are_refused() {
    let arguments = ["analyse", GAMES, "--nodes", "50", "--jobs", "1024"];
    let Ran { code, err: error, .. } = programs::run_with_few_threads(&arguments);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.starts_with("soucie: cannot start 1024 threads: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// Options that no game of the input can use are named, and only these.
#[test]
fn options_without_a_game_are_named() {
    let (loa, draughts) = (format!("{SHORT}\n"), "startpos moves 11-15 22-18\n".to_string());
    let both = loa.clone() + &draughts;
    let network = |game| format!("EvalFile={}", built_in_network(game).display());
    let (of_loa, of_draughts) = (network("linesofaction"), network("englishdraughts"));
    let tables = format!("TablePath={}", programs::tables().display());
    for (text, option, is_used) in [
        (&loa, "Move Limit=50", true),
        (&draughts, "Move Limit=50", false),
        (&both, "Move Limit=50", true),
        (&loa, "captures=optional", false),
        (&draughts, "captures=optional", true),
        (&loa, "Repetition Draw=3", true),
        (&draughts, "Repetition Draw=3", true),
        (&loa, &of_loa, true),
        (&loa, &of_draughts, false),
        (&draughts, &of_loa, false),
        (&both, &of_draughts, true),
        (&loa, &tables, false),
        (&draughts, &tables, true),
        (&loa, "Evaluation=handcrafted", true),
    ] {
        let output = analyse("unused", text, &["--nodes", "10", "--option", option]);
        assert!(output.succeeded(), "{}", output.err);
        let (name, _) = option.split_once('=').unwrap();
        let name = if name == "captures" { "Captures" } else { name };
        let note = format!("soucie: no game of the input could use --option {name}\n");
        assert_eq!(output.err, if is_used { String::new() } else { note }, "{option}");
    }
    for (command, options, names) in [
        ("prove", &["Captures=optional", "Move Limit=0"][..], "Captures"),
        ("prove", &["Move Limit=0"], ""),
        ("problem check", &["Captures=optional", "Draw Move Count=0"], "Captures, Draw Move Count"),
        ("analyse", &["Draw Move Count=9", "Captures=optional"], "Captures, Draw Move Count"),
    ] {
        let mut given = programs::soucie();
        given.args(command.split(' ')).args(["--nodes", "10"]);
        let won = "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b";
        let file = folder("unused-options").join("input");
        fs::write(&file, won).unwrap();
        let file = file.to_str().unwrap();
        given.args(if command == "analyse" { vec![file] } else { vec!["--fen", won] });
        for option in options {
            given.args(["--option", option]);
        }
        let output = run(&mut given);
        let note = format!("soucie: no game of the input could use --option {names}\n");
        let note = if names.is_empty() { String::new() } else { note };
        assert_eq!(output.err, note, "{command} {options:?}");
    }
}

#[test]
fn names_of_commands_and_games_have_aliases() {
    let output = run(programs::soucie().args(["analyze", GAMES, "--nodes", "1"]));
    assert!(output.succeeded() && output.out.starts_with("Game 1: "), "{output:?}");
    for command in [
        &["analyze", GAMES][..],
        &["prove"],
        &["problem", "check", GAMES],
        &["perft", "1"],
        &["play"],
        &["console"],
        &["rules"],
    ] {
        let error = run(programs::soucie().args(command).args(["--variant", "chess"])).err;
        let names = "expected one of linesofaction, scrambledeggs, englishdraughts, or an alias: loa, \
                     draughts, checkers, english\n";
        assert!(error.contains(names), "{command:?}: {error}");
    }
}
