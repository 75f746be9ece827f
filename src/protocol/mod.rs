//! The text protocol: reads commands, calls the engine, writes replies.
//!
//! `protocol.md` is the specification. Three threads share the work. The input thread reads lines
//! into a channel, so that the main loop can also react to events other than input. The thread of
//! [`UciLoop::run`] owns the engine and never waits for a search. The search thread writes the
//! events of its searches.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyse;
pub mod command;
pub mod export;
pub mod import;
pub mod json;
pub mod reply;

use std::io::{self, BufRead, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::engine::event::Disconnected;
use crate::engine::{BENCH_DEPTH, Engine, EngineError, LONGEST_MATE};
use crate::files::lines::{TooLong, next_line};
use crate::files::printable::one_line;
use crate::options::Options;
use analyse::{AnalyseError, AnalysisJob};
use command::{Command, CommandError, Purpose};
use export::ExportError;
use import::ImportError;

/// The maximum length of an input line in bytes, enough for a game of many thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// The maximum number of lines read ahead.
const LINES_AHEAD: usize = 64;

/// The longest time that `quit` waits for the client to read the remaining output.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// An event that the main loop waits for.
enum Input {
    Line(String),
    TooLong(TooLong),
    End,
    /// A request to shut down, from a [`ShutdownHandle`].
    Quit,
    /// The search thread has ended. Wakes the main loop.
    SearchThreadEnded,
}

/// Why a command is rejected.
#[derive(Debug, Error)]
enum UciError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("analyse: {0}")]
    Analyse(#[from] AnalyseError),
    #[error("export: {0}")]
    Export(#[from] ExportError),
    #[error("import: {0}")]
    Import(#[from] ImportError),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error("option '{0}': this client may not name files")]
    NoFiles(String),
    #[error("the last position was refused: {0}")]
    NoPosition(String),
}

/// Runs the protocol until `quit` or the end of input. At the end of input pending commands finish
/// first. Returns an error if the output is closed or the search thread dies before that.
pub fn run<R, W>(input: R, output: W) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    UciLoop::new().run(input, output)
}

/// The main loop of the protocol. A [`ShutdownHandle`] can end it from another thread.
pub struct UciLoop {
    sender: SyncSender<Input>,
    inputs: Receiver<Input>,
    tables: Option<PathBuf>,
    with_files: bool,
}

/// Ends the main loop as `quit` does.
#[derive(Clone)]
pub struct ShutdownHandle(SyncSender<Input>);

impl ShutdownHandle {
    /// Requests the shutdown. As a `quit` on the input, it takes effect after the commands already
    /// in the queue. The call blocks while the queue is full.
    pub fn quit(&self) {
        // An error means that the loop has ended already.
        let _ = self.0.send(Input::Quit);
    }
}

impl Default for UciLoop {
    fn default() -> Self {
        Self::new()
    }
}

impl UciLoop {
    /// Creates a loop that has not started.
    pub fn new() -> Self {
        let (sender, inputs) = sync_channel(LINES_AHEAD);
        Self { sender, inputs, tables: None, with_files: true }
    }

    /// Sets the folder of the endgame tables to use while `TablePath` is empty.
    #[must_use]
    pub fn with_tables(mut self, folder: Option<PathBuf>) -> Self {
        self.tables = folder;
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
        ShutdownHandle(self.sender.clone())
    }

    /// Runs the loop, as the function [`run`] does.
    pub fn run<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: BufRead + Send + 'static,
        W: Write + Send + 'static,
    {
        let Self { sender, inputs, tables, with_files } = self;
        let output = SharedOutput(Arc::new(Mutex::new(output)));
        let events = output.clone();
        let end = Arc::new(OnceLock::new());
        let disconnect_guard = DisconnectGuard { end: Arc::clone(&end), waker: sender.clone() };
        let engine = Engine::new(move |event| {
            // The closure owns the guard, which is dropped when the search thread ends.
            let _guard = &disconnect_guard;
            events.write_line(&reply::event(&event)).map_err(|_| Disconnected)
        });
        let mut engine = engine.map_err(io::Error::other)?;
        if let Some(folder) = tables {
            engine.set_default_tables(folder);
        }
        thread::Builder::new().name("input".into()).spawn(move || read_lines(input, &sender))?;
        let mut handler = Handler { engine, output, with_files, refused: None };
        for input in &inputs {
            match end.get() {
                None => {}
                Some(SearchEnd::Died) => return Err(io::Error::other(EngineError::Died)),
                Some(SearchEnd::OutputClosed) => {
                    let error = "standard output is closed";
                    return Err(io::Error::new(ErrorKind::BrokenPipe, error));
                }
            }
            match input {
                Input::Line(line) => {
                    log::debug!("< {line}");
                    if handler.answer(&line)? == Next::Quit {
                        break;
                    }
                }
                Input::TooLong(error) => {
                    let purpose = command::purpose(&error.first_word);
                    handler.refuse(purpose, &error.into())?;
                }
                Input::End => return handler.finish(&inputs),
                Input::Quit => break,
                Input::SearchThreadEnded => {}
            }
        }
        handler.engine.quit(DRAIN_TIMEOUT);
        Ok(())
    }
}

/// Why the search thread has ended.
enum SearchEnd {
    /// It panicked.
    Died,
    /// Its output is closed, or it was asked to end.
    OutputClosed,
}

/// Reports the end of the search thread when dropped, even by a panic.
struct DisconnectGuard {
    end: Arc<OnceLock<SearchEnd>>,
    waker: SyncSender<Input>,
}

impl Drop for DisconnectGuard {
    fn drop(&mut self) {
        let _ = self.end.set(if thread::panicking() {
            SearchEnd::Died
        } else {
            SearchEnd::OutputClosed
        });
        // If the queue is full, the main loop is awake: it checks `end` at the next input.
        let _ = self.waker.try_send(Input::SearchThreadEnded);
    }
}

/// Reads lines until the end of input or until the main loop has ended.
fn read_lines(mut input: impl BufRead, lines: &SyncSender<Input>) {
    loop {
        let next = match next_line(&mut input, LONGEST_LINE) {
            Ok(None) => Input::End,
            Ok(Some(Ok(line))) => Input::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(Some(Err(too_long))) => Input::TooLong(too_long),
            Err(error) => {
                log::error!("cannot read standard input: {error}");
                Input::End
            }
        };
        let ends = matches!(next, Input::End);
        if lines.send(next).is_err() || ends {
            return;
        }
    }
}

/// The output, shared by the main loop and the search thread. Lines are written whole.
struct SharedOutput<W>(Arc<Mutex<W>>);

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> SharedOutput<W> {
    fn write_line(&self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("> {line}");
        }
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(format!("{text}\n").as_bytes())?;
        output.flush()
    }
}

#[derive(PartialEq)]
enum Next {
    Continue,
    Quit,
}

struct Handler<W> {
    engine: Engine,
    output: SharedOutput<W>,
    /// Whether the client may name files.
    with_files: bool,
    /// Why the last `position` was rejected. Commands that need a position are then rejected too:
    /// the position of the engine is not the one that the client means.
    refused: Option<String>,
}

impl<W: Write> Handler<W> {
    /// Waits for the searches to end, or for a [`ShutdownHandle`] to request a faster end.
    fn finish(mut self, inputs: &Receiver<Input>) -> io::Result<()> {
        const POLL_INTERVAL: Duration = Duration::from_millis(5);
        self.engine.close();
        while !self.engine.has_ended() {
            if let Ok(Input::Quit) = inputs.recv_timeout(POLL_INTERVAL) {
                self.engine.quit(DRAIN_TIMEOUT);
                return Ok(());
            }
        }
        self.engine.finish().map_err(io::Error::other)
    }

    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let result = match command::read(line) {
            Ok(Command::Quit) => return Ok(Next::Quit),
            Ok(command) => self.handle(command)?,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            self.refuse(command::purpose(line), &error)?;
        }
        Ok(Next::Continue)
    }

    /// Writes an error line. A client that waits for an answer gets an empty one.
    fn refuse(&mut self, purpose: Purpose, error: &UciError) -> io::Result<()> {
        self.output.write_line(&format!("info string error {}", one_line(&error.to_string())))?;
        match purpose {
            Purpose::Position => self.refused = Some(error.to_string()),
            Purpose::Search(empty) if !self.engine.answer_refused(empty) => {
                self.output.write_line(empty)?;
            }
            Purpose::Print(empty) => self.output.write_line(empty)?,
            Purpose::Search(_) | Purpose::Other => {}
        }
        Ok(())
    }

    /// Whether a command uses the position.
    fn needs_position(command: &Command) -> bool {
        matches!(
            command,
            Command::Go { .. }
                | Command::Perft(_)
                | Command::Draw
                | Command::Eval
                | Command::Moves(_)
                | Command::State
                | Command::Export(_)
                | Command::Analyse(_)
        )
    }

    /// Executes a command. The outer error is one of writing.
    fn handle(&mut self, command: Command) -> io::Result<Result<(), UciError>> {
        if let Some(why) = self.refused.as_ref().filter(|_| Self::needs_position(&command)) {
            return Ok(Err(UciError::NoPosition(why.clone())));
        }
        let engine = &mut self.engine;
        let done = match command {
            Command::Empty | Command::Quit => Ok(()),
            Command::Uci => {
                return self.output.write_line(&reply::identity(self.with_files)).map(Ok);
            }
            Command::Help => return self.output.write_line(reply::HELP).map(Ok),
            Command::IsReady => return self.output.write_line("readyok").map(Ok),
            Command::Draw => return self.output.write_line(&reply::view(&engine.view())).map(Ok),
            Command::Eval => {
                return self.output.write_line(&reply::evaluation(&engine.evaluation())).map(Ok);
            }
            Command::Moves(word) => {
                return self.output.write_line(&reply::moves(word, &engine.view())).map(Ok);
            }
            Command::Variants => return self.output.write_line(&json::variants()?).map(Ok),
            Command::State => {
                return self
                    .output
                    .write_line(&json::state(&engine.session().game_view())?)
                    .map(Ok);
            }
            Command::Import(request) => match import::import(&request, engine.options()) {
                Ok(text) => return self.output.write_line(&json::import(&text)?).map(Ok),
                Err(error) => return Ok(Err(error.into())),
            },
            Command::Export(request) => {
                match export::export(&request, engine.session(), engine.options()) {
                    Ok(record) => return self.output.write_line(&json::export(&record)?).map(Ok),
                    Err(error) => return Ok(Err(error.into())),
                }
            }
            // After a rejected `position` the new game begins at the start of the variant.
            Command::NewGame => engine.new_game().and_then(|()| match self.refused.take() {
                Some(_) => engine.set_position(None, &[]),
                None => Ok(()),
            }),
            Command::SetOption { name, .. } if !self.with_files && Options::is_path(&name) => {
                return Ok(Err(UciError::NoFiles(name)));
            }
            Command::SetOption { name, value } => {
                let done = engine.set_option(&name, value.as_deref());
                for warning in engine.take_warnings() {
                    self.output.write_line(&format!("info string error {warning}"))?;
                }
                if done.is_ok() && name.eq_ignore_ascii_case("UCI_Variant") {
                    self.refused = None;
                    if let Some(line) = reply::variant(engine.variant()) {
                        return self.output.write_line(&line).map(Ok);
                    }
                }
                done
            }
            Command::Position { setup, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let done = engine.set_position(setup.as_deref(), &moves);
                if done.is_ok() {
                    self.refused = None;
                }
                done
            }
            Command::Go { mut limits, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                if let Some(wanted) = limits.mate.filter(|&wanted| wanted > LONGEST_MATE) {
                    limits.mate = Some(LONGEST_MATE);
                    self.output.write_line(&reply::shorter_mate(wanted))?;
                }
                engine.search(limits, &moves)
            }
            Command::Analyse(request) => {
                match AnalysisJob::new(request, engine.session(), engine.options()) {
                    Ok(job) => engine.run_job(|signals, sink| job.run(signals, sink)),
                    Err(error) => return Ok(Err(error.into())),
                }
            }
            Command::Perft(depth) => engine.perft(depth),
            Command::Bench(depth) => engine.bench(depth.unwrap_or(BENCH_DEPTH)),
            Command::Stop => {
                engine.stop();
                Ok(())
            }
            Command::PonderHit => {
                engine.ponder_hit();
                Ok(())
            }
        };
        Ok(done.map_err(UciError::from))
    }
}
