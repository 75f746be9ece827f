//! Text in round brackets that is no variation.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::bytes::{ByteReader, is_space};
use super::boundaries::{LONGEST_WORD, is_quote};
use super::signs;
use super::token::{ascii_sign, is_of_word};

/// The maximum number of characters of a remark.
const LONGEST: usize = 4096;

/// Reads a remark in brackets, if one follows: text that does not begin with a move, a number or a sign.
pub(super) fn in_brackets<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    let begin = 1 + source.peek_while(1, LONGEST_WORD, is_space).len();
    let word: String =
        source.peek_while(begin, LONGEST_WORD, is_of_word).chars().map(ascii_sign).collect();
    let Some((first, _)) = source.char_at(begin)? else { return Ok(None) };
    let begins = first.is_alphabetic()
        || is_quote(first)
        || matches!(ascii_sign(first), '-' | '+' | '\'' | '\u{2018}' | '\u{2019}' | '\u{2026}');
    if !begins || begins_with_square(&word) || signs::follows(source, begin) {
        return Ok(None);
    }
    let Some(remark) = until_closed(source, 1, "")? else { return Ok(None) };
    source.consume(remark.chars().count() + 2)?;
    Ok(Some(remark.trim().to_string()))
}

/// Whether a word begins with a square, optionally after the letter of a piece.
fn begins_with_square(word: &str) -> bool {
    let word = word.as_bytes();
    let is_square = |word: &[u8]| matches!(word, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]);
    is_square(word)
        || matches!(word, [piece, rest @ ..] if piece.is_ascii_uppercase() && is_square(rest))
}

/// Consumes the rest of a variation and its closing bracket. Returns this rest, which begins with `begun`,
/// a text that is consumed already; `None` if the bracket is missing or too far away.
pub(super) fn rest_of_variation<R: BufRead>(
    source: &mut ByteReader<R>,
    begun: &str,
) -> Result<Option<String>, RecordError> {
    let Some(rest) = until_closed(source, 0, begun)? else { return Ok(None) };
    let consumed = rest.chars().count() + 1;
    source.consume(consumed.saturating_sub(begun.chars().count()))?;
    Ok(Some(rest.trim().to_string()))
}

/// The text that begins with `begun`, goes on at a distance and ends before the bracket that closes it;
/// `None` if this does not stand before the next empty line or tag.
fn until_closed<R: BufRead>(
    source: &mut ByteReader<R>,
    mut distance: usize,
    begun: &str,
) -> Result<Option<String>, RecordError> {
    let (mut depth, mut is_comment, mut is_blank_line) = (0, false, false);
    let mut before = begun.chars();
    let mut text = String::new();
    for _ in 0..begun.len() + LONGEST {
        let c = match before.next() {
            Some(c) => c,
            None => {
                let Some((c, length)) = source.char_at(distance)? else { break };
                distance += length;
                c
            }
        };
        match c {
            '\n' | '[' if is_blank_line => break,
            '{' | '}' => is_comment = c == '{',
            '(' if !is_comment => depth += 1,
            ')' if !is_comment && depth == 0 => return Ok(Some(text)),
            ')' if !is_comment => depth -= 1,
            _ => {}
        }
        is_blank_line = c == '\n' || is_blank_line && is_space(c);
        text.push(c);
    }
    Ok(None)
}
