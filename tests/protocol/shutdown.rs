//! The end of input, of output and of the search thread, and the contents of stdout and stderr.

use std::io::{self, BufReader, PipeWriter, Write};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use soucie::protocol;

use crate::dialogue::{Dialogue, run_uci};
use crate::programs::waits::wait_until;
use crate::{count, last, programs};

#[test]
fn pending_commands_finish_at_the_end_of_input() {
    for (input, best_moves) in [
        ("go infinite\n", 1..=1),
        ("go ponder\n", 1..=1),
        ("go ponder btime 10 wtime 10\n", 1..=1),
        ("go depth 5\ngo infinite\n", 2..=2),
        ("go infinite\ngo movetime 30\nd\ngo nodes 1000\n", 3..=3),
        ("go infinite\nquit\ngo depth 1\n", 0..=1),
        // Without the end of the last line.
        ("isready", 0..=0),
        ("go infinite\nisrea", 1..=1),
        ("go depth 4\ngo depth 3", 2..=2),
        ("go infinite\nsto", 1..=1),
    ] {
        let mut engine = Dialogue::with_program();
        engine.send_bytes(input.as_bytes());
        let text = engine.close_input().join("\n");
        assert!(engine.finish(), "{input}");
        assert!(best_moves.contains(&count(&text, "bestmove ")), "{input}: {text}");
    }
    let text = run_uci("position startpos moves d1b3\nanalyse {\"nodes\":9}");
    assert!(last(&text).starts_with("analyse {\"final\":true,\"game\":"), "{text}");
    let text = run_uci("go perft 4\nisready\nbench 2");
    assert!(text.contains("Nodes searched: ") && text.ends_with(" nps\n"), "{text}");
}

/// An output that calls a function with the text of each write, and with none at each flush.
struct CallbackOutput<F>(F);

impl<F: FnMut(Option<&str>) -> io::Result<()>> Write for CallbackOutput<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.0)(Some(&String::from_utf8_lossy(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        (self.0)(None)
    }
}

/// The result of the library with this output while its input stays open.
fn run_with_output<F>(input: &str, output: F) -> io::Result<()>
where
    F: FnMut(Option<&str>) -> io::Result<()> + Send + 'static,
{
    let (reader, mut writer): (_, PipeWriter) = io::pipe()?;
    writeln!(writer, "{input}")?;
    let run = thread::spawn(move || protocol::run(BufReader::new(reader), CallbackOutput(output)));
    wait_until(&format!("the library ends after {input}"), || run.is_finished());
    drop(writer);
    run.join().unwrap()
}

#[test]
fn a_closed_output_ends_the_library() {
    let analysis = "position startpos moves d1b3\nanalyse {\"nodes\":9}";
    for input in
        ["go infinite", "go depth 3", "uci", analysis, "go infinite\ngo infinite\ngo depth 50"]
    {
        let closed = |_: Option<&str>| Err(io::ErrorKind::BrokenPipe.into());
        assert!(run_with_output(input, closed).is_err(), "{input}");
    }
    // Also one that is closed after the end of the input.
    let after_input = |text: Option<&str>| match text {
        Some(text) if text.contains("bestmove") => Err(io::ErrorKind::BrokenPipe.into()),
        _ => Ok(()),
    };
    for (input, fails) in [("go movetime 50", true), ("go perft 3", false)] {
        let run = protocol::run(input.as_bytes(), CallbackOutput(after_input));
        assert_eq!(run.is_err(), fails, "{input}");
    }
}

#[test]
fn each_line_is_flushed_and_stdout_holds_only_the_protocol() {
    // The number of unflushed lines: now, and at most.
    let unflushed = Arc::new(Mutex::new((0, 0)));
    let counts = Arc::clone(&unflushed);
    let count_lines = move |text: Option<&str>| {
        let mut counts = counts.lock().unwrap();
        counts.0 = text.map_or(0, |text| counts.0 + text.matches('\n').count());
        counts.1 = counts.1.max(counts.0);
        Ok(())
    };
    run_with_output("go depth 5\nhello\nisready\ngo infinite\nisready\nquit", count_lines).unwrap();
    assert_eq!(*unflushed.lock().unwrap(), (0, 1));
}

#[test]
fn the_log_goes_to_stderr_which_may_be_closed() {
    for stderr_is_open in [true, false] {
        let mut command = programs::soucie();
        command.env("RUST_LOG", "soucie=trace");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        if !stderr_is_open {
            program.stderr = None;
        }
        program.stdin.take().unwrap().write_all(b"isready\nhello\ngo depth 5\n").unwrap();
        let output = program.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("readyok\ninfo string error"), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
        assert!(text.lines().all(|line| !line.contains("soucie")), "{text}");
        assert!(output.status.success());
        let log = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr_is_open, log.contains("go depth 5"), "{log}");
    }
}

/// The search thread writes to the output itself, so a panic in the output is a panic of that
/// thread.
#[test]
fn a_panic_of_the_search_thread_ends_the_loop() {
    let panics = |text: Option<&str>| {
        let is_last = text.is_some_and(|text| text.contains(" pv ") || text.contains("bestmove"));
        assert!(!is_last, "intended panic of this test");
        Ok(())
    };
    for input in ["go infinite", "go depth 30", "go ponder", "go depth 1\ngo depth 1\ngo infinite"]
    {
        let error = run_with_output(input, panics).unwrap_err();
        assert!(error.to_string().starts_with("the search thread panicked"), "{input}: {error}");
    }
    // The same at the end of input.
    let error = protocol::run(&b"go depth 2\n"[..], CallbackOutput(panics)).unwrap_err();
    assert!(error.to_string().starts_with("the search thread panicked"), "{error}");
}

/// An output whose reader has stopped reading.
struct UnreadOutput;

impl Write for UnreadOutput {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        loop {
            thread::park();
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn output_that_is_not_read_does_not_keep_the_program() {
    let searches = "setoption name MultiPV value 30\ngo infinite\n";
    let many = "variants\n".repeat(2_000);
    let table =
        ["isready\n", searches, &many, &format!("{searches}stop\nisready\n")].map(str::to_string);
    let run = |input: String| thread::spawn(|| protocol::run(io::Cursor::new(input), UnreadOutput));
    let quits = table.clone().map(|input| run(input + "quit\n"));
    let ends = table.map(run);
    let xboard = run("xboard\nprotover 2\nping 1\nquit\n".to_string());
    for result in quits.into_iter().chain([xboard]) {
        assert!(result.join().unwrap().is_ok());
    }
    for result in ends {
        let error = result.join().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "standard output is not read");
    }
}
