//! SGF for Lines of Action: what the values mean.

pub(super) mod read;
pub(super) mod setup;
pub(super) mod write;

use super::record::{MoveMark, Record, RecordResult};
use super::tree::{Item, Turn};
use crate::game::Side;

/// The number of Lines of Action in `GM`.
const GAME: &str = "9";

/// How a pass is written in SGF and how the game reads it.
const PASS: (&str, &str) = ("pass", "0000");

/// What stands in the place of a move and is none; the last five as BoardSpace writes them.
const NO_MOVES: [&str; 12] = [
    "resign",
    "forfeit",
    "timeout",
    "offerdraw",
    "acceptdraw",
    "declinedraw",
    "draw",
    "resigns",
    "start",
    "edit",
    "done",
    "winontime",
];

/// What BoardSpace says of a player in the place of a move: `B[time 0:01:20 ]`.
const ABOUT_PLAYERS: [&str; 4] = ["id", "time", "ranking", "country"];

/// What BoardSpace says of a player in a property: the side and the name, if it is a name.
/// The outer value is none if the property is something else.
fn of_player(property: &str, value: &str) -> Option<Option<(Side, String)>> {
    let side = match property {
        "B" | "P0" => Side::Black,
        "W" | "P1" => Side::White,
        _ => return None,
    };
    let (word, rest) = value.trim().split_once(' ')?;
    ABOUT_PLAYERS.contains(&word).then(|| {
        let name = rest.trim().trim_matches('"');
        (word == "id").then(|| (side, name.to_string()))
    })
}

/// The property that holds the name of a player.
fn name_property(side: Side) -> &'static str {
    if side == Side::Black { "PB" } else { "PW" }
}

/// A move without the number that BoardSpace writes before it: `12 E8-E5`.
fn without_number(value: &str) -> &str {
    match value.trim().split_once(' ') {
        Some((number, mv)) if number.bytes().all(|byte| byte.is_ascii_digit()) => mv.trim(),
        _ => value,
    }
}

/// The properties that judge a move.
const JUDGEMENTS: [(MoveMark, &str, &str); 6] = [
    (MoveMark::Good, "TE", "1"),
    (MoveMark::Mistake, "BM", "1"),
    (MoveMark::VeryGood, "TE", "2"),
    (MoveMark::Blunder, "BM", "2"),
    (MoveMark::Interesting, "IT", ""),
    (MoveMark::Doubtful, "DO", ""),
];

/// What the name of a property stands for: old files write lower-case letters in it, too.
fn keyword(name: &str) -> String {
    name.chars().filter(char::is_ascii_uppercase).collect()
}

/// The text that a value stands for.
pub(super) fn decode(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\';
        let Some(c) = (if escaped { chars.next() } else { Some(c) }) else { break };
        let is_break = matches!(c, '\n' | '\r');
        // A break of the line may be of two characters.
        if is_break {
            chars.next_if(|&next| matches!(next, '\n' | '\r') && next != c);
        }
        match c {
            // A soft break: the line goes on.
            _ if is_break && escaped => {}
            _ if is_break => text.push('\n'),
            _ if c.is_whitespace() => text.push(' '),
            _ => text.push(c),
        }
    }
    text
}

/// The value that stands for a text.
pub(super) fn encode(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Reads `c8-c6`, `C2:C5++` or `pass` as a move; none if it is something else.
pub(super) fn turn(side: Option<Side>, value: &str) -> Option<Turn> {
    let value = without_number(value);
    let word = value.trim().to_lowercase();
    let text = if word.is_empty() || word == PASS.0 || word == PASS.1 {
        PASS.1.to_string()
    } else {
        // What follows the squares, such as `++`, is for human readers.
        let squares = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_move = match squares.as_bytes() {
            [a, b, b'-' | b':' | b'x', c, d] | [a, b, c, d] => [(a, b), (c, d)]
                .iter()
                .all(|(file, rank)| (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank)),
            _ => false,
        };
        is_move.then(|| squares.to_string())?
    };
    Some(Turn { side, written: value.to_string(), text })
}

/// A move of the game's standard format as SGF writes it.
pub(super) fn of_standard(text: &str) -> String {
    if text == PASS.1 { PASS.0.to_string() } else { text.replace('x', ":") }
}

/// Whether a value in the place of a move is known to be none.
fn is_no_move(value: &str) -> bool {
    let word: String = without_number(value).to_lowercase().split_whitespace().collect();
    // Who begins stands behind it.
    let word = if word.starts_with("start") { "start" } else { word.as_str() };
    NO_MOVES.contains(&word)
}

/// The glyph for which a property stands.
fn glyph(keyword: &str, value: &str) -> Option<u8> {
    let mut rows = JUDGEMENTS.iter();
    rows.find(|row| (row.1, row.2) == (keyword, value)).map(|row| row.0 as u8)
}

/// The property that stands for a glyph.
fn judgement(glyph: u8) -> Option<(&'static str, &'static str)> {
    JUDGEMENTS.iter().find(|row| row.0 as u8 == glyph).map(|row| (row.1, row.2))
}

/// The value of `RE`.
pub(super) fn result(outcome: RecordResult) -> &'static str {
    match outcome {
        RecordResult::Won(Side::Black) => "B+",
        RecordResult::Won(Side::White) => "W+",
        RecordResult::Drawn => "Draw",
        RecordResult::Unknown => "?",
    }
}

/// Who has won: as `RE` says or, without it, as a resignation tells.
pub(super) fn outcome(record: &Record) -> RecordResult {
    let told = record.tree.get(0).and_then(|root| root.value("RE")).map(str::to_lowercase);
    let told = told.unwrap_or_default();
    match told.trim() {
        "0" | "draw" | "d" => return RecordResult::Drawn,
        told if told.starts_with("b+") => return RecordResult::Won(Side::Black),
        told if told.starts_with("w+") => return RecordResult::Won(Side::White),
        "" => {}
        // BoardSpace names the winner in words.
        told if told.starts_with("game won") => {}
        _ => return RecordResult::Unknown,
    }
    let resigned = record.tree.main_line().flat_map(|(_, node)| &node.items).find_map(|item| {
        let Item::Property(name, values) = item else { return None };
        let resigns = values.first().is_some_and(|value| {
            let value = without_number(value).trim().to_lowercase();
            matches!(value.as_str(), "resign" | "resigns")
        });
        side_of(&keyword(name)).filter(|_| resigns)
    });
    resigned.map_or(RecordResult::Unknown, |side| RecordResult::Won(!side))
}

/// Whose move a property is.
fn side_of(keyword: &str) -> Option<Side> {
    match keyword {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

/// The property that holds a move of this side.
fn move_property(side: Option<Side>) -> &'static str {
    if side == Some(Side::White) { "W" } else { "B" }
}
