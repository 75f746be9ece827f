//! The beginning of the next game, for a text in which the end of a game is missing or an error ends
//! it.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::super::pdn;
use super::super::bytes::{ByteReader, is_blank, is_space};
use super::tokens::{LONGEST_WORD, comment_on_line};

/// Skips the rest of a game: up to the first tag or move number 1 after its moves, or past its
/// terminator. A list without tags and move numbers also ends at an empty line.
pub(in super::super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let follows_moves = source.depth > 0;
    let mut in_moves = follows_moves;
    let mut word = String::new();
    loop {
        let at_head = source.location().column == 1;
        let is_parted = source.is_list && source.line_ends() > 1;
        if at_head && (is_parted || follows_moves && begins_first_move(source)?) {
            return Ok(());
        }
        if at_head && source.peek()? == Some(b'[') {
            if in_moves && begins_tags(source)? {
                return Ok(());
            }
            skip_line(source)?;
            continue;
        }
        let Some(byte) = source.skip()? else { return Ok(()) };
        match byte {
            // Comments may contain a result.
            b';' if word.is_empty() => skip_line(source)?,
            b'{' if word.is_empty() => {
                read_comment(source, |source| Ok(source.skip()?.map(char::from)))?;
            }
            _ if !is_blank(byte) => {
                in_moves = true;
                // No terminator is longer.
                if word.len() < 8 {
                    word.push(char::from(byte));
                }
            }
            _ if pdn::is_result(&std::mem::take(&mut word)) => {
                while byte != b'\n' && comment_on_line(source)?.is_some() {}
                return Ok(());
            }
            _ => {}
        }
    }
}

/// Skips the rest of the line.
fn skip_line<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    while source.peek()?.is_some_and(|byte| byte != b'\n') {
        source.skip()?;
    }
    Ok(())
}

/// Whether the tags of a game follow: a tag, or a bracket after an empty line.
pub(super) fn begins_tags<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(source.line_ends() > 1 || begins_tag(source)?)
}

/// Whether a tag follows: a bracket, a name, and the quote of its value.
fn begins_tag<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    if source.peek()? != Some(b'[') {
        return Ok(false);
    }
    let head = source.peek_while(1, LONGEST_WORD, |c| !matches!(c, '[' | ']' | '\n' | '"'));
    let has_value = source.peek_at(1 + head.len())? == Some(b'"');
    let name = head.trim_matches(is_space);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Ok(has_value && is_name)
}

/// Reads to the end of a comment by `next`. Returns whether a brace closes it: where a game follows,
/// which begins with a tag after an empty line, the brace is missing.
pub(super) fn read_comment<R: BufRead>(
    source: &mut ByteReader<R>,
    mut next: impl FnMut(&mut ByteReader<R>) -> Result<Option<char>, RecordError>,
) -> Result<bool, RecordError> {
    let mut is_quotation = false;
    loop {
        if !is_quotation && source.line_ends() > 1 && begins_tag(source)? {
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
