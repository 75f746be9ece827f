//! The protocol on one thread, for environments without threads.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::handler::{Access, Handler, Next, SharedOutput};
use super::reply;
use crate::engine::event::Disconnected;
use crate::engine::{Engine, EngineError, InputPoll, SearchRunner};
use crate::files::lines::{LONGEST_LINE, next_line};

/// What the input returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// One or more lines.
    Text(Vec<u8>),
    /// The contents of a file of endgame tables. They apply to the searches that follow.
    Tables(Vec<u8>),
    /// Nothing for the moment.
    Nothing,
    /// The end of the input.
    End,
}

/// The protocol on the thread of its caller. Searches regularly read the input, so that commands
/// are answered during a search as in a [`UciLoop`](super::UciLoop). Options for files and for
/// several threads are not offered.
pub struct SingleThreadLoop<W> {
    /// `None` only until the loop is built.
    commands: Arc<Mutex<Option<Commands<W>>>>,
    runner: SearchRunner,
}

impl<W: Write + Send + 'static> SingleThreadLoop<W> {
    /// Creates a loop. `receive` returns the next input; if its argument is true, it waits for some
    /// as long as it can.
    pub fn new<R>(receive: R, output: W) -> Result<Self, EngineError>
    where
        R: FnMut(bool) -> Received + Send + 'static,
    {
        let commands = Arc::new(Mutex::new(None::<Commands<W>>));
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
        let output = SharedOutput::new(output);
        let events = output.clone();
        let write = move |event| events.write_line(&reply::event(&event)).map_err(|_| Disconnected);
        let (engine, runner) = Engine::without_thread(write, poll)?;
        let handler = Handler::new(engine, output, Access { files: false, threads: false });
        if let Ok(mut commands) = commands.lock() {
            *commands = Some(Commands { handler, receive: Box::new(receive), end: None });
        }
        Ok(Self { commands, runner })
    }

    /// Runs the protocol until the input returns nothing although it was asked to wait. Returns
    /// whether the protocol has ended, by `quit` or the end of the input.
    pub fn run(&mut self) -> io::Result<bool> {
        loop {
            if self.runner.run_next().map_err(io::Error::other)? {
                continue;
            }
            let mut commands =
                self.commands.lock().map_err(|_| io::Error::other(EngineError::Died))?;
            let Some(commands) = commands.as_mut() else { return Ok(true) };
            if let Some(end) = commands.end.take() {
                return end.map(|()| true);
            }
            if !commands.read(true) {
                return Ok(false);
            }
        }
    }
}

/// The commands that are read and how they end.
struct Commands<W> {
    handler: Handler<W>,
    receive: Box<dyn FnMut(bool) -> Received + Send>,
    end: Option<io::Result<()>>,
}

impl<W: Write> Commands<W> {
    /// Answers all commands that have arrived, and first waits for one if `waits`. Returns whether
    /// there was any input.
    fn read(&mut self, mut waits: bool) -> bool {
        let mut has_read = false;
        while self.end.is_none() {
            match (self.receive)(waits) {
                Received::Nothing => break,
                Received::End => {
                    self.handler.engine.close();
                    self.end = Some(Ok(()));
                }
                Received::Tables(bytes) => {
                    if let Err(error) = self.handler.set_tables(bytes) {
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
            if self.handler.answer_bounded(line)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Continue)
    }

    /// Ends the protocol. Searches stop as soon as possible.
    fn stop(&mut self, end: io::Result<()>) {
        self.handler.engine.stop();
        self.handler.engine.close();
        self.end = Some(end);
    }
}
