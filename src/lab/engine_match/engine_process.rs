//! An engine process at the protocol level: the commands sent to it, and the time limits for its
//! answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::engine_output::{EngineAnswer, ReportedScore, error_text, quoted};
use super::pipes::{EngineCommand, OutputLine, Pipes, ReadError};
use soucie::engine::OTHER_GAME_NOTE;
use soucie::options::VARIANT;
use soucie_program::arguments;
use soucie_program::bench::SIGNATURE_DEPTH;

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
    interrupted: &'a Arc<AtomicBool>,
}

impl<'a> EngineSlot<'a> {
    /// Returns an empty slot. Once `interrupted` is set, reading answers of the engine fails at once.
    pub fn new(
        command: &'a EngineCommand,
        variant: &'a str,
        interrupted: &'a Arc<AtomicBool>,
    ) -> Self {
        Self { command, variant, process: None, interrupted }
    }

    /// Starts the engine unless it is running. The error is the reason of a failure.
    pub fn fill(&mut self) -> Result<(), String> {
        if self.process.is_none() {
            let mut process = EngineProcess { pipes: Pipes::open(self.command, self.interrupted)? };
            process.set_options(self.command, self.variant)?;
            self.process = Some(process);
        }
        Ok(())
    }

    /// Kills an engine that crashed or is no longer reliable.
    pub fn empty(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.pipes.kill();
        }
    }

    pub fn process(&mut self) -> Result<&mut EngineProcess, ReadError> {
        self.process.as_mut().ok_or(ReadError::Ended)
    }
}

/// A running engine process. It quits on drop.
pub struct EngineProcess {
    pipes: Pipes,
}

impl EngineProcess {
    /// Starts an engine without options, and returns what identifies it on any computer, for the header of
    /// a journal: its name and version, the node count of its benchmark, its arguments and options.
    pub fn identify(
        command: &EngineCommand,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Value, String> {
        let mut process = Self { pipes: Pipes::open(command, interrupted)? };
        let until = Instant::now() + START;
        let (id, _) = process.introduce(until)?;
        // Other engines have commands of this name with other effects, or none.
        let is_soucie = id.as_ref().is_some_and(|id| id.starts_with("Soucie "));
        let bench = if is_soucie { process.bench(until)? } else { None };
        let options = arguments::with_hashes(&command.options);
        let EngineCommand { name, arguments, .. } = command;
        Ok(json!({
            "name": name, "id": id, "bench": bench, "arguments": arguments, "options": options,
        }))
    }

    /// Sends `uci`. Returns the name of the engine and the names of its options.
    fn introduce(&mut self, until: Instant) -> Result<(Option<String>, Vec<String>), ReadError> {
        let (mut name, mut options) = (None, Vec::new());
        self.pipes.send("uci")?;
        self.wait_for("uciok", until, &mut |line| {
            name = name.take().or(line.strip_prefix("id name ").map(str::to_string));
            let has_room = options.len() < MOST_OPTIONS;
            options.extend(option_name(line).filter(|_| has_room));
        })?;
        Ok((name, options))
    }

    /// Returns the node count of the benchmark, or `None` if the engine has no benchmark.
    fn bench(&mut self, until: Instant) -> Result<Option<u64>, ReadError> {
        self.pipes.send(&format!("bench {SIGNATURE_DEPTH}"))?;
        loop {
            let line = self.pipes.next(until)?.text;
            let nodes = line.split_once(" nodes ").and_then(|(count, _)| count.parse().ok());
            if nodes.is_some() || error_text(&line).is_some() {
                return Ok(nodes);
            }
        }
    }

    /// Sets the options of the engine and waits until it is ready.
    fn set_options(&mut self, command: &EngineCommand, variant: &str) -> Result<(), String> {
        let until = Instant::now() + START;
        let (_, known) = self.introduce(until)?;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let mut commands = String::new();
        if is_known(VARIANT) {
            commands += &format!("setoption name {VARIANT} value {variant}\n");
        }
        for (name, value) in &command.options {
            if !is_known(name) {
                return Err(format!("unknown option '{name}'"));
            }
            commands += &format!("setoption name {name} value {value}\n");
        }
        let mut first_error = None;
        self.pipes.send(&(commands + "isready"))?;
        self.wait_for("readyok", until, &mut |line| {
            let note =
                || line.strip_prefix("info string ").filter(|text| text.contains(OTHER_GAME_NOTE));
            let fault = error_text(line).or_else(note);
            first_error = first_error.take().or_else(|| fault.map(quoted));
        })?;
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
