//! Engines that fail: ignored tests, which a match starts by name as engines. They use
//! the standard streams.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

use soucie::engine::open;
use soucie::options::Options;

/// Talks like an engine; `answer` says what follows `go` in a position.
fn talk(answer: impl Fn(&[&str]) -> String) {
    // What the test harness has written so far is no line.
    println!();
    let mut position = String::new();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        match line.split_whitespace().next() {
            Some("uci") => println!("id name fake\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") => position = line,
            Some("go") if line.contains("ponder") => exit(0),
            Some("go") => {
                let moves: Vec<&str> = position.split_whitespace().skip(3).collect();
                println!("{}", answer(&moves));
            }
            Some("quit") => break,
            _ => {}
        }
        io::stdout().flush().unwrap();
    }
}

/// Some legal move after `moves`.
fn some_move(moves: &[&str]) -> String {
    let session = open(&Options::default()).unwrap().with_moves(moves).unwrap();
    session.view().moves.swap_remove(0)
}

#[test]
#[ignore = "an engine for the match"]
fn ends() {
    talk(|_| exit(0));
}

#[test]
#[ignore = "an engine for the match"]
fn ends_when_it_is_to_ponder() {
    talk(|moves| {
        let mv = some_move(moves);
        let reply = some_move(&[moves, &[&mv]].concat());
        format!("info depth 1 score cp 0 pv {mv}\nbestmove {mv} ponder {reply}")
    });
}

#[test]
#[ignore = "an engine for the match"]
fn is_silent() {
    talk(|_| String::new());
}

#[test]
#[ignore = "an engine for the match"]
fn is_ready_once() {
    println!();
    for line in io::stdin().lock().lines() {
        match line.unwrap().as_str() {
            "uci" => println!("uciok"),
            "isready" => break,
            _ => {}
        }
    }
    println!("readyok");
    sleep(Duration::from_secs(60));
}

/// It speaks so much that there is always another line to read.
#[test]
#[ignore = "an engine for the match"]
fn floods() {
    talk(|_| {
        let lines = "info depth 1 nodes 1\n".repeat(1_000);
        while io::stdout().write_all(lines.as_bytes()).is_ok() {}
        exit(0)
    });
}

/// It reads nothing, not even what is too long for a pipe, and has an answer to everything.
#[test]
#[ignore = "an engine for the match"]
fn deaf() {
    println!();
    let answers = "option name Long type string\nuciok\nreadyok\nbestmove a1a1\n";
    while io::stdout().write_all(answers.as_bytes()).is_ok() {}
    exit(0)
}

#[test]
#[ignore = "an engine for the match"]
fn babbles() {
    for _ in 0..10_000 {
        println!("what is this\n\u{0}option name\n  bestmoves readyoks uciok?");
    }
    talk(|moves| {
        let mv = some_move(moves);
        format!("\ninfo\ninfo depth\ninfo depth 1 score cp 0 pv {mv}\nbestmove {mv}")
    });
}

#[test]
#[ignore = "an engine for the match"]
fn talks_nonsense() {
    let nonsense = format!("info depth 1 score cp 0 pv a1a1 {}\n", "x".repeat(5_000)).repeat(300);
    talk(|moves| {
        let mv = some_move(moves);
        format!("{nonsense}info depth 1 score cp 0 pv {mv}\nbestmove {mv}")
    });
}

#[test]
#[ignore = "an engine for the match"]
fn has_many_options() {
    println!("\noption name {} type string", "x".repeat(300));
    for number in 1..=1_001 {
        println!("option name o{number} type string");
    }
    talk(|_| exit(0));
}

#[test]
#[ignore = "an engine for the match"]
fn boasts() {
    talk(|moves| {
        let mv = some_move(moves);
        let score = if moves.len() < 8 { "mate -2147483648" } else { "cp -2147483648" };
        let most = u64::MAX;
        format!("info depth {most} score {score} nodes {most} pv {mv}\nbestmove {mv}")
    });
}

/// Names the file that says that the engine was started before.
pub const FLAG: &str = "SOUCIE_TEST_STARTED";

#[test]
#[ignore = "an engine for the match"]
fn starts_once() {
    let flag = env::var_os(FLAG).unwrap();
    if fs::exists(&flag).unwrap() {
        exit(0);
    }
    fs::write(flag, "").unwrap();
    talk(|_| exit(0));
}

#[test]
#[ignore = "an engine for the match"]
fn plays_a9a9() {
    talk(|_| "bestmove a9a9".to_string());
}

#[test]
#[ignore = "an engine for the match"]
fn resigns() {
    talk(|_| "bestmove (none)".to_string());
}

#[test]
#[ignore = "an engine for the match"]
fn is_late() {
    talk(|moves| {
        sleep(Duration::from_millis(2_000));
        let mv = some_move(moves);
        format!("info depth 1 score cp 0 pv {mv}\nbestmove {mv}")
    });
}

#[test]
#[ignore = "an engine for the match"]
fn says_nothing_of_its_move() {
    talk(|moves| format!("bestmove {}", some_move(moves)));
}

#[test]
#[ignore = "an engine for the match"]
fn lies() {
    talk(|moves| {
        let mv = some_move(moves);
        let score = if moves.len() < 6 { "mate 2" } else { "cp 900" };
        format!("info depth 1 score {score} pv {mv}\nbestmove {mv}")
    });
}
