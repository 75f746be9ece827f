//! `soucie match` with real engines, and with engines that fail.
//!
//! The failing engines are this program itself; see [`engines`].

mod engines;
mod files;

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs, thread};

/// A command line for a match, with quotes where a path needs them.
fn command(program: &str, arguments: &str) -> String {
    format!("{} {arguments}", shlex::try_quote(program).unwrap())
}

fn soucie() -> String {
    command(env!("CARGO_BIN_EXE_soucie"), "")
}

/// The command line of one of the [`engines`].
fn fake(name: &str) -> String {
    let program = env::current_exe().unwrap();
    command(
        program.to_str().unwrap(),
        &format!("--ignored --exact engine_match::engines::{name} --nocapture"),
    )
}

/// A match; the second engine is called B.
fn start_match(second: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    command.args(["match", "--first", &soucie(), "--first-name", "A"]);
    command.args(["--second", second, "--second-name", "B"]).args(more);
    command
}

/// Plays a match.
fn play(second: &str, more: &[&str]) -> (Output, String) {
    let output = start_match(second, more).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

/// The line that begins like this.
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap_or_else(|| panic!("no line '{start}' in:\n{text}"))
}

#[test]
fn soucie_plays_itself_without_a_fault() {
    for concurrency in ["1", "3"] {
        let (output, text) = play(
            &soucie(),
            &["--nodes", "200", "--games", "6", "--concurrency", concurrency, "--seed", "3"],
        );
        assert!(output.status.success(), "{text}");
        for game in 1..=6 {
            let pairing = if game % 2 == 1 { "A vs B" } else { "B vs A" };
            let line = line(&text, &format!("Finished game {game} ({pairing}): "));
            assert!(line.contains(" has won: ") || line.contains(" {drawn: "), "{line}");
        }
        // The same engine on both sides, at fixed nodes: each pair is even.
        assert!(line(&text, "Score of A vs B: ").ends_with(" [50.0 %]"), "{text}");
        assert_eq!(
            line(&text, "Elo:"),
            "Elo: +0.0 [-inf, +inf] (95 %, pentanomial of 3 pairs: [0, 0, 3, 0, 0])"
        );
        for name in ["A", "B"] {
            let clean = "0 time losses, 0 illegal moves, 0 crashes, 0 stalls, 0 bad lines, \
                         0 unfulfilled mate claims;";
            line(&text, &format!("{name}: {clean}"));
        }
    }
}

#[test]
fn every_kind_of_limit_is_played() {
    let limits: [&[&str]; 5] = [
        &["--depth", "2"],
        &["--time", "0.5", "--increment", "0.01", "--margin", "5000"],
        &["--time", "0.5", "--increment", "0.01", "--margin", "5000", "--ponder"],
        &["--movetime", "5", "--margin", "5000"],
        &["--nodes", "100", "--variant", "scrambled eggs", "--second-option", "hash=1"],
    ];
    for limit in limits {
        let (output, text) = play(&soucie(), &[limit, &["--games", "2"]].concat());
        assert!(output.status.success(), "{limit:?}\n{text}");
        line(&text, "Finished game 2 ");
    }
}

#[test]
fn a_long_game_is_drawn_and_a_test_may_end_a_match() {
    let (output, text) =
        play(&soucie(), &["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "6"]);
    assert!(output.status.success());
    line(&text, "Finished game 1 (A vs B): 1/2-1/2 {drawn: the ply limit is reached}");
    line(&text, "Length: 6.0 plies");
    let (_, text) = play(&fake("ends"), &["--games", "400", "--nodes", "50", "--sprt", "-100,100"]);
    assert!(line(&text, "SPRT: LLR ").ends_with(" for [-100, 100], accepted"), "{text}");
    assert!(!text.contains("Finished game 200 "));
}

#[test]
fn what_loses_a_game_is_counted_and_the_match_goes_on() {
    // Generous times: a busy computer must not add failures to those that are meant.
    let nodes: &[&str] = &["--nodes", "50"];
    let table: [(&str, &[&str], &str); 8] = [
        (
            "is_ready_once",
            &["--nodes", "50", "--stall", "2"],
            "0 time losses, 0 illegal moves, 0 crashes, 2 stalls, 0 bad",
        ),
        (
            "floods",
            &["--nodes", "50", "--stall", "2"],
            "0 time losses, 0 illegal moves, 0 crashes, 2 stalls, 0 bad",
        ),
        ("ends", nodes, "0 time losses, 0 illegal moves, 2 crashes, 0 stalls, 0 bad"),
        (
            "ends_when_it_is_to_ponder",
            &["--time", "60", "--ponder"],
            "0 time losses, 0 illegal moves, 2 crashes, 0 stalls, 0 bad",
        ),
        (
            "is_silent",
            &["--nodes", "50", "--stall", "2"],
            "0 time losses, 0 illegal moves, 0 crashes, 2 stalls, 0 bad",
        ),
        ("plays_a9a9", nodes, "0 time losses, 2 illegal moves, 0 crashes, 0 stalls, 2 bad"),
        ("resigns", nodes, "0 time losses, 2 illegal moves, 0 crashes, 0 stalls, 2 bad"),
        (
            "is_late",
            &["--movetime", "5", "--margin", "1500"],
            "2 time losses, 0 illegal moves, 0 crashes, 0 stalls, 0 bad",
        ),
    ];
    for (name, pace, counts) in table {
        let (output, text) = play(&fake(name), &[pace, &["--games", "2"]].concat());
        assert!(!output.status.success());
        assert!(line(&text, "Score of ").starts_with("Score of A vs B: 2 - 0 - 0 "), "{text}");
        assert!(line(&text, "Elo: ").starts_with("Elo: +inf [-inf, +inf] "), "{text}");
        line(&text, &format!("B: {counts} lines"));
        if counts.contains(" 2 stalls") {
            assert!(text.contains(" loses: no answer within 2 s (--stall)"), "{text}");
        }
        line(&text, "A: 0 time losses, 0 illegal moves, 0 crashes, 0 stalls, 0 bad lines");
    }
}

#[test]
fn an_engine_that_reads_nothing_holds_nobody_up() {
    // More than a pipe holds, so that what follows would wait for the engine.
    let long = format!("Long={}", "x".repeat(100_000));
    let more = ["--nodes", "50", "--games", "80", "--second-option", &long];
    let mut played = start_match(&fake("deaf"), &more).stdout(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(played.stdout.take().unwrap()).lines();
    let (sender, last) = channel();
    thread::spawn(move || sender.send(told.map_while(Result::ok).collect::<Vec<_>>()));
    let told = last.recv_timeout(Duration::from_secs(120));
    // One that is held up is not to be there for ever.
    played.kill().unwrap();
    played.wait().unwrap();
    let text = told.unwrap().join("\n");
    line(&text, "Finished game 80 ");
    assert!(text.contains(" loses: the process does not read its input"), "{text}");
    assert!(!line(&text, "B: ").contains(" 0 stalls"), "{text}");
}

#[test]
fn bad_lines_lose_no_game_but_are_told() {
    let (output, text) = play(
        &fake("says_nothing_of_its_move"),
        &["--games", "2", "--nodes", "50", "--max-plies", "30"],
    );
    assert!(!output.status.success());
    let told = line(&text, "Bad line in game 1 by B: ");
    assert!(told.contains("no score and line of play before 'bestmove "), "{told}");
    assert!(told.contains(" [position startpos moves "), "{told}");
    assert!(!line(&text, "B: ").contains(" 0 bad lines"), "{text}");
    assert!(line(&text, "B: ").contains(" 0 illegal moves"), "{text}");
}

#[test]
fn of_many_bad_lines_some_are_told_and_the_rest_counted() {
    let pace = ["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "8"];
    let (_, text) = play(&fake("talks_nonsense"), &pace);
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("Bad line in ")).collect();
    assert_eq!(told.len(), 40, "{text}");
    assert!(told.iter().all(|line| line.len() < 1_000), "{text}");
    line(&text, "Bad lines in game 2 by B: 580 more");
    assert!(line(&text, "B: ").contains(", 1200 bad lines, "), "{text}");
}

#[test]
fn of_very_many_options_the_first_are_known() {
    let refuse = |option: &str| {
        let more = ["--games", "2", "--nodes", "50", "--second-option", option];
        let (output, text) = play(&fake("has_many_options"), &more);
        text + &String::from_utf8(output.stderr).unwrap()
    };
    line(&refuse("o1000=1"), "Finished game 2 ");
    line(&refuse("o1001=1"), "soucie: engine B: unknown option 'o1001'");
}

#[test]
fn an_engine_may_say_any_number() {
    let record = env::temp_dir().join(format!("soucie-boasts-{}", std::process::id()));
    let files = ["--record", record.to_str().unwrap(), "--adjudicate-draw", "0,9000"];
    let pace = ["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "12"];
    let (output, text) = play(&fake("boasts"), &[&pace[..], &files].concat());
    let written = fs::read_to_string(&record).unwrap();
    fs::remove_file(record).unwrap();
    assert!(output.status.success(), "{text}");
    line(&text, "Finished game 2 ");
    assert!(written.contains("-#2147483648/18446744073709551615 "), "{written}");
}

#[test]
fn a_win_that_is_announced_and_not_there_is_told() {
    let journal = env::temp_dir().join(format!("soucie-promises-{}", std::process::id()));
    let arguments = ["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "12"];
    let files = ["--resume", journal.to_str().unwrap()];
    let arguments = [&arguments[..], &files].concat();
    let (output, text) = play(&fake("lies"), &arguments);
    assert!(!output.status.success(), "{text}");
    for game in 1..=2 {
        let told = line(&text, &format!("Unfulfilled mate claim in game {game} by B: "));
        let what = "mate 2 was announced; 2 of 2 moves made, the game goes on [position startpos ";
        assert!(told.contains(what), "{told}");
    }
    let counts = |name| format!("{name}: 0 time losses, 0 illegal moves, 0 crashes, 0 stalls, ");
    line(&text, &(counts("B") + "0 bad lines, 2 unfulfilled mate claims;"));
    line(&text, &(counts("A") + "0 bad lines, 0 unfulfilled mate claims;"));
    // They are not forgotten where the match goes on later.
    let (output, text) = play(&fake("lies"), &[&arguments[..], &["--json", "-"]].concat());
    fs::remove_file(journal).unwrap();
    assert!(!output.status.success());
    assert!(line(&text, "{\"summary\"").contains("\"broken_promises\":2"), "{text}");
    assert_eq!(text.matches("\"broken_promises\":[\"mate 2 was announced").count(), 2, "{text}");
}

#[test]
fn what_cannot_be_played_is_said() {
    let nodes: &[&str] = &["--nodes", "5"];
    let table: [(&str, &[&str], &str); 5] = [
        ("no-such-engine", nodes, "soucie: engine B: "),
        ("'open", nodes, "soucie: cannot parse the command line ''open'"),
        (&soucie(), &["--nodes", "5", "--second-option", "Sugar=2"], "unknown option 'Sugar'"),
        (
            &soucie(),
            &["--nodes", "5", "--second-option", "Hash=0"],
            "expected a whole number from 1",
        ),
        (&soucie(), &["--nodes", "5", "--variant", "go"], "option 'UCI_Variant': expected one of"),
    ];
    for (second, more, complaint) in table {
        let (output, text) = play(second, more);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.is_empty(), "{text}");
        assert!(error.contains(complaint), "{error}");
    }
    for wrong in [&[][..], &["--nodes", "5", "--depth", "5"], &["--nodes", "5", "--games", "3"]] {
        assert_eq!(play(&soucie(), wrong).0.status.code(), Some(2), "{wrong:?}");
    }
    let table = [
        ("--games", "18446744073709551614", "from 2 to 10000000"),
        ("--games", "100000000000", "from 2 to 10000000"),
        ("--concurrency", "5000", "from 1 to 1024"),
        ("--stall", "1e19", "from 0 to 1000000"),
        ("--margin", "18446744073709551615", "from 0 to 1000000000"),
    ];
    for (option, value, complaint) in table {
        let (output, text) = play(&soucie(), &["--nodes", "5", option, value]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(text.is_empty() && error.contains(complaint), "{error}");
    }
    for option in ["--option", "--first-option", "--second-option"] {
        let (output, _) = play(&soucie(), &["--nodes", "5", option, "UCI_variant=draughts"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains("use --variant"), "{error}");
    }
}

/// Threads need addresses for their stacks, of which a shell can grant few.
#[cfg(target_os = "linux")]
#[test]
fn more_games_at_a_time_than_threads_are_refused() {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 800000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_soucie"), "match"])
        .args(["--nodes", "50", "--games", "4000", "--concurrency", "1024"])
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("soucie: cannot play 1024 games at a time: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn an_engine_that_cannot_be_started_again_loses_and_the_match_goes_on() {
    let flag = env::temp_dir().join(format!("soucie-starts-once-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_soucie"))
        .args(["match", "--first", &soucie(), "--second", &fake("starts_once")])
        .args(["--nodes", "50", "--games", "4"])
        .env(engines::FLAG, &flag)
        .output()
        .unwrap();
    fs::remove_file(flag).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(line(&text, "Finished game 1 ").contains(" loses: the process has ended"), "{text}");
    for game in 2..=4 {
        let line = line(&text, &format!("Finished game {game} "));
        assert!(line.contains(" loses: cannot be restarted: the process has ended"), "{line}");
    }
    assert!(text.contains(" 4 crashes, "), "{text}");
}

#[test]
fn what_an_engine_says_before_it_is_asked_does_no_harm() {
    let (output, text) = play(&fake("babbles"), &["--games", "2", "--nodes", "50"]);
    assert!(output.status.success(), "{text}");
    line(&text, "B: 0 time losses, 0 illegal moves, 0 crashes, 0 stalls, 0 bad lines");
}

#[test]
fn the_same_engine_with_other_options_is_easy_to_say() {
    let output = Command::new(env!("CARGO_BIN_EXE_soucie"))
        .args(["match", "--nodes", "50", "--games", "2", "--option", "Threads=1"])
        .args(["--second-option", "Hash=2"])
        // No other program is on this path.
        .env("PATH", env::temp_dir())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    line(&text, "Finished game 1 (soucie vs soucie Hash=2): ");
}
