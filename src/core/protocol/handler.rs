//! Executes commands: calls the engine and writes the replies.

use std::error::Error;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;

use super::analyse::{AnalysisError, AnalysisJob};
use super::archive::{ArchiveError, ArchiveJob, SharedArchive};
use super::command::{self, Purpose, UciCommand, UciCommandError};
use super::export::{self, ExportError};
use super::hint::HintJob;
use super::import::{self, ImportError, TextImport};
use super::{json, reply};
use crate::engine::event::Event;
use crate::engine::session::GameSession;
use crate::engine::{BENCH_DEPTH, Engine, EngineError, LONGEST_MATE};
use crate::files::lines::TooLong;
use crate::files::printable::{excerpt, one_line};
use crate::options::{OptionKind, THREADS, UciOption, VARIANT};
use crate::platform::Instant;
use crate::records::setups::SetupMoves;
use crate::search::Limits;

/// Why a command is rejected.
#[derive(Debug, Error)]
pub(super) enum UciError {
    #[error(transparent)]
    Command(#[from] UciCommandError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("analyse: {0}")]
    Analyse(#[from] AnalysisError),
    #[error("archive: {0}")]
    Archive(#[from] ArchiveError),
    #[error("hint: the game is over")]
    NoHint,
    #[error("export: {0}")]
    Export(#[from] ExportError),
    #[error("import: {0}")]
    Import(#[from] ImportError),
    #[error(transparent)]
    Dialect(Box<dyn Error>),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error("option '{0}': this client may not name files")]
    NoFiles(String),
    #[error("option '{0}': searches have one thread here")]
    NoThreads(String),
    #[error("the last position was refused: {0}")]
    NoPosition(String),
    #[error("the answer cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The output cannot be written. This ends the protocol and is not written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The maximum length of an error, which may quote a whole line of input, in characters.
const LONGEST_ERROR: usize = 1000;

/// The output, shared by the main loop and the searches. Lines are written whole.
pub(super) struct SharedOutput<W> {
    output: Arc<Mutex<W>>,
    /// When the line that is being written was begun.
    writing_since: Arc<Mutex<Option<Instant>>>,
}

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        let Self { output, writing_since } = self;
        Self { output: Arc::clone(output), writing_since: Arc::clone(writing_since) }
    }
}

impl<W: Write> SharedOutput<W> {
    pub(super) fn new(output: W) -> Self {
        Self { output: Arc::new(Mutex::new(output)), writing_since: Arc::default() }
    }

    /// How long the current line has been blocked, because the client does not read.
    pub(super) fn blocked_for(&self) -> Duration {
        let since = self.writing_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn set_writing_since(&self, time: Option<Instant>) {
        *self.writing_since.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }

    pub(super) fn write_line(&self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("> {line}");
        }
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        self.set_writing_since(Some(Instant::now()));
        let written =
            output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush());
        self.set_writing_since(None);
        written
    }
}

#[derive(PartialEq)]
pub(super) enum Next {
    Continue,
    Quit,
}

/// A language of clients. It executes their lines in order.
pub(super) trait Dialect: Send {
    fn answer(&mut self, line: &str) -> io::Result<Next>;

    fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()>;

    /// Executes a line or refuses one that is too long.
    fn answer_bounded(&mut self, line: Result<Vec<u8>, TooLong>) -> io::Result<Next> {
        match line {
            Ok(line) => self.answer(&String::from_utf8_lossy(&line)),
            Err(too_long) => self.refuse_too_long(too_long).map(|()| Next::Continue),
        }
    }

    /// Uses endgame tables, the contents of a file.
    fn set_tables(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.engine().set_tables(bytes).map(drop).map_err(io::Error::other)
    }

    /// Reacts to an event of a search. Most dialects get no events: these are only written.
    fn react(&mut self, _event: Event) -> io::Result<()> {
        Ok(())
    }

    fn engine(&mut self) -> &mut Engine;

    /// Stops infinite and pondering searches. No search starts after it.
    fn close(&mut self) {
        self.engine().close();
    }

    /// Ends the session.
    fn into_engine(self: Box<Self>) -> Engine;
}

/// What the client may use.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The options whose value is a path.
    pub(super) files: bool,
    pub(super) threads: bool,
}

impl Access {
    pub(super) fn allows(self, option: &UciOption) -> bool {
        (self.files || option.kind != OptionKind::Path) && (self.threads || option.name != THREADS)
    }

    /// Refuses the option of this name if the client may not use it.
    fn check(self, name: &str) -> Result<(), UciError> {
        match UciOption::find(name) {
            Ok(option) if !self.allows(&option) => Err(match option.kind {
                OptionKind::Path => UciError::NoFiles(name.to_string()),
                _ => UciError::NoThreads(name.to_string()),
            }),
            // The engine refuses unknown options.
            _ => Ok(()),
        }
    }
}

/// Executes the commands of a client.
pub(super) struct Handler<W> {
    pub(super) engine: Engine,
    pub(super) output: SharedOutput<W>,
    pub(super) access: Access,
    error_line: fn(&str) -> String,
    note_line: fn(&str) -> String,
    /// Why the last `position` was rejected. Commands that need a position are then rejected too:
    /// the position of the engine is not the one that the client means.
    refused: Option<String>,
    import: Option<TextImport>,
    archive: Arc<SharedArchive>,
}

impl<W: Write> Handler<W> {
    pub(super) fn new(engine: Engine, output: SharedOutput<W>, access: Access) -> Self {
        let (error_line, note_line) = (reply::error, reply::note);
        let (refused, import, archive) = (None, None, Arc::default());
        Self { engine, output, access, error_line, note_line, refused, import, archive }
    }

    /// Sets how errors and notes are written.
    #[must_use]
    pub(super) fn with_lines(
        mut self,
        error_line: fn(&str) -> String,
        note_line: fn(&str) -> String,
    ) -> Self {
        (self.error_line, self.note_line) = (error_line, note_line);
        self
    }

    /// Executes a command, or refuses it with its error. `purpose` is what the client meant by it.
    pub(super) fn execute(
        &mut self,
        command: Result<UciCommand, UciError>,
        purpose: Purpose,
    ) -> io::Result<Next> {
        let done = match command {
            Ok(UciCommand::Quit) => return Ok(Next::Quit),
            Ok(command) => self.handle(command),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => {}
            Err(UciError::Output(error)) => return Err(error),
            Err(error) => self.refuse(purpose, &error)?,
        }
        Ok(Next::Continue)
    }

    fn write_error(&mut self, text: &str) -> io::Result<()> {
        self.output.write_line(&(self.error_line)(&excerpt(&one_line(text), LONGEST_ERROR)))
    }

    /// Writes an error line. A client that waits for an answer gets an empty one.
    pub(super) fn refuse(&mut self, purpose: Purpose, error: &UciError) -> io::Result<()> {
        self.write_error(&error.to_string())?;
        match purpose {
            Purpose::Position => self.refused = Some(error.to_string()),
            Purpose::Search(empty) if !self.engine.answer_refused(empty) => {
                self.output.write_line(empty)?;
            }
            Purpose::Print(empty) => self.output.write_line(empty)?,
            Purpose::Import(empty) => {
                // What follows is another text, not the rest of this one.
                self.import = None;
                self.output.write_line(empty)?;
            }
            Purpose::Search(_) | Purpose::Other => {}
        }
        Ok(())
    }

    /// Fails if the last position was refused.
    pub(super) fn check_position(&self) -> Result<(), UciError> {
        self.refused.as_ref().map_or(Ok(()), |why| Err(UciError::NoPosition(why.clone())))
    }

    /// The game, unless the last position was refused.
    fn session(&self) -> Result<&dyn GameSession, UciError> {
        self.check_position()?;
        Ok(self.engine.session())
    }

    fn handle(&mut self, command: UciCommand) -> Result<(), UciError> {
        let engine = &mut self.engine;
        let answer = match command {
            UciCommand::Empty | UciCommand::Quit => return Ok(()),
            UciCommand::NewGame => return self.new_game(),
            UciCommand::SetOption { name, value } => {
                return self.set_option(&name, value.as_deref());
            }
            UciCommand::Position(SetupMoves { setup, moves }) => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                engine.set_position(setup.as_deref(), &moves)?;
                self.refused = None;
                return Ok(());
            }
            UciCommand::Go { limits, moves } => return self.go(limits, &moves),
            UciCommand::Analyse(request) => {
                let job = AnalysisJob::new(request, self.session()?, self.engine.options())?;
                return Ok(self.engine.run_job(|signals, sink| job.run(signals, sink))?);
            }
            UciCommand::Archive(command) => {
                if command.has_position() {
                    self.check_position()?;
                }
                let (session, options) = (self.engine.session(), self.engine.options());
                let job = ArchiveJob::new(command, &self.archive, session, options)?;
                return Ok(self.engine.run_job(|signals, sink| job.run(signals, sink))?);
            }
            UciCommand::Hint(request) => {
                let job = HintJob::new(request, self.session()?, self.engine.options());
                let job = job.ok_or(UciError::NoHint)?;
                return Ok(self.engine.run_job(|signals, sink| job.run(signals, sink))?);
            }
            UciCommand::Perft(depth) => {
                self.check_position()?;
                return Ok(self.engine.perft(depth)?);
            }
            UciCommand::Bench(depth) => return Ok(engine.bench(depth.unwrap_or(BENCH_DEPTH))?),
            UciCommand::Stop => {
                engine.stop();
                return Ok(());
            }
            UciCommand::PonderHit => {
                engine.ponder_hit();
                return Ok(());
            }
            UciCommand::Uci => reply::identity("uciok", |option| self.access.allows(option)),
            UciCommand::Help => command::help(),
            UciCommand::IsReady => "readyok".to_string(),
            UciCommand::Display => reply::board(self.session()?),
            UciCommand::Eval => reply::evaluation(&self.session()?.evaluation()),
            UciCommand::Moves(word) => reply::moves(word, self.session()?),
            UciCommand::Check(mv) => json::check(self.session()?, &mv)?,
            UciCommand::Facts(mv) => json::facts(self.session()?.facts(&mv)?)?,
            UciCommand::Variants => json::variants()?,
            UciCommand::Problems => json::problems(engine.session().game()),
            UciCommand::Lessons => json::lessons(engine.session().game()),
            UciCommand::State => json::state(self.session()?)?,
            UciCommand::Import(part) => {
                let games = import::import_part(&mut self.import, &part, engine.options());
                json::line("import", &games?)?
            }
            UciCommand::Export(request) => {
                let record = export::export(&request, self.session()?, self.engine.options())?;
                json::export(&record)?
            }
        };
        Ok(self.output.write_line(&answer)?)
    }

    /// Begins another game. After a rejected `position` it begins at the start of the variant.
    fn new_game(&mut self) -> Result<(), UciError> {
        self.engine.new_game()?;
        if self.refused.take().is_some() {
            self.engine.set_position(None, &[])?;
        }
        Ok(())
    }

    /// Searches the root moves `moves`, or all of them if it is empty.
    fn go(&mut self, mut limits: Limits, moves: &[String]) -> Result<(), UciError> {
        self.check_position()?;
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        if let Some(wanted) = limits.mate.filter(|&wanted| wanted > LONGEST_MATE) {
            limits.mate = Some(LONGEST_MATE);
            self.output.write_line(&reply::shorter_mate(wanted))?;
        }
        Ok(self.engine.search(limits, &moves)?)
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), UciError> {
        self.access.check(name)?;
        let done = self.engine.set_option(name, value);
        for warning in self.engine.take_warnings() {
            self.write_error(&warning.to_string())?;
        }
        for note in self.engine.take_notes() {
            self.output.write_line(&(self.note_line)(&excerpt(&one_line(&note), LONGEST_ERROR)))?;
        }
        done?;
        if name.eq_ignore_ascii_case(VARIANT) {
            self.refused = None;
            if let Some(line) = reply::variant(self.engine.variant()) {
                self.output.write_line(&line)?;
            }
        }
        Ok(())
    }
}

/// The Universal Chess Interface.
impl<W: Write + Send> Dialect for Handler<W> {
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let command = command::read(line).map_err(UciError::from);
        self.execute(command, command::purpose(line))
    }

    fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()> {
        self.refuse(command::purpose(&error.first_word), &error.into())
    }

    fn set_tables(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        match self.engine.set_tables(bytes) {
            Ok(pieces) => self.output.write_line(&reply::tables(pieces)),
            Err(error) => self.refuse(Purpose::Other, &error.into()),
        }
    }

    fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn into_engine(self: Box<Self>) -> Engine {
        self.engine
    }
}
