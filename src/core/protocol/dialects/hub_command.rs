//! Parses the lines of the Hub protocol.
//!
//! See `protocol.txt` of the draughts program Scan, version 3.

use std::time::Duration;

use crate::files::printable::excerpt;
use crate::protocol::refusal::Refusal;
use crate::search::Limits;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    pub limits: Limits,
    /// The remaining time of the side to move, the increment for this move included.
    pub time: Option<Duration>,
    pub increment: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Find a move to play.
    Think,
    /// Search on the opponent's time, after the expected move.
    Ponder,
    Analyze,
}

/// A line, whose unknown arguments are ignored.
pub(super) struct HubLine<'a> {
    pub command: &'a str,
    /// The arguments and their values, which are empty for flags.
    arguments: Vec<(&'a str, &'a str)>,
}

impl<'a> HubLine<'a> {
    pub fn read(line: &'a str) -> Result<Self, Refusal> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(Self { command, arguments: read_arguments(rest)? })
    }

    /// The value of an argument that must be there.
    pub fn value(&self, argument: &str) -> Result<&'a str, Refusal> {
        let found = self.arguments.iter().find(|(name, _)| *name == argument);
        let missing = || Refusal(format!("{}: expected {argument}=VALUE", self.command));
        found.map(|(_, value)| *value).ok_or_else(missing)
    }

    pub fn level(&self) -> Result<Level, Refusal> {
        read_level(&self.arguments)
    }

    pub fn mode(&self) -> Result<Mode, Refusal> {
        let modes = self.arguments.iter().find_map(|(name, _)| match *name {
            "think" => Some(Mode::Think),
            "ponder" => Some(Mode::Ponder),
            "analyze" => Some(Mode::Analyze),
            _ => None,
        });
        modes.ok_or_else(|| Refusal::new("go: expected 'think', 'ponder' or 'analyze'"))
    }
}

/// Parses `NAME=VALUE NAME="VALUE" FLAG`.
fn read_arguments(text: &str) -> Result<Vec<(&str, &str)>, Refusal> {
    let mut arguments = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        let (value, tail) = match tail.strip_prefix('=') {
            None => ("", tail),
            Some(tail) => match tail.strip_prefix('"') {
                Some(quoted) => {
                    let missing = || Refusal::new("a quotation mark is missing");
                    quoted.split_once('"').ok_or_else(missing)?
                }
                None => tail.split_at(tail.find(char::is_whitespace).unwrap_or(tail.len())),
            },
        };
        arguments.push((name, value));
        rest = tail.trim_start();
    }
    Ok(arguments)
}

fn read_level(arguments: &[(&str, &str)]) -> Result<Level, Refusal> {
    let mut level = Level::default();
    for &(name, value) in arguments {
        let number = || read_number(name, value);
        let time = || number().map(seconds);
        let limits = &mut level.limits;
        match name {
            "depth" => limits.depth = Some(number()?.clamp(1.0, f64::from(u16::MAX)) as usize),
            "nodes" => limits.nodes = Some(number()?.max(1.0) as u64),
            "move-time" => limits.movetime = Some(time()?),
            "moves" => limits.moves_to_go = Some(number()?.clamp(0.0, 1_000.0) as u32),
            "time" => level.time = Some(time()?),
            "inc" => level.increment = time()?,
            "infinite" => limits.infinite = true,
            _ => {}
        }
    }
    // The increment of this move comes before the move.
    level.time = level.time.map(|time| time.saturating_add(level.increment));
    Ok(level)
}

fn read_number(name: &str, value: &str) -> Result<f64, Refusal> {
    value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
        Refusal(format!("level {name}: expected a number, found '{}'", excerpt(value, 40)))
    })
}

/// A time, which is 0 if the number is negative and at most about a hundred years.
fn seconds(number: f64) -> Duration {
    const LONGEST: f64 = (1_u64 << 32) as f64;
    Duration::from_secs_f64(number.clamp(0.0, LONGEST))
}
