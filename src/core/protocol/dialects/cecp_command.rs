//! Parses the lines of the Chess Engine Communication Protocol, and keeps the time and depth that a client grants.

use std::io;
use std::time::Duration;

use crate::engine::EngineError;
use crate::files::printable::{excerpt, one_line};
use crate::game::Side;
use crate::platform::Instant;
use crate::protocol::command::LONGEST_MILLIS;
use crate::protocol::refusal::Refusal;
use crate::search::Limits;

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

impl From<Refusal> for CecpFailure {
    fn from(refusal: Refusal) -> Self {
        Self::Reason(refusal.0)
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

/// The time control before the client sets one.
const TIME_CONTROL: CecpTimeControl =
    CecpTimeControl { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };

/// The clocks of the engine and of its opponent, and the other limits of a search for a move.
pub(super) struct CecpClock {
    time_control: CecpTimeControl,
    left: [Duration; 2],
    /// When the engine's clock began to run for its current move.
    running_since: Instant,
    /// A fixed time per move, instead of the clocks.
    pub(super) movetime: Option<Duration>,
    pub(super) depth: Option<usize>,
}

impl CecpClock {
    pub(super) fn new() -> Self {
        Self {
            time_control: TIME_CONTROL,
            left: [TIME_CONTROL.base; 2],
            running_since: Instant::now(),
            movetime: None,
            depth: None,
        }
    }

    /// Resets the clocks for a new game and removes the depth limit.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        self.left = [self.time_control.base; 2];
    }

    pub(super) fn set_time_control(&mut self, time_control: CecpTimeControl) {
        self.time_control = time_control;
        self.left = [time_control.base; 2];
        self.movetime = None;
    }

    pub(super) fn set_own_time(&mut self, time: Duration) {
        let [own, _] = &mut self.left;
        *own = time;
    }

    pub(super) fn set_opponent_time(&mut self, time: Duration) {
        let [_, theirs] = &mut self.left;
        *theirs = time;
    }

    pub(super) fn start(&mut self) {
        self.running_since = Instant::now();
    }

    /// Stops the engine's clock after its move, the last of this number in the game, until the
    /// client sends the time.
    pub(super) fn stop(&mut self, own_moves: usize) {
        self.deduct(self.running_since.elapsed(), own_moves);
    }

    /// Deducts the time of a move, and adds what the time control grants after it.
    fn deduct(&mut self, used: Duration, own_moves: usize) {
        let CecpTimeControl { moves, base, increment } = self.time_control;
        let [own, _] = &mut self.left;
        *own = own.saturating_sub(used).saturating_add(increment);
        if own_moves.checked_rem(moves as usize) == Some(0) {
            *own = own.saturating_add(base);
        }
    }

    /// The limits of a search for a move of the engine, which plays `side` and has made this number
    /// of moves in the game.
    pub(super) fn limits(&self, side: Option<Side>, own_moves: usize) -> Limits {
        let mut limits = Limits { depth: self.depth, movetime: self.movetime, ..Limits::default() };
        if self.movetime.is_none() {
            let CecpTimeControl { moves, increment, .. } = self.time_control;
            let [own, theirs] = self.left.map(Some);
            limits.time = if side == Some(Side::Black) { [own, theirs] } else { [theirs, own] };
            limits.increment = [increment; 2];
            let made = own_moves.checked_rem(moves as usize);
            limits.moves_to_go = made.map(|made| moves - made as u32);
        }
        limits
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_to_go_follow_from_the_moves_of_the_game() {
        let mut clock = CecpClock::new();
        for (own_moves, moves_to_go) in [(0, 40), (38, 2), (39, 1), (40, 40), (37, 3)] {
            let limits = clock.limits(Some(Side::Black), own_moves);
            assert_eq!(limits.moves_to_go, Some(moves_to_go));
        }
        clock.set_own_time(Duration::from_secs(60));
        for (own_moves, left) in [(39, 53), (40, 346), (41, 339), (80, 632)] {
            clock.deduct(Duration::from_secs(7), own_moves);
            let time = clock.limits(Some(Side::Black), own_moves).time;
            assert_eq!(time[0], Some(Duration::from_secs(left)));
        }
    }
}
