//! An engine process at the protocol level: the commands sent to it, and the time limits for its
//! answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::engine_output::{EngineAnswer, ReportedScore, error_text, excerpt};
use super::pipes::{EngineCommand, OutputLine, Pipes, ReadError};
use crate::tools::error::ToolError;
use crate::tools::fingerprint::{BENCH_DEPTH, Fingerprint};

/// The maximum number of lines that are discarded before a search: an engine may flood its output.
const MOST_STALE_LINES: usize = 2_048;

/// The maximum number of options that are read from an engine, and the maximum length of an option
/// name in bytes.
const MOST_OPTIONS: usize = 1_000;
const LONGEST_NAME: usize = 256;

/// The time limits for an engine to start and to quit.
const START: Duration = Duration::from_secs(30);
const END: Duration = Duration::from_secs(2);

/// A slot for an engine process, which can be killed and started again.
pub struct EngineSlot<'a> {
    command: &'a EngineCommand,
    variant: &'a str,
    process: Option<EngineProcess>,
    interrupted: Arc<AtomicBool>,
}

impl<'a> EngineSlot<'a> {
    /// Starts an engine in a new slot. Once `interrupted` is set, reading its answers fails at
    /// once.
    pub fn new(
        command: &'a EngineCommand,
        variant: &'a str,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Self, ToolError> {
        let process = EngineProcess::start(command, variant, interrupted);
        let named = |why| ToolError::EngineStart { name: command.name.clone(), why };
        let process = Some(process.map_err(named)?);
        Ok(Self { command, variant, process, interrupted: Arc::clone(interrupted) })
    }

    /// Starts the engine again if it was killed. The error is the reason of a failure.
    pub fn fill(&mut self) -> Result<(), String> {
        if self.process.is_none() {
            let process = EngineProcess::start(self.command, self.variant, &self.interrupted);
            let again = |why| format!("cannot be restarted: {why}");
            self.process = Some(process.map_err(again)?);
        }
        Ok(())
    }

    /// Kills an engine that crashed or is no longer reliable.
    pub fn empty(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Returns the engine process.
    pub fn process(&mut self) -> Result<&mut EngineProcess, ReadError> {
        self.process.as_mut().ok_or(ReadError::Ended)
    }
}

/// A running engine process. It quits on drop.
pub struct EngineProcess {
    pipes: Pipes,
}

impl EngineProcess {
    /// Starts an engine and sets its options.
    fn start(
        command: &EngineCommand,
        variant: &str,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Self, String> {
        let mut process = Self { pipes: Pipes::open(command, interrupted)? };
        process.greet(command, variant)?;
        Ok(process)
    }

    /// Starts an engine without options and returns its fingerprint.
    pub fn identify(
        command: &EngineCommand,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Fingerprint, String> {
        let mut process = Self { pipes: Pipes::open(command, interrupted)? };
        let mut name = None;
        let mut bench = None;
        let until = Instant::now() + START;
        let named = process.pipes.send("uci").and_then(|()| {
            process.wait_for("uciok", until, &mut |line| {
                name = name.take().or(line.strip_prefix("id name ").map(str::to_string));
            })
        });
        named.map_err(|error| error.to_string())?;
        let name = name.unwrap_or_else(|| command.name.clone());
        // Other engines have commands of this name with other effects, or none.
        if name.starts_with("Soucie ") {
            let command = format!("bench {BENCH_DEPTH}");
            process.pipes.send(&command).map_err(|error| error.to_string())?;
            while bench.is_none() {
                let line = process.pipes.next(until).map_err(|error| error.to_string())?.text;
                if error_text(&line).is_some() {
                    break;
                }
                bench = line.split_once(" nodes ").and_then(|(count, _)| count.parse().ok());
            }
        }
        Ok(Fingerprint { name, bench, files: command.files.clone() })
    }

    /// Sends `uci`, the options and `isready`, and reads the answers.
    fn greet(&mut self, command: &EngineCommand, variant: &str) -> Result<(), String> {
        let until = Instant::now() + START;
        let mut known = Vec::new();
        let answered = self.pipes.send("uci").and_then(|()| {
            self.wait_for("uciok", until, &mut |line| {
                let has_room = known.len() < MOST_OPTIONS;
                known.extend(option_name(line).filter(|_| has_room));
            })
        });
        answered.map_err(|error| error.to_string())?;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let mut commands = String::new();
        if is_known("UCI_Variant") {
            commands += &format!("setoption name UCI_Variant value {variant}\n");
        }
        for (name, value) in &command.options {
            if !is_known(name) {
                return Err(format!("unknown option '{name}'"));
            }
            commands += &format!("setoption name {name} value {value}\n");
        }
        let mut first_error = None;
        let ready = self.pipes.send(&(commands + "isready")).and_then(|()| {
            self.wait_for("readyok", until, &mut |line| {
                first_error = first_error.take().or_else(|| error_text(line).map(excerpt));
            })
        });
        ready.map_err(|error| error.to_string())?;
        first_error.map_or(Ok(()), Err)
    }

    /// Sends `ucinewgame` and waits until the engine is ready.
    pub fn begin_game(&mut self, time_limit: Duration) -> Result<(), ReadError> {
        self.pipes.send("ucinewgame\nisready")?;
        self.wait_for("readyok", Instant::now() + time_limit, &mut |_| ())?;
        Ok(())
    }

    /// Starts a search and returns the answer; after `time_limit` the engine has stalled.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        time_limit: Duration,
    ) -> Result<EngineAnswer, ReadError> {
        // Lines that arrived after the last move belong to the previous search.
        self.pipes.waiting().take(MOST_STALE_LINES).for_each(drop);
        let started = Instant::now();
        self.pipes.send(&format!("{position}\n{go}"))?;
        self.answer(started, time_limit)
    }

    /// Starts pondering on a position until [`EngineProcess::hit`] or [`EngineProcess::stop`].
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), ReadError> {
        self.pipes.send(&format!("{position}\n{}", go.replacen("go", "go ponder", 1)))
    }

    /// Sends `ponderhit` to a pondering engine and returns the answer of the continued search.
    pub fn hit(&mut self, time_limit: Duration) -> Result<EngineAnswer, ReadError> {
        let started = Instant::now();
        self.pipes.send("ponderhit")?;
        self.answer(started, time_limit)
    }

    /// Stops a pondering engine and discards its answer.
    pub fn stop(&mut self, time_limit: Duration) -> Result<(), ReadError> {
        self.pipes.send("stop")?;
        self.wait_for("bestmove", Instant::now() + time_limit, &mut |_| ())?;
        Ok(())
    }

    /// Waits for the best move of a search that was started, or whose clock was started, at
    /// `started`.
    fn answer(
        &mut self,
        started: Instant,
        time_limit: Duration,
    ) -> Result<EngineAnswer, ReadError> {
        let (mut reported, mut last_line) = (ReportedScore::default(), String::new());
        let last = self.wait_for("bestmove", started + time_limit, &mut |line| {
            reported = ReportedScore::read(line).unwrap_or(reported);
            last_line = line.to_string();
        })?;
        let mut words = last.text.split_whitespace().skip(1);
        let best = words.next().unwrap_or_default().to_string();
        let ponder = words.nth(1).map(str::to_string);
        let time = last.read.saturating_duration_since(started);
        Ok(EngineAnswer { best, ponder, time, reported, last_line })
    }

    /// Kills an engine that may not quit by itself.
    fn kill(&mut self) {
        self.pipes.kill();
    }

    /// Waits for a line that begins with `word` and passes the lines before it to `on_line`.
    fn wait_for(
        &mut self,
        word: &str,
        until: Instant,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<OutputLine, ReadError> {
        loop {
            let line = self.pipes.next(until)?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            on_line(&line.text);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let until = Instant::now() + END;
        // An engine that quits on request can clean up first.
        if self.pipes.send("quit").is_ok() {
            self.pipes.drain(until);
        }
    }
}

/// Returns the name in `option name N type ...`, unless it is too long.
fn option_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim()).filter(|name| name.len() <= LONGEST_NAME).map(str::to_string)
}
