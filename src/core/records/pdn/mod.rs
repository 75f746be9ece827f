//! PDN: the meaning of words and tags.

pub(super) mod comment;
pub(super) mod write;

use super::results;
use super::tree::{GameTree, Turn};
use super::values::RecordResult;
use crate::game::Side;

/// The terminator of a game with an unknown result.
pub(super) const UNKNOWN: &str = "*";

/// The tags with a meaning, and those that a game usually has.
const TAGS: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "Black",
    "White",
    "Red",
    "Result",
    "GameType",
    "Variant",
    "SetUp",
    "FEN",
    "Annotator",
];

/// The name of a tag as it is usually written, whatever its case.
pub(super) fn tag_name(name: String) -> String {
    let known = TAGS.iter().find(|known| known.eq_ignore_ascii_case(&name));
    known.map_or(name, |known| (*known).to_string())
}

/// The move suffixes of the numeric annotation glyphs, from glyph 1.
const MOVE_SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Signs of annotators and their numeric annotation glyphs, longer signs first. Most are evaluations.
pub(super) const EVALUATIONS: [(&str, u8); 21] = [
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("\u{221e}", 13),
    ("\u{2a72}", 14),
    ("\u{2a71}", 15),
    ("\u{b1}", 16),
    ("\u{2213}", 17),
    ("\u{203c}", 3),
    ("\u{2047}", 4),
    ("\u{2049}", 5),
    ("\u{2048}", 6),
    ("\u{25a1}", 7),
    ("\u{2a00}", 22),
    ("\u{27f3}", 32),
];

/// The sign of a glyph, or `$n` if it has none here.
pub(super) fn sign(glyph: u8) -> String {
    let known = EVALUATIONS.iter().rev().find(|row| row.1 == glyph);
    known.map_or_else(|| format!("${glyph}"), |row| row.0.to_string())
}

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

/// Reads a result. Black moves first, so Black's points stand first.
pub(super) fn read_result(text: &str) -> Option<RecordResult> {
    results::read(text, Some(Side::Black))
}

/// The game terminator of a result.
pub(super) fn result(outcome: RecordResult) -> &'static str {
    match outcome {
        RecordResult::Won(Side::Black) => "1-0",
        RecordResult::Won(Side::White) => "0-1",
        RecordResult::Drawn => "1/2-1/2",
        RecordResult::Unknown => UNKNOWN,
    }
}

/// The result: from the game terminator or, if that is unknown, from a tag.
pub(super) fn outcome(tree: &GameTree, terminator: &str) -> RecordResult {
    let tag = tree.get(GameTree::ROOT).and_then(|root| root.value("Result"));
    let mut given = [Some(terminator), tag].into_iter().flatten().filter_map(read_result);
    given.find(|result| *result != RecordResult::Unknown).unwrap_or(RecordResult::Unknown)
}

/// The move suffix of a glyph.
pub(super) fn suffix(glyph: u8) -> Option<&'static str> {
    MOVE_SUFFIXES.get(usize::from(glyph).wrapping_sub(1)).copied()
}

/// The glyph of a move suffix; only the first two characters count.
pub(super) fn glyph(suffix: &str) -> Option<u8> {
    let two = suffix.get(..2).unwrap_or(suffix);
    MOVE_SUFFIXES.iter().position(|suffix| *suffix == two).map(|at| at as u8 + 1)
}
