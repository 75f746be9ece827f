//! The words, signs and comments of PDN.

use std::io::BufRead;

use super::super::super::error::{RecordError, RecordFault};
use super::super::bytes::{ByteReader, is_blank, text};

/// Reads a comment on the line of the result, which belongs to the game that ends there.
pub(super) fn comment_of_result<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    source.take_while(|byte| is_blank(byte) && byte != b'\n')?;
    comment(source)
}

/// Reads a comment, if one follows.
pub(super) fn comment<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    match source.peek()? {
        Some(b'{') => enclosed(source, b'}', "a comment").map(Some),
        Some(b';') => {
            source.next()?;
            rest_of_line(source).map(Some)
        }
        _ => Ok(None),
    }
}

/// Whether `1.` follows, but not `1...`.
pub(super) fn begins_first_move<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<bool, RecordError> {
    /// Between a number and the dots of the second side, as in `1. ... 23-19`.
    const MOST_BLANKS: usize = 16;
    if !source.follows(b"1.")? {
        return Ok(false);
    }
    let mut next = 2;
    while next < MOST_BLANKS && source.peek_at(next)?.is_some_and(is_blank) {
        next += 1;
    }
    Ok(source.peek_at(next)? != Some(b'.'))
}

/// The signs that web pages and word processors write for `-` and `x`.
const TYPOGRAPHIC_SIGNS: [(&str, char); 5] =
    [("\u{2010}", '-'), ("\u{2011}", '-'), ("\u{2013}", '-'), ("\u{2212}", '-'), ("\u{d7}", 'x')];

/// Reads a sign of [`TYPOGRAPHIC_SIGNS`], if one follows.
pub(super) fn typographic_sign<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<char>, RecordError> {
    if source.peek()?.is_none_or(|byte| byte.is_ascii()) {
        return Ok(None);
    }
    for (text, sign) in TYPOGRAPHIC_SIGNS {
        if source.follows(text.as_bytes())? {
            for _ in 0..text.len() {
                source.next()?;
            }
            return Ok(Some(sign));
        }
    }
    Ok(None)
}

/// Reads a character of UTF-8, or one of windows-1252 where the bytes are not UTF-8.
pub(super) fn next_char<R: BufRead>(source: &mut ByteReader<R>) -> Result<char, RecordError> {
    let first = source.next()?.unwrap_or(b' ');
    if first.is_ascii() {
        return Ok(char::from(first));
    }
    let mut bytes = vec![first];
    while bytes.len() < 4 && source.peek()?.is_some_and(|byte| byte & 0xc0 == 0x80) {
        bytes.extend(source.next()?);
    }
    Ok(text(bytes).chars().next().unwrap_or_default())
}

/// Whether a byte can be part of a move, a move number or a terminator.
pub(super) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.' | b'/')
}

/// The text between an opening and a closing character. The tag of another game after an empty line
/// ends it too, with an error.
fn enclosed<R: BufRead>(
    source: &mut ByteReader<R>,
    close: u8,
    what: &'static str,
) -> Result<String, RecordError> {
    let location = source.location();
    source.next()?;
    let mut bytes = Vec::new();
    while !(source.line_ends() > 1 && source.follows(b"[Event ")?) {
        match source.next()? {
            Some(byte) if byte == close => return Ok(text(bytes)),
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    Err(RecordFault::NotClosed(what).at(location))
}

/// Reads the rest of a move with blanks around its separators: `11 - 15`.
pub(super) fn rest_of_move<R: BufRead>(
    source: &mut ByteReader<R>,
    word: &mut String,
) -> Result<(), RecordError> {
    let is_sign = |byte: u8| matches!(byte, b'-' | b'x' | b'X' | b':');
    while !word.is_empty() {
        // A longer word cannot be a move.
        if word.len() > 64 || !source.peek()?.is_some_and(is_blank) {
            break;
        }
        source.take_while(is_blank)?;
        let is_open = word.bytes().next_back().is_some_and(is_sign);
        if !is_open && !source.peek()?.is_some_and(is_sign) {
            break;
        }
        let more = source.take_while(is_of_word)?;
        if more.is_empty() {
            break;
        }
        *word += &more;
    }
    Ok(())
}

/// The text up to the end of the line.
pub(super) fn rest_of_line<R: BufRead>(source: &mut ByteReader<R>) -> Result<String, RecordError> {
    source.take_while(|byte| byte != b'\n')
}
