//! PDN: the meaning of words and tags.

pub(super) mod comment;
pub(super) mod write;

use std::borrow::Cow;

use super::results;
use super::tree::{GameTree, Turn};
use super::values::{RecordResult, is_space};
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
pub(super) fn tag_name(name: &str) -> &str {
    TAGS.iter().copied().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// The move suffixes of the numeric annotation glyphs, from glyph 1.
const MOVE_SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Signs of annotators and their numeric annotation glyphs, longer signs first. Most are evaluations.
const EVALUATIONS: [(&str, u8); 21] = [
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

/// Reads the sign that a text begins with. Returns its glyph and its length.
pub(super) fn read_sign(text: &str) -> Option<(u8, usize)> {
    let begins =
        |sign: &str| sign.chars().eq(text.chars().map(plain_sign).take(sign.chars().count()));
    let &(sign, glyph) = EVALUATIONS.iter().find(|(sign, _)| begins(sign))?;
    Some((glyph, text.chars().take(sign.chars().count()).map(char::len_utf8).sum()))
}

/// The sign of a move for one that web pages and word processors write instead.
pub(super) fn plain_sign(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{d7}' => 'x',
        c => c,
    }
}

/// Reads the move that a text begins with: `11-15`, `22x15x8`, `22 : 15` or `h6f4`, also after the letter of a
/// piece, as XBoard writes it. Returns it with plain signs between the squares, and its length in the text. `1 - 1`
/// is none: it would be written as the result of a draw.
pub(super) fn read_move(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let begin = match bytes {
        [b'A'..=b'Z', b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..] => 1,
        _ => 0,
    };
    let is_number = bytes.first()?.is_ascii_digit();
    let mut end = after_square(bytes, begin, is_number)?;
    let (mut copied, mut plain) = (begin, String::new());
    let mut squares = 1;
    loop {
        let (sign, next) = match sign_at(text, end) {
            Some((sign, next)) => (Some(sign), next),
            None if is_number => break,
            None => (None, end),
        };
        let Some(last) = after_square(bytes, next, is_number) else { break };
        if let Some(sign) = sign
            && next > end + 1
        {
            // Another sign than one character of ASCII, or blanks.
            plain += text.get(copied..end)?;
            plain.push(sign);
            copied = next;
        }
        (squares, end) = (squares + 1, last);
    }
    let rest = text.get(end..)?;
    // A sign without a square behind it may be an evaluation.
    let is_cut_off = rest.starts_with(['-', 'x', 'X', ':']) && read_sign(rest).is_none();
    let last = text.get(copied..end)?;
    let mv: Cow<str> = if plain.is_empty() { last.into() } else { (plain + last).into() };
    // The first of these two is fast.
    let is_result = results::may_be_points(mv.as_bytes()) && results::is_points(&mv);
    (squares > 1 && !is_cut_off && !is_result).then_some((mv, end))
}

/// The end of a square: a number, or a file and a rank.
fn after_square(text: &[u8], begin: usize, is_number: bool) -> Option<usize> {
    match text.get(begin..)? {
        [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', rest @ ..] if !is_number => {
            (!rest.first().is_some_and(u8::is_ascii_digit)).then_some(begin + 2)
        }
        [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', ..] | [b'0', b'0', ..] => None,
        [b'0'..=b'9', b'1'..=b'9', ..] | [b'1'..=b'9', b'0', ..] if is_number => Some(begin + 2),
        [b'1'..=b'9', ..] if is_number => Some(begin + 1),
        _ => None,
    }
}

/// The sign between two squares at a place, with the blanks around it, and where it ends.
fn sign_at(text: &str, at: usize) -> Option<(char, usize)> {
    let rest = text.get(at..)?;
    if rest.as_bytes().first()?.is_ascii_alphanumeric() && !rest.starts_with(['x', 'X']) {
        return None;
    }
    let sign = rest.trim_start_matches(is_space);
    let c = sign.chars().next()?;
    let plain = Some(plain_sign(c)).filter(|plain| matches!(plain, '-' | 'x' | 'X' | ':'))?;
    let after = sign.get(c.len_utf8()..)?.trim_start_matches(is_space);
    Some((plain, text.len() - after.len()))
}

/// Parses a move with plain signs, without anything around it.
pub(super) fn turn(word: &str) -> Option<Turn> {
    let (mv, length) = read_move(word)?;
    (length == word.len() && mv == word).then(|| Turn::of_pdn(mv.into_owned()))
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

pub(super) fn suffix(glyph: u8) -> Option<&'static str> {
    MOVE_SUFFIXES.get(usize::from(glyph).wrapping_sub(1)).copied()
}

/// The glyph of a move suffix; only the first two characters count.
pub(super) fn glyph(suffix: &str) -> Option<u8> {
    let two = suffix.get(..2).unwrap_or(suffix);
    MOVE_SUFFIXES.iter().position(|suffix| *suffix == two).map(|at| at as u8 + 1)
}
