//! What a match reads and writes: openings, tables, records, JSON, and the journal of one that is
//! interrupted.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sha2::{Digest, Sha256};
use soucie::records::{HeaderField, Record, RecordReader, RecordResult, check};

use super::line;

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine_match").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn soucie(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    command.args(arguments);
    command
}

/// A match between this engine and itself with other names, in a folder.
fn play(folder: &Path, arguments: &[&str]) -> Command {
    let engine = super::soucie();
    let mut command = soucie(&["match", "--first", &engine, "--second", &engine]);
    command.args(["--first-name", "A", "--second-name", "B \"]\\"]).current_dir(folder);
    command.args(arguments);
    command
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn records(path: &Path) -> Vec<Record> {
    let file = BufReader::new(File::open(path).unwrap());
    RecordReader::new(file).collect::<Result<_, _>>().unwrap()
}

#[test]
fn records_can_be_read_and_analysed() {
    let folder = folder("records");
    let loa = "8/8/3l4/8/2l5/3L2L1/8/8 w";
    let table = [
        ("linesofaction", format!("b8b6 a4c4\n{loa}\n"), "games.sgf"),
        ("englishdraughts", "9-13 22-18 6-9\nW:W18,32:BK1,2\n".to_string(), "games.pdn"),
    ];
    for (variant, openings, file) in table {
        fs::write(folder.join("openings"), &openings).unwrap();
        let limits = ["--variant", variant, "--nodes", "100", "--games", "4", "--max-plies", "60"];
        let files = ["--openings", "openings", "--record", file];
        let output = play(&folder, &[&limits[..], &files].concat()).output().unwrap();
        let text = text(&output);
        assert!(output.status.success(), "{text}");
        let games = records(&folder.join(file));
        assert_eq!(games.len(), 4);
        for (number, game) in (1..).zip(&games) {
            let told = line(&text, &format!("Finished game {number} "));
            let players =
                [HeaderField::Black, HeaderField::White].map(|info| game.info(info).unwrap());
            let (black, white) = if number % 2 == 1 { (0, 1) } else { (1, 0) };
            assert_eq!((&*players[black], &*players[white]), ("A", "B \"]\\"));
            assert_eq!(game.info(HeaderField::Round), Some(number.to_string()));
            let result = match game.outcome() {
                RecordResult::Drawn => "1/2-1/2",
                RecordResult::Won(soucie::game::Side::Black) => "1-0",
                RecordResult::Won(_) => "0-1",
                RecordResult::Unknown => panic!("{told}"),
            };
            let plies = check(game).unwrap();
            let last = game.comment(plies);
            let reason = last.lines().last().unwrap();
            assert!(told.ends_with(&format!("{result} {{{reason}}}")), "{told}\n{last}");
            // A score, a depth and a time: `+0.35/12 0.104s`.
            let (score, rest) = last.split_once('/').unwrap();
            assert!(score.starts_with(['+', '-', '#']), "{last}");
            assert!(rest.contains('.') && rest.contains("s\n"), "{last}");
            let opening = game.setup().map_or(openings.lines().next().unwrap(), |_| "");
            let opening = opening.split_whitespace().count();
            assert_eq!(opening > 0, number <= 2);
            let end = if opening > 0 { "End of the opening." } else { "" };
            assert_eq!(game.comment(opening), end);
        }
        let analysis = soucie(&["analyse", "--nodes", "20", file]).current_dir(&folder).output();
        let analysis = analysis.unwrap();
        assert!(analysis.status.success(), "{}", String::from_utf8_lossy(&analysis.stderr));
    }
}

#[test]
fn json_has_every_game_and_the_end() {
    let folder = folder("json");
    let arguments = ["--nodes", "100", "--games", "4", "--sprt", "-5,5"];
    let output = play(&folder, &[&arguments[..], &["--json", "-"]].concat()).output().unwrap();
    let to_stdout = text(&output);
    let words = String::from_utf8(output.stderr).unwrap();
    let output = play(&folder, &[&arguments[..], &["--json", "file"]].concat()).output().unwrap();
    line(&words, "Finished game 4 ");
    line(&text(&output), "Finished game 4 ");
    for json in [to_stdout, fs::read_to_string(folder.join("file")).unwrap()] {
        let lines: Vec<Value> =
            json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 5);
        let (games, summary) = (&lines[..4], &lines[4]["summary"]);
        for (number, game) in (1..).zip(games) {
            assert_eq!(game["game"], number);
            let black = if number % 2 == 1 { "first" } else { "second" };
            assert_eq!(game["black"], black);
            assert_eq!(game["names"]["first"], "A");
            let winner = match game["result"].as_str().unwrap() {
                "1-0" => Value::from(black),
                "0-1" => Value::from(if black == "first" { "second" } else { "first" }),
                _ => Value::Null,
            };
            assert_eq!(game["winner"], winner);
            let told = line(&words, &format!("Finished game {number} "));
            assert!(told.contains(game["reason"].as_str().unwrap()), "{told}");
            for mv in game["moves"].as_array().unwrap() {
                assert!(mv["move"].is_string() && mv["score"].is_object(), "{mv}");
                assert!(mv["ms"].is_number() && mv["depth"].is_u64() && mv["nodes"].is_u64());
            }
        }
        let count = |field: &str| summary[field].as_u64().unwrap();
        assert_eq!(count("wins") + count("losses") + count("draws"), 4);
        assert_eq!(summary["pairs"].as_array().unwrap().len(), 5);
        assert_eq!(summary["sprt"]["verdict"], "open");
        assert_eq!(summary["engines"]["second"]["crashes"], 0);
    }
}

#[test]
fn moves_are_passed_on_by_the_squares() {
    let folder = folder("spelling");
    for variant in ["linesofaction", "draughts"] {
        let standard = ["--first-option", "Move Format=standard", "--variant", variant];
        let pace = ["--time", "1", "--margin", "5000", "--ponder", "--games", "2"];
        let more = ["--max-plies", "20", "--json", "-"];
        let arguments = [&standard[..], &pace, &more].concat();
        let json = text(&play(&folder, &arguments).output().unwrap());
        let summary = line(&json, "{\"summary\"");
        assert_eq!(summary.matches("\"bad_lines\":0").count(), 2, "{json}");
        let moves: Vec<&str> = json.split("\"move\":\"").skip(1).collect();
        assert!(!moves.is_empty());
        for mv in moves {
            let mv = mv.split('"').next().unwrap();
            assert!(mv.len() % 2 == 0 && mv.chars().all(char::is_alphanumeric), "{mv}");
            assert!(mv.starts_with(|first| ('a'..='h').contains(&first)), "{mv}");
        }
    }
}

/// A match that can be made again: what it plays depends on nothing but nodes.
const MATCH: [&str; 12] = [
    "--nodes",
    "300",
    "--games",
    "8",
    "--first-option",
    "Hash=1",
    "--second-option",
    "Threads=1",
    "--record",
    "games.sgf",
    "--json",
    "games.json",
];

/// What a summary says that depends on no clock.
fn summary(text: &str) -> Vec<String> {
    let starts = ["Score of ", "Elo: ", "Draws: ", "Length: ", "A: ", "B \"]\\: "];
    let found = starts.iter().map(|start| line(text, start).to_string());
    found.map(|line| line.split(" knps").next().unwrap().to_string()).map(without_speed).collect()
}

/// The words up to the last comma, behind which the speed stands.
fn without_speed(line: String) -> String {
    match line.split_once("average depth") {
        Some((head, depth)) => {
            let head = head.split("longest overshoot").next().unwrap();
            format!("{head}{}", depth.split(',').next().unwrap())
        }
        None => line,
    }
}

/// The games of a match by number: their moves.
fn games(folder: &Path) -> Vec<(u32, Vec<String>)> {
    let mut games: Vec<(u32, Vec<String>)> = records(&folder.join("games.sgf"))
        .iter()
        .map(|game| {
            let number = game.info(HeaderField::Round).unwrap().parse().unwrap();
            (number, game.moves().map(str::to_string).collect())
        })
        .collect();
    games.sort();
    games
}

#[test]
fn an_interrupted_match_goes_on_where_it_was() {
    let folder = folder("resume");
    let resume = |concurrency| {
        let more = ["--resume", "journal", "--concurrency", concurrency];
        play(&folder, &[&MATCH[..], &more].concat())
    };
    let whole = text(&resume("1").output().unwrap());
    let played = games(&folder);
    assert_eq!(played.len(), 8);
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let names = ["journal", "games.sgf", "games.json"];
    let files = names.map(read);
    // The interrupt comes somewhere; files are as far as they are.
    for cut in [0, 1, 2, 3] {
        let lines: Vec<&[u8]> = files[0].split_inclusive(|&byte| byte == b'\n').collect();
        // The settings and some games; then a part of the next one.
        let kept = lines[..=2 * cut + 1].concat();
        let journal = [&kept, &lines[2 * cut + 2][..50]].concat();
        let record = str::from_utf8(&files[1]).unwrap();
        let (next_game, _) = record.match_indices("(;FF").nth(2 * cut + 1).unwrap();
        fs::write(folder.join("journal"), &journal).unwrap();
        // Only games of the journal can be in the record; the last of them may be cut, too.
        fs::write(folder.join("games.sgf"), &record[..next_game - 40 * cut]).unwrap();
        let json: Vec<&[u8]> = files[2].split_inclusive(|&byte| byte == b'\n').collect();
        fs::write(folder.join("games.json"), json[..2 * cut].concat()).unwrap();
        let text = text(&resume("2").output().unwrap());
        line(&text, &format!("Resumed after {} of 8 games.", 2 * cut + 1));
        assert!(!text.contains(&format!("Finished game {} ", 2 * cut + 1)), "{text}");
        line(&text, &format!("Finished game {} ", 2 * cut + 2));
        assert_eq!(summary(&text), summary(&whole));
        assert_eq!(self::games(&folder), played);
        let json = fs::read_to_string(folder.join("games.json")).unwrap();
        assert_eq!(json.lines().count(), 9);
        assert_eq!(json.lines().filter(|line| line.contains("\"summary\"")).count(), 1);
    }
    // A match that is over stays as it is.
    let files = names.map(read);
    let text = text(&resume("1").output().unwrap());
    assert!(!text.contains("Finished"), "{text}");
    assert_eq!(summary(&text), summary(&whole));
    assert_eq!(names.map(read), files);
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    let folder = folder("killed");
    let whole = text(&play(&folder, &MATCH).output().unwrap());
    let played = games(&folder);
    fs::remove_file(folder.join("games.sgf")).unwrap();
    fs::remove_file(folder.join("games.json")).unwrap();
    let resume = || play(&folder, &[&MATCH[..], &["--resume", "journal"]].concat());
    let mut killed = resume().stdout(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(killed.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(told.take(3).filter(|line| line.starts_with("Finished game ")).count(), 3);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let text = text(&resume().output().unwrap());
    assert!(!text.contains("Finished game 3 "), "{text}");
    assert_eq!(summary(&text), summary(&whole));
    assert_eq!(games(&folder), played);
}

#[test]
fn a_test_that_is_decided_stays_so_in_a_journal() {
    let folder = folder("decided");
    let arguments = ["--games", "60", "--nodes", "50", "--sprt", "-100,100", "--resume", "journal"];
    let play = || {
        let output =
            super::start_match(&super::fake("ends"), &arguments).current_dir(&folder).output();
        text(&output.unwrap())
    };
    let decided = play();
    assert!(line(&decided, "SPRT: ").ends_with("[-100, 100], accepted"), "{decided}");
    // Two pairs that were under way then, and were lost.
    let journal = fs::read_to_string(folder.join("journal")).unwrap();
    let games = journal.lines().count() - 1;
    let (last, _) = journal.lines().last().unwrap().rsplit_once(",\"crc32\"").unwrap();
    let lost = (games + 1..=games + 4).map(|number| {
        let game = last.replace(&format!("{{\"game\":{games},"), &format!("{{\"game\":{number},"));
        let game = game.replace("\"winner\":\"first\"", "\"winner\":\"second\"");
        format!("{game},\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(game.as_bytes()))
    });
    fs::write(folder.join("journal"), journal.clone() + &lost.collect::<String>()).unwrap();
    let resumed = play();
    line(&resumed, &format!("Resumed after {} of 60 games.", games + 4));
    assert!(!resumed.contains("Finished game "), "{resumed}");
    let sprt = line(&resumed, "SPRT: ");
    assert!(sprt.ends_with("[-100, 100], accepted before the last pairs"), "{sprt}");
}

#[test]
fn what_belongs_to_another_match_is_refused() {
    let folder = folder("refused");
    let arguments = ["--games", "2", "--record", "games", "--resume", "journal", "--nodes"];
    let run = |more: &[&str]| play(&folder, &[&arguments[..], more].concat()).output().unwrap();
    assert!(run(&["100"]).status.success());
    let read = || ["journal", "games"].map(|name| fs::read(folder.join(name)).unwrap());
    let files = read();
    for more in [&["101"][..], &["100", "--seed", "2"], &["100", "--adjudicate-draw", "5,9"]] {
        let complaint = error(&run(more));
        assert!(complaint.contains("journal was made with other settings"), "{complaint}");
        assert!(complaint.lines().count() == 1, "{complaint}");
    }
    assert!(error(&run(&["101"])).contains("100"));
    let fresh = play(&folder, &["--games", "2", "--nodes", "100", "--record", "games"]);
    let complaint = error(&{ fresh }.output().unwrap());
    assert!(
        complaint
            .contains("games already exists and does not belong to this match: name another file"),
        "{complaint}"
    );
    assert_eq!(read(), files);
    let missing = play(&folder, &["--nodes", "1", "--openings", "none"]).output().unwrap();
    assert!(error(&missing).starts_with("soucie: none: "));
}

#[test]
fn a_journal_of_a_match_has_the_networks_and_checksums() {
    let folder = folder("header");
    fs::write(folder.join("net"), "not even a network").unwrap();
    let end = ["--games", "2", "--nodes", "50", "--max-plies", "2", "--resume", "journal"];
    let run = |more: &[&str]| play(&folder, &[&end[..], more].concat()).output().unwrap();
    assert!(run(&[]).status.success());
    let journal = fs::read_to_string(folder.join("journal")).unwrap();
    let header: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!((&header["journal"], &header["format"]), (&"match".into(), &2.into()));
    assert_eq!(header["settings"]["engines"]["first"]["name"], "A");
    // A network has its hash, whatever it is called.
    let refused = error(&run(&["--second-option", "EvalFile=net"]));
    assert!(refused.contains("was made with other settings: engines.second."), "{refused}");
    let fresh = ["--second-option", "EvalFile=net", "--resume", "other"];
    error(&play(&folder, &[&end[..6], &fresh].concat()).output().unwrap());
    let other = fs::read_to_string(folder.join("other")).unwrap();
    let hash =
        Sha256::digest("not even a network").into_iter().take(8).map(|byte| format!("{byte:02x}"));
    assert!(other.contains(&format!("\"networks\":[\"{}\"]", hash.collect::<String>())), "{other}");
    // Whatever changes in a game, nothing is counted.
    let (head, games) = journal.split_once('\n').unwrap();
    for (from, to) in [("\"winner\":null", "\"winner\":\"first\""), ("\"reason\":", "\"season\":")]
    {
        let changed = format!("{head}\n{}", games.replacen(from, to, 1));
        assert_ne!(changed, journal);
        fs::write(folder.join("journal"), &changed).unwrap();
        let refused = error(&run(&[]));
        assert!(
            refused.starts_with("soucie: journal: line 2 is damaged; delete it and "),
            "{refused}"
        );
    }
}

#[test]
fn only_regular_files_of_openings_are_read_and_not_without_a_bound() {
    let folder = folder("bounded");
    File::create(folder.join("zeros")).unwrap().set_len(1 << 40).unwrap();
    let complain = |files: &[&str]| {
        let arguments = [&["--games", "2", "--nodes", "1"], files].concat();
        error(&play(&folder, &arguments).output().unwrap())
    };
    assert_eq!(complain(&["--openings", "zeros"]), "soucie: zeros: file larger than 16 MiB\n");
    let no_journal = "soucie: zeros is not a Soucie journal: name another file\n";
    assert_eq!(complain(&["--resume", "zeros"]), no_journal);
    if cfg!(unix) {
        let device =
            |name| format!("soucie: {name}: is a device or a pipe; expected a regular file\n");
        assert_eq!(complain(&["--openings", "/dev/zero"]), device("/dev/zero"));
        assert_eq!(complain(&["--resume", "/dev/full"]), device("/dev/full"));
        assert!(!Path::new("/dev/full.lock").exists());
    }
}

#[test]
fn names_cannot_control_the_terminal() {
    let folder = folder("names");
    let engine = super::soucie();
    let mut command = soucie(&["match", "--first", &engine, "--second", &engine]);
    command.args(["--first-name", "A\u{1b}[31m\u{202e}\nB", "--games", "2", "--nodes", "50"]);
    command.args(["--max-plies", "2", "--json", "games"]).current_dir(&folder);
    let text = text(&command.output().unwrap());
    assert!(
        line(&text, "Score of ").starts_with("Score of A\u{fffd}[31m\u{fffd}\u{fffd}B vs "),
        "{text}"
    );
    assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
}

/// Sends the signal that Ctrl-C sends, and what the program prints from then on.
#[cfg(unix)]
fn interrupt(mut child: std::process::Child, to: &str) -> (String, Option<i32>) {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while text.matches("Finished game ").count() < 3 {
        assert!(output.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let id = format!("{to}{}", child.id());
    assert!(Command::new("kill").args(["-s", "INT", "--", &id]).status().unwrap().success());
    output.read_to_string(&mut text).unwrap();
    (text, child.wait().unwrap().code())
}

#[test]
#[cfg(unix)]
fn an_interrupt_prints_the_score_and_how_to_go_on() {
    use std::os::unix::process::CommandExt;

    // To the match alone, and to its engines as well, as a terminal sends it.
    for (name, to) in [("interrupt-one", ""), ("interrupt-all", "-")] {
        let folder = folder(name);
        let arguments = ["--games", "1000", "--nodes", "3000", "--concurrency", "2"];
        let files = ["--record", "games.sgf", "--json", "games.json", "--resume", "a journal"];
        let resume = || {
            let mut command = play(&folder, &[&arguments[..], &files].concat());
            command.process_group(0).stdout(Stdio::piped()).spawn().unwrap()
        };
        let mut known = 0;
        for _ in 0..2 {
            let (text, code) = interrupt(resume(), to);
            assert_eq!(code, Some(1), "{text}");
            let after = line(&text, "Interrupted after ").split(' ').nth(2).unwrap();
            let played: usize = after.parse().unwrap();
            assert!(played >= known + 3, "{text}");
            known = played;
            line(&text, "Score of A vs B ");
            line(&text, "A: 0 time losses, 0 illegal moves, 0 crashes, 0 stalls, 0 bad lines, ");
            let command = line(&text, "To continue: ");
            assert!(
                command.contains(" match --first ") && command.ends_with(" --resume 'a journal'")
            );
            assert_eq!(records(&folder.join("games.sgf")).len(), played);
            let journal = fs::read_to_string(folder.join("a journal")).unwrap();
            assert_eq!(journal.lines().count(), played + 1);
        }
    }
    let folder = folder("interrupt-kept");
    let mut child = play(&folder, &["--games", "1000", "--nodes", "500"]);
    let (text, _) = interrupt(child.stdout(Stdio::piped()).spawn().unwrap(), "");
    line(&text, "The match cannot be continued: --resume FILE would keep its games");
    // A search that takes long is not waited for.
    let mut child = play(&folder, &["--games", "2", "--movetime", "600000"]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let begin = std::time::Instant::now();
    assert!(
        Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(begin.elapsed() < std::time::Duration::from_secs(30));
}

#[test]
fn no_file_has_two_parts() {
    let folder = folder("twice");
    fs::write(folder.join("openings"), "b8b6 a4c4\n").unwrap();
    let table = [
        (&["--record", "a", "--json", "./a"][..], "./a"),
        (&["--json", "a", "--resume", "../twice/a"], "../twice/a"),
        (&["--openings", "openings", "--record", "./openings"], "./openings"),
    ];
    for (files, name) in table {
        let arguments = [&["--games", "2", "--nodes", "1"], files].concat();
        let complaint = error(&play(&folder, &arguments).output().unwrap());
        let wanted = format!("soucie: {name} is given twice: each option needs its own file\n");
        assert_eq!(complaint, wanted, "{files:?}");
        assert!(!folder.join("a").exists(), "{files:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("openings")).unwrap(), "b8b6 a4c4\n");
}

#[test]
fn games_are_adjudicated_where_that_is_asked_for() {
    let folder = folder("adjudicated");
    let pieces = ["tables", "build", "--pieces", "3", "--dir", "tables"];
    assert!(soucie(&pieces).current_dir(&folder).output().unwrap().status.success());
    // Two kings against one: won, but not soon.
    fs::write(folder.join("won"), "B:WK32:BK1,K2\n").unwrap();
    let base = ["--variant", "draughts", "--nodes", "300", "--games", "2", "--openings", "won"];
    let run = |more: &[&str]| {
        let output = play(&folder, &[&base[..], more].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        text(&output)
    };
    assert!(!run(&[]).contains("adjudicated"));
    let by_tables = run(&["--tables", "tables"]);
    assert!(
        line(&by_tables, "Finished game 1 ").ends_with(": adjudicated, by the endgame tables}")
    );
    let by_score = run(&["--adjudicate-win", "50,4"]);
    let end = "1-0 {Black has won: adjudicated, 50 cp ahead for 4 plies}";
    assert!(line(&by_score, "Finished game 2 ").ends_with(end), "{by_score}");
    let drawn = run(&["--adjudicate-draw", "100000,6"]);
    assert!(drawn.contains("drawn: adjudicated, within 100000 cp for 6 plies"), "{drawn}");
    let complain = |more: &[&str]| error(&play(&folder, more).output().unwrap());
    let loa = complain(&["--nodes", "1", "--tables", "tables"]);
    assert!(loa.contains("tables: no tables for linesofaction in tables"), "{loa}");
    assert!(complain(&["--nodes", "1", "--adjudicate-win", "5,1"]).contains("from 2"));
}

/// Plays a part of a match of twelve games into its own journal.
fn play_part(folder: &Path, range: &str, more: &[&str]) -> Output {
    let journal = format!("{}.journal", range.replace("..", "-"));
    let arguments = ["--nodes", "60", "--games", "12", "--sprt", "-400,400", "--plies", "2"];
    let part = ["--games-range", range, "--resume", &journal];
    play(folder, &[&arguments[..], &part, more].concat()).output().unwrap()
}

fn merge(folder: &Path, arguments: &[&str]) -> Output {
    soucie(&[&["match", "merge"], arguments].concat()).current_dir(folder).output().unwrap()
}

#[test]
fn the_parts_of_a_match_merge_to_the_whole() {
    let folder = folder("parts");
    for range in ["8..12", "0..4", "4..8"] {
        let output = play_part(&folder, range, &[]);
        assert!(output.status.success());
        let first: usize = range.split_once("..").unwrap().0.parse().unwrap();
        let text = text(&output);
        for number in first + 1..=first + 4 {
            line(&text, &format!("Finished game {number} "));
        }
        assert!(!text.contains("SPRT:"), "{text}");
        // A finished part has nothing left to play.
        let again = play_part(&folder, range, &[]);
        line(&self::text(&again), "Resumed after 4 of 4 games.");
    }
    let parts = ["4-8.journal", "8-12.journal", "0-4.journal"];
    let output = merge(&folder, &parts);
    let merged = text(&output);
    assert!(output.status.success(), "{merged}");
    assert_eq!(merged.lines().next(), Some("12 of 12 games in 3 parts."));
    line(&merged, "SPRT: LLR ");
    // The whole match has the same games; the test does not end it, as all pairs are even.
    let whole = ["--nodes", "60", "--games", "12", "--sprt", "-400,400", "--plies", "2"];
    let whole = text(&play(&folder, &whole).output().unwrap());
    for start in ["Score of ", "Elo: ", "SPRT: ", "Draws: ", "Length: "] {
        assert_eq!(line(&merged, start), line(&whole, start));
    }
    let output = merge(&folder, &["--json", parts[0], parts[2]]);
    let json: Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(json["summary"]["games"], 8);
    assert_eq!(json["missing"], serde_json::json!([9, 10, 11, 12]));
    line(&text(&merge(&folder, &parts[..2])), "Missing games: 1-4");
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let folder = folder("foreign-parts");
    assert!(play_part(&folder, "0..4", &[]).status.success());
    assert!(play_part(&folder, "2..4", &[]).status.success());
    assert!(play_part(&folder, "4..6", &["--seed", "7"]).status.success());
    fs::write(folder.join("text"), "hello\n").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    let first = "0-4.journal";
    let table: [(&[&str], &str); 6] = [
        (&[first, "2-4.journal"], "2-4.journal: game 3 is also in 0-4.journal: a game counts once"),
        (&[first, first], "0-4.journal: game 1 is also in 0-4.journal"),
        (&[first, "4-6.journal"], "4-6.journal was made with other settings: openings.seed is 7"),
        (&[first, "text"], "text is not a Soucie journal"),
        (&["empty"], "empty is not a Soucie journal"),
        (&["none"], "none: "),
    ];
    for (files, expected) in table {
        let error = error(&merge(&folder, files));
        assert!(error.contains(expected), "{files:?}: {error}");
    }
    // The journal of another part.
    fs::copy(folder.join(first), folder.join("8-12.journal")).unwrap();
    let error = error(&play_part(&folder, "8..12", &[]));
    assert!(error.contains("belongs to other input"), "{error}");
    let error = self::error(&play_part(&folder, "8..14", &[]));
    assert!(error.contains("--games-range 8..14: the match has only 12 games"), "{error}");
}
