//! The files that a match reads and writes: openings, tables, records and JSON.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use soucie::records::{HeaderField, Record, RecordReader, RecordResult, check};

use super::{GUARD, line};
use crate::programs::{self, empty_folder, failure_of, output_of};

pub fn soucie(arguments: &[&str]) -> Command {
    let mut command = programs::soucie();
    command.args(arguments);
    command
}

/// A match of this program against itself under two names, run in a folder.
pub fn play(folder: &Path, arguments: &[&str]) -> Command {
    let engine = super::soucie();
    let mut command = soucie(&["match", "--first", &engine, "--second", &engine]);
    command.args(["--first-name", "A", "--second-name", "B \"]\\"]).current_dir(folder);
    command.args(arguments);
    command
}

pub fn records(path: &Path) -> Vec<Record> {
    let file = BufReader::new(File::open(path).unwrap());
    RecordReader::new(file).collect::<Result<_, _>>().unwrap()
}

#[test]
fn records_can_be_read() {
    let folder = empty_folder("engine_match/records");
    let loa = "8/8/3l4/8/2l5/3L2L1/8/8 w";
    let table = [
        ("linesofaction", format!("b8b6 a4c4\n{loa}\n"), "games.sgf"),
        ("englishdraughts", "9-13 22-18 6-9\nW:W18,32:BK1,2\n".to_string(), "games.pdn"),
    ];
    for (variant, openings, file) in table {
        fs::write(folder.join("openings"), &openings).unwrap();
        let limits = ["--variant", variant, "--nodes", "100", "--games", "4", "--max-plies", "60"];
        let files = ["--openings", "openings", "--record", file];
        let text = output_of(&mut play(&folder, &[&limits[..], &files].concat()));
        let games = records(&folder.join(file));
        assert_eq!(games.len(), 4);
        for (number, game) in (1..).zip(&games) {
            let finished = line(&text, &format!("Finished game {number} "));
            let players =
                [HeaderField::Black, HeaderField::White].map(|field| game.info(field).unwrap());
            let (black, white) = if number % 2 == 1 { (0, 1) } else { (1, 0) };
            assert_eq!((&*players[black], &*players[white]), ("A", "B \"]\\"));
            assert_eq!(game.info(HeaderField::Round), Some(number.to_string()));
            let result = match game.outcome() {
                RecordResult::Drawn => "1/2-1/2",
                RecordResult::Won(soucie::game::Side::Black) => "1-0",
                RecordResult::Won(_) => "0-1",
                RecordResult::Unknown => panic!("{finished}"),
            };
            let plies = check(game).unwrap();
            let last = game.comment(plies);
            let reason = last.lines().last().unwrap();
            assert!(finished.ends_with(&format!("{result} {{{reason}}}")), "{finished}\n{last}");
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
    }
}

#[test]
fn json_has_every_game_and_the_summary() {
    let folder = empty_folder("engine_match/json");
    let arguments = ["--nodes", "100", "--games", "4", "--sprt", "-5,5"];
    let output = play(&folder, &[&arguments[..], &["--json"]].concat()).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    line(&stderr, "Finished game 4 ");
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
        let finished = line(&stderr, &format!("Finished game {number} "));
        assert!(finished.contains(game["reason"].as_str().unwrap()), "{finished}");
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

#[test]
fn moves_are_exchanged_as_squares() {
    let folder = empty_folder("engine_match/spelling");
    for variant in ["linesofaction", "draughts"] {
        let standard = ["--first-option", "Move Format=standard", "--variant", variant];
        let limits = ["--time", "1", "--margin", GUARD, "--ponder", "--games", "2"];
        let more = ["--max-plies", "20", "--json"];
        let arguments = [&standard[..], &limits, &more].concat();
        let json = output_of(&mut play(&folder, &arguments));
        let moves: Vec<&str> = json.split("\"move\":\"").skip(1).collect();
        assert!(!moves.is_empty());
        for mv in moves {
            let mv = mv.split('"').next().unwrap();
            assert!(mv.len() % 2 == 0 && mv.chars().all(char::is_alphanumeric), "{mv}");
            assert!(mv.starts_with(|first| ('a'..='h').contains(&first)), "{mv}");
        }
    }
}

#[test]
fn large_files_and_devices_are_refused() {
    let folder = empty_folder("engine_match/bounded");
    File::create(folder.join("zeros")).unwrap().set_len(1 << 40).unwrap();
    for (files, error) in [
        (["--openings", "zeros"], "zeros: file larger than 16 MiB"),
        (["--resume", "zeros"], "zeros: not a Soucie journal; name another file"),
        #[cfg(unix)]
        (["--openings", "/dev/zero"], "/dev/zero: is a device or a pipe; expected a regular file"),
    ] {
        let arguments = [["--games", "2"], ["--nodes", "1"], files].concat();
        let found = failure_of(&mut play(&folder, &arguments));
        assert_eq!(found, format!("soucie: {error}\n"));
    }
}

#[test]
fn unknown_sets_of_openings_and_those_of_other_games_are_refused() {
    let folder = empty_folder("engine_match/sets");
    let sets = "the built-in sets are ballots (englishdraughts), hard-ballots (englishdraughts), \
                eleven-man (englishdraughts), balanced (linesofaction)";
    let table = [
        ("draughts", "balots", format!("balots: no such file; {sets}")),
        ("draughts", "./ballots", format!("./ballots: no such file; {sets}")),
        (
            "draughts",
            "balanced",
            "balanced: openings of linesofaction; expected openings of englishdraughts".into(),
        ),
        (
            "scrambledeggs",
            "balanced",
            "balanced: openings of linesofaction; expected openings of scrambledeggs".into(),
        ),
    ];
    for (variant, openings, error) in table {
        let arguments = ["--nodes", "1", "--variant", variant, "--openings", openings];
        assert_eq!(failure_of(&mut play(&folder, &arguments)), format!("soucie: {error}\n"));
    }
}

#[test]
fn names_cannot_control_the_terminal() {
    let folder = empty_folder("engine_match/names");
    let engine = super::soucie();
    let mut command = soucie(&["match", "--first", &engine, "--second", &engine]);
    command.args(["--first-name", "A\u{1b}[31m\u{202e}\nB", "--games", "2", "--nodes", "50"]);
    command.args(["--plies", "1", "--max-plies", "2"]).current_dir(&folder);
    let text = output_of(&mut command);
    assert!(
        line(&text, "Score of ").starts_with("Score of A\u{fffd}[31m\u{fffd}\u{fffd}B vs "),
        "{text}"
    );
    assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
}

#[test]
fn files_given_twice_are_refused() {
    let folder = empty_folder("engine_match/twice");
    fs::write(folder.join("openings"), "b8b6 a4c4\n").unwrap();
    let table = [
        (&["--record", "a", "--resume", "../twice/a"][..], "../twice/a is the same file as a"),
        (
            &["--openings", "openings", "--record", "./openings"],
            "./openings is the same file as openings",
        ),
    ];
    for (files, conflict) in table {
        let arguments = [&["--games", "2", "--nodes", "1"], files].concat();
        let error = failure_of(&mut play(&folder, &arguments));
        let wanted = format!("soucie: {conflict}: each option needs its own\n");
        assert_eq!(error, wanted, "{files:?}");
        assert!(!folder.join("a").exists(), "{files:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("openings")).unwrap(), "b8b6 a4c4\n");
}

#[test]
fn games_are_adjudicated_on_request() {
    let folder = empty_folder("engine_match/adjudicated");
    let tables = programs::tables().to_str().unwrap();
    // Two kings against one: won, but not soon.
    fs::write(folder.join("won"), "B:WK32:BK1,K2\n").unwrap();
    let base = ["--variant", "draughts", "--nodes", "300", "--games", "2", "--openings", "won"];
    let run = |more: &[&str]| output_of(&mut play(&folder, &[&base[..], more].concat()));
    assert!(!run(&[]).contains("adjudicated"));
    let by_tables = run(&["--tables", tables]);
    assert!(
        line(&by_tables, "Finished game 1 ").ends_with(": adjudicated, by the endgame tables}")
    );
    let by_score = run(&["--adjudicate-win", "50,4"]);
    let end = "1-0 {Black has won: adjudicated, 50 cp ahead for 4 plies}";
    assert!(line(&by_score, "Finished game 2 ").ends_with(end), "{by_score}");
    let drawn = run(&["--adjudicate-draw", "100000,6"]);
    assert!(drawn.contains("drawn: adjudicated, within 100000 cp for 6 plies"), "{drawn}");
    let error_with = |more: &[&str]| failure_of(&mut play(&folder, more));
    let loa = error_with(&["--nodes", "1", "--tables", tables]);
    assert!(loa.contains("tables: no tables for linesofaction in "), "{loa}");
    assert!(error_with(&["--nodes", "1", "--adjudicate-win", "5,1"]).contains("from 2"));
}
