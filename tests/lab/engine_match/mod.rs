//! `soucie-lab match` with real engines and with faulty ones.
//!
//! The faulty engines are in a test of this test program; see [`engines`].

mod engines;
mod files;
mod journal;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::{env, fs, thread};

use crate::programs::{self, Ran, run};

/// The counts of an engine without failures.
const CLEAN: &str = "0 time losses, 0 illegal moves, 0 crashes, 0 stalls;";

/// A margin that only guards against hanging, in milliseconds.
const GUARD: &str = "120000";

/// A command line, in which the path of the program is quoted if necessary.
fn command(program: &str, arguments: &str) -> String {
    format!("{} {arguments}", shlex::try_quote(program).unwrap())
}

fn soucie() -> String {
    command(programs::SOUCIE, "")
}

/// The command line of one of the [`engines`].
fn fake(name: &str) -> String {
    let program = env::current_exe().unwrap();
    command(
        program.to_str().unwrap(),
        // The name is another filter, with which no test agrees.
        &format!("--ignored --exact engine_match::engines::engine --nocapture {name}"),
    )
}

/// A match of this program, named A, against a second engine, named B.
fn start_match(second: &str, more: &[&str]) -> Command {
    let mut command = programs::soucie();
    command.args(["match", "--first", &soucie(), "--first-name", "A"]);
    command.args(["--second", second, "--second-name", "B"]).args(more);
    command
}

/// Plays a match.
fn play(second: &str, more: &[&str]) -> Ran {
    run(&mut start_match(second, more))
}

/// The line that starts with `start`.
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap_or_else(|| panic!("no line '{start}' in:\n{text}"))
}

#[test]
fn self_match_has_no_faults() {
    for concurrency in ["1", "3"] {
        let Ran { code, out: text, .. } = play(
            &soucie(),
            &["--nodes", "200", "--games", "6", "--concurrency", concurrency, "--seed", "3"],
        );
        assert_eq!(code, Some(0), "{text}");
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
            line(&text, &format!("{name}: {CLEAN}"));
        }
    }
}

#[test]
fn every_search_limit_is_supported() {
    let limits: [&[&str]; 5] = [
        &["--depth", "2"],
        &["--time", "0.2", "--increment", "0.01", "--margin", GUARD],
        &["--time", "0.2", "--increment", "0.01", "--margin", GUARD, "--ponder"],
        &["--movetime", "5", "--margin", GUARD],
        &["--nodes", "100", "--variant", "scrambled eggs", "--second-option", "hash=1"],
    ];
    for limit in limits {
        let ran = play(&soucie(), &[limit, &["--games", "2"]].concat());
        assert!(ran.succeeded(), "{limit:?}: {ran:?}");
        line(&ran.out, "Finished game 2 ");
    }
}

#[test]
fn ply_limit_draws_a_game_and_sprt_ends_a_match() {
    let drawn =
        play(&soucie(), &["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "6"]);
    assert!(drawn.succeeded());
    line(&drawn.out, "Finished game 1 (A vs B): 1/2-1/2 {drawn: the ply limit is reached}");
    line(&drawn.out, "Length: 6.0 plies");
    let text = play(&fake("exits"), &["--games", "400", "--nodes", "50", "--sprt", "-100,100"]).out;
    assert!(line(&text, "SPRT: LLR ").ends_with(" for [-100, 100], accepted"), "{text}");
    assert!(!text.contains("Finished game 200 "));
}

#[test]
fn engine_faults_lose_the_game_and_are_counted() {
    // The name, the limits, and the time losses, illegal moves, crashes and stalls.
    let table = [
        ("hangs_after_readyok", "--nodes 50 --stall 2", [0, 0, 0, 2]),
        ("floods", "--nodes 50 --stall 2", [0, 0, 0, 2]),
        ("exits", "--nodes 50", [0, 0, 2, 0]),
        ("exits_on_ponder", "--time 60 --ponder", [0, 0, 2, 0]),
        ("never_moves", "--nodes 50 --stall 2", [0, 0, 0, 2]),
        ("plays_a9a9", "--nodes 50", [0, 2, 0, 0]),
        ("resigns", "--nodes 50", [0, 2, 0, 0]),
        ("exceeds_movetime", "--movetime 5 --margin 2000", [2, 0, 0, 0]),
    ];
    // Most of these matches wait, so they are played at the same time.
    let matches = table.map(|(name, limits, counts)| {
        let run = move || {
            let arguments: Vec<&str> = limits.split(' ').chain(["--games", "2"]).collect();
            let mut played = (0..5).map(|_| play(&fake(name), &arguments));
            // A busy computer may make A late too.
            played.find(|ran| ran.out.contains(&format!("A: {CLEAN}"))).unwrap()
        };
        (counts, thread::spawn(run))
    });
    for (counts, played) in matches {
        let Ran { code, out: text, .. } = played.join().unwrap();
        assert_ne!(code, Some(0));
        assert!(line(&text, "Score of ").starts_with("Score of A vs B: 2 - 0 - 0 "), "{text}");
        assert!(line(&text, "Elo: ").starts_with("Elo: +inf [-inf, +inf] "), "{text}");
        let [losses, illegal, crashes, stalls] = counts;
        line(
            &text,
            &format!(
                "B: {losses} time losses, {illegal} illegal moves, {crashes} crashes, {stalls} stalls;"
            ),
        );
        if stalls == 2 {
            assert!(text.contains(" loses: no answer within 2 s (--stall)"), "{text}");
        }
    }
}

#[test]
fn engine_that_ignores_input_does_not_block_the_match() {
    // Longer than the buffer of a pipe, so that a blocking write would wait for the engine.
    let long = format!("Long={}", "x".repeat(100_000));
    let more = ["--nodes", "50", "--games", "80", "--second-option", &long];
    let mut child =
        start_match(&fake("ignores_input"), &more).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(lines.map_while(Result::ok).collect::<Vec<_>>()));
    let lines = receiver.recv_timeout(programs::waits::TIMEOUT);
    // Ends a match that is blocked.
    child.kill().unwrap();
    child.wait().unwrap();
    let text = lines.unwrap().join("\n");
    line(&text, "Finished game 80 ");
    assert!(text.contains(" loses: the process does not read its input"), "{text}");
    assert!(!line(&text, "B: ").contains(" 0 stalls"), "{text}");
}

#[test]
fn only_the_first_thousand_engine_options_are_read() {
    let output_with = |option: &str| {
        let more = ["--games", "2", "--nodes", "50", "--second-option", option];
        let ran = play(&fake("has_many_options"), &more);
        ran.out + &ran.err
    };
    line(&output_with("o1000=1"), "Finished game 2 ");
    line(&output_with("o1001=1"), "soucie: engine B: unknown option 'o1001'");
}

#[test]
fn extreme_engine_scores_are_accepted() {
    let record = programs::empty_folder("engine_match/extreme-scores").join("record");
    let files = ["--record", record.to_str().unwrap(), "--adjudicate-draw", "0,9000"];
    let limits = ["--games", "2", "--nodes", "50", "--plies", "4", "--max-plies", "12"];
    let ran = play(&fake("reports_extreme_scores"), &[&limits[..], &files].concat());
    let written = fs::read_to_string(record).unwrap();
    assert!(ran.succeeded(), "{ran:?}");
    line(&ran.out, "Finished game 2 ");
    assert!(written.contains("-#2147483648/18446744073709551615 "), "{written}");
}

#[test]
fn invalid_arguments_and_engines_are_refused() {
    let nodes: &[&str] = &["--nodes", "5"];
    let table: [(&str, &[&str], &str); 7] = [
        ("no-such-engine", nodes, "soucie: engine B: "),
        ("'open", nodes, "soucie: cannot parse the command line ''open'"),
        (&soucie(), &["--nodes", "5", "--second-option", "Sugar=2"], "unknown option 'Sugar'"),
        (
            &soucie(),
            &["--nodes", "5", "--second-option", "Hash=0"],
            "soucie: engine B: option 'Hash': expected a whole number from 1",
        ),
        ("./no-such-engine", nodes, "cannot start './no-such-engine': "),
        (&soucie(), &["--nodes", "5", "--max-plies", "11"], "expected more than the 11 plies"),
        (&soucie(), &["--nodes", "5", "--variant", "go"], "expected one of linesofaction"),
    ];
    for (second, more, wanted) in table {
        let ran = play(second, more);
        assert!(!ran.succeeded() && ran.out.is_empty(), "{ran:?}");
        assert!(ran.err.contains(wanted), "{ran:?}");
    }
    for wrong in [
        &[][..],
        &["--nodes", "5", "--depth", "5"],
        &["--nodes", "5", "--games", "3"],
        &["--nodes", "5", "--increment", "1"],
        &["--movetime", "5", "--ponder"],
    ] {
        assert_eq!(play(&soucie(), wrong).code, Some(2), "{wrong:?}");
    }
    let table = [
        ("--games", "18446744073709551614", "from 2 to 10000000"),
        ("--games", "100000000000", "from 2 to 10000000"),
        ("--concurrency", "5000", "from 1 to 1024"),
        ("--stall", "1e19", "from 0 to 1000000"),
        ("--margin", "18446744073709551615", "from 0 to 1000000000"),
    ];
    for (option, value, wanted) in table {
        let ran = play(&soucie(), &["--nodes", "5", option, value]);
        assert!(ran.out.is_empty() && ran.err.contains(wanted), "{ran:?}");
    }
    for option in ["--option", "--first-option", "--second-option"] {
        let ran = play(&soucie(), &["--nodes", "5", option, "UCI_variant=draughts"]);
        assert!(!ran.succeeded() && ran.err.contains("use --variant"), "{ran:?}");
    }
}

/// Thread stacks need address space, which a shell can limit.
#[cfg(target_os = "linux")]
#[test]
fn concurrency_beyond_the_available_threads_is_refused() {
    let games = ["match", "--nodes", "50", "--games", "4000", "--concurrency", "1024"];
    let Ran { code, err: error, .. } = programs::run_with_few_threads(&games);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.starts_with("soucie: cannot play 1024 games at a time: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn engine_that_cannot_be_restarted_loses_its_games() {
    let flag = programs::empty_folder("engine_match/starts-once").join("flag");
    let mut command = start_match(&fake("starts_once"), &["--nodes", "50", "--games", "4"]);
    let text = run(command.env(engines::FLAG, &flag)).out;
    assert!(line(&text, "Finished game 1 ").contains(" loses: the process has ended"), "{text}");
    for game in 2..=4 {
        let line = line(&text, &format!("Finished game {game} "));
        assert!(line.contains(" loses: cannot be restarted: the process has ended"), "{line}");
    }
    assert!(text.contains(" 4 crashes, "), "{text}");
}

#[test]
fn unrequested_engine_output_is_ignored() {
    let ran = play(&fake("prints_unrequested_lines"), &["--games", "2", "--nodes", "50"]);
    assert!(ran.succeeded(), "{ran:?}");
    line(&ran.out, &format!("B: {CLEAN}"));
}

#[test]
fn engines_default_to_this_program() {
    let mut command = programs::soucie();
    command.args(["match", "--nodes", "50", "--games", "2", "--option", "Threads=1"]);
    let text = programs::output_of(command.args(["--second-option", "Hash=2"]));
    line(&text, "Finished game 1 (soucie-lab vs soucie-lab Hash=2): ");
}

#[test]
#[ignore = "plays 120 games"]
fn higher_elo_scores_more() {
    for (variant, weak, strong) in
        [("loa", 1000, 1500), ("loa", 1700, 2300), ("draughts", 700, 1300)]
    {
        let engine = programs::SOUCIE;
        let mut command = programs::command(engine);
        command.args(["match", "--games", "40", "--time", "30000", "--variant", variant]);
        for (player, elo) in [("first", strong), ("second", weak)] {
            command.args([&format!("--{player}"), engine]);
            for option in ["UCI_LimitStrength=true", &format!("UCI_Elo={elo}")] {
                command.args([&format!("--{player}-option"), option]);
            }
        }
        let text = programs::output_of(&mut command);
        let score = text.lines().find(|line| line.starts_with("Score of ")).unwrap();
        let percent = score.split(['[', '%']).nth(1).and_then(|p| p.trim().parse::<f64>().ok());
        // The Elo difference predicts 95, 97 and 97 %.
        assert!(
            percent.is_some_and(|percent| percent > 75.0),
            "{variant} {weak} {strong}: {score}"
        );
    }
}
