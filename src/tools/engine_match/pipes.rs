//! The process of an engine, and the two pipes to it.
//!
//! Each pipe has a thread of its own, so that nobody waits for ever for an engine that neither
//! reads nor writes.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryIter, TrySendError, sync_channel,
};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::settings::Launch;

/// The longest line that is read from an engine, in bytes; a longer one counts as several.
const LONGEST_LINE: u64 = 1 << 14;

/// So many lines of an engine wait until somebody looks at them; then the engine waits.
const LINES_AHEAD: usize = 1_024;

/// So many texts wait until an engine reads them; one that lets more wait reads nothing any more.
const TEXTS_AHEAD: usize = 64;

/// So long passes at most until an interrupt is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The word for this engine.
const ITSELF: &str = "soucie";

/// Why an engine does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// Its output has ended.
    #[error("it has ended")]
    Ended,
    /// It says nothing.
    #[error("it does not answer")]
    Stalled,
    /// The match is interrupted.
    #[error("the match is interrupted")]
    Interrupted,
    /// It does not take what it is sent.
    #[error("it does not read its input")]
    Deaf,
}

/// A line of an engine.
pub struct Line {
    /// When it was read.
    pub read: Instant,
    /// Without its end.
    pub text: String,
}

/// A process and the two pipes to it. It is killed when this is dropped.
pub struct Pipes {
    child: Child,
    texts: SyncSender<String>,
    lines: Receiver<Line>,
    interrupted: Arc<AtomicBool>,
}

impl Pipes {
    /// Starts an engine. No answer is waited for once `interrupted` is set.
    pub fn open(launch: &Launch, interrupted: &Arc<AtomicBool>) -> Result<Self, String> {
        let started = start(&mut Command::new(&launch.program), launch);
        let mut child = started.or_else(|error| itself(launch, error))?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (texts, waiting) = sync_channel(TEXTS_AHEAD);
        let (sender, lines) = sync_channel(LINES_AHEAD);
        // From here on the child does not outlive an error.
        let opened = Self { child, texts, lines, interrupted: Arc::clone(interrupted) };
        let (Some(input), Some(output)) = pipes else {
            return Err("there is no pipe to it".to_string());
        };
        let thread = |what| thread::Builder::new().name(format!("{what} {}", launch.name));
        let hears = thread("hears").spawn(move || read_lines(output, &sender));
        let tells = thread("tells").spawn(move || write_texts(input, &waiting));
        hears.and(tells).map_err(|error| error.to_string())?;
        Ok(opened)
    }

    /// Sends a text and the end of its last line. It does not wait until the engine reads that.
    pub fn say(&self, text: &str) -> Result<(), ReadError> {
        self.texts.try_send(format!("{text}\n")).map_err(|error| match error {
            TrySendError::Full(_) => ReadError::Deaf,
            TrySendError::Disconnected(_) => ReadError::Ended,
        })
    }

    /// The lines that wait.
    pub fn waiting(&self) -> TryIter<'_, Line> {
        self.lines.try_iter()
    }

    /// The next line, if it comes in time and the match is not interrupted before.
    pub fn next(&self, until: Instant) -> Result<Line, ReadError> {
        loop {
            if self.interrupted.load(Relaxed) {
                return Err(ReadError::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Err(RecvTimeoutError::Timeout) if left > POLL_INTERVAL => continue,
                Err(RecvTimeoutError::Timeout) => return Err(ReadError::Stalled),
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Ended),
                Ok(line) => line,
            };
            // There is always another line of an engine that floods its output.
            return if line.read > until { Err(ReadError::Stalled) } else { Ok(line) };
        }
    }

    /// Reads lines until the output ends, as long as that comes in time.
    pub fn drain(&self, until: Instant) {
        let left = || until.saturating_duration_since(Instant::now());
        while self.lines.recv_timeout(left()).is_ok_and(|line| line.read <= until) {}
    }

    /// Ends the process.
    pub fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
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

/// Writes texts until there are no more or the engine has closed its input.
fn write_texts(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
