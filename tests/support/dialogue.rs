//! Sessions of a UCI client with the library or with the program.

#![allow(dead_code, reason = "each test file uses a different part")]

use std::io::{self, BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::programs;
use crate::programs::waits::{TIMEOUT, wait_for_exit};
use soucie::protocol::{self, Received, SingleThreadLoop, UciLoop};

/// Output that can be read after the session.
#[derive(Clone, Default)]
pub struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the library on a whole input and returns its output.
pub fn run_uci(input: impl AsRef<[u8]>) -> String {
    run_loop(UciLoop::new(), input)
}

/// Runs a loop on a whole input and returns its output.
pub fn run_loop(uci: UciLoop, input: impl AsRef<[u8]>) -> String {
    let buffer = SharedBuffer::default();
    uci.run(Cursor::new(input.as_ref().to_vec()), buffer.clone()).unwrap();
    buffer.text()
}

/// The engine at the other end of the session.
enum Peer {
    Library(Option<JoinHandle<io::Result<()>>>),
    Program(Child),
}

/// A session that sends and reads single lines.
pub struct Dialogue {
    peer: Peer,
    input: Option<Box<dyn Write>>,
    output: Receiver<String>,
}

impl Dialogue {
    /// A session with the library.
    pub fn with_library() -> Self {
        let (engine_input, input): (PipeReader, PipeWriter) = io::pipe().unwrap();
        let (output, engine_output) = io::pipe().unwrap();
        let run = move || protocol::run(BufReader::new(engine_input), engine_output);
        let thread = thread::spawn(run);
        Self {
            peer: Peer::Library(Some(thread)),
            input: Some(Box::new(input)),
            output: read_lines(output),
        }
    }

    /// A session with the library on a single thread.
    pub fn with_single_thread() -> Self {
        let (engine_input, input): (PipeReader, PipeWriter) = io::pipe().unwrap();
        let (output, engine_output) = io::pipe().unwrap();
        let lines = read_lines(engine_input);
        let receive = move |blocking| {
            let line = if blocking {
                lines.recv().map_err(|_| TryRecvError::Disconnected)
            } else {
                lines.try_recv()
            };
            match line {
                Ok(line) => Received::Text(line.into_bytes()),
                Err(TryRecvError::Empty) => Received::Nothing,
                Err(TryRecvError::Disconnected) => Received::End,
            }
        };
        let run = move || {
            let ended = SingleThreadLoop::new(receive, engine_output).unwrap().run()?;
            assert!(ended, "the loop ends with the input");
            Ok(())
        };
        Self {
            peer: Peer::Library(Some(thread::spawn(run))),
            input: Some(Box::new(input)),
            output: read_lines(output),
        }
    }

    /// A session with the program.
    pub fn with_program() -> Self {
        Self::with_program_in(&[])
    }

    /// A session with the program, with these environment variables.
    pub fn with_program_in(variables: &[(&str, &str)]) -> Self {
        let mut command = programs::soucie();
        command.envs(variables.iter().copied());
        Self::of(command)
    }

    /// A session with a process.
    pub fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = read_lines(child.stdout.take().unwrap());
        Self { peer: Peer::Program(child), input: Some(Box::new(input)), output }
    }

    /// Sends a line, or several.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes, which need not be complete lines or UTF-8.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Reads the next line; none at the end of the output.
    pub fn read_line(&mut self) -> Option<String> {
        match self.output.recv_timeout(TIMEOUT) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no output within {TIMEOUT:?}"),
        }
    }

    /// Reads the next line, if it is printed within this time.
    pub fn read_within(&mut self, time: Duration) -> Option<String> {
        self.output.recv_timeout(time).ok()
    }

    /// Reads all lines up to the first that starts with `start`.
    pub fn read_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.read_line().unwrap_or_else(|| panic!("no '{start}' in {lines:?}"));
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends a line, then `isready`, and returns the lines before `readyok`.
    pub fn query(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Ends the input and returns the remaining lines.
    pub fn close_input(&mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line() {
            lines.push(line);
        }
        lines
    }

    /// Ends the input, waits for the engine to end and returns whether it succeeded.
    pub fn finish(&mut self) -> bool {
        self.close_input();
        match &mut self.peer {
            Peer::Library(thread) => {
                thread.take().is_none_or(|thread| matches!(thread.join(), Ok(Ok(()))))
            }
            Peer::Program(child) => wait_for_exit(child).success(),
        }
    }

    /// The process, if the peer is the program.
    pub fn process(&mut self) -> Option<&mut Child> {
        match &mut self.peer {
            Peer::Library(_) => None,
            Peer::Program(child) => Some(child),
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        if let Peer::Program(child) = &mut self.peer {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Reads lines in a thread, so that the writer never blocks.
fn read_lines(output: impl io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if line.is_err() || line.is_ok_and(|line| sender.send(line).is_err()) {
                break;
            }
        }
    });
    lines
}

/// Whether a text matches a pattern in which `...` is any text.
pub fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once("...") else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(head) else { return false };
    // The first occurrence of each part leaves the most text for the parts after it.
    let (between, last) = tail.rsplit_once("...").unwrap_or(("", tail));
    for part in between.split("...") {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}
