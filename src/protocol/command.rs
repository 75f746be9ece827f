//! A line of text becomes a command.

use std::time::Duration;

use thiserror::Error;

use crate::engine::Limits;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Nothing.
    Empty,
    /// Who are you, and what can be set?
    Uci,
    /// Are you there?
    IsReady,
    /// Another game begins.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, where one is said.
        value: Option<String>,
    },
    /// Put up a position.
    Position {
        /// The setup; the start of the variant where there is none.
        setup: Option<String>,
        /// The moves to play on it.
        moves: Vec<String>,
    },
    /// Search.
    Go {
        /// What the search may use.
        limits: Limits,
        /// The only moves to look at; all where there are none.
        moves: Vec<String>,
    },
    /// Count sequences of moves.
    Perft(u32),
    /// Search the positions of the benchmark.
    Bench(Option<usize>),
    /// End the search.
    Stop,
    /// The expected move was made.
    PonderHit,
    /// Draw the board.
    Draw,
    /// Evaluate the position.
    Eval,
    /// List the legal moves, behind this word.
    Moves(&'static str),
    /// List the commands.
    Help,
    /// End the program.
    Quit,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// No such command.
    #[error("unknown command '{0}'; 'help' lists the commands")]
    Unknown(String),
    /// A word without the number that belongs behind it.
    #[error("{command}: '{word}' needs a number")]
    NoNumber {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
    },
    /// Something that is no number where one belongs.
    #[error("{command} {word}: '{value}' is not a whole number")]
    NotANumber {
        /// The command.
        command: &'static str,
        /// The word before.
        word: String,
        /// What was said.
        value: String,
    },
    /// `setoption` without a name.
    #[error("setoption: no name; say 'setoption name NAME value VALUE'")]
    NoName,
    /// `position` without a setup.
    #[error("position: say 'startpos', 'fen SETUP' or 'diagram LINES', then 'moves ...'")]
    NoPosition,
    /// `position fen` without a setup.
    #[error("position {0}: the setup is missing")]
    NoSetup(&'static str),
}

/// Reads a line.
pub fn read(line: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words.as_slice() {
        [] => Command::Empty,
        ["uci", ..] => Command::Uci,
        ["isready", ..] => Command::IsReady,
        ["ucinewgame", ..] => Command::NewGame,
        ["setoption", rest @ ..] => read_option(rest)?,
        ["position", rest @ ..] => read_position(rest)?,
        ["go", rest @ ..] => read_go(rest)?,
        ["bench", rest @ ..] => Command::Bench(read_bench(rest)?),
        ["stop", ..] => Command::Stop,
        ["ponderhit", ..] => Command::PonderHit,
        ["d", ..] => Command::Draw,
        ["eval", ..] => Command::Eval,
        ["moves", ..] => Command::Moves("moves"),
        ["legalmoves", ..] => Command::Moves("legalmoves"),
        ["help", ..] => Command::Help,
        ["quit", ..] => Command::Quit,
        [word, ..] => return Err(CommandError::Unknown(shorten(word))),
    })
}

/// What a command that is refused was to be: some have an answer that the client waits for, and
/// others depend on what `position` has set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To set the position.
    Position,
    /// To search: a `bestmove` is owed.
    Search,
    /// To list the moves: a line that begins with this word is owed.
    Moves(&'static str),
    /// Anything else.
    Other,
}

/// What a line was to be, though it may be wrong.
pub fn purpose(line: &str) -> Purpose {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("position") => Purpose::Position,
        // A count has no best move.
        Some("go") if words.any(|word| word == "perft") => Purpose::Other,
        Some("go") => Purpose::Search,
        Some("moves") => Purpose::Moves("moves"),
        Some("legalmoves") => Purpose::Moves("legalmoves"),
        _ => Purpose::Other,
    }
}

/// Long words would flood the answer.
fn shorten(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", word.get(..end).unwrap_or_default()),
        None => word.to_string(),
    }
}

/// Reads `name N [value V]`; both may be several words.
fn read_option(words: &[&str]) -> Result<Command, CommandError> {
    let ["name", rest @ ..] = words else { return Err(CommandError::NoName) };
    let (name, value) = split(rest, "value");
    if name.is_empty() {
        return Err(CommandError::NoName);
    }
    let value = value.map(|words| words.join(" ")).filter(|value| !value.is_empty());
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// The words before and behind a certain one.
fn split<'a, 'b>(words: &'a [&'b str], at: &str) -> (&'a [&'b str], Option<&'a [&'b str]>) {
    let mut parts = words.splitn(2, |&word| word == at);
    (parts.next().unwrap_or_default(), parts.next())
}

/// Reads `startpos`, `fen F` or `diagram D`, and `moves ...`.
fn read_position(words: &[&str]) -> Result<Command, CommandError> {
    let (setup, moves) = split(words, "moves");
    let setup = match setup {
        ["startpos", ..] => None,
        ["fen"] => return Err(CommandError::NoSetup("fen")),
        ["diagram"] => return Err(CommandError::NoSetup("diagram")),
        ["fen", setup @ ..] => Some(setup.join(" ")),
        // The lines of a drawing are parted by slashes, since a command is one line.
        ["diagram", drawing @ ..] => Some(drawing.join(" ").replace('/', "\n") + "\n"),
        _ => return Err(CommandError::NoPosition),
    };
    let moves = moves.unwrap_or_default().iter().map(ToString::to_string).collect();
    Ok(Command::Position { setup, moves })
}

/// The words that `go` understands; what stands behind `searchmoves` and is none is a move.
const GO_WORDS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "mate",
];

/// Reads the limits of a search. Words that nobody knows are passed over.
fn read_go(words: &[&str]) -> Result<Command, CommandError> {
    let mut limits = Limits::default();
    let mut moves = Vec::new();
    let [black, white] = [0, 1];
    let mut rest = words.iter();
    while let Some(&word) = rest.next() {
        let mut number = || read_number("go", word, rest.next().copied());
        let time = |millis: u64| Duration::from_millis(millis.min(LONGEST_MILLIS));
        match word {
            "depth" => limits.depth = Some(number()?.clamp(1, u64::from(u16::MAX)) as usize),
            "nodes" => limits.nodes = Some(number()?.max(1)),
            "mate" => limits.mate = Some(number()?.clamp(1, u64::from(u32::MAX)) as u32),
            "movetime" => limits.movetime = Some(time(number()?)),
            "btime" => set(&mut limits.time, black, Some(time(number()?))),
            "wtime" => set(&mut limits.time, white, Some(time(number()?))),
            "binc" => set(&mut limits.increment, black, time(number()?)),
            "winc" => set(&mut limits.increment, white, time(number()?)),
            "movestogo" => limits.moves_to_go = Some(number()?.min(1_000) as u32),
            "perft" => return Ok(Command::Perft(number()?.clamp(1, 100) as u32)),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                let listed = rest.clone().take_while(|word| !GO_WORDS.contains(word));
                moves = listed.map(ToString::to_string).collect();
            }
            _ => {}
        }
    }
    Ok(Command::Go { limits, moves })
}

fn set<T>(sides: &mut [T; 2], side: usize, value: T) {
    if let Some(place) = sides.get_mut(side) {
        *place = value;
    }
}

/// More than a hundred years: longer times than these are the same.
const LONGEST_MILLIS: u64 = 1 << 42;

/// Reads a whole number. Clocks may run below zero, which is as good as zero, and a number that
/// is too large is as good as the largest.
fn read_number(
    command: &'static str,
    word: &str,
    value: Option<&str>,
) -> Result<u64, CommandError> {
    let Some(value) = value else {
        return Err(CommandError::NoNumber { command, word: word.to_string() });
    };
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber {
            command,
            word: word.to_string(),
            value: shorten(value),
        });
    }
    Ok(if value.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

fn read_bench(words: &[&str]) -> Result<Option<usize>, CommandError> {
    let Some(&depth) = words.first() else { return Ok(None) };
    Ok(Some(read_number("bench", "depth", Some(depth))?.clamp(1, 100) as usize))
}
