//! The protocol on one thread, for environments without threads.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::dialects::DialectName;
use super::handler::{Access, Dialect, Handler, Next, SharedOutput};
use super::reply;
use crate::engine::event::{Disconnected, Event};
use crate::engine::{Engine, EngineError, SearchRunner};
use crate::files::lines::{LONGEST_LINE, next_line};
use crate::search::InputPoll;

/// What the input returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    Text(Vec<u8>),
    /// The contents of a file of endgame tables. They apply to the searches that follow.
    Tables(Vec<u8>),
    Nothing,
    End,
}

/// What a client of this loop may use.
const ACCESS: Access = Access { files: false, threads: false };

/// The protocol on the thread of its caller. Searches regularly read the input, so that commands
/// are answered during a search as in a [`UciLoop`](super::UciLoop). Options for files and for
/// several threads are not offered.
// Generic over the dialect only inside: a module with UCI alone is smaller than with any dialect.
pub struct SingleThreadLoop(Box<dyn FnMut() -> io::Result<bool> + Send>);

/// The commands of a loop; `None` only until it is built.
type SharedCommands<D> = Arc<Mutex<Option<Commands<D>>>>;

impl SingleThreadLoop {
    /// Creates a loop for a client that uses UCI. `receive` returns the next input; if its argument
    /// is true, it waits for some as long as it can.
    pub fn new<R, W>(receive: R, output: W) -> Result<Self, EngineError>
    where
        R: FnMut(bool) -> Received + Send + 'static,
        W: Write + Send + 'static,
    {
        let output = SharedOutput::new(output);
        let events = output.clone();
        let write = move |event| events.write_line(&reply::event(&event)).map_err(|_| Disconnected);
        Self::with(SharedCommands::default(), receive, write, |engine| {
            Ok(Box::new(Handler::new(engine, output, ACCESS)))
        })
    }

    /// Creates a loop for a client that uses the dialect which this first line selects. The line
    /// itself is not answered.
    pub fn in_dialect<R, W>(first_line: &str, receive: R, output: W) -> Result<Self, EngineError>
    where
        R: FnMut(bool) -> Received + Send + 'static,
        W: Write + Send + 'static,
    {
        let name = DialectName::of(first_line);
        let output = SharedOutput::new(output);
        let commands = SharedCommands::<dyn Dialect>::default();
        let weak = Arc::downgrade(&commands);
        let to_dialect = move |event| {
            let commands = weak.upgrade().ok_or(Disconnected)?;
            // The lock is free: a search does not report while it reads input.
            let mut commands = commands.lock().map_err(|_| Disconnected)?;
            let commands = commands.as_mut().ok_or(Disconnected)?;
            commands.dialect.react(event).map_err(|_| Disconnected)
        };
        let write = name.event_writer(output.clone(), to_dialect);
        Self::with(commands, receive, write, |engine| name.open(engine, output, ACCESS))
    }

    fn with<D: Dialect + ?Sized + 'static>(
        commands: SharedCommands<D>,
        receive: impl FnMut(bool) -> Received + Send + 'static,
        write: impl FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
        open: impl FnOnce(Engine) -> Result<Box<D>, EngineError>,
    ) -> Result<Self, EngineError> {
        let weak = Arc::downgrade(&commands);
        let poll: InputPoll = Arc::new(move |waits| {
            // The lock is free: commands only queue searches, and the runner runs them.
            if let Some(commands) = weak.upgrade()
                && let Ok(mut commands) = commands.try_lock()
                && let Some(commands) = commands.as_mut()
            {
                commands.read(waits);
            }
        });
        let (engine, mut runner) = Engine::without_thread(write, poll)?;
        let dialect = open(engine)?;
        if let Ok(mut commands) = commands.lock() {
            *commands = Some(Commands { dialect, receive: Box::new(receive), end: None });
        }
        Ok(Self(Box::new(move || run(&commands, &mut runner))))
    }

    /// Runs the protocol until the input returns nothing although it was asked to wait. Returns
    /// whether the protocol has ended, by `quit` or the end of the input.
    pub fn run(&mut self) -> io::Result<bool> {
        (self.0)()
    }
}

fn run<D: Dialect + ?Sized>(
    commands: &SharedCommands<D>,
    runner: &mut SearchRunner,
) -> io::Result<bool> {
    loop {
        if runner.run_next().map_err(io::Error::other)? {
            continue;
        }
        let mut commands = commands.lock().map_err(|_| io::Error::other(EngineError::Died))?;
        let Some(commands) = commands.as_mut() else { return Ok(true) };
        if let Some(end) = commands.end.take() {
            return end.map(|()| true);
        }
        if !commands.read(true) {
            return Ok(false);
        }
    }
}

/// The commands that are read and how they end.
struct Commands<D: ?Sized> {
    dialect: Box<D>,
    receive: Box<dyn FnMut(bool) -> Received + Send>,
    end: Option<io::Result<()>>,
}

impl<D: Dialect + ?Sized> Commands<D> {
    /// Answers all commands that have arrived, and first waits for one if `waits`. Returns whether
    /// there was any input.
    fn read(&mut self, mut waits: bool) -> bool {
        let mut has_read = false;
        while self.end.is_none() {
            match (self.receive)(waits) {
                Received::Nothing => break,
                Received::End => {
                    self.dialect.close();
                    self.end = Some(Ok(()));
                }
                Received::Tables(bytes) => {
                    if let Err(error) = self.dialect.set_tables(bytes) {
                        self.stop(Err(error));
                    }
                }
                Received::Text(text) => match self.answer(&text) {
                    Ok(Next::Continue) => {}
                    Ok(Next::Quit) => self.stop(Ok(())),
                    Err(error) => self.stop(Err(error)),
                },
            }
            (has_read, waits) = (true, false);
        }
        has_read
    }

    fn answer(&mut self, mut text: &[u8]) -> io::Result<Next> {
        while let Some(line) = next_line(&mut text, LONGEST_LINE)? {
            if self.dialect.answer_bounded(line)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Continue)
    }

    /// Ends the protocol. Searches stop as soon as possible.
    fn stop(&mut self, end: io::Result<()>) {
        self.dialect.engine().stop();
        self.dialect.engine().close();
        self.end = Some(end);
    }
}
