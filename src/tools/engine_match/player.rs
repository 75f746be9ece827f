//! An engine process at the protocol level: the commands sent to it, and the time limits for its
//! answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::MatchError;
use super::lines::{excerpt, is_complaint};
use super::pipes::{Line, Pipes, ReadError};
use super::settings::Launch;

/// The maximum number of lines kept of a search. The oldest ones are discarded, so that an engine
/// that floods its output does not fill the memory.
const LINES_KEPT: usize = 2_048;

/// The maximum number of options that are read from an engine, and the maximum length of an option
/// name in bytes.
const MOST_OPTIONS: usize = 1_000;
const LONGEST_NAME: usize = 256;

/// The time limits for an engine to start and to quit.
const START: Duration = Duration::from_secs(30);
const END: Duration = Duration::from_secs(2);

/// The output of an engine from `go` to `bestmove`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The best move; empty if `bestmove` has no argument.
    pub best: String,
    /// The expected reply (the ponder move).
    pub ponder: Option<String>,
    /// The time from writing `go` to reading `bestmove`.
    pub time: Duration,
    /// The lines before `bestmove`.
    pub lines: Vec<String>,
}

/// A slot for an engine process, which can be killed and started again.
pub struct EngineSlot<'a> {
    launch: &'a Launch,
    variant: &'a str,
    player: Option<EngineProcess>,
    interrupted: Arc<AtomicBool>,
}

impl<'a> EngineSlot<'a> {
    /// Starts an engine in a new slot. Once `interrupted` is set, reading its answers fails at
    /// once.
    pub fn new(
        launch: &'a Launch,
        variant: &'a str,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Self, MatchError> {
        let player = EngineProcess::start(launch, variant, interrupted);
        let named = |why| MatchError::Start { name: launch.name.clone(), why };
        let player = Some(player.map_err(named)?);
        Ok(Self { launch, variant, player, interrupted: Arc::clone(interrupted) })
    }

    /// Starts the engine again if it was killed. The error is the reason of a failure.
    pub fn fill(&mut self) -> Result<(), String> {
        if self.player.is_none() {
            let player = EngineProcess::start(self.launch, self.variant, &self.interrupted);
            let again = |why| format!("it cannot be started again: {why}");
            self.player = Some(player.map_err(again)?);
        }
        Ok(())
    }

    /// Kills an engine that crashed or is no longer reliable.
    pub fn empty(&mut self) {
        if let Some(mut player) = self.player.take() {
            player.kill();
        }
    }

    /// Returns the engine process.
    pub fn player(&mut self) -> Result<&mut EngineProcess, ReadError> {
        self.player.as_mut().ok_or(ReadError::Ended)
    }
}

/// A running engine process. It quits on drop.
pub struct EngineProcess {
    pipes: Pipes,
}

impl EngineProcess {
    /// Starts an engine and sets its options.
    fn start(
        launch: &Launch,
        variant: &str,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<Self, String> {
        let mut player = Self { pipes: Pipes::open(launch, interrupted)? };
        player.greet(launch, variant)?;
        Ok(player)
    }

    /// Sends `uci`, the options and `isready`, and reads the answers.
    fn greet(&mut self, launch: &Launch, variant: &str) -> Result<(), String> {
        let until = Instant::now() + START;
        let mut known = Vec::new();
        let told = self.pipes.say("uci").and_then(|()| {
            self.wait_for("uciok", until, &mut |line| {
                let has_room = known.len() < MOST_OPTIONS;
                known.extend(option_name(line).filter(|_| has_room));
            })
        });
        told.map_err(|silence| silence.to_string())?;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let mut commands = String::new();
        if is_known("UCI_Variant") {
            commands += &format!("setoption name UCI_Variant value {variant}\n");
        }
        for (name, value) in &launch.options {
            if !is_known(name) {
                return Err(format!("it has no option '{name}'"));
            }
            commands += &format!("setoption name {name} value {value}\n");
        }
        let mut complaint = None;
        let ready = self.pipes.say(&(commands + "isready")).and_then(|()| {
            self.wait_for("readyok", until, &mut |line| {
                complaint = complaint.take().or_else(|| is_complaint(line).then(|| excerpt(line)));
            })
        });
        ready.map_err(|silence| silence.to_string())?;
        complaint.map_or(Ok(()), Err)
    }

    /// Sends `ucinewgame` and waits until the engine is ready.
    pub fn begin_game(&mut self, patience: Duration) -> Result<(), ReadError> {
        self.pipes.say("ucinewgame\nisready")?;
        self.wait_for("readyok", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Starts a search and returns the answer; after `patience` the engine has stalled.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, ReadError> {
        // Other lines that arrived after the last move belong to the previous search.
        let mut lines = self.said_so_far();
        lines.retain(|line| line.starts_with("bestmove") || is_complaint(line));
        let started = Instant::now();
        self.pipes.say(&format!("{position}\n{go}"))?;
        self.answer(started, patience, lines)
    }

    /// Starts pondering on a position until [`EngineProcess::hit`] or [`EngineProcess::stop`].
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), ReadError> {
        self.pipes.say(&format!("{position}\n{}", go.replacen("go", "go ponder", 1)))
    }

    /// Sends `ponderhit` to a pondering engine and returns the answer of the continued search.
    pub fn hit(&mut self, patience: Duration) -> Result<Answer, ReadError> {
        let lines = self.said_so_far();
        let started = Instant::now();
        self.pipes.say("ponderhit")?;
        self.answer(started, patience, lines)
    }

    /// Stops a pondering engine and discards its answer.
    pub fn stop(&mut self, patience: Duration) -> Result<(), ReadError> {
        self.pipes.say("stop")?;
        self.wait_for("bestmove", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Waits for the best move of a search that was started, or whose clock was started, at
    /// `started`.
    fn answer(
        &mut self,
        started: Instant,
        patience: Duration,
        mut lines: Vec<String>,
    ) -> Result<Answer, ReadError> {
        let last = self.wait_for("bestmove", started + patience, &mut |line| {
            if lines.len() >= LINES_KEPT {
                lines.drain(..LINES_KEPT / 2);
            }
            lines.push(line.to_string());
        })?;
        let mut words = last.text.split_whitespace().skip(1);
        let best = words.next().unwrap_or_default().to_string();
        let ponder = words.nth(1).map(str::to_string);
        Ok(Answer { best, ponder, time: last.read.saturating_duration_since(started), lines })
    }

    /// Kills an engine that may not quit by itself.
    fn kill(&mut self) {
        self.pipes.kill();
    }

    /// Returns the lines that have already arrived. Their number is limited, since an engine may
    /// flood its output.
    fn said_so_far(&mut self) -> Vec<String> {
        self.pipes.waiting().take(LINES_KEPT).map(|line| line.text).collect()
    }

    /// Waits for a line that begins with `word` and passes the lines before it to `heard`.
    fn wait_for(
        &mut self,
        word: &str,
        until: Instant,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Line, ReadError> {
        loop {
            let line = self.pipes.next(until)?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            heard(&line.text);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let until = Instant::now() + END;
        // An engine that quits on request can clean up first.
        if self.pipes.say("quit").is_ok() {
            self.pipes.drain(until);
        }
    }
}

/// Returns the name in `option name N type ...`, unless it is too long.
fn option_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim()).filter(|name| name.len() <= LONGEST_NAME).map(str::to_string)
}
