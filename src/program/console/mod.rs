//! The console: a line-based interface for players at a terminal and for scripts in a classroom.
//!
//! Lines are processed one after the other. The engine plays its moves before the next line is
//! read, so a script gets the same output whether it waits for the output or not. Scripts can
//! search for three markers, which occur nowhere else: `>` ends a prompt, `*` begins a move of the
//! engine or a result, and `===` encloses a board.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod board;
pub mod command;
mod draft;
mod editor;
mod files;
mod game;
mod learn;
mod open;
mod player;
mod refusal;

use std::io::{self, BufRead, Write};

use command::ConsoleCommand;
pub use editor::LineEditor;
use game::ConsoleGame;
pub use open::{ConsoleSettings, open};
use player::ConsoleEngine;
use refusal::ConsoleRefusal;
use soucie::files::lines::next_line;
use soucie::files::printable::one_line;

/// The maximum length of an input line, in bytes.
const MAX_LINE_LENGTH: usize = 1 << 16;

pub struct Streams<R, W, E> {
    pub input: R,
    /// Prompts, moves, results and boards.
    pub output: W,
    pub errors: E,
    /// The terminal from which lines are read instead of `input`, if it is one.
    pub editor: Option<LineEditor>,
}

/// Runs the console until the end of input, `quit`, or until the output is closed. Returns false if
/// an error ended it in strict mode.
pub fn run<R, W, E>(settings: &ConsoleSettings, streams: Streams<R, W, E>) -> io::Result<bool>
where
    R: BufRead,
    W: Write,
    E: Write,
{
    run_with(ConsoleEngine::start(settings).map_err(io::Error::other)?, settings, streams)
}

fn run_with<R, W, E>(
    engine: ConsoleEngine,
    settings: &ConsoleSettings,
    mut streams: Streams<R, W, E>,
) -> io::Result<bool>
where
    R: BufRead,
    W: Write,
    E: Write,
{
    let mut game = ConsoleGame::new(engine, settings, streams.output);
    for warning in game.take_warnings() {
        let _ = writeln!(streams.errors, "error: {warning}");
    }
    if let Some(editor) = &streams.editor {
        game.greet(editor.interrupted(), settings)?;
    }
    if settings.learn {
        game.learn()?;
    }
    loop {
        if let Err(refusal) = game.apply_draft_for_engine() {
            report(&mut streams.errors, &refusal);
            if settings.strict {
                return Ok(false);
            }
        }
        game.play_engine_moves()?;
        let prompt = game.prompt()?;
        let line = match &mut streams.editor {
            Some(editor) => editor.read(&prompt)?.map(|line| Ok(line.into_bytes())),
            None => {
                game.write_text(&prompt)?;
                let line = next_line(&mut streams.input, MAX_LINE_LENGTH)?;
                // Without a terminal the input does not end the line of the prompt.
                game.write_line("")?;
                line
            }
        };
        let Some(line) = line else { return Ok(true) };
        let reply = match line {
            Ok(line) => match command::read(&String::from_utf8_lossy(&line)) {
                Ok(ConsoleCommand::Quit) => return Ok(true),
                Ok(command) => game.execute(command),
                Err(refusal) => Err(refusal),
            },
            Err(too_long) => Err(ConsoleRefusal(too_long.to_string())),
        };
        match reply {
            Ok(None) => {}
            Ok(Some(reply)) => game.write_line(&reply)?,
            Err(refusal) => {
                report(&mut streams.errors, &refusal);
                if settings.strict {
                    return Ok(false);
                }
            }
        }
    }
}

/// Writes an error line. Failures are ignored: standard error may be closed.
fn report(errors: &mut impl Write, refusal: &ConsoleRefusal) {
    let _ = writeln!(errors, "error: {}", one_line(&refusal.0)).and_then(|()| errors.flush());
}
