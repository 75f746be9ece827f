//! Faulty engines: an ignored test, which a match runs with the name of one as an engine on the standard
//! streams.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

use soucie::engine::open;
use soucie::options::Options;

/// Runs a minimal UCI engine; `answer` returns its output for `go` after these moves.
fn run_engine(answer: impl Fn(&[&str]) -> String) {
    // Ends the line that the test harness has begun.
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

/// A legal move after `moves`.
fn some_move(moves: &[&str]) -> String {
    let session = open(&Options::default()).unwrap().with_moves(moves).unwrap();
    session.legal_moves().swap_remove(0)
}

/// Writes lines until the match ends.
fn write_forever(lines: &str) -> ! {
    let lines = lines.repeat(1_000);
    while io::stdout().write_all(lines.as_bytes()).is_ok() {}
    exit(0)
}

/// The environment variable for the path of a file that exists once the engine has been started.
pub const FLAG: &str = "SOUCIE_TEST_STARTED";

#[test]
#[ignore = "an engine for the match"]
fn engine() {
    let name = env::args().next_back().unwrap();
    match &*name {
        "exits" => run_engine(|_| exit(0)),
        "exits_on_ponder" => run_engine(|moves| {
            let mv = some_move(moves);
            let reply = some_move(&[moves, &[&mv]].concat());
            format!("info depth 1 score cp 0 pv {mv}\nbestmove {mv} ponder {reply}")
        }),
        "never_moves" => run_engine(|_| String::new()),
        "hangs_after_readyok" => {
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
        // So there is always another line to read.
        "floods" => run_engine(|_| write_forever("info depth 1 nodes 1\n")),
        "ignores_input" => {
            println!();
            write_forever("option name Long type string\nuciok\nreadyok\nbestmove a1a1\n");
        }
        "prints_unrequested_lines" => {
            for _ in 0..10_000 {
                println!("what is this\n\u{0}option name\n  bestmoves readyoks uciok?");
            }
            run_engine(|moves| {
                let mv = some_move(moves);
                format!("\ninfo\ninfo depth\ninfo depth 1 score cp 0 pv {mv}\nbestmove {mv}")
            });
        }
        "has_many_options" => {
            println!("\noption name {} type string", "x".repeat(300));
            for number in 1..=1_001 {
                println!("option name o{number} type string");
            }
            run_engine(|_| exit(0));
        }
        "reports_extreme_scores" => run_engine(|moves| {
            let mv = some_move(moves);
            let score = if moves.len() < 8 { "mate -2147483648" } else { "cp -2147483648" };
            let most = u64::MAX;
            format!("info depth {most} score {score} nodes {most} pv {mv}\nbestmove {mv}")
        }),
        "starts_once" => {
            let flag = env::var_os(FLAG).unwrap();
            if fs::exists(&flag).unwrap() {
                exit(0);
            }
            fs::write(flag, "").unwrap();
            run_engine(|_| exit(0));
        }
        "plays_a9a9" => run_engine(|_| "bestmove a9a9".to_string()),
        "resigns" => run_engine(|_| "bestmove (none)".to_string()),
        "exceeds_movetime" => run_engine(|moves| {
            sleep(Duration::from_millis(2_500));
            let mv = some_move(moves);
            format!("info depth 1 score cp 0 pv {mv}\nbestmove {mv}")
        }),
        _ => panic!("no engine '{name}'"),
    }
}
