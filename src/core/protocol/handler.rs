//! Executes commands: calls the engine and writes the replies.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::archive::SharedArchive;
use super::command::{self, Purpose, UciCommand};
use super::import::{self, PartialText, TextImport};
use super::refusal::Refusal;
use super::{analyse, archive, export, hint, json, reply};
use crate::engine::event::{Event, Sink};
use crate::engine::session::GameSession;
use crate::engine::{BENCH_DEPTH, Engine, EngineError, LONGEST_MATE};
use crate::files::lines::TooLong;
use crate::files::printable::{excerpt, one_line};
use crate::options::{OptionKind, THREADS, UciOption, VARIANT};
use crate::platform::Instant;
use crate::records::setups::SetupMoves;
use crate::search::Signals;

/// The maximum length of an error, in characters.
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

/// What a command does between the searches. It may send lines, and returns the last one.
pub(super) type Job = Box<dyn FnOnce(&Arc<Signals>, Sink) -> Result<String, Refusal> + Send>;

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
    fn check(self, name: &str) -> Result<(), Refusal> {
        match UciOption::find(name) {
            Ok(option) if !self.allows(&option) => {
                let why = match option.kind {
                    OptionKind::Path => "this client may not name files",
                    _ => "searches have one thread here",
                };
                Err(Refusal(format!("option '{name}': {why}")))
            }
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
    refused: Option<Refusal>,
    import: Option<PartialText<TextImport>>,
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
        command: Result<UciCommand, Refusal>,
        purpose: Purpose,
    ) -> io::Result<Next> {
        let answer = match command {
            Ok(UciCommand::Quit) => return Ok(Next::Quit),
            Ok(mut command) => {
                // Before the lines of the search.
                if let Some(note) = self.shorten_mate(&mut command) {
                    self.output.write_line(&note)?;
                }
                self.handle(command)
            }
            Err(refusal) => Err(refusal),
        };
        match answer {
            Ok(None) => {}
            Ok(Some(answer)) => self.output.write_line(&answer)?,
            Err(refusal) => self.refuse(purpose, &refusal)?,
        }
        Ok(Next::Continue)
    }

    /// Writes an error line. A client that waits for an answer gets an empty one.
    pub(super) fn refuse(&mut self, purpose: Purpose, refusal: &Refusal) -> io::Result<()> {
        self.output.write_line(&(self.error_line)(&shown(&refusal.0)))?;
        match purpose {
            Purpose::Position => self.refused = Some(refusal.clone()),
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
    pub(super) fn check_position(&self) -> Result<(), Refusal> {
        self.refused
            .as_ref()
            .map_or(Ok(()), |why| Err(Refusal(format!("the last position was refused: {why}"))))
    }

    /// The game, unless the last position was refused.
    fn session(&self) -> Result<&dyn GameSession, Refusal> {
        self.check_position()?;
        Ok(self.engine.session())
    }

    /// Executes a command, and returns the answer that is to be written.
    fn handle(&mut self, command: UciCommand) -> Result<Option<String>, Refusal> {
        let engine = &mut self.engine;
        let answer = match command {
            UciCommand::Empty | UciCommand::Quit => return Ok(None),
            UciCommand::Answer(answer) => answer,
            UciCommand::NewGame => {
                self.new_game()?;
                return Ok(None);
            }
            UciCommand::SetOption { name, value } => {
                return self.set_option(&name, value.as_deref());
            }
            UciCommand::Position(SetupMoves { setup, moves }) => {
                engine.set_position(setup.as_deref(), &texts(&moves))?;
                self.refused = None;
                return Ok(None);
            }
            UciCommand::Go { limits, moves } => {
                self.check_position()?;
                self.engine.search(limits, &texts(&moves))?;
                return Ok(None);
            }
            UciCommand::Analyse(request) => {
                let job = analyse::job(request, self.session()?, self.engine.options());
                self.run_job("analyse", job)?;
                return Ok(None);
            }
            UciCommand::Archive(command) => {
                if command.has_position() {
                    self.check_position()?;
                }
                let (session, options) = (self.engine.session(), self.engine.options());
                let job = archive::job(command, &self.archive, session, options);
                self.run_job("archive", job)?;
                return Ok(None);
            }
            UciCommand::Hint(request) => {
                let job = hint::job(request, self.session()?, self.engine.options());
                self.run_job("hint", job)?;
                return Ok(None);
            }
            UciCommand::Perft(depth) => {
                self.check_position()?;
                self.engine.perft(depth)?;
                return Ok(None);
            }
            UciCommand::Bench(depth) => {
                engine.bench(depth.unwrap_or(BENCH_DEPTH))?;
                return Ok(None);
            }
            UciCommand::Stop => {
                engine.stop();
                return Ok(None);
            }
            UciCommand::PonderHit => {
                engine.ponder_hit();
                return Ok(None);
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
                json::line("import", &games.map_err(|refusal| refusal.of("import"))?)?
            }
            UciCommand::Export(request) => {
                let record = export::export(&request, self.session()?, self.engine.options());
                json::export(&record.map_err(|refusal| refusal.of("export"))?)?
            }
        };
        Ok(Some(answer))
    }

    /// Queues the job of a command. If it fails, an empty answer follows the error line.
    fn run_job(&mut self, word: &'static str, job: Result<Job, Refusal>) -> Result<(), Refusal> {
        let job = job.map_err(|refusal| refusal.of(word))?;
        Ok(self.engine.run_job(move |signals, sink| {
            let answer = job(signals, sink).unwrap_or_else(|refusal| {
                format!("{}\n{word} null", reply::error(&one_line(&refusal.of(word).0)))
            });
            // If the receiver is gone, the search thread ends.
            let _ = sink(Event::Line(answer));
        })?)
    }

    /// Begins another game. After a rejected `position` it begins at the start of the variant.
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.engine.new_game()?;
        if self.refused.take().is_some() {
            self.engine.set_position(None, &[])?;
        }
        Ok(())
    }

    /// Shortens the mate that a search is to look for, if it is beyond the limit. Returns the note on that.
    fn shorten_mate(&self, command: &mut UciCommand) -> Option<String> {
        let UciCommand::Go { limits, .. } = command else { return None };
        let wanted = limits.mate.filter(|&wanted| wanted > LONGEST_MATE)?;
        limits.mate = Some(LONGEST_MATE);
        self.refused.is_none().then(|| reply::shorter_mate(wanted))
    }

    /// Sets an option. Returns the warnings and notes, and what a client reads of a variant.
    pub(super) fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, Refusal> {
        self.access.check(name)?;
        self.engine.set_option(name, value)?;
        let warnings = self.engine.take_warnings().into_iter();
        let warnings = warnings.map(|warning| (self.error_line)(&shown(&warning.to_string())));
        let notes = self.engine.take_notes().into_iter();
        let notes = notes.map(|note| (self.note_line)(&shown(&note)));
        let mut lines: Vec<String> = warnings.chain(notes).collect();
        if name.eq_ignore_ascii_case(VARIANT) {
            self.refused = None;
            lines.extend(reply::variant(self.engine.variant()));
        }
        Ok((!lines.is_empty()).then(|| lines.join("\n")))
    }
}

/// A text as a line shows it: an error may quote a whole line of input.
fn shown(text: &str) -> String {
    excerpt(&one_line(text), LONGEST_ERROR).into()
}

fn texts(moves: &[String]) -> Vec<&str> {
    moves.iter().map(String::as_str).collect()
}

/// The Universal Chess Interface.
impl<W: Write + Send> Dialect for Handler<W> {
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        self.execute(command::read(line), command::purpose(line))
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
