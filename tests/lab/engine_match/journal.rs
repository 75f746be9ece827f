//! The journal of a match: resuming, interrupts, and parts of a match that are merged.

use std::fs;
#[cfg(unix)]
use std::io::Read;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use sha2::{Digest, Sha256};
use soucie::records::HeaderField;

use super::files::{play, records, soucie};
use super::line;
use crate::programs::waits::wait_for_exit;
use crate::programs::{self, empty_folder, failure_of, output_of};

/// A reproducible match: its only search limit is the number of nodes.
const MATCH: [&str; 10] = [
    "--nodes",
    "100",
    "--games",
    "8",
    "--first-option",
    "Hash=1",
    "--second-option",
    "Threads=1",
    "--record",
    "games.sgf",
];

/// The lines of a summary without the values that depend on time.
fn summary(text: &str) -> Vec<String> {
    let starts = ["Score of ", "Elo: ", "Draws: ", "Length: ", "A: ", "B \"]\\: "];
    let found = starts.iter().map(|start| line(text, start).to_string());
    found.map(|line| line.split(" knps").next().unwrap().to_string()).map(without_speed).collect()
}

/// The line of an engine without its longest overshoot and its speed.
fn without_speed(line: String) -> String {
    match line.split_once("average depth") {
        Some((head, depth)) => {
            let head = head.split("longest overshoot").next().unwrap();
            format!("{head}{}", depth.split(',').next().unwrap())
        }
        None => line,
    }
}

/// The number and the moves of each game of a match.
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
fn interrupted_match_is_resumed() {
    let folder = empty_folder("engine_match/resume");
    let resume = |concurrency| {
        let more = ["--resume", "journal", "--concurrency", concurrency];
        play(&folder, &[&MATCH[..], &more].concat())
    };
    let whole = output_of(&mut resume("1"));
    let played = games(&folder);
    assert_eq!(played.len(), 8);
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let names = ["journal", "games.sgf"];
    let files = names.map(read);
    // The match may be interrupted at any point, and each file may be incomplete.
    for cut in [0, 1, 2, 3] {
        let lines: Vec<&[u8]> = files[0].split_inclusive(|&byte| byte == b'\n').collect();
        // The settings and some games, then a part of the next game.
        let kept = lines[..=2 * cut + 1].concat();
        let journal = [&kept, &lines[2 * cut + 2][..50]].concat();
        let record = str::from_utf8(&files[1]).unwrap();
        let (next_game, _) = record.match_indices("(;FF").nth(2 * cut + 1).unwrap();
        fs::write(folder.join("journal"), &journal).unwrap();
        // Only games of the journal can be in the record; the last of them may be incomplete.
        fs::write(folder.join("games.sgf"), &record[..next_game - 40 * cut]).unwrap();
        let text = output_of(&mut resume("2"));
        line(&text, &format!("Resumed after {} of 8 games.", 2 * cut + 1));
        assert!(!text.contains(&format!("Finished game {} ", 2 * cut + 1)), "{text}");
        line(&text, &format!("Finished game {} ", 2 * cut + 2));
        assert_eq!(summary(&text), summary(&whole));
        assert_eq!(self::games(&folder), played);
    }
    let json = output_of(resume("1").arg("--json"));
    assert_eq!(json.lines().count(), 9);
    assert_eq!(json.lines().filter(|line| line.contains("\"summary\"")).count(), 1);
    // A finished match is not changed.
    let files = names.map(read);
    let text = output_of(&mut resume("1"));
    assert!(!text.contains("Finished"), "{text}");
    assert_eq!(summary(&text), summary(&whole));
    assert_eq!(names.map(read), files);
}

#[test]
fn killed_match_is_resumed() {
    let folder = empty_folder("engine_match/killed");
    let whole = output_of(&mut play(&folder, &MATCH));
    let played = games(&folder);
    fs::remove_file(folder.join("games.sgf")).unwrap();
    let resume = || play(&folder, &[&MATCH[..], &["--resume", "journal"]].concat());
    let mut killed = resume().stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(killed.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(lines.take(3).filter(|line| line.starts_with("Finished game ")).count(), 3);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let text = output_of(&mut resume());
    assert!(!text.contains("Finished game 3 "), "{text}");
    assert_eq!(summary(&text), summary(&whole));
    assert_eq!(games(&folder), played);
}

#[test]
fn sprt_decision_is_kept_in_the_journal() {
    let folder = empty_folder("engine_match/decided");
    let arguments = ["--games", "60", "--nodes", "50", "--sprt", "-100,100", "--resume", "journal"];
    let play = || {
        let mut command = super::start_match(&super::fake("exits"), &arguments);
        String::from_utf8(command.current_dir(&folder).output().unwrap().stdout).unwrap()
    };
    let decided = play();
    assert!(line(&decided, "SPRT: ").ends_with("[-100, 100], accepted"), "{decided}");
    // Two pairs that were in progress at the decision, and were lost.
    let journal = fs::read_to_string(folder.join("journal")).unwrap();
    let games = journal.lines().count() - 1;
    let last =
        journal.lines().last().unwrap().replace("\"winner\":\"first\"", "\"winner\":\"second\"");
    let lost = (games + 1..=games + 4).map(|number| {
        let begin = |number| format!("{{\"game\":{number},");
        last.replace(&begin(games), &begin(number)) + "\n"
    });
    fs::write(folder.join("journal"), journal.clone() + &lost.collect::<String>()).unwrap();
    let resumed = play();
    line(&resumed, &format!("Resumed after {} of 60 games.", games + 4));
    assert!(!resumed.contains("Finished game "), "{resumed}");
    let sprt = line(&resumed, "SPRT: ");
    assert!(sprt.ends_with("[-100, 100], accepted before the last pairs"), "{sprt}");
}

#[test]
fn files_of_another_match_are_refused() {
    let folder = empty_folder("engine_match/refused");
    let arguments = ["--games", "2", "--record", "games", "--resume", "journal", "--nodes"];
    let run = |more: &[&str]| play(&folder, &[&arguments[..], more].concat());
    output_of(&mut run(&["100"]));
    let read = || ["journal", "games"].map(|name| fs::read(folder.join(name)).unwrap());
    let files = read();
    for more in [&["101"][..], &["100", "--seed", "2"], &["100", "--adjudicate-draw", "5,9"]] {
        let error = failure_of(&mut run(more));
        assert!(error.contains("journal: made with other settings"), "{error}");
        assert!(error.lines().count() == 1, "{error}");
    }
    assert!(failure_of(&mut run(&["101"])).contains("100"));
    let fresh = ["--games", "2", "--nodes", "100", "--record", "games"];
    let error = failure_of(&mut play(&folder, &fresh));
    assert!(error.contains("games: already exists with other games"), "{error}");
    assert_eq!(read(), files);
    let missing = failure_of(&mut play(&folder, &["--nodes", "1", "--openings", "none"]));
    assert!(missing.starts_with("soucie: none: "), "{missing}");
}

#[test]
fn journals_name_their_set_of_openings() {
    let folder = empty_folder("engine_match/set-journal");
    let run = |openings, seed| {
        let limits = ["--nodes", "50", "--games", "6", "--max-plies", "8", "--variant", "draughts"];
        let order = ["--openings", openings, "--order", "random", "--seed", seed];
        play(&folder, &[&limits[..], &order, &["--resume", "journal"]].concat())
    };
    output_of(&mut run("ballots", "2"));
    let again = output_of(&mut run("ballots", "2"));
    line(&again, "Resumed after 6 of 6 games.");
    for (openings, seed, name) in
        [("ballots", "3", "openings.seed"), ("hard-ballots", "2", "openings.file")]
    {
        let error = failure_of(&mut run(openings, seed));
        assert!(error.contains(&format!("made with other settings: {name} is ")), "{error}");
        assert!(name == "openings.seed" || error.contains("\"ballots "), "{error}");
    }
}

#[test]
fn journal_identifies_the_engines_and_the_files_of_their_options() {
    let folder = empty_folder("engine_match/header");
    fs::write(folder.join("net"), "not even a network").unwrap();
    let limits = ["--games", "2", "--nodes", "50", "--plies", "1", "--max-plies", "2"];
    let run =
        |more: &[&str]| play(&folder, &[&limits[..], &["--resume", "journal"], more].concat());
    output_of(&mut run(&[]));
    let journal = fs::read_to_string(folder.join("journal")).unwrap();
    let header: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!((&header["journal"], &header["format"]), (&"match".into(), &4.into()));
    let first = &header["settings"]["engines"]["first"];
    assert_eq!(first["name"], "A");
    assert!(first["id"].as_str().unwrap().starts_with("Soucie "), "{first}");
    assert!(first["bench"].as_u64().unwrap() > 1000, "{first}");
    // A network is identified by its hash, not by its name.
    let refused = failure_of(&mut run(&["--second-option", "EvalFile=net"]));
    assert!(refused.contains("made with other settings: engines.second."), "{refused}");
    let fresh = ["--second-option", "EvalFile=net", "--resume", "other"];
    failure_of(&mut play(&folder, &[&limits[..6], &fresh].concat()));
    let other = fs::read_to_string(folder.join("other")).unwrap();
    let hash =
        Sha256::digest("not even a network").into_iter().take(8).map(|byte| format!("{byte:02x}"));
    assert!(
        other.contains(&format!("\"options\":[[\"EvalFile\",\"{}\"]]", hash.collect::<String>())),
        "{other}"
    );
    // A line that is no game is refused.
    let changed = journal.replacen("\"reason\":", "\"season\":", 1);
    fs::write(folder.join("journal"), &changed).unwrap();
    let refused = failure_of(&mut run(&[]));
    assert!(
        refused.starts_with("soucie: journal: line 2 cannot be read; delete it and "),
        "{refused}"
    );
}

/// Interrupts a match after three games, as Ctrl-C does. Returns its output and its exit code.
#[cfg(unix)]
fn interrupt(mut child: std::process::Child, to: &str) -> (String, Option<i32>) {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while text.matches("Finished game ").count() < 3 {
        assert!(output.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let id = format!("{to}{}", child.id());
    assert!(programs::command("kill").args(["-s", "INT", "--", &id]).status().unwrap().success());
    output.read_to_string(&mut text).unwrap();
    (text, child.wait().unwrap().code())
}

#[test]
#[cfg(unix)]
fn interrupt_prints_the_score_and_the_command_to_continue() {
    use std::os::unix::process::CommandExt;

    // To the match alone, and to its process group, as a terminal sends it.
    for (name, to) in [("interrupt-one", ""), ("interrupt-all", "-")] {
        let folder = empty_folder(Path::new("engine_match").join(name));
        let arguments = ["--games", "1000", "--nodes", "500", "--concurrency", "2"];
        let files = ["--record", "games.sgf", "--resume", "a journal"];
        let resume = || {
            let mut command = play(&folder, &[&arguments[..], &files].concat());
            command.process_group(0).stdout(Stdio::piped()).spawn().unwrap()
        };
        let mut games_before = 0;
        for _ in 0..2 {
            let (text, code) = interrupt(resume(), to);
            assert_eq!(code, Some(1), "{text}");
            let after = line(&text, "Interrupted after ").split(' ').nth(2).unwrap();
            let played: usize = after.parse().unwrap();
            assert!(played >= games_before + 3, "{text}");
            games_before = played;
            line(&text, "Score of A vs B ");
            line(&text, &format!("A: {}", super::CLEAN));
            let command = line(&text, "To continue: ");
            assert!(
                command.contains(" match --first ") && command.ends_with(" --resume 'a journal'")
            );
            assert_eq!(records(&folder.join("games.sgf")).len(), played);
            let journal = fs::read_to_string(folder.join("a journal")).unwrap();
            assert_eq!(journal.lines().count(), played + 1);
        }
    }
    let folder = empty_folder("engine_match/interrupt-kept");
    let mut child = play(&folder, &["--games", "1000", "--nodes", "500"]);
    let (text, _) = interrupt(child.stdout(Stdio::piped()).spawn().unwrap(), "");
    line(&text, "The match cannot be continued: --resume FILE would keep its games");
    // The match does not wait for a long search to end.
    let mut child = play(&folder, &["--games", "2", "--movetime", "600000"]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    // Time for the search to begin.
    std::thread::sleep(std::time::Duration::from_secs(1));
    programs::signal(&child, "INT");
    assert_eq!(wait_for_exit(&mut child).code(), Some(1));
}

/// Plays a part of a match of twelve games, with its own journal.
fn play_part(folder: &Path, range: &str, more: &[&str]) -> Command {
    let journal = format!("{}.journal", range.replace("..", "-"));
    let arguments = ["--nodes", "60", "--games", "12", "--sprt", "-400,400", "--plies", "2"];
    let part = ["--games-range", range, "--resume", &journal];
    play(folder, &[&arguments[..], &part, more].concat())
}

fn merge(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = soucie(&[&["match", "merge"], arguments].concat());
    command.current_dir(folder);
    command
}

#[test]
fn merged_parts_give_the_whole_match() {
    let folder = empty_folder("engine_match/parts");
    for range in ["8..12", "0..4", "4..8"] {
        let text = output_of(&mut play_part(&folder, range, &[]));
        let first: usize = range.split_once("..").unwrap().0.parse().unwrap();
        for number in first + 1..=first + 4 {
            line(&text, &format!("Finished game {number} "));
        }
        assert!(!text.contains("SPRT:"), "{text}");
        // A finished part has nothing left to play.
        let again = output_of(&mut play_part(&folder, range, &[]));
        line(&again, "Resumed after 4 of 4 games.");
    }
    let parts = ["4-8.journal", "8-12.journal", "0-4.journal"];
    let merged = output_of(&mut merge(&folder, &parts));
    assert_eq!(merged.lines().next(), Some("12 of 12 games in 3 parts."));
    line(&merged, "SPRT: LLR ");
    // The whole match has the same games: the SPRT does not end it, as all pairs are even.
    let whole = ["--nodes", "60", "--games", "12", "--sprt", "-400,400", "--plies", "2"];
    let whole = output_of(&mut play(&folder, &whole));
    for start in ["Score of ", "Elo: ", "SPRT: ", "Draws: ", "Length: "] {
        assert_eq!(line(&merged, start), line(&whole, start));
    }
    let json = output_of(&mut merge(&folder, &["--json", parts[0], parts[2]]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"]["games"], 8);
    assert_eq!(json["missing"], serde_json::json!([9, 10, 11, 12]));
    line(&output_of(&mut merge(&folder, &parts[..2])), "Missing games: 1-4");
}

#[test]
fn parts_of_different_matches_are_refused() {
    let folder = empty_folder("engine_match/foreign-parts");
    output_of(&mut play_part(&folder, "0..4", &[]));
    output_of(&mut play_part(&folder, "2..4", &[]));
    output_of(&mut play_part(&folder, "4..6", &["--seed", "7"]));
    fs::write(folder.join("text"), "hello\n").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    let first = "0-4.journal";
    let table: [(&[&str], &str); 6] = [
        (&[first, "2-4.journal"], "2-4.journal: game 3 is also in 0-4.journal: a game counts once"),
        (&[first, first], "0-4.journal: game 1 is also in 0-4.journal"),
        (&[first, "4-6.journal"], "4-6.journal: made with other settings: openings.seed is 7"),
        (&[first, "text"], "text: not a Soucie journal"),
        (&["empty"], "empty: not a Soucie journal"),
        (&["none"], "none: "),
    ];
    for (files, expected) in table {
        let error = failure_of(&mut merge(&folder, files));
        assert!(error.contains(expected), "{files:?}: {error}");
    }
    // The journal of another part.
    fs::copy(folder.join(first), folder.join("8-12.journal")).unwrap();
    let error = failure_of(&mut play_part(&folder, "8..12", &[]));
    assert!(error.contains("belongs to other input"), "{error}");
    let error = failure_of(&mut play_part(&folder, "8..14", &[]));
    assert!(error.contains("--games-range 8..14: the match has only 12 games"), "{error}");
}

#[test]
#[cfg(unix)]
fn other_builds_of_an_engine_are_refused() {
    let folder = empty_folder("engine_match/builds");
    let run = |more: &[&str]| {
        let engine = crate::engine_match::soucie();
        let engines = ["match", "--first", &engine, "--second", &engine];
        let arguments = ["--nodes", "20", "--games", "4", "--max-plies", "14"];
        let mut command = soucie(&[&engines[..], &arguments, more].concat());
        command.current_dir(&folder);
        command
    };
    for (range, journal) in [("0..2", "a"), ("2..4", "b")] {
        output_of(&mut run(&["--games-range", range, "--resume", journal]));
    }
    let first = fs::read_to_string(folder.join("a")).unwrap();
    let bench = first.split_once("\"bench\":").unwrap().1.split(',').next().unwrap();
    for (from, to, name) in [
        (format!("\"bench\":{bench}"), "\"bench\":1", "bench"),
        ("\"id\":\"Soucie ".to_string(), "\"id\":\"Soucie 7.", "id"),
    ] {
        fs::write(folder.join("c"), first.replacen(&from, to, 1)).unwrap();
        let resumed = run(&["--games-range", "0..2", "--resume", "c"]);
        for mut command in [resumed, merge(&folder, &["b", "c"])] {
            let error = failure_of(&mut command);
            let wanted = format!("c: made with other settings: engines.first.{name} is ");
            assert!(error.contains(&wanted), "{error}");
        }
    }
    // The path of the program does not matter.
    assert!(!first.contains(programs::SOUCIE), "{first}");
    output_of(&mut merge(&folder, &["a", "b"]));
}
