//! Executes commands: calls the engine and writes the replies.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::analyse::{AnalyseError, AnalysisJob};
use super::command::{self, Command, CommandError, Purpose};
use super::export::{self, ExportError};
use super::import::{self, ImportError};
use super::{json, reply};
use crate::engine::{BENCH_DEPTH, Engine, EngineError, LONGEST_MATE};
use crate::files::lines::TooLong;
use crate::files::printable::one_line;
use crate::options::{OptionKind, UciOption, uci_options};

/// Why a command is rejected.
#[derive(Debug, Error)]
pub(super) enum UciError {
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
    #[error("option '{0}': searches have one thread here")]
    NoThreads(String),
    #[error("the last position was refused: {0}")]
    NoPosition(String),
}

/// The output, shared by the main loop and the searches. Lines are written whole.
pub(super) struct SharedOutput<W>(Arc<Mutex<W>>);

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> SharedOutput<W> {
    pub(super) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    pub(super) fn write_line(&self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("> {line}");
        }
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(format!("{text}\n").as_bytes())?;
        output.flush()
    }
}

/// What follows a command.
#[derive(PartialEq)]
pub(super) enum Next {
    Continue,
    Quit,
}

/// What the client may use.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The options whose value is a path.
    pub(super) files: bool,
    /// Several threads for one search.
    pub(super) threads: bool,
}

impl Access {
    fn allows(self, option: &UciOption) -> bool {
        (self.files || option.kind != OptionKind::Path)
            && (self.threads || option.name != "Threads")
    }

    /// Refuses the option of this name if the client may not use it.
    fn check(self, name: &str) -> Result<(), UciError> {
        let named = |option: &UciOption| option.name.eq_ignore_ascii_case(name);
        match uci_options().into_iter().find(named) {
            Some(option) if !self.allows(&option) => Err(match option.kind {
                OptionKind::Path => UciError::NoFiles(name.to_string()),
                _ => UciError::NoThreads(name.to_string()),
            }),
            _ => Ok(()),
        }
    }
}

/// Executes the commands of a client.
pub(super) struct Handler<W> {
    pub(super) engine: Engine,
    output: SharedOutput<W>,
    access: Access,
    /// Why the last `position` was rejected. Commands that need a position are then rejected too:
    /// the position of the engine is not the one that the client means.
    refused: Option<String>,
}

impl<W: Write> Handler<W> {
    pub(super) fn new(engine: Engine, output: SharedOutput<W>, access: Access) -> Self {
        Self { engine, output, access, refused: None }
    }

    /// Answers a line or refuses one that is too long.
    pub(super) fn answer_bounded(&mut self, line: Result<Vec<u8>, TooLong>) -> io::Result<Next> {
        match line {
            Ok(line) => self.answer(&String::from_utf8_lossy(&line)),
            Err(too_long) => self.refuse_too_long(too_long).map(|()| Next::Continue),
        }
    }

    pub(super) fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()> {
        self.refuse(command::purpose(&error.first_word), &error.into())
    }

    pub(super) fn answer(&mut self, line: &str) -> io::Result<Next> {
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
                return self
                    .output
                    .write_line(&reply::identity(|option| self.access.allows(option)))
                    .map(Ok);
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
            Command::SetOption { name, value } => {
                if let Err(error) = self.access.check(&name) {
                    return Ok(Err(error));
                }
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
