//! SGF for Lines of Action: what the values mean.

pub(super) mod read;
pub(super) mod setup;
pub(super) mod write;

use super::record::{Judgement, Outcome, Record};
use super::tree::{Item, Turn};
use crate::game::Side;

/// The number of Lines of Action in `GM`.
const GAME: &str = "9";

/// How a pass is written in SGF and how the game reads it.
const PASS: (&str, &str) = ("pass", "0000");

/// What stands in the place of a move and is none.
const NO_MOVES: [&str; 7] =
    ["resign", "forfeit", "timeout", "offerdraw", "acceptdraw", "declinedraw", "draw"];

/// The properties that judge a move.
const JUDGEMENTS: [(Judgement, &str, &str); 6] = [
    (Judgement::Good, "TE", "1"),
    (Judgement::Mistake, "BM", "1"),
    (Judgement::VeryGood, "TE", "2"),
    (Judgement::Blunder, "BM", "2"),
    (Judgement::Interesting, "IT", ""),
    (Judgement::Doubtful, "DO", ""),
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
    let word: String = value.to_lowercase().split_whitespace().collect();
    NO_MOVES.contains(&word.as_str())
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
pub(super) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won(Side::Black) => "B+",
        Outcome::Won(Side::White) => "W+",
        Outcome::Drawn => "Draw",
        Outcome::Unknown => "?",
    }
}

/// Who has won: as `RE` says or, without it, as a resignation tells.
pub(super) fn outcome(record: &Record) -> Outcome {
    let told = record.tree.get(0).and_then(|root| root.value("RE")).map(str::to_lowercase);
    let told = told.unwrap_or_default();
    match told.trim() {
        "0" | "draw" | "d" => return Outcome::Drawn,
        told if told.starts_with("b+") => return Outcome::Won(Side::Black),
        told if told.starts_with("w+") => return Outcome::Won(Side::White),
        "" => {}
        _ => return Outcome::Unknown,
    }
    let resigned = record.tree.main_line().flat_map(|(_, node)| &node.items).find_map(|item| {
        let Item::Property(name, values) = item else { return None };
        let resigns =
            values.first().is_some_and(|value| value.trim().eq_ignore_ascii_case("resign"));
        side_of(&keyword(name)).filter(|_| resigns)
    });
    resigned.map_or(Outcome::Unknown, |side| Outcome::Won(!side))
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
