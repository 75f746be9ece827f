//! PDN: the meaning of words and tags.

pub(super) mod comment;
pub(super) mod write;

use super::tree::{GameTree, Turn};
use super::values::RecordResult;
use crate::game::Side;

/// The terminator of a game with an unknown result.
pub(super) const UNKNOWN: &str = "*";

/// The game terminators, with one or two points for a win. Black moves first, so Black's points
/// come first.
const RESULTS: [(&str, RecordResult); 8] = [
    ("1-0", RecordResult::Won(Side::Black)),
    ("0-1", RecordResult::Won(Side::White)),
    ("1/2-1/2", RecordResult::Drawn),
    (UNKNOWN, RecordResult::Unknown),
    ("2-0", RecordResult::Won(Side::Black)),
    ("0-2", RecordResult::Won(Side::White)),
    ("1-1", RecordResult::Drawn),
    // A loss for both sides.
    ("0-0", RecordResult::Unknown),
];

/// The move suffixes of the numeric annotation glyphs, from glyph 1.
const MOVE_SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Parses a move such as `11-15`, `22x15x8`, `22:15` or `h6f4`.
pub(super) fn turn(word: &str) -> Option<Turn> {
    let parts: Vec<&str> = word.split(['-', 'x', 'X', ':']).collect();
    let is_number =
        |part: &str| matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let is_path = |part: &str| !part.is_empty() && part.as_bytes().chunks(2).all(is_square);
    let in_numbers = parts.len() > 1 && parts.iter().all(|part| is_number(part));
    let in_squares = word.len() >= 4 && parts.iter().all(|part| is_path(part));
    let turn = || Turn { side: None, written: word.to_string(), text: word.to_string() };
    (in_numbers || in_squares).then(turn)
}

/// Whether a word is a game terminator.
pub(super) fn is_result(word: &str) -> bool {
    RESULTS.iter().any(|row| row.0 == word)
}

/// The result of a game terminator.
fn read_result(word: &str) -> RecordResult {
    let word = word.trim();
    RESULTS.iter().find(|row| row.0 == word).map_or(RecordResult::Unknown, |row| row.1)
}

/// The game terminator of a result.
pub(super) fn result(outcome: RecordResult) -> &'static str {
    RESULTS.iter().find(|row| row.1 == outcome).map_or(UNKNOWN, |row| row.0)
}

/// The result: from the game terminator or, if that is unknown, from a tag.
pub(super) fn outcome(tree: &GameTree, terminator: &str) -> RecordResult {
    match read_result(terminator) {
        RecordResult::Unknown => {
            let tag = tree.get(0).and_then(|root| root.value("Result"));
            tag.map_or(RecordResult::Unknown, read_result)
        }
        result => result,
    }
}

/// The glyph of a move suffix; only the first two characters count.
pub(super) fn glyph(suffix: &str) -> Option<u8> {
    let two = suffix.get(..2).unwrap_or(suffix);
    MOVE_SUFFIXES.iter().position(|suffix| *suffix == two).map(|at| at as u8 + 1)
}
