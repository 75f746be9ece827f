//! Failures of the environment: closed pipes, signals, unreadable files, too little memory.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::dialogue::{Dialogue, TIMEOUT, run_uci};
use crate::programs;
use soucie::protocol;

fn program() -> Command {
    let mut command = programs::soucie();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn send(child: &mut Child, text: &str) {
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
}

/// Waits for the program to exit.
fn wait_for_exit(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > TIMEOUT {
            let _ = child.kill();
            panic!("the program is still running");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Reads lines up to the first that starts with `start`.
fn read_until(lines: &mut impl BufRead, start: &str) {
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "no '{start}'");
        if line.starts_with(start) {
            return;
        }
    }
}

#[test]
fn closing_stdout_ends_the_program_with_an_error() {
    for go in ["go infinite", "go movetime 600000", "go ponder", "go perft 30", "bench 60"] {
        let mut child = program().stderr(Stdio::null()).spawn().unwrap();
        send(&mut child, &format!("isready\n{go}\n"));
        let mut output = BufReader::new(child.stdout.take().unwrap());
        read_until(&mut output, "readyok");
        drop(output);
        // `perft` and `bench` print nothing for a while; writing the next reply fails.
        send(&mut child, "isready\n");
        assert!(!wait_for_exit(&mut child).success(), "{go}: success with a closed stdout");
    }
}

#[test]
fn an_incomplete_last_line_ends_the_program() {
    for (input, best_moves) in
        [("go infinite\nisrea", 1), ("go depth 4\ngo depth 3", 2), ("go infinite\nsto", 1)]
    {
        let mut program = Dialogue::with_program();
        program.send_bytes(input.as_bytes());
        let lines = program.close_input();
        let count = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(count, best_moves, "{input}: {lines:?}");
        assert!(program.finish(), "{input}");
    }
}

#[test]
fn invalid_hash_and_threads_values_are_errors() {
    let text = run_uci(
        "setoption name Threads value 1000\nsetoption name Threads value 257\n\
         setoption name Hash value 1048577\nsetoption name Hash value 0\ngo depth 3\n",
    );
    assert_eq!(text.lines().filter(|l| l.starts_with("info string error option '")).count(), 4);
    assert!(text.contains("from 1 to 256, found '1000'\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
}

#[test]
fn the_maximum_number_of_threads_can_search() {
    for (variant, go) in [("linesofaction", "go movetime 100"), ("englishdraughts", "go depth 1")] {
        let text = run_uci(format!(
            "setoption name UCI_Variant value {variant}\nsetoption name Threads value 256\n\
             {go}\nsetoption name Threads value 1\ngo depth 4\n"
        ));
        assert_eq!(text.lines().filter(|l| l.starts_with("bestmove ")).count(), 2, "{text}");
        assert!(!text.contains("bestmove (none)"), "{text}");
    }
}

#[test]
fn two_engines_are_independent() {
    let mut engines = [Dialogue::with_library(), Dialogue::with_library()];
    engines[1].send("setoption name UCI_Variant value englishdraughts");
    for engine in &mut engines {
        engine.send("go infinite");
    }
    for engine in &mut engines {
        engine.read_until("info depth 4 ");
    }
    engines[0].send("stop");
    engines[0].read_until("bestmove ");
    let lines = engines[1].query("isready");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    engines[1].send("stop");
    engines[1].read_until("bestmove ");
    assert!(engines.iter_mut().all(Dialogue::finish));
}

#[test]
fn quit_does_not_wait_for_unread_output() {
    let mut child = program().spawn().unwrap();
    // Each count writes some lines; together they are more than a pipe holds.
    send(&mut child, &"go perft 1\n".repeat(900));
    thread::sleep(Duration::from_millis(500));
    send(&mut child, "quit\n");
    assert!(wait_for_exit(&mut child).success());
}

#[test]
fn output_that_is_read_late_is_complete() {
    let mut child = program().spawn().unwrap();
    send(&mut child, &"go perft 1\n".repeat(900));
    drop(child.stdin.take());
    thread::sleep(Duration::from_millis(500));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
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

/// After `ponderhit` the search has a limit, so the next `go` waits for its end.
#[test]
fn go_does_not_stop_a_search_after_ponderhit() {
    let mut engine = Dialogue::with_library();
    engine.send("go ponder nodes 400000");
    engine.read_until("info depth 1 ");
    engine.send("ponderhit");
    engine.send("go depth 1");
    let lines = engine.read_until("bestmove ");
    let last = lines.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
    let nodes = last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(nodes.parse::<u64>().unwrap() > 100_000, "{last}");
    engine.read_until("bestmove ");
}

/// An output that panics in the search thread, which writes `bestmove`.
struct PanickingOutput;

impl Write for PanickingOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(!bytes.starts_with(b"bestmove"), "intended panic of this test");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_panic_of_the_search_thread_is_reported() {
    let (input, mut client) = io::pipe().unwrap();
    client.write_all(b"go depth 2\n").unwrap();
    let error = protocol::run(BufReader::new(input), PanickingOutput).unwrap_err();
    assert!(error.to_string().starts_with("the search thread panicked"), "{error}");
    drop(client);
    // The same at the end of input.
    let error = protocol::run(&b"go depth 2\n"[..], PanickingOutput).unwrap_err();
    assert!(error.to_string().starts_with("the search thread panicked"), "{error}");
}

/// Changes of the system time must not affect the engine.
#[test]
fn only_the_monotonic_clock_is_used() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = fs::read_to_string(&path).unwrap_or_default();
            for word in ["SystemTime", "UNIX_EPOCH"] {
                assert!(!text.contains(word), "{} contains {word}", path.display());
            }
        }
    }
    assert!(files > 10, "no source files found");
}

#[cfg(unix)]
mod unix {
    use super::*;

    const SIGNALS: [&str; 2] = ["TERM", "INT"];

    #[test]
    fn a_signal_ends_the_program_as_quit_does() {
        for name in SIGNALS {
            for start in ["isready\n", "isready\ngo infinite\n", "isready\ngo ponder\n"] {
                let mut child = program().spawn().unwrap();
                send(&mut child, start);
                let mut output = BufReader::new(child.stdout.take().unwrap());
                read_until(
                    &mut output,
                    if start.contains("go") { "info depth 3 " } else { "ready" },
                );
                programs::signal(&child, name);
                let mut rest = String::new();
                output.read_to_string(&mut rest).unwrap();
                assert!(wait_for_exit(&mut child).success(), "{name}: {start}");
                assert!(rest.is_empty() || rest.ends_with('\n'), "{name}: {rest}");
                assert_eq!(rest.contains("bestmove "), start.contains("go"), "{name}: {rest}");
            }
        }
    }

    fn empty_folder(name: &str) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path.to_str().unwrap().to_string()
    }

    #[test]
    fn pipes_and_devices_are_rejected_as_files() {
        let folder = empty_folder("pipes");
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
            (folder.as_str(), "is a directory; expected a regular file"),
        ];
        for (path, error) in cases {
            let output = engine.query(&format!("setoption name EvalFile value {path}"));
            assert_eq!(output, [format!("info string error EvalFile: {path}: {error}")], "{path}");
        }
        let output = engine.query(&format!("setoption name TablePath value {folder}"));
        assert_eq!(output, [format!("info string error tables: {table}: {device}")]);
        assert!(engine.finish());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_greeting_is_printed_only_at_a_terminal() {
        let greeting = "'help' lists them";
        let mut child = program().stderr(Stdio::piped()).spawn().unwrap();
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
        assert_eq!(text.matches(greeting).count(), 1, "{text}");
    }

    /// At the end of input the program waits for searches with a limit; a signal stops them.
    #[test]
    fn a_signal_stops_a_long_search_after_the_end_of_input() {
        let mut child = program().spawn().unwrap();
        send(&mut child, "go movetime 600000\n");
        let mut output = BufReader::new(child.stdout.take().unwrap());
        drop(child.stdin.take());
        read_until(&mut output, "info depth 3 ");
        programs::signal(&child, "TERM");
        read_until(&mut output, "bestmove ");
        assert!(wait_for_exit(&mut child).success());
    }

    #[test]
    fn a_signal_ends_a_program_with_unread_output() {
        for text in ["go perft 1\n".repeat(900), "uci\n".repeat(300)] {
            let mut child = program().spawn().unwrap();
            send(&mut child, &text);
            thread::sleep(Duration::from_millis(500));
            programs::signal(&child, "TERM");
            assert!(wait_for_exit(&mut child).success());
        }
    }

    #[test]
    fn stderr_may_be_closed() {
        let run = "exec \"$0\" 2>&-";
        let mut command = programs::command("sh");
        command.args(["-c", run, programs::SOUCIE]).env("RUST_LOG", "debug");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        send(&mut child, "hello\ngo depth 3\nisready\n");
        drop(child.stdin.take());
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(wait_for_exit(&mut child).success());
        assert!(text.contains("readyok\n") && text.contains("bestmove "), "{text}");
    }
}

/// The peak resident memory of a process, in KiB, if the system reports it.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn clearing_the_table_allocates_no_second_table() {
    for mib in [16, 128] {
        let mut child = program().spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut search = |child: &mut Child, before: &str| {
            send(child, &format!("{before}\nposition startpos\ngo nodes 800000\n"));
            read_until(&mut output, "bestmove");
            peak_memory(child)
        };
        let first = search(&mut child, &format!("setoption name Hash value {mib}"));
        let mut last = first;
        for clear in ["setoption name Clear Hash", "ucinewgame", "setoption name Clear Hash"] {
            last = search(&mut child, clear);
        }
        send(&mut child, "quit\n");
        assert!(wait_for_exit(&mut child).success());
        if let (Some(first), Some(last)) = (first, last) {
            assert!(last < first + (6 << 10), "Hash {mib}: from {first} to {last} KiB");
        }
    }
}
