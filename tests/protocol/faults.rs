//! Failures of the environment: closed pipes, signals, unreadable files, too many commands.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::dialogue::{Dialogue, run_uci};
use crate::programs;
use crate::programs::waits::wait_for_exit;

fn program() -> Command {
    let mut command = programs::soucie();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// A process that has read these lines.
fn start(mut command: Command, lines: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = command.spawn().unwrap();
    send(&mut child, lines);
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

fn send(child: &mut Child, text: &str) {
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
}

/// Reads lines up to the first that starts with `start`.
fn read_until(lines: &mut impl BufRead, start: &str) {
    let found = lines.lines().any(|line| line.unwrap().starts_with(start));
    assert!(found, "no '{start}'");
}

#[test]
fn closing_stdout_ends_the_program_with_an_error() {
    for go in ["go infinite", "go movetime 600000", "go ponder", "go perft 30", "bench 60"] {
        let mut command = program();
        command.stderr(Stdio::null());
        let (mut child, mut output) = start(command, &format!("isready\n{go}\n"));
        read_until(&mut output, "readyok");
        drop(output);
        // `perft` and `bench` print nothing for a while; writing the next reply fails.
        send(&mut child, "isready\n");
        assert!(!wait_for_exit(&mut child).success(), "{go}: success with a closed stdout");
    }
}

#[test]
fn the_maximum_number_of_threads_can_search() {
    let text = run_uci(
        "setoption name Threads value 256\ngo movetime 20\n\
         setoption name Threads value 1\ngo depth 4\n",
    );
    assert_eq!(text.lines().filter(|l| l.starts_with("bestmove ")).count(), 2, "{text}");
    assert!(!text.contains("bestmove (none)"), "{text}");
}

/// Each count writes some lines; together they are more than a pipe holds.
fn long_output() -> String {
    "go perft 1\n".repeat(900)
}

/// A process whose output fills the pipe, and is not read.
fn blocked(lines: &str) -> (Child, BufReader<ChildStdout>) {
    let started = start(program(), lines);
    thread::sleep(Duration::from_millis(200));
    started
}

#[test]
fn quit_does_not_wait_for_unread_output() {
    let (mut child, _output) = blocked(&long_output());
    send(&mut child, "quit\n");
    assert!(wait_for_exit(&mut child).success());
}

#[test]
fn output_that_is_read_late_is_complete() {
    let (mut child, mut output) = blocked(&long_output());
    drop(child.stdin.take());
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().filter(|&line| line == "Nodes searched: 36").count(), 900);
    assert!(wait_for_exit(&mut child).success());
}

#[test]
fn searches_beyond_the_queue_are_refused_without_blocking() {
    const SEARCHES: usize = 1_500;
    let mut program = Dialogue::with_program();
    program.send("go movetime 600000");
    // From here on the queue does not shrink.
    program.read_until("info depth 1 ");
    program.send(&"go movetime 600000\n".repeat(SEARCHES - 1));
    program.send("stop\nisready");
    // The replies to refused searches come last.
    let mut best_moves = 0;
    let mut refused = 0;
    while best_moves < SEARCHES {
        let line = program.read_line().unwrap();
        best_moves += usize::from(line.starts_with("bestmove "));
        refused += usize::from(line == "bestmove (none)");
        assert!(refused == 0 || !line.starts_with("bestmove ") || line.ends_with("(none)"));
    }
    assert!((1..SEARCHES).contains(&refused), "{refused}");
    assert!(program.finish());
}

#[cfg(unix)]
mod unix {
    use super::*;

    /// A signal also stops a search for whose end the program waits after the end of input.
    #[test]
    fn a_signal_ends_the_program_as_quit_does() {
        for (name, lines, is_closed) in [
            ("TERM", "isready\n", false),
            ("INT", "isready\n", false),
            ("TERM", "isready\ngo infinite\n", false),
            ("INT", "isready\ngo ponder\n", false),
            ("TERM", "go movetime 600000\n", true),
        ] {
            let (mut child, mut output) = start(program(), lines);
            if is_closed {
                drop(child.stdin.take());
            }
            let is_search = lines.contains("go");
            read_until(&mut output, if is_search { "info depth 3 " } else { "ready" });
            programs::signal(&child, name);
            let mut rest = String::new();
            output.read_to_string(&mut rest).unwrap();
            assert!(wait_for_exit(&mut child).success(), "{name}: {lines}");
            assert!(rest.is_empty() || rest.ends_with('\n'), "{name}: {rest}");
            assert_eq!(rest.contains("bestmove "), is_search, "{name}: {rest}");
        }
    }

    #[test]
    fn a_signal_ends_a_program_with_unread_output() {
        for text in [long_output(), "uci\n".repeat(300)] {
            let (mut child, _output) = blocked(&text);
            programs::signal(&child, "TERM");
            assert!(wait_for_exit(&mut child).success());
        }
    }

    #[test]
    fn pipes_and_devices_are_rejected_as_files() {
        let folder = programs::empty_folder("pipes");
        let folder = folder.to_str().unwrap();
        let [network, table] = ["pipe.nnue", "0m1k-0m1k.table"].map(|name| {
            let path = format!("{folder}/{name}");
            programs::make_pipe(&path);
            path
        });
        let mut engine = Dialogue::with_program();
        let device = "is a device or a pipe; expected a regular file";
        let cases = [
            (network.as_str(), device),
            ("/dev/zero", device),
            ("/dev/null", device),
            (folder, "is a directory; expected a regular file"),
        ];
        for (path, error) in cases {
            let output = engine.query(&format!("setoption name EvalFile value {path}"));
            assert_eq!(output, [format!("info string error EvalFile: {path}: {error}")], "{path}");
        }
        let output = engine.query(&format!("setoption name TablePath value {folder}"));
        assert_eq!(output, [format!("info string error tables: {table}: {device}")]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_greeting_is_printed_only_at_a_terminal() {
        let mut command = program();
        command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        send(&mut child, "isready\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!((&*output.stdout, &*output.stderr), (&b"readyok\n"[..], &b""[..]));
        // `script` from util-linux runs a program at a terminal.
        let mut command = programs::command("script");
        command.args(["-qec", programs::SOUCIE, "/dev/null"]);
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            eprintln!("skipped: 'script' is not installed");
            return;
        };
        send(&mut child, "quit\n");
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(wait_for_exit(&mut child).success());
        assert_eq!(text.matches("'help' lists them").count(), 1, "{text}");
    }
}
