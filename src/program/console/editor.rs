//! Lines typed at a terminal: with editing, and a history of this session.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};

/// What Ctrl-C leads to.
const HOW_TO_GO_ON: &str = "\
Interrupted. Enter a move or a command to go on; save FILE keeps the game, quit or another Ctrl-C ends
the program.";

pub struct LineEditor {
    editor: DefaultEditor,
    /// Set by Ctrl-C while no line is read.
    interrupted: Arc<AtomicBool>,
}

impl LineEditor {
    /// Opens the terminal. From now on Ctrl-C does not end the program.
    pub fn open() -> io::Result<Self> {
        // Pasted text is what its lines are when typed: one command each.
        let config = Config::builder().bracketed_paste(false).build();
        let editor = DefaultEditor::with_config(config).map_err(io::Error::other)?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        ctrlc::set_handler(move || flag.store(true, Relaxed)).map_err(io::Error::other)?;
        Ok(Self { editor, interrupted })
    }

    /// Whether Ctrl-C was pressed since the last line.
    pub fn interrupted(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// Reads a line after a prompt; `None` at the end of input and after Ctrl-C pressed twice.
    pub fn read(&mut self, prompt: &str) -> io::Result<Option<String>> {
        // The explanation is a part of the prompt: when it can be read, the next Ctrl-C is a key of the
        // line and no signal.
        let explained = format!("{HOW_TO_GO_ON}\n{prompt}");
        let mut is_second = self.interrupted.swap(false, Relaxed);
        loop {
            match self.editor.readline(if is_second { explained.as_str() } else { prompt }) {
                Ok(line) => {
                    self.editor.add_history_entry(&line).map_err(io::Error::other)?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) if !is_second => is_second = true,
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}
