//! `soucie analyse`: what it reads, what it says, and that nothing of it is lost.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use soucie::records::Reader;

/// Twenty-six published games.
const GAMES: &str = "tests/data/loa/games.sgf";

/// Nine moves to the end, and the last but one lost.
const SHORT: &str = "startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";

const DRAUGHTS: &str = "[Event \"Club\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"1/2-1/2\"]\n\
    1. 11-15 22-18 2. 15x22 25x18 1/2-1/2\n";

const BOARD: &str = "8  - - - - - - - -\n7  - - B W - - - W\n6  - - - - - - - -\n5  - - - - - - - -\n\
    4  - - - - - - - -\n3  - - W - - - - -\n2  - - B B - - - -\n1  - - B - - - - -\n   a b c d e f g h\n";

fn soucie() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    // Tables that somebody has at home would change what is said.
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.arg("analyse");
    command
}

/// A folder for one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyse").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Analyses a text as a file with these arguments.
fn analyse(name: &str, text: &str, arguments: &[&str]) -> Output {
    let file = folder(name).join("input");
    fs::write(&file, text).unwrap();
    soucie().arg(file).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_game_is_a_table_a_line_a_move() {
    let output = analyse("table", SHORT, &["--nodes", "20000"]);
    assert!(output.status.success());
    let text = text(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Game 1: Black - White");
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["ply", "move", "score", "better"]);
    assert!(lines[2].starts_with("   1  d1-b3 "), "{text}");
    assert!(lines[10].starts_with("   9  e1-e5 ") && lines[10].contains(" #1"), "{text}");
    assert_eq!(lines[11].trim(), "Black has won: all its stones are connected");
    // White's last move loses at once; what it loses is told with a better line.
    assert!(lines[9].contains("??") && lines[9].contains(" h3xe6 "), "{text}");
    assert!(text.contains("Decided from ply ") && text.contains(" on, for Black."), "{text}");
    assert!(text.contains("      Black: 5 moves, ") && text.contains("      White: 4 moves, "));
}

#[test]
fn every_kind_of_input_is_read() {
    let dump = format!("===\n{}Next move: white\n===", BOARD.replace('B', "b").replace('W', "w"));
    let input = format!(
        "# positions\n8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b\nW:WK14,K15,K18:BK1,K6\n{BOARD}\n{dump}\n{SHORT}\n\
         startpos moves 11-15 22-18\n1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b\nstartpos moves\n"
    );
    let output = analyse("kinds", &input, &["--json", "--nodes", "2000"]);
    assert!(output.status.success());
    let found = json(&output);
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
fn records_keep_their_names_and_say_who_won() {
    let output = analyse("names", DRAUGHTS, &["--json", "--nodes", "1000"]);
    let [game] = &json(&output)[..] else { panic!("{output:?}") };
    for (key, value) in [("black", "A"), ("white", "B"), ("event", "Club"), ("result", "draw")] {
        assert_eq!(game[key], value);
    }
    assert_eq!(game["moves"][2]["move"], "e5c3");
    assert_eq!(game["play"]["black"]["moves"], 2);
    let output = soucie().args([GAMES, "--json", "--nodes", "200"]).output().unwrap();
    let games = json(&output);
    assert_eq!(games.len(), 26);
    assert_eq!((&games[0]["black"], &games[0]["result"]), (&"MIA II".into(), &"White won".into()));
    // Who won on the board is told by the rules, and decided it at the latest with the last move.
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
fn several_lines_of_a_position_are_told() {
    let output =
        analyse("lines", "B:W21-32:B1-12\n", &["--json", "--multipv", "3", "--depth", "5"]);
    let lines = json(&output)[0]["lines"].as_array().unwrap().clone();
    assert_eq!(lines.len(), 3);
    for line in &lines {
        let wdl: Vec<u64> =
            line["wdl"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
        assert_eq!(wdl.iter().sum::<u64>(), 1000);
    }
    let output = analyse("lines", "B:W21-32:B1-12\n", &["--depth", "5"]);
    assert!(text(&output).contains("depth 5, score "), "{}", text(&output));
}

#[test]
fn what_is_wrong_is_told_and_the_rest_goes_on() {
    let input =
        format!("8/8 b\n{SHORT} a1a2\nW:W1:B2\nstartpos moves b8b6 b8b6\n8/8/3l4/8/8/3L4/8/8 b\n");
    let output = analyse("wrong", &input, &["--json", "--nodes", "500"]);
    assert_eq!(output.status.code(), Some(1));
    let found = json(&output);
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["error"], "setup: a board has 8 ranks, this one has 2");
    assert!(found[1]["error"].as_str().unwrap().contains("the game is over"), "{}", found[1]);
    assert_eq!(found[1]["moves"].as_array().unwrap().len(), 9);
    assert!(found[2]["error"].as_str().unwrap().contains("it would have been crowned"));
    assert!(found[3]["error"].as_str().unwrap().contains("no stone of White on b8"));
    assert_eq!(found[4]["position"], 5);

    let records = "(;GM[9];B[b8-b6];W[a1-a2])(;GM[1];B[aa])(;GM[9];B[c1-c3])";
    let found = json(&analyse("wrong", records, &["--json", "--nodes", "500"]));
    assert!(found[0]["error"].as_str().unwrap().starts_with("line 1, column 20: illegal move a1"));
    assert_eq!(found[1]["error"], "column 32: GM 1 is not Lines of Action, GM 9");
    assert_eq!(found[2]["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_done_is_said_at_once() {
    let table: [(&[&str], &str); 6] = [
        (&["no-such-file"], "no-such-file: "),
        (&[GAMES, "--variant", "go"], "option 'UCI_Variant' is one of"),
        (&[GAMES, "--option", "Sugar=2"], "there is no option 'Sugar'"),
        (&[GAMES, "--annotate", "no-such-folder/x"], "no-such-folder/x.tmp: "),
        (&[GAMES, "--html", "."], ".: this is a folder"),
        (&[GAMES, "--resume", "no-such-folder/x"], "no-such-folder/x: "),
    ];
    for (arguments, complaint) in table {
        let output = soucie().args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(error.starts_with(&format!("soucie: {complaint}")), "{error}");
    }
    let output = soucie().args([GAMES, "--jobs", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_file_is_written_over_another() {
    let folder = folder("twice");
    fs::write(folder.join("games"), SHORT).unwrap();
    let table: [(&[&str], &str); 6] = [
        (&["--html", "games"], "games"),
        (&["--annotate", "./games"], "./games"),
        (&["--resume", "../twice/games"], "../twice/games"),
        (&["--annotate", "a", "--html", "a"], "a"),
        (&["--annotate", "a", "--html", "./a"], "./a"),
        (&["--html", "a", "--resume", "../twice/a"], "../twice/a"),
    ];
    for (arguments, name) in table {
        let output = soucie().current_dir(&folder).arg("games").args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let wanted = format!("soucie: {name} is named twice: one would overwrite the other\n");
        assert_eq!((said, output.status.code()), (wanted, Some(1)), "{arguments:?}");
        assert_eq!(fs::read_to_string(folder.join("games")).unwrap(), SHORT);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}

/// A page needs a file beside it until its end.
#[test]
#[cfg(unix)]
fn a_page_goes_into_a_pipe() {
    let pipe = folder("pipe").join("page");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let path = pipe.clone();
    let reader = thread::spawn(move || fs::read_to_string(path).unwrap());
    let options = ["--nodes", "100", "--html", pipe.to_str().unwrap()];
    assert!(analyse("into-pipe", SHORT, &options).status.success());
    let page = reader.join().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(fs::read_dir(pipe.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn where_there_is_nothing_it_is_said() {
    let folder = folder("nothing");
    let texts = [
        ("empty", ""),
        ("blank", "\n# none\n"),
        ("open", &"(".repeat(100_000)),
        ("some", "8/8 b\n8/8/3l4/8/8/3L4/8/8 b\n"),
        ("old", "older"),
    ];
    for (name, text) in texts {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = |names: &[&str]| {
        let mut command = soucie();
        command.current_dir(&folder).args(names).args(["--json", "--nodes", "100"]);
        command.output().unwrap()
    };
    let said = |output: &Output| String::from_utf8(output.stderr.clone()).unwrap();
    let none = |name: &str| format!("soucie: no game and no position in {name}\n");
    for name in ["empty", "blank", "open"] {
        let output = run(&[name, "--html", "old"]);
        assert_eq!((output.status.code(), said(&output)), (Some(1), none(name)));
        assert!(output.stdout.is_empty());
        assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "older");
    }
    // Beside others it is no failure, and counts for nothing.
    let output = run(&["empty", "some"]);
    assert_eq!(said(&output), none("empty"));
    assert_eq!(json(&output)[1]["position"], 2);
    fs::write(folder.join("some"), SHORT).unwrap();
    assert!(run(&["empty", "some"]).status.success());
}

#[test]
fn several_files_are_told_apart() {
    let folder = folder("files");
    for (name, text) in [("a", "8/8 b\n"), ("b", SHORT)] {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut command = soucie();
    command.current_dir(&folder).args(["a", "b", "--json", "--nodes", "100"]);
    let found = json(&command.output().unwrap());
    assert_eq!((&found[0]["file"], &found[1]["file"]), (&"a".into(), &"b".into()));
    command.args(["--html", "page.html"]);
    command.output().unwrap();
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("A, line 1: setup: "), "{page}");
}

/// A filter answers each line before it hears the next one.
#[test]
fn as_a_filter_it_answers_line_by_line() {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "1000", "--jobs", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let game = DRAUGHTS.replace('\n', " ");
    let table = [
        ("8/8/3l4/8/8/3L4/8/8 b", "position"),
        ("hello", "error"),
        (&game, "game"),
        ("(;GM[9];B[b8-b6])", "game"),
        ("(;GM[9];B[b8-b6])(;GM[9];B[b8-b6])", "error"),
        ("(;GM[9]", "error"),
        (SHORT, "game"),
    ];
    for (i, (line, kind)) in table.iter().enumerate() {
        writeln!(input, "{line}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(!answer[kind].is_null(), "{line}: {answer}");
        assert_eq!(answer["line"], i as u64 + 1, "{answer}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// What a filter answers to this input.
fn filtered(input: Stdio, write: impl FnOnce(&mut Option<ChildStdin>)) -> Vec<Value> {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100"]).stdin(input).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    write(&mut child.stdin);
    drop(child.stdin.take());
    json(&child.wait_with_output().unwrap())
}

#[test]
fn a_filter_passes_over_what_is_too_long_and_goes_on() {
    let found = filtered(Stdio::piped(), |input| {
        let input = input.as_mut().unwrap();
        for _ in 0..5 {
            input.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        input.write_all(b"\n8/8/3l4/8/8/3L4/8/8 b\n").unwrap();
    });
    let too_long = "a line of more than 4194304 bytes was passed over";
    assert_eq!((&found[0]["line"], &found[0]["error"]), (&1.into(), &too_long.into()));
    assert_eq!((&found[1]["line"], &found[1]["position"]), (&2.into(), &2.into()));
    assert_eq!(found.len(), 2);
}

#[test]
#[cfg(unix)]
fn an_input_that_fails_is_told_once() {
    let found = filtered(fs::File::open(".").unwrap().into(), |_| {});
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["line"], 1);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let with = |jobs| {
        let arguments = ["--json", "--nodes", "1000", "--jobs", jobs];
        text(&soucie().arg(GAMES).args(arguments).output().unwrap())
    };
    let alone = with("1");
    assert_eq!(alone.lines().count(), 26);
    assert_eq!(with("3"), alone);
}

#[test]
fn an_annotated_record_says_what_the_table_says() {
    let target = folder("annotated").join("out.sgf");
    let output =
        soucie().args([GAMES, "--nodes", "2000", "--json", "--annotate"]).arg(&target).output();
    let games = json(&output.unwrap());
    let annotated = fs::read(&target).unwrap();
    let (mut marks, mut better) = (0, 0);
    let records: Vec<_> = Reader::new(&*annotated).map(Result::unwrap).collect();
    let originals: Vec<_> = Reader::new(&*fs::read(GAMES).unwrap()).map(Result::unwrap).collect();
    assert_eq!(records.len(), originals.len());
    for ((record, original), game) in records.iter().zip(&originals).zip(&games) {
        assert!(record.moves().eq(original.moves()));
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
    assert!(marks > 20 && better >= marks, "{marks} {better}");
    // A list of moves becomes a record.
    let target = folder("annotated").join("out.pdn");
    let moves = "startpos moves 11-15 22-18 15x22 25x18";
    let file = folder("moves").join("input");
    fs::write(&file, moves).unwrap();
    assert!(soucie().arg(file).arg("--annotate").arg(&target).output().unwrap().status.success());
    let record = fs::read_to_string(&target).unwrap();
    assert!(record.contains("11-15") && record.contains("15x22"), "{record}");
}

/// The games and the journal of an analysis that was undisturbed.
fn undisturbed(folder: &Path) -> (String, Vec<u8>) {
    let journal = folder.join("whole");
    let output = resume(&journal).output().unwrap();
    (text(&output), fs::read(journal).unwrap())
}

fn resume(journal: &Path) -> Command {
    let mut command = soucie();
    command.args([GAMES, "--json", "--nodes", "1000", "--resume"]).arg(journal);
    command
}

#[test]
fn an_interrupted_analysis_goes_on_where_it_was() {
    let folder = folder("resumed");
    let (whole, journal) = undisturbed(&folder);
    // Wherever it was cut off, in the middle of a line too.
    for part in [0, 10, 700, journal.len() / 2, journal.len() - 1, journal.len()] {
        let path = folder.join("part");
        fs::write(&path, &journal[..part]).unwrap();
        assert_eq!(text(&resume(&path).output().unwrap()), whole, "{part}");
        assert_eq!(fs::read(&path).unwrap(), journal, "{part}");
    }
    // Killed, and killed again.
    let path = folder.join("killed");
    let written = || fs::metadata(&path).map_or(0, |data| data.len());
    for part in 1..4 {
        let mut child = resume(&path).stdout(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        while written() < part * journal.len() as u64 / 8 {
            assert!(since.elapsed() < Duration::from_secs(120), "nothing is written");
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(written() < journal.len() as u64, "it was not interrupted");
    assert_eq!(text(&resume(&path).output().unwrap()), whole);
}

#[test]
fn two_runs_with_one_journal_keep_out_of_each_others_way() {
    let journal = folder("in-use").join("journal");
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100", "--resume"]).arg(&journal);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut first = command.spawn().unwrap();
    let mut answers = BufReader::new(first.stdout.take().unwrap());
    let mut answer = || {
        let input = first.stdin.as_mut().unwrap();
        input.write_all(b"8/8/3l4/8/8/3L4/8/8 b\n").unwrap();
        answers.read_line(&mut String::new()).unwrap()
    };
    answer();
    let before = fs::read(&journal).unwrap();
    let second = resume(&journal).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8(second.stderr).unwrap();
    assert_eq!(said, format!("soucie: {} is in use\n", journal.display()));
    assert_eq!(fs::read(&journal).unwrap(), before);
    answer();
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    // Nothing is left behind, and the next run goes on.
    assert_eq!(fs::read_dir(journal.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 3);
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let folder = folder("journals");
    let path = folder.join("journal");
    let run = |input: &str, arguments: &[&str]| {
        let file = folder.join("input");
        fs::write(&file, input).unwrap();
        let output =
            soucie().arg(file).args(arguments).arg("--resume").arg(&path).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
    assert!(run(SHORT, &["--nodes", "600"]).contains("with other settings"));
    assert!(run("startpos moves c1c3\n", &["--nodes", "500"]).contains("its line 2 is of another"));
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
}

#[test]
fn who_reads_no_further_is_no_error() {
    let mut child =
        soucie().args([GAMES, "--nodes", "100"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Game 1: MIA II (Black) - YL (White), 6th Computer Olympiad 2001, "));
    child.wait().unwrap();
}

/// The most memory, in KiB, that a filter has used for a line that came so many times.
#[cfg(target_os = "linux")]
fn peak(line: &str, times: usize) -> u64 {
    let mut command = soucie();
    command.args(["-", "--json", "--depth", "1", "--hash", "1", "--jobs", "2"]);
    command.args(["--variant", "linesofaction", "--option", "Repetition Draw=0"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let line = format!("{}\n", line.trim_end());
    let writer = thread::spawn(move || {
        for _ in 0..times {
            input.write_all(line.as_bytes()).unwrap();
        }
        input
    });
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.by_ref().take(times).filter(|line| line.is_ok()).count(), times);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(writer.join().unwrap());
    child.wait().unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap()
}

const ONE_MOVE: &str = "(;GM[9];B[b8-b6])";

#[test]
#[cfg(target_os = "linux")]
fn many_games_need_no_more_memory_than_few() {
    let (few, many) = (peak(ONE_MOVE, 1_000), peak(ONE_MOVE, 100_000));
    assert!(many < few + 8 * 1024, "{few} KiB for 1,000 games, {many} KiB for 100,000");
}

/// A position holds the game before it: all of them together grow with the square of its length.
#[test]
#[cfg(target_os = "linux")]
fn a_long_game_is_not_in_memory_as_a_whole() {
    let (short, long) = (peak(ONE_MOVE, 1), peak(&to_and_fro(4_000), 1));
    assert!(long < short + 32 * 1024, "{short} KiB for one move, {long} KiB for 4,000");
}

/// A game in which both sides move to and fro, so many plies long.
fn to_and_fro(plies: usize) -> String {
    let moves: Vec<&str> =
        ["b8b6", "a2c2", "b6b8", "c2a2"].into_iter().cycle().take(plies).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

#[test]
fn a_long_line_is_a_long_game_and_a_longer_one_an_error() {
    let input = format!("{}{}{SHORT}\n", to_and_fro(1_100), to_and_fro(210_000));
    let output = analyse(
        "long",
        &input,
        &[
            "--json",
            "--variant",
            "linesofaction",
            "--option",
            "Repetition Draw=0",
            "--depth",
            "1",
            "--hash",
            "1",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    let found = json(&output);
    assert_eq!(found[0]["moves"].as_array().unwrap().len(), 1_100);
    let too_long = "a line of more than 1048576 bytes was passed over";
    assert_eq!((&found[1]["line"], &found[1]["error"]), (&2.into(), &too_long.into()));
    assert_eq!((&found[2]["line"], &found[2]["game"]), (&3.into(), &3.into()));
    assert_eq!(found.len(), 3);
}

/// Tables of up to three pieces, built once.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = folder("tables");
        soucie::games::draughts::tables::build(&folder, 3, 1, 1 << 30, &|_| {}).unwrap();
        folder
    })
}

/// Analyses a text of draughts with the tables of three pieces.
fn with_tables(name: &str, input: &str, arguments: &[&str]) -> Output {
    let path = format!("TablePath={}", tables().display());
    let more = ["--variant", "draughts", "--nodes", "2000", "--option", &path];
    let output = analyse(name, input, &[&more, arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Two kings against one, and the second move throws the win away.
const ENDING: &str = "fen W:WK14,K15:BK28 moves 15-19 28-32 19-16\n";

#[test]
fn what_tables_know_of_a_position_is_told() {
    let table = [
        ("W:WK14,K15:BK28", "table win in ", "win"),
        ("B:WK14,K15:BK28", "table loss in ", "loss"),
        ("W:WK32:BK1", "table draw\n", "draw"),
    ];
    for (setup, words, value) in table {
        let said = text(&with_tables("known", setup, &[]));
        assert!(said.contains(words), "{said}");
        let object = &json(&with_tables("known-json", setup, &["--json"]))[0]["table"];
        assert_eq!(object["value"], value, "{setup}: {object}");
        assert_eq!(object["plies"].is_u64(), value != "draw", "{setup}: {object}");
    }
    // What nobody knows is not mentioned.
    let said = text(&with_tables("unknown", "W:WK14,K15,K18:BK28", &["--json"]));
    assert!(!said.contains("\"table\""), "{said}");
}

#[test]
fn what_tables_know_of_moves_stands_in_all_that_is_written() {
    let outs = folder("known-outs");
    let [record, page] = ["game.pdn", "page.html"].map(|name| outs.join(name));
    let [record_name, page_name] = [&record, &page].map(|path| path.to_str().unwrap());
    let arguments = ["--annotate", record_name, "--html", page_name];
    let said = text(&with_tables("known-game", ENDING, &arguments));
    let record = fs::read_to_string(record).unwrap();
    let page = fs::read_to_string(page).unwrap();
    let moves = json(&with_tables("known-game-json", ENDING, &["--json"]))[0]["moves"].clone();
    for (i, line) in said.lines().skip(2).take(3).enumerate() {
        let review = &moves[i];
        let value = review["table"]["value"].as_str().unwrap();
        let words = match review["table"]["plies"].as_u64() {
            Some(plies) => format!("table {value} in {plies} plies"),
            None => format!("table {value}"),
        };
        assert!(line.ends_with(&words), "{line}: {words}");
        assert!(record.contains(&words), "{record}: {words}");
        let winner = if (i % 2 == 0) == (value == "win") { "White" } else { "Black" };
        let of_winner = words.replace("loss", "win").replace("win", &format!("win for {winner}"));
        assert!(page.contains(&of_winner), "{of_winner}");
    }
    // Plies are counted from before a move on: each one comes a ply nearer at best.
    let [first, second] = [0, 1].map(|i| moves[i]["table"]["plies"].as_u64().unwrap());
    assert!(second < first);
    assert_eq!(moves[0]["best_table"]["value"], "win");
}

#[test]
fn a_folder_without_tables_is_refused() {
    let output = analyse("no-tables", SHORT, &["--option", "TablePath=/no/such/folder"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("soucie: tables: /no/such/folder: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
