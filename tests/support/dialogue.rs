//! Conversations with the protocol, held with the library or with the program.

#![allow(dead_code, reason = "every test file uses another part of it")]

use std::io::{self, BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use soucie::protocol::{self, Received, SingleThreadLoop, UciLoop};

/// Nothing that is asked for takes so long; whoever waits longer waits for ever.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Output that can be read when the conversation is over.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The library's answer to a whole input.
pub fn talk(input: impl AsRef<[u8]>) -> String {
    talk_with(UciLoop::new(), input)
}

/// The answer of a loop to a whole input.
pub fn talk_with(uci: UciLoop, input: impl AsRef<[u8]>) -> String {
    let page = Page::default();
    uci.run(Cursor::new(input.as_ref().to_vec()), page.clone()).unwrap();
    page.text()
}

/// Who is spoken with.
enum Partner {
    Library(Option<JoinHandle<io::Result<()>>>),
    Program(Child),
}

/// A conversation, line by line.
pub struct Dialogue {
    partner: Partner,
    input: Option<Box<dyn Write>>,
    output: Receiver<String>,
}

impl Dialogue {
    /// A conversation with the library.
    pub fn with_library() -> Self {
        let (theirs, input): (PipeReader, PipeWriter) = io::pipe().unwrap();
        let (output, answers) = io::pipe().unwrap();
        let run = move || protocol::run(BufReader::new(theirs), answers);
        let thread = thread::spawn(run);
        Self {
            partner: Partner::Library(Some(thread)),
            input: Some(Box::new(input)),
            output: listen(output),
        }
    }

    /// A conversation with the library when it has one thread for everything.
    pub fn with_single_thread() -> Self {
        let (theirs, input): (PipeReader, PipeWriter) = io::pipe().unwrap();
        let (output, answers) = io::pipe().unwrap();
        let lines = listen(theirs);
        let receive = move |waits| {
            let line = if waits {
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
            let ended = SingleThreadLoop::new(receive, answers).unwrap().run()?;
            assert!(ended, "the loop ends with the input");
            Ok(())
        };
        Self {
            partner: Partner::Library(Some(thread::spawn(run))),
            input: Some(Box::new(input)),
            output: listen(output),
        }
    }

    /// A conversation with the program.
    pub fn with_program() -> Self {
        Self::with_program_in(&[])
    }

    /// A conversation with the program in an environment with these variables.
    pub fn with_program_in(variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
        // Tables that somebody has at home would change what is said.
        command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = listen(child.stdout.take().unwrap());
        Self { partner: Partner::Program(child), input: Some(Box::new(input)), output }
    }

    /// One of each.
    pub fn both() -> [Self; 2] {
        [Self::with_library(), Self::with_program()]
    }

    /// Says a line, or several.
    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    /// Says something that need not be a line, or text.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line; none at the end of the output.
    pub fn hear(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer within {PATIENCE:?}"),
        }
    }

    /// The next line, if it comes within this time.
    pub fn hear_within(&mut self, time: Duration) -> Option<String> {
        self.output.recv_timeout(time).ok()
    }

    /// All lines up to the first that begins like this.
    pub fn hear_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.hear().unwrap_or_else(|| panic!("no '{start}' in {lines:?}"));
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Says a line and hears all that comes before the answer to `isready`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.hear_until("readyok");
        lines.pop();
        lines
    }

    /// Ends the input and hears the rest.
    pub fn end(&mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.hear() {
            lines.push(line);
        }
        lines
    }

    /// Ends the input, waits for the end and says whether it was a good one.
    pub fn leave(&mut self) -> bool {
        self.end();
        match &mut self.partner {
            Partner::Library(thread) => {
                thread.take().is_none_or(|thread| matches!(thread.join(), Ok(Ok(()))))
            }
            Partner::Program(child) => child.wait().as_ref().is_ok_and(ExitStatus::success),
        }
    }

    /// Who is spoken with, for messages.
    pub fn name(&self) -> &'static str {
        match self.partner {
            Partner::Library(_) => "library",
            Partner::Program(_) => "program",
        }
    }

    /// The process, where there is one.
    pub fn process(&mut self) -> Option<&mut Child> {
        match &mut self.partner {
            Partner::Library(_) => None,
            Partner::Program(child) => Some(child),
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        if let Partner::Program(child) = &mut self.partner {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Reads lines as they come, so that whoever speaks is never kept waiting.
fn listen(output: impl io::Read + Send + 'static) -> Receiver<String> {
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
