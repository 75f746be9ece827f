//! Parses lines of input into commands.

use std::time::Duration;

use serde::de::DeserializeOwned;

use Purpose::{Import, Other, Position, Print, Search};

use super::analyse::AnalyseRequest;
use super::archive::ArchiveCommand;
use super::export::ExportRequest;
use super::hint::HintRequest;
use super::import::ImportPart;
use super::refusal::Refusal;
use crate::files::json;
use crate::files::printable::excerpt;
use crate::game::{MAX_PERFT_DEPTH, is_blank, split_moves, words};
use crate::records::setups::{SetupMoves, SetupMovesError};
use crate::search::Limits;

/// A command of the protocol.
#[derive(Clone, PartialEq, Debug)]
pub enum UciCommand {
    Empty,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position(SetupMoves),
    Go {
        limits: Limits,
        /// The root moves to search; all if empty.
        moves: Vec<String>,
    },
    /// `go perft`: count the leaf nodes at this depth, in plies.
    Perft(u32),
    /// `bench`: search the benchmark positions, to this depth in plies if given.
    Bench(Option<usize>),
    Stop,
    PonderHit,
    Display,
    Eval,
    /// `moves` or `legalmoves`: list the legal moves in a line that begins with this word.
    Moves(&'static str),
    /// `check`: whether this text is a legal move, or a square on which one begins.
    Check(String),
    /// `facts`: what this legal move does.
    Facts(String),
    /// `hint`: the best move with the reasons for it.
    Hint(HintRequest),
    Variants,
    Problems,
    Lessons,
    State,
    Import(ImportPart),
    Export(ExportRequest),
    Analyse(AnalyseRequest),
    Archive(ArchiveCommand),
    Help,
    /// A command of a dialect alone, with its answer.
    Answer(String),
    Quit,
}

struct CommandRow {
    word: &'static str,
    purpose: Purpose,
    /// Parses a line: the words behind the first one, and the line.
    read: fn(&[&str], &str) -> Result<UciCommand, Refusal>,
    /// Its lines in the list of commands: how it is written, and what it does.
    help: &'static [(&'static str, &'static str)],
}

const fn row(
    word: &'static str,
    purpose: Purpose,
    read: fn(&[&str], &str) -> Result<UciCommand, Refusal>,
    help: &'static [(&'static str, &'static str)],
) -> CommandRow {
    CommandRow { word, purpose, read, help }
}

/// All commands, in the order of `help`.
#[rustfmt::skip]
const COMMANDS: &[CommandRow] = &[
    row("uci", Other, |_, _| Ok(UciCommand::Uci), &[("uci", "name, options")]),
    row("isready", Other, |_, _| Ok(UciCommand::IsReady), &[("isready", "readyok")]),
    row("setoption", Other, |rest, line| read_option(rest, text_after(line, "value")), &[
        ("setoption name NAME value VALUE", "set an option: setoption name UCI_Variant value englishdraughts"),
    ]),
    row("debug", Other, |_, _| Ok(UciCommand::Empty), &[("debug on|off, register ...", "accepted, without effect")]),
    row("register", Other, |_, _| Ok(UciCommand::Empty), &[]),
    row("ucinewgame", Other, |_, _| Ok(UciCommand::NewGame), &[
        ("ucinewgame", "clear the transposition table and the histories"),
    ]),
    row("position", Position, |_, line| read_position(text_after(line, "position").unwrap_or_default()), &[
        ("position startpos [moves M ...]", "set the position; nothing is printed unless it is refused"),
        ("position fen SETUP [moves M ...]", "the same from a setup"),
        ("position diagram LINES", "the same from a drawn board on one line, lines separated by '/'"),
    ]),
    row("go", Search("bestmove (none)"), |rest, _| read_go(rest), &[
        ("go [LIMITS]", "search: go movetime 1000, go depth 12, go infinite"),
        ("go perft N", "count the sequences of N moves"),
    ]),
    row("stop", Other, |_, _| Ok(UciCommand::Stop), &[("stop", "end the searches and analyses")]),
    row("ponderhit", Other, |_, _| Ok(UciCommand::PonderHit), &[
        ("ponderhit", "the expected move was played; the clock starts"),
    ]),
    row("d", Other, |_, _| Ok(UciCommand::Display), &[("d", "the board, the setup, and how the game ended")]),
    row("moves", Print("moves"), |_, _| Ok(UciCommand::Moves("moves")), &[("moves, legalmoves", "the legal moves")]),
    row("legalmoves", Print("legalmoves"), |_, _| Ok(UciCommand::Moves("legalmoves")), &[]),
    row("check", Print("check null"), |_, line| {
        Ok(UciCommand::Check(argument("check", line, "a move or a square")?))
    }, &[
        ("check MOVE", "whether a move is legal, and why not, as JSON: check 11-15"),
        ("check SQUARE", "whether a legal move begins on a square, and why not: check 11"),
    ]),
    row("facts", Print("facts null"), |_, line| {
        Ok(UciCommand::Facts(argument("facts", line, "a move")?))
    }, &[("facts MOVE", "what a move does, as JSON: facts 11-15")]),
    row("state", Print("state null"), |_, _| Ok(UciCommand::State), &[
        ("state", "the position, the legal moves and the result as JSON"),
    ]),
    row("variants", Print("variants null"), |_, _| Ok(UciCommand::Variants), &[
        ("variants", "the games, their pieces, levels and rules as JSON"),
    ]),
    row("problems", Print("problems null"), |_, _| Ok(UciCommand::Problems), &[
        ("problems", "the built-in problems of the game as JSON"),
    ]),
    row("lessons", Print("lessons null"), |_, _| Ok(UciCommand::Lessons), &[
        ("lessons", "the lessons of the rules of the game as JSON"),
    ]),
    row("export", Print("export null"), |rest, line| Ok(UciCommand::Export(match rest {
        [] => ExportRequest::default(),
        _ => read_object("export", line)?,
    })), &[("export [JSON]", "the record of the game as JSON: export {\"black\":\"Anna\"}")]),
    row("import", Import("import null"), |_, line| Ok(UciCommand::Import(read_object("import", line)?)), &[
        ("import JSON", "the games of a text as JSON: import {\"text\":\"11-15 23-19\"}"),
    ]),
    row("archive", Search("archive null"), |rest, line| Ok(UciCommand::Archive(read_archive(rest, line)?)), &[
        ("archive open, close", "begin an archive of games in memory; free it"),
        ("archive add JSON", "add the games of a text: archive add {\"text\":\"...\"}"),
        ("archive tree [JSON]", "the moves played from the position as JSON, without an archive those of the book"),
        ("archive find [JSON]", "find games: archive find {\"words\":\"anna\",\"position\":true}"),
        ("archive games, game JSON", "more of the games found; one game: archive game {\"number\":1}"),
    ]),
    row("eval", Other, |_, _| Ok(UciCommand::Eval), &[("eval", "the static evaluation")]),
    row("analyse", Search("analyse null"), |rest, line| Ok(UciCommand::Analyse(match rest {
        [] => AnalyseRequest::default(),
        _ => read_object("analyse", line)?,
    })), &[("analyse [JSON]", "review the moves of the game: analyse {\"nodes\":100000}")]),
    row("hint", Search("hint null"), |rest, line| Ok(UciCommand::Hint(match rest {
        [] => HintRequest::default(),
        _ => read_object("hint", line)?,
    })), &[("hint [JSON]", "the best move and why, as JSON: hint {\"movetime\":1000}")]),
    row("bench", Other, |rest, _| Ok(UciCommand::Bench(read_bench(rest)?)), &[
        ("bench [DEPTH]", "search fixed positions"),
    ]),
    row("help", Other, |_, _| Ok(UciCommand::Help), &[("help", "this list")]),
    row("quit", Other, |_, _| Ok(UciCommand::Quit), &[("quit", "end the program")]),
];

fn row_of(word: &str) -> Option<&'static CommandRow> {
    COMMANDS.iter().find(|row| row.word == word)
}

pub fn read(line: &str) -> Result<UciCommand, Refusal> {
    let words: Vec<&str> = words(line).collect();
    let Some((word, rest)) = words.split_first() else { return Ok(UciCommand::Empty) };
    let row = row_of(word).ok_or_else(|| {
        Refusal(format!("unknown command '{}'; 'help' lists the commands", shorten(word)))
    })?;
    (row.read)(rest, line)
}

/// The list of commands that `help` prints.
pub fn help() -> String {
    let lines = COMMANDS.iter().flat_map(|row| row.help);
    let lines: String = lines.map(|(usage, text)| format!("{usage:<36} {text}\n")).collect();
    lines + "protocol.md, in the project's folder, describes each of them."
}

/// The intended effect of a command that is rejected. The client waits for the answer to some
/// commands, and others depend on the result of `position`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Position,
    /// Search or analyse: the client waits for this line, after the answers to earlier searches.
    Search(&'static str),
    /// Print something: the client waits for a line, and this is the empty one.
    Print(&'static str),
    /// The same for the games of a text, of which the line may be a part.
    Import(&'static str),
    Other,
}

/// Returns the intended effect of a line, which may be malformed.
pub fn purpose(line: &str) -> Purpose {
    let mut words = words(line);
    match words.next() {
        // `go perft` prints no `bestmove`.
        Some("go") if is_perft(words) => Other,
        word => word.and_then(row_of).map_or(Other, |row| row.purpose),
    }
}

/// The text behind a command, which must have one.
fn argument(command: &str, line: &str, expected: &str) -> Result<String, Refusal> {
    let text = text_after(line, command).filter(|text| !text.is_empty());
    let none = || Refusal(format!("{command}: expected {expected}"));
    text.map(str::to_string).ok_or_else(none)
}

/// Whether these words after `go` count moves. A word in the place of a number is a wrong number,
/// also if it is `perft`.
fn is_perft<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    while let Some(word) = words.next() {
        if word == "perft" {
            return true;
        }
        if takes_number(word) {
            words.next();
        }
    }
    false
}

/// Parses the words after `archive`.
fn read_archive(words: &[&str], line: &str) -> Result<ArchiveCommand, Refusal> {
    let object = words.len() > 1;
    Ok(match words.first().copied() {
        Some("open") => ArchiveCommand::Open,
        Some("close") => ArchiveCommand::Close,
        Some("tree") if object => ArchiveCommand::Tree(read_object("archive tree", line)?),
        Some("tree") => ArchiveCommand::Tree(Default::default()),
        Some("add") => ArchiveCommand::Add(read_object("archive add", line)?),
        Some("find") if object => ArchiveCommand::Find(read_object("archive find", line)?),
        Some("find") => ArchiveCommand::Find(Default::default()),
        Some("games") if object => ArchiveCommand::Games(read_object("archive games", line)?),
        Some("games") => ArchiveCommand::Games(Default::default()),
        Some("game") => ArchiveCommand::Game(read_object("archive game", line)?),
        _ => {
            let expected = "archive: expected open, add, tree, find, games, game or close";
            return Err(Refusal::new(expected));
        }
    })
}

/// Parses the JSON object after the words of a command in a line.
fn read_object<T: DeserializeOwned>(command: &str, line: &str) -> Result<T, Refusal> {
    let text = words(command).try_fold(line, text_after).unwrap_or_default();
    // Structures would also be read from arrays, by the order of their fields.
    if !text.starts_with('{') {
        return Err(Refusal(format!("{command}: expected a JSON object after the command")));
    }
    let wrong = |field: &str, error: serde_json::Error| {
        let error = json::describe(&error);
        // Some errors name the field themselves, and some are in no field.
        let has_field = !matches!(field, "." | "?") && !error.contains(&format!("`{field}`"));
        let field = if has_field { format!("{field}: ") } else { String::new() };
        Refusal(format!("{command}: {field}{error}"))
    };
    let text = json::with_whole_numbers(text.as_bytes());
    let mut json = serde_json::Deserializer::from_slice(&text);
    let object = serde_path_to_error::deserialize(&mut json);
    let object = object.map_err(|error| wrong(&error.path().to_string(), error.into_inner()))?;
    json.end().map_err(|error| wrong(".", error))?;
    Ok(object)
}

/// The start of a word, for an error message.
fn shorten(word: &str) -> String {
    excerpt(word, 40).into()
}

/// Parses `name N [value V]`. Both may consist of several words. The value is a part of the line as
/// it is: a path may contain several spaces in succession.
fn read_option(words: &[&str], value: Option<&str>) -> Result<UciCommand, Refusal> {
    let rest = words.strip_prefix(&["name"]).unwrap_or_default();
    let name: Vec<&str> = rest.iter().copied().take_while(|&word| word != "value").collect();
    if name.is_empty() {
        return Err(Refusal::new("setoption: expected 'name NAME value VALUE'"));
    }
    let value = value.filter(|value| !value.is_empty()).map(str::to_string);
    Ok(UciCommand::SetOption { name: name.join(" "), value })
}

/// The text after the first occurrence of a word, without the blanks around it.
fn text_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = line.trim_matches(is_blank);
    while !rest.is_empty() {
        let (first, after) = rest.split_once(is_blank).unwrap_or((rest, ""));
        rest = after.trim_matches(is_blank);
        if first == word {
            return Some(rest);
        }
    }
    None
}

/// Parses `startpos`, `fen F` or `diagram D`, optionally followed by `moves ...`.
fn read_position(text: &str) -> Result<UciCommand, Refusal> {
    if !words(text).next().is_some_and(|word| ["startpos", "fen", "diagram"].contains(&word)) {
        return Err(SetupMovesError::Empty.into());
    }
    Ok(UciCommand::Position(SetupMoves::read(text)?))
}

/// Whether a number follows this word after `go`. UGI has names of its own for the clocks.
fn takes_number(word: &str) -> bool {
    let is_clock = matches!(
        word,
        "btime" | "p1time" | "wtime" | "p2time" | "binc" | "p1inc" | "winc" | "p2inc"
    );
    is_clock || matches!(word, "depth" | "nodes" | "mate" | "movetime" | "movestogo" | "perft")
}

/// Whether this word after `go` has a meaning of its own.
fn is_go_word(word: &str) -> bool {
    takes_number(word) || matches!(word, "infinite" | "ponder" | "searchmoves")
}

/// Parses the limits of a search. Unknown words are ignored.
fn read_go(words: &[&str]) -> Result<UciCommand, Refusal> {
    let mut limits = Limits::default();
    let mut moves = Vec::new();
    let [black_time, white_time] = &mut limits.time;
    let [black_increment, white_increment] = &mut limits.increment;
    let mut rest = words.iter();
    while let Some(&word) = rest.next() {
        let mut number = || read_number("go", word, rest.next().copied());
        let time = |millis: u64| Duration::from_millis(millis.min(LONGEST_MILLIS));
        match word {
            "depth" => limits.depth = Some(number()?.clamp(1, u64::from(u16::MAX)) as usize),
            "nodes" => limits.nodes = Some(number()?.max(1)),
            "mate" => limits.mate = Some(number()?.clamp(1, u64::from(u32::MAX)) as u32),
            "movetime" => limits.movetime = Some(time(number()?)),
            "btime" | "p1time" => *black_time = Some(time(number()?)),
            "wtime" | "p2time" => *white_time = Some(time(number()?)),
            "binc" | "p1inc" => *black_increment = time(number()?),
            "winc" | "p2inc" => *white_increment = time(number()?),
            "movestogo" => limits.moves_to_go = Some(number()?.min(1_000) as u32),
            "perft" => {
                return Ok(UciCommand::Perft(number()?.clamp(1, MAX_PERFT_DEPTH.into()) as u32));
            }
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                let is_listed = |word: &&&str| !is_go_word(word);
                let listed = rest.clone().take_while(is_listed).copied();
                let listed = listed.collect::<Vec<_>>().join(" ");
                moves = split_moves(&listed).into_iter().map(str::to_string).collect();
            }
            _ => {}
        }
    }
    Ok(UciCommand::Go { limits, moves })
}

/// The longest time in milliseconds, more than a hundred years. Longer times are clamped to it.
pub const LONGEST_MILLIS: u64 = 1 << 42;

/// Parses a whole number. A negative number, such as the time of an overrun clock, becomes zero. A
/// number that is too large becomes the largest.
fn read_number(command: &str, word: &str, value: Option<&str>) -> Result<u64, Refusal> {
    let Some(value) = value else {
        return Err(Refusal(format!("{command} {word}: expected a whole number")));
    };
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let found = shorten(value);
        return Err(Refusal(format!("{command} {word}: expected a whole number, found '{found}'")));
    }
    Ok(if value.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

fn read_bench(words: &[&str]) -> Result<Option<usize>, Refusal> {
    let Some(&depth) = words.first() else { return Ok(None) };
    Ok(Some(read_number("bench", "depth", Some(depth))?.clamp(1, 100) as usize))
}
