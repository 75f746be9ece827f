//! SGF: the meaning of the values.

pub(super) mod setup;
pub(super) mod write;

use super::tree::{GameTree, NodeItem, Turn};
use super::values::{MoveMark, RecordResult};
use crate::game::Side;

/// A pass in SGF, and in the notation that the rules accept.
const PASS: (&str, &str) = ("pass", "0000");

/// Values of move properties that are not moves. The last five are written by BoardSpace.
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

/// Player data that BoardSpace writes as values of move properties: `B[time 0:01:20 ]`.
const ABOUT_PLAYERS: [&str; 4] = ["id", "time", "ranking", "country"];

/// Player data that BoardSpace writes as a property: the side and the name, or `Some(None)` for
/// data other than a name. `None` for any other property.
pub(super) fn of_player(property: &str, value: &str) -> Option<Option<(Side, String)>> {
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

/// The property with the name of a player.
pub(super) fn name_property(side: Side) -> &'static str {
    if side == Side::Black { "PB" } else { "PW" }
}

/// A move without the move number of BoardSpace: `12 E8-E5`.
fn without_number(value: &str) -> &str {
    match value.trim().split_once(' ') {
        Some((number, mv)) if number.bytes().all(|byte| byte.is_ascii_digit()) => mv.trim(),
        _ => value,
    }
}

/// The move annotation properties.
const MARKS: [(MoveMark, &str, &str); 6] = [
    (MoveMark::Good, "TE", "1"),
    (MoveMark::Mistake, "BM", "1"),
    (MoveMark::VeryGood, "TE", "2"),
    (MoveMark::Blunder, "BM", "2"),
    (MoveMark::Interesting, "IT", ""),
    (MoveMark::Doubtful, "DO", ""),
];

/// A property name without the lower-case letters that older files add: `AddBlack` is `AB`. A name
/// of lower-case letters alone stays.
pub(super) fn short_name(name: String) -> String {
    let short: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if short.is_empty() { name } else { short }
}

/// Decodes the text of a raw value.
pub(super) fn decode(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\';
        let Some(c) = (if escaped { chars.next() } else { Some(c) }) else { break };
        let is_break = matches!(c, '\n' | '\r');
        // A line break may consist of two characters.
        if is_break {
            chars.next_if(|&next| matches!(next, '\n' | '\r') && next != c);
        }
        match c {
            // An escaped line break joins two lines.
            _ if is_break && escaped => {}
            _ if is_break => text.push('\n'),
            _ if c.is_whitespace() => text.push(' '),
            _ => text.push(c),
        }
    }
    text
}

/// Encodes a text as a raw value, in which no line begins like another game.
pub(super) fn encode(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(']', "\\]");
    text.replace("\n(", "\n\\(").replace("\r(", "\r\\(")
}

/// Parses `c8-c6`, `C2:C5++` or `pass` as a move; `None` for anything else.
pub(super) fn turn(side: Option<Side>, value: &str) -> Option<Turn> {
    let value = without_number(value);
    let word = value.trim().to_ascii_lowercase();
    let text = if word.is_empty() || word == PASS.0 || word == PASS.1 {
        PASS.1.to_string()
    } else {
        // Characters after the squares, such as `++`, have no meaning for the rules.
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

/// Converts a move from the game's standard notation to SGF.
pub(super) fn of_standard(text: &str) -> String {
    if text == PASS.1 { PASS.0.to_string() } else { text.replace('x', ":") }
}

/// Whether the value of a move property is known not to be a move.
pub(super) fn is_no_move(value: &str) -> bool {
    let word: String = without_number(value).to_ascii_lowercase().split_whitespace().collect();
    // The side to start follows this word.
    let word = if word.starts_with("start") { "start" } else { word.as_str() };
    NO_MOVES.contains(&word)
}

/// The glyph of an annotation property.
pub(super) fn glyph(property: &str, value: &str) -> Option<u8> {
    let mut rows = MARKS.iter();
    rows.find(|row| (row.1, row.2) == (property, value)).map(|row| row.0 as u8)
}

/// The annotation property of a glyph.
pub(super) fn mark_property(glyph: u8) -> Option<(&'static str, &'static str)> {
    MARKS.iter().find(|row| row.0 as u8 == glyph).map(|row| (row.1, row.2))
}

/// The value of `RE` for a result.
pub(super) fn result(outcome: RecordResult) -> &'static str {
    match outcome {
        RecordResult::Won(Side::Black) => "B+",
        RecordResult::Won(Side::White) => "W+",
        RecordResult::Drawn => "Draw",
        RecordResult::Unknown => "?",
    }
}

/// The result in a value of `RE`.
pub(super) fn result_of(value: &str) -> RecordResult {
    match value.trim().to_ascii_lowercase().as_str() {
        "0" | "draw" | "d" => RecordResult::Drawn,
        result if result.starts_with("b+") => RecordResult::Won(Side::Black),
        result if result.starts_with("w+") => RecordResult::Won(Side::White),
        _ => RecordResult::Unknown,
    }
}

/// The result: from `RE` or, without it, from a resignation.
pub(super) fn outcome(tree: &GameTree) -> RecordResult {
    let value = tree.get(GameTree::ROOT).and_then(|root| root.value("RE")).unwrap_or_default();
    let result = result_of(value);
    let text = value.trim().to_ascii_lowercase();
    // BoardSpace writes the result in words; a resignation determines it below.
    let is_open = text.is_empty() || text.starts_with("game won");
    if result != RecordResult::Unknown || !is_open {
        return result;
    }
    let resigned = tree.main_line().flat_map(|(_, node)| &node.items).find_map(|item| {
        let NodeItem::Property(name, values) = item else { return None };
        let resigns = values.first().is_some_and(|value| {
            let value = without_number(value).trim().to_ascii_lowercase();
            matches!(value.as_str(), "resign" | "resigns")
        });
        side_of(name).filter(|_| resigns)
    });
    resigned.map_or(RecordResult::Unknown, |side| RecordResult::Won(!side))
}

/// The side of a move property.
pub(super) fn side_of(property: &str) -> Option<Side> {
    match property {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

/// The move property of a side.
fn move_property(side: Option<Side>) -> &'static str {
    if side == Some(Side::White) { "W" } else { "B" }
}
