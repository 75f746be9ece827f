//! An engine that plays: what it is told, and how long its answers are waited for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::MatchError;
use super::lines::{excerpt, is_complaint};
use super::pipes::{Line, Pipes, ReadError};
use super::settings::Launch;

/// So many lines of a search are kept, the last ones: an engine that floods its output fills no
/// memory.
const LINES_KEPT: usize = 2_048;

/// So many options of an engine are known to the referee, by names of so many bytes.
const MOST_OPTIONS: usize = 1_000;
const LONGEST_NAME: usize = 256;

/// How long an engine may take to start, and to end.
const START: Duration = Duration::from_secs(30);
const END: Duration = Duration::from_secs(2);

/// What an engine said from `go` to its best move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move; empty if there was none behind `bestmove`.
    pub best: String,
    /// The reply that it expects.
    pub ponder: Option<String>,
    /// The time from the writing of `go` to the reading of `bestmove`.
    pub time: Duration,
    /// What it said before, line by line.
    pub lines: Vec<String>,
}

/// The place of an engine at the board. The engine in it may be killed and another one started.
pub struct EngineSlot<'a> {
    launch: &'a Launch,
    variant: &'a str,
    player: Option<EngineProcess>,
    interrupted: Arc<AtomicBool>,
}

impl<'a> EngineSlot<'a> {
    /// A chair with an engine in it. No answer is waited for once `interrupted` is set.
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

    /// Starts the engine anew if it was killed. An error says why it cannot be.
    pub fn fill(&mut self) -> Result<(), String> {
        if self.player.is_none() {
            let player = EngineProcess::start(self.launch, self.variant, &self.interrupted);
            let again = |why| format!("it cannot be started again: {why}");
            self.player = Some(player.map_err(again)?);
        }
        Ok(())
    }

    /// Ends an engine that has crashed or cannot be relied on any more.
    pub fn empty(&mut self) {
        if let Some(mut player) = self.player.take() {
            player.kill();
        }
    }

    /// The engine.
    pub fn player(&mut self) -> Result<&mut EngineProcess, ReadError> {
        self.player.as_mut().ok_or(ReadError::Ended)
    }
}

/// An engine that plays. It ends when this is dropped.
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

    /// `uci`, the options, and `isready`.
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

    /// Says that another game begins and waits until the engine is ready for it.
    pub fn begin_game(&mut self, patience: Duration) -> Result<(), ReadError> {
        self.pipes.say("ucinewgame\nisready")?;
        self.wait_for("readyok", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Lets the engine think about a position; `patience` is when it has stalled.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, ReadError> {
        // What it said after its last move belongs to that.
        let mut lines = self.said_so_far();
        lines.retain(|line| line.starts_with("bestmove") || is_complaint(line));
        let started = Instant::now();
        self.pipes.say(&format!("{position}\n{go}"))?;
        self.answer(started, patience, lines)
    }

    /// Lets the engine think about a position until [`EngineProcess::hit`] or [`EngineProcess::stop`].
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), ReadError> {
        self.pipes.say(&format!("{position}\n{}", go.replacen("go", "go ponder", 1)))
    }

    /// Tells an engine that ponders that the move was made; it thinks on, and answers.
    pub fn hit(&mut self, patience: Duration) -> Result<Answer, ReadError> {
        let lines = self.said_so_far();
        let started = Instant::now();
        self.pipes.say("ponderhit")?;
        self.answer(started, patience, lines)
    }

    /// Tells an engine that ponders that another move was made, or none.
    pub fn stop(&mut self, patience: Duration) -> Result<(), ReadError> {
        self.pipes.say("stop")?;
        self.wait_for("bestmove", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Waits for the best move of a search that began, or began to count, at `started`.
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

    /// Ends an engine that is not to be trusted to end by itself.
    fn kill(&mut self) {
        self.pipes.kill();
    }

    /// The lines that wait. There may be more at once, but who floods its output is not waited for.
    fn said_so_far(&mut self) -> Vec<String> {
        self.pipes.waiting().take(LINES_KEPT).map(|line| line.text).collect()
    }

    /// Waits for a line that begins with `word`; the lines before it go to `heard`.
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
        // One that ends when it is asked to can put its affairs in order.
        if self.pipes.say("quit").is_ok() {
            self.pipes.drain(until);
        }
    }
}

/// The name in `option name N type ...`, unless it is too long.
fn option_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim()).filter(|name| name.len() <= LONGEST_NAME).map(str::to_string)
}
