//! What happens when the world around the program fails.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::dialogue::{Dialogue, PATIENCE, talk};
use soucie::protocol;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn say(child: &mut Child, text: &str) {
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
}

/// Waits for the end of a program.
fn end_of(child: &mut Child) -> ExitStatus {
    let asked = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if asked.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program lives on");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Reads lines to the first that begins like this.
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
fn a_closed_output_is_no_failure_that_hangs() {
    for go in ["go infinite", "go movetime 600000", "go ponder", "go perft 30", "bench 60"] {
        let mut child = program().stderr(Stdio::null()).spawn().unwrap();
        say(&mut child, &format!("isready\n{go}\n"));
        let mut output = BufReader::new(child.stdout.take().unwrap());
        read_until(&mut output, "readyok");
        drop(output);
        // Counts and benchmarks say nothing for a while; the next answer finds nobody.
        say(&mut child, "isready\n");
        assert!(!end_of(&mut child).success(), "{go}: nobody heard the end");
    }
}

#[test]
fn an_input_that_ends_inside_a_line_ends_the_program() {
    for (input, best_moves) in
        [("go infinite\nisrea", 1), ("go depth 4\ngo depth 3", 2), ("go infinite\nsto", 1)]
    {
        let mut program = Dialogue::with_program();
        program.say_bytes(input.as_bytes());
        let lines = program.end();
        let count = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(count, best_moves, "{input}: {lines:?}");
        assert!(program.leave(), "{input}");
    }
}

#[test]
fn wrong_sizes_and_numbers_of_threads_are_told() {
    let text = talk(
        "setoption name Threads value 1000\nsetoption name Threads value 257\n\
         setoption name Hash value 1048577\nsetoption name Hash value 0\ngo depth 3\n",
    );
    assert_eq!(text.lines().filter(|l| l.starts_with("info string error option '")).count(), 4);
    assert!(text.contains("from 1 to 256, found '1000'\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
}

#[test]
fn as_many_threads_as_can_be_asked_for_search() {
    for (variant, go) in [("linesofaction", "go movetime 100"), ("englishdraughts", "go depth 1")] {
        let text = talk(format!(
            "setoption name UCI_Variant value {variant}\nsetoption name Threads value 256\n\
             {go}\nsetoption name Threads value 1\ngo depth 4\n"
        ));
        assert_eq!(text.lines().filter(|l| l.starts_with("bestmove ")).count(), 2, "{text}");
        assert!(!text.contains("bestmove (none)"), "{text}");
    }
}

#[test]
fn two_engines_do_not_disturb_each_other() {
    let mut engines = [Dialogue::with_library(), Dialogue::with_library()];
    engines[1].say("setoption name UCI_Variant value englishdraughts");
    for engine in &mut engines {
        engine.say("go infinite");
    }
    for engine in &mut engines {
        engine.hear_until("info depth 4 ");
    }
    engines[0].say("stop");
    engines[0].hear_until("bestmove ");
    let lines = engines[1].ask("isready");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    engines[1].say("stop");
    engines[1].hear_until("bestmove ");
    assert!(engines.iter_mut().all(Dialogue::leave));
}

#[test]
fn quit_does_not_wait_for_a_reader() {
    let mut child = program().spawn().unwrap();
    // Each count writes some lines; together they are more than a pipe holds.
    say(&mut child, &"go perft 1\n".repeat(900));
    thread::sleep(Duration::from_millis(500));
    say(&mut child, "quit\n");
    assert!(end_of(&mut child).success());
}

#[test]
fn what_is_read_late_is_complete() {
    let mut child = program().spawn().unwrap();
    say(&mut child, &"go perft 1\n".repeat(900));
    drop(child.stdin.take());
    thread::sleep(Duration::from_millis(500));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().filter(|&line| line == "Nodes searched: 36").count(), 900);
    assert!(end_of(&mut child).success());
}

#[test]
fn too_many_searches_are_refused_and_do_not_block() {
    const ASKED: usize = 1_500;
    let mut program = Dialogue::with_program();
    program.say(&"go movetime 600000\n".repeat(ASKED));
    program.say("stop\nisready");
    // The answers to those that were refused come last.
    let mut best_moves = 0;
    let mut refused = 0;
    while best_moves < ASKED {
        let line = program.hear().unwrap();
        best_moves += usize::from(line.starts_with("bestmove "));
        refused += usize::from(line == "bestmove (none)");
        assert!(refused == 0 || !line.starts_with("bestmove ") || line.ends_with("(none)"));
    }
    assert!((1..ASKED).contains(&refused), "{refused}");
    assert!(program.leave());
}

/// After `ponderhit` a search has an end of its own, which the next `go` waits for.
#[test]
fn a_search_whose_move_was_played_is_not_cut_short() {
    let mut engine = Dialogue::with_library();
    engine.say("go ponder nodes 400000");
    engine.hear_until("info depth 1 ");
    engine.say("ponderhit");
    engine.say("go depth 1");
    let lines = engine.hear_until("bestmove ");
    let last = lines.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
    let nodes = last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(nodes.parse::<u64>().unwrap() > 100_000, "{last}");
    engine.hear_until("bestmove ");
}

/// An output that fails in the search thread.
struct Brittle;

impl Write for Brittle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(!bytes.starts_with(b"bestmove"), "this failure is part of a test");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_dead_search_thread_is_named_as_the_cause() {
    let (input, mut client) = io::pipe().unwrap();
    client.write_all(b"go depth 2\n").unwrap();
    let error = protocol::run(BufReader::new(input), Brittle).unwrap_err();
    assert!(error.to_string().starts_with("the search thread panicked"), "{error}");
    drop(client);
    // At the end of input likewise.
    let error = protocol::run(&b"go depth 2\n"[..], Brittle).unwrap_err();
    assert!(error.to_string().starts_with("the search thread panicked"), "{error}");
}

/// A jump of the wall clock must not be seen.
#[test]
fn only_the_steady_clock_is_read() {
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
                assert!(!text.contains(word), "{} speaks of {word}", path.display());
            }
        }
    }
    assert!(files > 10, "the sources are not found");
}

#[cfg(unix)]
mod unix {
    use super::*;

    const SIGNALS: [&str; 2] = ["TERM", "INT"];

    fn signal(child: &Child, name: &str) {
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    #[test]
    fn a_signal_ends_the_program_as_quit_does() {
        for name in SIGNALS {
            for start in ["isready\n", "isready\ngo infinite\n", "isready\ngo ponder\n"] {
                let mut child = program().spawn().unwrap();
                say(&mut child, start);
                let mut output = BufReader::new(child.stdout.take().unwrap());
                read_until(
                    &mut output,
                    if start.contains("go") { "info depth 3 " } else { "ready" },
                );
                signal(&child, name);
                let mut rest = String::new();
                output.read_to_string(&mut rest).unwrap();
                assert!(end_of(&mut child).success(), "{name}: {start}");
                assert!(rest.is_empty() || rest.ends_with('\n'), "{name}: {rest}");
                assert_eq!(rest.contains("bestmove "), start.contains("go"), "{name}: {rest}");
            }
        }
    }

    fn scratch(name: &str) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path.to_str().unwrap().to_string()
    }

    #[test]
    fn pipes_and_devices_are_no_files_to_read() {
        let folder = scratch("pipes");
        let [network, table] = ["pipe.nnue", "0m1k-0m1k.table"].map(|name| {
            let path = format!("{folder}/{name}");
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        });
        let mut engine = Dialogue::with_program();
        let device = "is a device or a pipe; expected a regular file";
        let table_of = [
            (network.as_str(), device),
            ("/dev/zero", device),
            ("/dev/null", device),
            (folder.as_str(), "is a directory; expected a regular file"),
        ];
        for (path, why) in table_of {
            let answer = engine.ask(&format!("setoption name EvalFile value {path}"));
            assert_eq!(answer, [format!("info string error EvalFile: {path}: {why}")], "{path}");
        }
        let answer = engine.ask(&format!("setoption name TablePath value {folder}"));
        assert_eq!(answer, [format!("info string error {table}: {device}")]);
        assert!(engine.leave());
    }

    /// A person is greeted, a program is not.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_terminal_is_greeted_on_standard_error() {
        let greeting = "'help' lists them";
        let mut child = program().stderr(Stdio::piped()).spawn().unwrap();
        say(&mut child, "isready\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!((&*output.stdout, &*output.stderr), (&b"readyok\n"[..], &b""[..]));
        // This program of util-linux runs another one at a terminal.
        let mut command = Command::new("script");
        command.args(["-qec", env!("CARGO_BIN_EXE_soucie"), "/dev/null"]);
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            eprintln!("there is no 'script' here");
            return;
        };
        say(&mut child, "quit\n");
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(end_of(&mut child).success());
        assert_eq!(text.matches(greeting).count(), 1, "{text}");
    }

    /// The end of input waits for searches that end by themselves; a signal does not.
    #[test]
    fn a_signal_ends_the_wait_for_a_long_search() {
        let mut child = program().spawn().unwrap();
        say(&mut child, "go movetime 600000\n");
        let mut output = BufReader::new(child.stdout.take().unwrap());
        drop(child.stdin.take());
        read_until(&mut output, "info depth 3 ");
        signal(&child, "TERM");
        read_until(&mut output, "bestmove ");
        assert!(end_of(&mut child).success());
    }

    #[test]
    fn a_signal_ends_a_program_whose_answers_nobody_reads() {
        for text in ["go perft 1\n".repeat(900), "uci\n".repeat(300)] {
            let mut child = program().spawn().unwrap();
            say(&mut child, &text);
            thread::sleep(Duration::from_millis(500));
            signal(&child, "TERM");
            assert!(end_of(&mut child).success());
        }
    }

    #[test]
    fn nothing_needs_a_standard_error() {
        let run = "exec \"$0\" 2>&-";
        let mut command = Command::new("sh");
        command.args(["-c", run, env!("CARGO_BIN_EXE_soucie")]).env("RUST_LOG", "debug");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        say(&mut child, "hello\ngo depth 3\nisready\n");
        drop(child.stdin.take());
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(end_of(&mut child).success());
        assert!(text.contains("readyok\n") && text.contains("bestmove "), "{text}");
    }

    /// A limit on the address space makes a machine with little memory of any.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_table_that_cannot_be_had_leaves_the_old_one() {
        let run = "ulimit -v 600000 && exec \"$0\"";
        let mut command = Command::new("sh");
        command.args(["-c", run, env!("CARGO_BIN_EXE_soucie")]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        say(
            &mut child,
            "setoption name Hash value 4000\ngo depth 3\nucinewgame\nisready\n\
             setoption name Hash value 32\ngo depth 3\n",
        );
        drop(child.stdin.take());
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(end_of(&mut child).success());
        let errors: Vec<&str> = text.lines().filter(|line| line.contains(" error ")).collect();
        assert_eq!(errors, ["info string error cannot allocate a transposition table of 4000 MiB"]);
        assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), 2);
    }
}

/// The most memory that a process has held so far, in KiB, where the system reports it.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn clearing_the_table_needs_no_second_one() {
    for mib in [16, 128] {
        let mut child = program().spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut search = |child: &mut Child, before: &str| {
            say(child, &format!("{before}\nposition startpos\ngo nodes 400000\n"));
            read_until(&mut output, "bestmove");
            peak(child)
        };
        let first = search(&mut child, &format!("setoption name Hash value {mib}"));
        let mut last = first;
        for clear in ["setoption name Clear Hash", "ucinewgame", "setoption name Clear Hash"] {
            last = search(&mut child, clear);
        }
        say(&mut child, "quit\n");
        assert!(end_of(&mut child).success());
        if let (Some(first), Some(last)) = (first, last) {
            assert!(last < first + (6 << 10), "Hash {mib}: from {first} to {last} KiB");
        }
    }
}
