//! Parses the lines of the Chess Engine Communication Protocol.

use std::time::Duration;

use thiserror::Error;

use crate::files::printable::{excerpt, one_line};
use crate::options::{HASH, THREADS};
use crate::protocol::command::LONGEST_MILLIS;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CecpCommand {
    /// A command without effect, or an empty line.
    Nothing,
    /// `protover`: print the features.
    Features,
    /// `new`: start a game.
    New,
    Variant(String),
    /// `setboard`: set the position.
    SetBoard(String),
    /// `usermove`: a move of the opponent, or of any side in force mode.
    Move(String),
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    Level(CecpTimeControl),
    /// `st`: the time per move.
    MoveTime(Duration),
    /// `sd`: the depth in plies.
    Depth(usize),
    /// `time`: the clock of the engine.
    Time(Duration),
    /// `otim`: the clock of the opponent.
    OpponentTime(Duration),
    MoveNow,
    /// `ping`: print `pong` with this number.
    Ping(String),
    /// `hint`: suggest a move.
    Hint,
    /// `undo`: take back a move, `remove`: two moves.
    TakeBack(usize),
    /// `analyze`: analyse all positions from now on.
    Analyze,
    /// `.`: the state of the analysis.
    Status,
    /// `exit`: end the analysis.
    Exit,
    /// `post` and `nopost`: whether to print the lines of a search.
    Post(bool),
    /// `hard` and `easy`: whether to ponder.
    Ponder(bool),
    /// `memory`, `cores` or `option`: set an option.
    Option {
        name: String,
        value: Option<String>,
    },
    /// `result`: the game is over.
    Result,
    /// `quit`: end the program.
    Quit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CecpTimeControl {
    /// The moves for which the time is; 0 for the rest of the game.
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

/// Why a line is rejected, in the terms of the protocol.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CecpError {
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    #[error("Error ({expected}): {line}")]
    Argument { expected: &'static str, line: String },
}

/// Parses a line.
pub fn read(line: &str) -> Result<CecpCommand, CecpError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let wrong = |expected| CecpError::Argument { expected, line: shorten(line) };
    let text = |expected| {
        if rest.is_empty() { Err(wrong(expected)) } else { Ok(rest.to_string()) }
    };
    let number = || rest.parse::<i64>().map_err(|_| wrong("expected a whole number"));
    let centiseconds = || number().map(|number| millis(number.saturating_mul(10)));
    Ok(match word {
        "" | "xboard" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating"
        | "ics" | "draw" | "bk" | "white" | "black" => CecpCommand::Nothing,
        "protover" => CecpCommand::Features,
        "new" => CecpCommand::New,
        "variant" => CecpCommand::Variant(text("expected a variant")?),
        "setboard" => CecpCommand::SetBoard(text("expected a position")?),
        "usermove" => CecpCommand::Move(text("expected a move")?),
        "force" => CecpCommand::Force,
        "go" => CecpCommand::Go,
        "playother" => CecpCommand::PlayOther,
        "level" => CecpCommand::Level(
            read_level(rest).ok_or_else(|| wrong("expected MOVES TIME INCREMENT"))?,
        ),
        "st" => {
            let time = read_minutes_or_seconds(rest, 1.0).filter(|time| !time.is_zero());
            CecpCommand::MoveTime(
                time.ok_or_else(|| wrong("expected a number of seconds above 0"))?,
            )
        }
        "sd" => {
            let depth = number()?;
            if depth < 1 {
                return Err(wrong("expected a depth of at least 1"));
            }
            CecpCommand::Depth(depth.min(127) as usize)
        }
        "time" => CecpCommand::Time(centiseconds()?),
        "otim" => CecpCommand::OpponentTime(centiseconds()?),
        "?" => CecpCommand::MoveNow,
        "ping" => CecpCommand::Ping(shorten(&one_line(&text("expected a number")?))),
        "hint" => CecpCommand::Hint,
        "undo" => CecpCommand::TakeBack(1),
        "remove" => CecpCommand::TakeBack(2),
        "analyze" => CecpCommand::Analyze,
        "." => CecpCommand::Status,
        "exit" => CecpCommand::Exit,
        "post" => CecpCommand::Post(true),
        "nopost" => CecpCommand::Post(false),
        "hard" => CecpCommand::Ponder(true),
        "easy" => CecpCommand::Ponder(false),
        "memory" => set(HASH, text("expected a whole number")?),
        "cores" => set(THREADS, text("expected a whole number")?),
        "option" => read_option(&text("expected NAME=VALUE")?),
        "result" => CecpCommand::Result,
        "quit" => CecpCommand::Quit,
        _ => return Err(CecpError::Unknown(shorten(line))),
    })
}

fn set(name: &str, value: String) -> CecpCommand {
    CecpCommand::Option { name: name.to_string(), value: Some(value) }
}

fn read_option(text: &str) -> CecpCommand {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_string())),
        None => (text, None),
    };
    CecpCommand::Option { name: name.trim().to_string(), value }
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
