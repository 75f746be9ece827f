//! The JSON output: one object on one line for each game, position or failure.

use std::io::{self, Write};

use serde::Serialize;

use super::report::{Failure, GameReport, Listener, PositionReport};

/// Writes JSON lines.
pub struct JsonLines<W>(pub W);

impl<W: Write> JsonLines<W> {
    fn say(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, object)?;
        writeln!(self.0)?;
        self.0.flush()
    }
}

impl<W: Write> Listener for JsonLines<W> {
    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        self.say(report)
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        self.say(report)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.say(failure)
    }
}
