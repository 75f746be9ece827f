//! An engine at the other end of two pipes.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::MatchError;
use super::settings::Launch;

/// The longest line that is read from an engine, in bytes; a longer one counts as several.
const LONGEST_LINE: u64 = 1 << 16;

/// So many lines of a search are kept, the last ones: an engine that floods its output fills no
/// memory.
const LINES_KEPT: usize = 2_048;

/// So many lines of an engine wait until somebody looks at them; then the engine waits.
const LINES_AHEAD: usize = 1_024;

/// The word for this engine.
const ITSELF: &str = "soucie";

/// How long an engine may take to start, and to end.
const START: Duration = Duration::from_secs(30);
const END: Duration = Duration::from_secs(2);

/// Why an engine does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Silence {
    /// Its output has ended.
    #[error("it has ended")]
    Ended,
    /// It says nothing.
    #[error("it does not answer")]
    Stalled,
}

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
pub struct Chair<'a> {
    launch: &'a Launch,
    variant: &'a str,
    player: Option<Player>,
}

impl<'a> Chair<'a> {
    /// A chair with an engine in it.
    pub fn new(launch: &'a Launch, variant: &'a str) -> Result<Self, MatchError> {
        let player = Player::start(launch, variant);
        let named = |why| MatchError::Start { name: launch.name.clone(), why };
        Ok(Self { launch, variant, player: Some(player.map_err(named)?) })
    }

    /// Starts the engine anew if it was killed. An error says why it cannot be.
    pub fn fill(&mut self) -> Result<(), String> {
        if self.player.is_none() {
            let player = Player::start(self.launch, self.variant);
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
    pub fn player(&mut self) -> Result<&mut Player, Silence> {
        self.player.as_mut().ok_or(Silence::Ended)
    }
}

struct Line {
    read: Instant,
    text: String,
}

/// An engine at the other end of two pipes. It ends when this is dropped.
pub struct Player {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Line>,
}

impl Player {
    /// Starts an engine and sets its options.
    fn start(launch: &Launch, variant: &str) -> Result<Self, String> {
        let mut player = Self::spawn(launch)?;
        player.greet(launch, variant)?;
        Ok(player)
    }

    fn spawn(launch: &Launch) -> Result<Self, String> {
        let started = start(&mut Command::new(&launch.program), launch);
        let mut child = started.or_else(|error| itself(launch, error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("there is no pipe to it".to_string());
        };
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let player = Self { child, input, lines };
        thread::Builder::new()
            .name(format!("hears {}", launch.name))
            .spawn(move || read_lines(output, &sender))
            .map_err(|error| error.to_string())?;
        Ok(player)
    }

    /// `uci`, the options, and `isready`.
    fn greet(&mut self, launch: &Launch, variant: &str) -> Result<(), String> {
        let until = Instant::now() + START;
        let mut known = Vec::new();
        let told = self.say("uci").and_then(|()| {
            self.wait_for("uciok", until, &mut |line| known.extend(option_name(line)))
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
        let ready = self.say(&(commands + "isready")).and_then(|()| {
            self.wait_for("readyok", until, &mut |line| {
                complaint = complaint.take().or_else(|| is_complaint(line).then(|| line.into()));
            })
        });
        ready.map_err(|silence| silence.to_string())?;
        complaint.map_or(Ok(()), Err)
    }

    /// Says that another game begins and waits until the engine is ready for it.
    pub fn begin_game(&mut self, patience: Duration) -> Result<(), Silence> {
        self.say("ucinewgame\nisready")?;
        self.wait_for("readyok", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Lets the engine think about a position; `patience` is when it has stalled.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, Silence> {
        // What it said after its last move belongs to that.
        let mut lines = self.said_so_far();
        lines.retain(|line| line.starts_with("bestmove") || is_complaint(line));
        let started = Instant::now();
        self.say(&format!("{position}\n{go}"))?;
        self.answer(started, patience, lines)
    }

    /// Lets the engine think about a position until [`Player::hit`] or [`Player::stop`].
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), Silence> {
        self.say(&format!("{position}\n{}", go.replacen("go", "go ponder", 1)))
    }

    /// Tells an engine that ponders that the move was made; it thinks on, and answers.
    pub fn hit(&mut self, patience: Duration) -> Result<Answer, Silence> {
        let lines = self.said_so_far();
        let started = Instant::now();
        self.say("ponderhit")?;
        self.answer(started, patience, lines)
    }

    /// Tells an engine that ponders that another move was made, or none.
    pub fn stop(&mut self, patience: Duration) -> Result<(), Silence> {
        self.say("stop")?;
        self.wait_for("bestmove", Instant::now() + patience, &mut |_| ())?;
        Ok(())
    }

    /// Waits for the best move of a search that began, or began to count, at `started`.
    fn answer(
        &mut self,
        started: Instant,
        patience: Duration,
        mut lines: Vec<String>,
    ) -> Result<Answer, Silence> {
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
        // It may have ended already.
        let _ = self.child.kill();
    }

    /// The lines that wait. There may be more at once, but who floods its output is not waited for.
    fn said_so_far(&mut self) -> Vec<String> {
        self.lines.try_iter().take(LINES_KEPT).map(|line| line.text).collect()
    }

    fn say(&mut self, text: &str) -> Result<(), Silence> {
        let written = self.input.write_all(format!("{text}\n").as_bytes());
        written.and_then(|()| self.input.flush()).map_err(|_| Silence::Ended)
    }

    /// Waits for a line that begins with `word`; the lines before it go to `heard`.
    fn wait_for(
        &mut self,
        word: &str,
        until: Instant,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Line, Silence> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => Silence::Stalled,
                RecvTimeoutError::Disconnected => Silence::Ended,
            })?;
            // There is always another line of an engine that floods its output.
            if line.read > until {
                return Err(Silence::Stalled);
            }
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            heard(&line.text);
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let until = Instant::now() + END;
        // One that ends when it is asked to can put its affairs in order.
        if self.say("quit").is_ok() {
            let _ = self.wait_for("", until, &mut |_| ());
        }
        self.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program with the arguments of an engine, and with pipes.
fn start(command: &mut Command, launch: &Launch) -> io::Result<Child> {
    command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Starts this very program in the place of a `soucie` that is not on the path.
fn itself(launch: &Launch, error: io::Error) -> Result<Child, String> {
    let may_be = launch.program == ITSELF && error.kind() == io::ErrorKind::NotFound;
    let own = if may_be { env::current_exe() } else { Err(error) };
    own.and_then(|program| start(&mut Command::new(program), launch)).map_err(|e| e.to_string())
}

/// Whether an engine complains of what it was sent.
pub fn is_complaint(line: &str) -> bool {
    line.starts_with("info string error")
}

/// The name in `option name N type ...`.
fn option_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim().to_string())
}

/// Reads lines until there are no more or nobody wants them.
fn read_lines(output: ChildStdout, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
        if lines.send(Line { read: Instant::now(), text }).is_err() {
            return;
        }
    }
}
