//! An engine process and the two pipes to it.
//!
//! Each pipe has its own thread, so that the match never blocks on an engine that neither reads nor
//! writes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryIter, TrySendError, sync_channel,
};
use std::time::{Duration, Instant};
use std::{env, thread};

use thiserror::Error;

use soucie_program::error::CommandError;

/// The maximum length of a line from an engine, in bytes. A longer one is split.
const LONGEST_LINE: u64 = 1 << 14;

/// The capacity of the queue of lines from an engine. The engine blocks when it is full.
const LINES_AHEAD: usize = 1_024;

/// The capacity of the queue of texts to an engine. An engine that lets it fill up does not read
/// its input.
const TEXTS_AHEAD: usize = 64;

/// The maximum delay until an interrupt is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineCommand {
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    /// The protocol options to set.
    pub options: Vec<(String, String)>,
}

impl EngineCommand {
    /// Splits a command line as a shell does, but on Windows a backslash stands for itself. Without one
    /// this program is the engine.
    pub fn parse(
        command: Option<&str>,
        options: Vec<(String, String)>,
    ) -> Result<Self, CommandError> {
        let words = match command {
            Some(command) => split(command, cfg!(windows)).unwrap_or_default(),
            None => vec![env::current_exe()?.to_string_lossy().into_owned()],
        };
        let mut words = words.into_iter();
        let command = command.unwrap_or_default();
        let wrong = || CommandError::Other(format!("cannot parse the command line '{command}'"));
        let program = words.next().ok_or_else(wrong)?;
        let name =
            Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, program, arguments: words.collect(), options })
    }
}

/// Splits a command line as a shell does. `None` if a quote is open. Paths of Windows have backslashes,
/// which a shell would remove.
fn split(command: &str, keeps_backslashes: bool) -> Option<Vec<String>> {
    if !keeps_backslashes {
        return shlex::split(command);
    }
    // No argument of a program can contain this character.
    let words = shlex::split(&command.replace('\\', "\0"))?;
    Some(words.into_iter().map(|word| word.replace('\0', "\\")).collect())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    #[error("the process has ended")]
    Ended,
    #[error("no answer")]
    Stalled,
    #[error("the match is interrupted")]
    Interrupted,
    #[error("the process does not read its input")]
    NotReading,
}

impl From<ReadError> for String {
    fn from(error: ReadError) -> Self {
        error.to_string()
    }
}

pub struct OutputLine {
    pub read: Instant,
    /// The text without the line ending.
    pub text: String,
}

/// An engine process and the pipes to it. The process is killed on drop.
pub struct Pipes {
    child: Child,
    texts: SyncSender<String>,
    lines: Receiver<OutputLine>,
    interrupted: Arc<AtomicBool>,
}

impl Pipes {
    /// Starts an engine. Once `interrupted` is set, [`Pipes::next`] returns at once.
    pub fn open(engine: &EngineCommand, interrupted: &Arc<AtomicBool>) -> Result<Self, String> {
        let mut command = Command::new(&engine.program);
        command.args(&engine.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let refused = |error| format!("cannot start '{}': {error}", engine.program);
        let mut child = command.spawn().map_err(refused)?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (texts, waiting) = sync_channel(TEXTS_AHEAD);
        let (sender, lines) = sync_channel(LINES_AHEAD);
        // From here on, an error drops `opened`, which kills the child.
        let opened = Self { child, texts, lines, interrupted: Arc::clone(interrupted) };
        let (Some(input), Some(output)) = pipes else {
            return Err("no pipe to the process".to_string());
        };
        let thread = |what| thread::Builder::new().name(format!("{what} {}", engine.name));
        let reader = thread("reads").spawn(move || read_lines(output, &sender));
        let writer = thread("writes").spawn(move || write_texts(input, &waiting));
        reader.and(writer).map_err(|error| error.to_string())?;
        Ok(opened)
    }

    /// Queues a text and a line ending. Does not wait until the engine reads it.
    pub fn send(&self, text: &str) -> Result<(), ReadError> {
        self.texts.try_send(format!("{text}\n")).map_err(|error| match error {
            TrySendError::Full(_) => ReadError::NotReading,
            TrySendError::Disconnected(_) => ReadError::Ended,
        })
    }

    /// Returns the lines that have already arrived.
    pub fn waiting(&self) -> TryIter<'_, OutputLine> {
        self.lines.try_iter()
    }

    /// Returns the next line, or an error if it does not arrive before `until` or the match is
    /// interrupted.
    pub fn next(&self, until: Instant) -> Result<OutputLine, ReadError> {
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
            // A late line is refused as well: an engine that floods its output always has another
            // line.
            return if line.read > until { Err(ReadError::Stalled) } else { Ok(line) };
        }
    }

    /// Reads and discards lines until the output ends, or until `until`.
    pub fn drain(&self, until: Instant) {
        let left = || until.saturating_duration_since(Instant::now());
        while self.lines.recv_timeout(left()).is_ok_and(|line| line.read <= until) {}
    }

    pub fn kill(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines until the output ends or the receiver is dropped.
fn read_lines(output: ChildStdout, lines: &SyncSender<OutputLine>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
        if lines.send(OutputLine { read: Instant::now(), text }).is_err() {
            return;
        }
    }
}

/// Writes texts until the sender is dropped or the engine closes its input.
fn write_texts(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_in_a_shell() {
        let engine =
            EngineCommand::parse(Some("'/some where/soucie.exe' --threads \"2\""), vec![]).unwrap();
        assert_eq!(engine.program, "/some where/soucie.exe");
        assert_eq!(engine.arguments, ["--threads", "2"]);
        assert_eq!(engine.name, "soucie");
        assert!(EngineCommand::parse(Some(""), vec![]).is_err());
        assert!(EngineCommand::parse(Some("'open"), vec![]).is_err());
        let words = |command, keeps| split(command, keeps).unwrap();
        assert_eq!(words(r"a\ b c", false), ["a b", "c"]);
        assert_eq!(
            words(r"C:\a\b.exe '\\host\d e' -x", true),
            [r"C:\a\b.exe", r"\\host\d e", "-x"]
        );
        assert_eq!(split(r#""C:\a b"#, true), None);
    }
}
