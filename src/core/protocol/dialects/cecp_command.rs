//! Parses the lines of the Chess Engine Communication Protocol.

use std::io;
use std::time::Duration;

use crate::engine::EngineError;
use crate::files::printable::{excerpt, one_line};
use crate::protocol::command::LONGEST_MILLIS;
use crate::protocol::handler::UciError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CecpTimeControl {
    /// The moves for which the time is; 0 for the rest of the game.
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

/// Why a command fails.
pub(super) enum CecpFailure {
    Line(String),
    /// A reason, for the form `Error (REASON): COMMAND`.
    Reason(String),
    Output(io::Error),
}

impl From<io::Error> for CecpFailure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<EngineError> for CecpFailure {
    fn from(error: EngineError) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<UciError> for CecpFailure {
    fn from(error: UciError) -> Self {
        match error {
            UciError::Output(error) => Self::Output(error),
            error => Self::Reason(error.to_string()),
        }
    }
}

impl CecpFailure {
    pub(super) fn reason(text: &str) -> Self {
        Self::Reason(text.to_string())
    }

    /// The line that reports the failure of the command `line`.
    pub(super) fn reply(self, line: &str) -> io::Result<String> {
        match self {
            Self::Line(text) => Ok(one_line(&text).to_string()),
            Self::Reason(reason) => {
                let line = shorten(line.trim());
                Ok(format!("Error ({}): {}", one_line(&reason), one_line(&line)))
            }
            Self::Output(error) => Err(error),
        }
    }
}

/// A line: a command, and the text after it.
pub(super) struct CecpLine<'a> {
    pub command: &'a str,
    rest: &'a str,
}

impl<'a> CecpLine<'a> {
    pub fn new(line: &'a str) -> Self {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Self { command, rest: rest.trim() }
    }

    pub fn text(&self, expected: &'static str) -> Result<&'a str, CecpFailure> {
        if self.rest.is_empty() { Err(CecpFailure::reason(expected)) } else { Ok(self.rest) }
    }

    fn number(&self) -> Result<i64, CecpFailure> {
        self.rest.parse().map_err(|_| CecpFailure::reason("expected a whole number"))
    }

    pub fn centiseconds(&self) -> Result<Duration, CecpFailure> {
        self.number().map(|number| millis(number.saturating_mul(10)))
    }

    pub fn seconds(&self) -> Result<Duration, CecpFailure> {
        let time = read_minutes_or_seconds(self.rest, 1.0).filter(|time| !time.is_zero());
        time.ok_or_else(|| CecpFailure::reason("expected a number of seconds above 0"))
    }

    pub fn depth(&self) -> Result<usize, CecpFailure> {
        match self.number()? {
            depth @ 1.. => Ok(depth.min(127) as usize),
            _ => Err(CecpFailure::reason("expected a depth of at least 1")),
        }
    }

    pub fn time_control(&self) -> Result<CecpTimeControl, CecpFailure> {
        read_level(self.rest).ok_or_else(|| CecpFailure::reason("expected MOVES TIME INCREMENT"))
    }
}

pub(super) fn shorten(text: &str) -> String {
    excerpt(text, 80).into()
}

/// A time; an overrun clock has none left.
fn millis(number: i64) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0).min(LONGEST_MILLIS))
}

/// Parses `40 5 0`, `40 0:30 0` or `0 2 12`. Other characters after the minutes are ignored.
fn read_level(text: &str) -> Option<CecpTimeControl> {
    let mut words = text.split_whitespace();
    let moves = words.next()?.parse().ok()?;
    let base = read_minutes_or_seconds(words.next()?, 60.0)?;
    let increment = words.next()?.parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
    Some(CecpTimeControl { moves, base, increment: millis((increment * 1000.0) as i64) })
}

/// Parses `5` in a unit of so many seconds, or `4:30` in minutes and seconds.
fn read_minutes_or_seconds(text: &str, unit: f64) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.');
    let text = text.get(..end.unwrap_or(text.len()))?;
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let seconds = match text.split_once(':') {
        Some((minutes, seconds)) => number(minutes)? * 60.0 + number(seconds)?,
        None => number(text)? * unit,
    };
    Some(millis((seconds * 1000.0) as i64))
}
