//! The text protocol: reads commands, calls the engine, writes replies.
//!
//! `protocol.md` is the specification, with `json.md`, `errors.md` and `dialects/dialects.md` here.
//! Three threads share the work. The thread `input` reads lines into a queue, so that the main loop
//! can also react to events other than input. The main loop, on the thread `protocol`, owns the engine
//! and never waits for a search. The search thread writes the events of its searches, or sends them to
//! the main loop for a dialect that reacts to them. [`UciLoop::run`] only waits for the end.
//!
//! The first line selects the dialect. UGI and Hub translate their lines to the commands of UCI,
//! which the `Handler` executes. CECP calls the engine itself, because it keeps a game and reacts to
//! the ends of searches. All write events as lines of their own.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyse;
pub mod archive;
pub mod command;
mod dialects;
pub mod export;
mod handler;
pub mod hint;
pub mod import;
mod input;
pub mod json;
pub mod refusal;
pub mod reply;
mod shutdown;
mod single_thread;

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::engine::{Engine, EngineError};
use crate::files::lines::{LONGEST_LINE, next_line};
use crate::games::Tablebases;
use dialects::DialectName;
use handler::{Access, Dialect, Next, SharedOutput};
use input::{Input, InputReceiver, InputSender, queue};
pub use shutdown::ShutdownHandle;
use shutdown::{DRAIN_TIMEOUT, EndRequest};
pub use single_thread::{Received, SingleThreadLoop};

/// Runs the protocol until `quit` or the end of input. At the end of input pending commands finish
/// first. Returns an error if the input cannot be read, or if the output is closed or the search thread
/// dies before that.
pub fn run<R, W>(input: R, output: W) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    UciLoop::new().run(input, output)
}

/// The main loop of the protocol. A [`ShutdownHandle`] can end it from another thread.
pub struct UciLoop {
    sender: InputSender,
    inputs: InputReceiver,
    request: EndRequest,
    tables: Tablebases,
    with_files: bool,
}

impl Default for UciLoop {
    fn default() -> Self {
        Self::new()
    }
}

impl UciLoop {
    /// Creates a loop that has not started.
    pub fn new() -> Self {
        let (sender, inputs) = queue();
        let request = EndRequest::default();
        Self { sender, inputs, request, tables: Tablebases::default(), with_files: true }
    }

    /// Sets the endgame tables to use while `TablePath` is empty.
    #[must_use]
    pub fn with_tables(mut self, tables: Tablebases) -> Self {
        self.tables = tables;
        self
    }

    /// Removes the options whose value is a path, for a client that must not name files.
    #[must_use]
    pub fn without_files(mut self) -> Self {
        self.with_files = false;
        self
    }

    /// Returns a handle to end the loop from another thread.
    pub fn shutdown_handle(&self) -> ShutdownHandle {
        ShutdownHandle { sender: self.sender.clone(), request: self.request.clone() }
    }

    /// Runs the loop, as the function [`run`] does.
    pub fn run<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: BufRead + Send + 'static,
        W: Write + Send + 'static,
    {
        let output = SharedOutput::new(output);
        let (lines, request) = (self.sender.clone(), self.request.clone());
        let noted = request.clone();
        let read = move || read_lines(input, &lines, &noted);
        thread::Builder::new().name("input".into()).spawn(read)?;
        let written = output.clone();
        let ended = request.clone();
        // On a thread of its own: one that is blocked by its output cannot end the program.
        let main_loop = move || ended.run(|| self.main_loop(written));
        thread::Builder::new().name("protocol".into()).spawn(main_loop)?;
        request.wait(|| output.blocked_for())
    }

    fn main_loop<W>(self, output: SharedOutput<W>) -> io::Result<()>
    where
        W: Write + Send + 'static,
    {
        let Self { sender, mut inputs, tables, with_files, .. } = self;
        let first = first_input(&mut inputs);
        let name = match &first {
            Input::Line(line) => DialectName::of(line),
            _ => DialectName::Uci,
        };
        let end = Arc::new(OnceLock::new());
        let guard = DisconnectGuard { end: Arc::clone(&end), waker: sender.clone() };
        let to_dialect = move |event| sender.send(Input::Event(event));
        let mut write = name.event_writer(output.clone(), to_dialect);
        // The closure owns the guard, which is dropped when the search thread ends.
        let engine = Engine::new(move |event| {
            write(event).inspect_err(|_| guard.report(SearchEnd::OutputClosed))
        });
        let mut engine = engine.map_err(io::Error::other)?;
        engine.set_default_tables(tables);
        let access = Access { files: with_files, threads: true };
        let mut dialect = name.open(engine, output, access).map_err(io::Error::other)?;
        // Dropped before the dialect, which waits for the search thread: that cannot wait for a queue
        // that is gone.
        let mut inputs = inputs;
        let mut next = Some(first);
        loop {
            let input = match next.take() {
                Some(input) => input,
                None => {
                    dialect.engine().prepare_table(usize::MAX, &mut || inputs.is_waiting());
                    let Some(input) = inputs.recv() else { break };
                    input
                }
            };
            check(&end)?;
            match input {
                Input::Line(line) => {
                    log::debug!("< {line}");
                    if asks_for_readiness(&line) {
                        let mib = LARGEST_READY;
                        dialect.engine().prepare_table(mib, &mut || inputs.is_waiting());
                    }
                    if dialect.answer(&line)? == Next::Quit {
                        break;
                    }
                }
                Input::TooLong(error) => dialect.refuse_too_long(error)?,
                Input::Event(event) => dialect.react(event)?,
                Input::End => return finish(dialect, inputs, &end),
                Input::Failed(error) => {
                    finish(dialect, inputs, &end)?;
                    let text = format!("cannot read standard input: {error}");
                    return Err(io::Error::new(error.kind(), text));
                }
                Input::Quit => break,
                Input::SearchThreadEnded => {}
            }
        }
        // The search thread cannot wait for a queue that is gone.
        drop(inputs);
        dialect.into_engine().quit(DRAIN_TIMEOUT);
        Ok(())
    }
}

/// The part of the transposition table that is prepared before the engine is ready, in MiB. The rest
/// is prepared while nothing else is to be done.
const LARGEST_READY: usize = 1024;

/// Whether a client sends this line to wait until the engine is ready, in any dialect. If another line
/// follows it at once, the client does not wait, and nor does the engine.
fn asks_for_readiness(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("isready" | "ping" | "init"))
}

/// The first input that is not an empty line.
fn first_input(inputs: &mut InputReceiver) -> Input {
    loop {
        match inputs.recv() {
            Some(Input::Line(line)) if line.trim().is_empty() => {}
            input => return input.unwrap_or(Input::End),
        }
    }
}

/// Waits for the searches to end, or for a [`ShutdownHandle`] to request a faster end.
fn finish(
    mut dialect: Box<dyn Dialect>,
    mut inputs: InputReceiver,
    end: &OnceLock<SearchEnd>,
) -> io::Result<()> {
    dialect.close();
    loop {
        match inputs.recv() {
            Some(Input::Quit) => {
                drop(inputs);
                dialect.into_engine().quit(DRAIN_TIMEOUT);
                return Ok(());
            }
            Some(Input::Event(event)) => dialect.react(event)?,
            // No event follows the end of the thread.
            Some(Input::SearchThreadEnded) | None => {
                dialect.into_engine().finish().map_err(io::Error::other)?;
                return check(end);
            }
            Some(_) => {}
        }
    }
}

enum SearchEnd {
    Died,
    OutputClosed,
    Finished,
}

/// Returns an error if the search thread has ended for another reason than a request.
fn check(end: &OnceLock<SearchEnd>) -> io::Result<()> {
    match end.get() {
        None | Some(SearchEnd::Finished) => Ok(()),
        Some(SearchEnd::Died) => Err(io::Error::other(EngineError::Died)),
        Some(SearchEnd::OutputClosed) => {
            Err(io::Error::new(ErrorKind::BrokenPipe, "standard output is closed"))
        }
    }
}

/// Reports the end of the search thread when dropped, even by a panic.
struct DisconnectGuard {
    end: Arc<OnceLock<SearchEnd>>,
    waker: InputSender,
}

impl DisconnectGuard {
    /// Sets the reason of the end. Only the first one counts.
    fn report(&self, reason: SearchEnd) {
        let _ = self.end.set(reason);
    }
}

impl Drop for DisconnectGuard {
    fn drop(&mut self) {
        self.report(if thread::panicking() { SearchEnd::Died } else { SearchEnd::Finished });
        // An error means that the loop has ended already.
        let _ = self.waker.send(Input::SearchThreadEnded);
    }
}

/// Reads lines until the end of input or until the main loop has ended.
fn read_lines(mut input: impl BufRead, lines: &InputSender, request: &EndRequest) {
    loop {
        let next = match next_line(&mut input, LONGEST_LINE) {
            Ok(None) => Input::End,
            Ok(Some(Ok(line))) => Input::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(Some(Err(too_long))) => Input::TooLong(too_long),
            Err(error) => Input::Failed(error),
        };
        request.note(&next);
        let ends = matches!(next, Input::End | Input::Failed(_));
        if lines.send(next).is_err() || ends {
            return;
        }
    }
}
