//! Where a game begins or a comment ends, for texts in which a sign is missing.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::bytes::{ByteReader, is_space};

/// The maximum number of characters of a word that can be a move.
pub(super) const LONGEST_WORD: usize = 64;

/// Whether the tags of a game follow: a tag, or a bracket after an empty line.
pub(super) fn begins_tags<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(source.line_ends() > 1 || begins_tag(source)?)
}

/// Whether a tag follows: a bracket, a name, and the quote of its value.
fn begins_tag<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    if source.peek()? != Some(b'[') {
        return Ok(false);
    }
    let ends = |c| matches!(c, '[' | ']' | '\n') || is_quote(c);
    let head = source.peek_while(1, LONGEST_WORD, |c| !ends(c));
    let has_value = source.char_at(1 + head.len())?.is_some_and(|(c, _)| is_quote(c));
    let name = head.trim_matches(is_space);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Ok(has_value && is_name)
}

/// Whether a character stands before or behind the value of a tag: a quote, or one that word processors
/// write for it.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}')
}

/// Reads to the end of a comment by `next`. Returns whether a brace closes it: where a game follows,
/// which begins with a tag on a line of its own, the brace is missing.
pub(super) fn read_comment<R: BufRead>(
    source: &mut ByteReader<R>,
    mut next: impl FnMut(&mut ByteReader<R>) -> Result<Option<char>, RecordError>,
) -> Result<bool, RecordError> {
    let mut is_quotation = false;
    loop {
        if !is_quotation && source.line_ends() > 0 && begins_tag(source)? {
            is_quotation = closes_comment(source)?;
            if !is_quotation {
                return Ok(false);
            }
        }
        match next(source)? {
            Some('}') => return Ok(true),
            Some(_) => {}
            None => return Ok(false),
        }
    }
}

/// Whether the next brace, if there is one near, closes a comment.
fn closes_comment<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    const FARTHEST: usize = 1 << 16;
    for distance in 0..FARTHEST {
        match source.peek_at(distance)? {
            Some(b'}') => return Ok(true),
            Some(b'{') | None => return Ok(false),
            Some(_) => {}
        }
    }
    Ok(false)
}

/// Whether `1.` follows, but not `1...`.
pub(super) fn begins_first_move<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<bool, RecordError> {
    if !source.follows(b"1.")? {
        return Ok(false);
    }
    // Between a number and the dots of the second side, as in `1. ... 23-19`.
    let mut next = 2;
    while let Some((_, length)) = source.char_at(next)?.filter(|&(c, _)| is_space(c) && next < 16) {
        next += length;
    }
    Ok(source.peek_at(next)? != Some(b'.'))
}
