//! The tags of PDN and PGN, `[Name "value"]`.

use std::io::BufRead;

use super::super::super::error::{RecordError, RecordFault};
use super::super::super::pdn;
use super::super::bytes::{ByteReader, is_space};
use super::boundaries::{LONGEST_WORD, is_quote};
use super::token::{Token, skip_blanks};

/// The maximum length of a value that may have quotes in it.
const LONGEST_VALUE: usize = 1000;

/// Whether the tag that follows determines what the moves mean.
pub(super) fn defines_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    let head = source.peek_while(0, LONGEST_WORD, |c| c == '[' || c.is_ascii_alphanumeric());
    let name = head.strip_prefix('[').unwrap_or_default();
    Ok(["FEN", "GameType"].iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Reads a tag, `[Name "value"]`.
pub(super) fn tag<R: BufRead>(source: &mut ByteReader<R>) -> Result<Token, RecordError> {
    source.next()?;
    skip_blanks(source)?;
    let name = source.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
    if name.is_empty() {
        return Err(unexpected(source, "the name of a tag")?);
    }
    skip_blanks(source)?;
    let location = source.location();
    let Some(opening) = source.peek_char()?.filter(|&c| is_quote(c)) else {
        return Err(unexpected(source, "'\"'")?);
    };
    source.next_char()?;
    // Only after a typographic quote may another quote than the usual one close the value.
    let closes = |c: char| c == '"' || opening != '"' && is_quote(c);
    let mut value = String::new();
    loop {
        if matches!(source.peek()?, Some(b'\n') | None) {
            return Err(RecordFault::NotClosed("the value of a tag").at(location));
        }
        match source.next_char()? {
            Some(c)
                if closes(c)
                    && (value.len() > LONGEST_VALUE || !is_within_value(source, closes)?) =>
            {
                break;
            }
            Some('\\') if matches!(source.peek()?, Some(b'"' | b'\\')) => {
                value.extend(source.next_char()?);
            }
            c => value.extend(c),
        }
    }
    skip_blanks(source)?;
    if source.peek()? != Some(b']') {
        return Err(unexpected(source, "']'")?);
    }
    source.next()?;
    Ok(Token::Tag { name: pdn::tag_name(name), value, at: location })
}

/// Whether a quote that was read belongs to the value of a tag, as in `"The "big" one"`: another one
/// closes the value, before any bracket.
fn is_within_value<R: BufRead>(
    source: &mut ByteReader<R>,
    closes: impl Fn(char) -> bool,
) -> Result<bool, RecordError> {
    let rest = source.peek_while(0, LONGEST_VALUE, |c| !matches!(c, '[' | ']' | '\n'));
    let is_closed = source.peek_at(rest.len())? == Some(b']');
    Ok(is_closed && rest.trim_end_matches(is_space).ends_with(closes))
}

/// The error that another character than the expected one follows in a tag.
fn unexpected<R: BufRead>(
    source: &mut ByteReader<R>,
    expected: &'static str,
) -> Result<RecordError, RecordError> {
    let fault = match source.peek_char()? {
        Some(found) => RecordFault::Unexpected { found, expected },
        None => RecordFault::NotClosed("a tag"),
    };
    Ok(fault.at(source.location()))
}
