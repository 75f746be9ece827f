//! Where a game of SGF begins.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::bytes::{ByteReader, is_blank};

/// The maximum number of blanks within the beginning of a game.
const MAX_BLANKS: usize = 256;

/// Whether a game tree or a variation follows: `(`, blanks, `;`, or `(` and a property, as the `;` of
/// the root may be missing.
pub(super) fn begins_tree<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    if source.peek()? != Some(b'(') {
        return Ok(false);
    }
    let (at, byte) = after_blanks(source, 1)?;
    Ok(byte == Some(b';') || is_head(source, at)?)
}

/// Whether a game rather than a variation follows: its root begins with the format or the game.
pub(super) fn begins_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(first_value(source)?.is_some())
}

/// Whether the property that names the format or the game stands at a distance.
fn is_head<R: BufRead>(source: &mut ByteReader<R>, at: usize) -> Result<bool, RecordError> {
    let letters = [source.peek_at(at)?, source.peek_at(at + 1)?, source.peek_at(at + 2)?];
    let [Some(first), Some(second), Some(bracket)] = letters else { return Ok(false) };
    let name = [first, second].map(|letter| letter.to_ascii_uppercase());
    Ok(matches!(&name, b"FF" | b"GM") && bracket == b'[')
}

/// The distance to the value of the first property of a game, if a game follows.
fn first_value<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<usize>, RecordError> {
    if source.peek()? != Some(b'(') {
        return Ok(None);
    }
    let (mut at, byte) = after_blanks(source, 1)?;
    if byte == Some(b';') {
        (at, _) = after_blanks(source, at + 1)?;
    }
    Ok(is_head(source, at)?.then_some(at + 3))
}

/// Whether a game follows that is not quoted in a value: there `]` would be escaped.
pub(super) fn begins_unquoted_game<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<bool, RecordError> {
    const LONGEST: usize = 4;
    let Some(value) = first_value(source)? else { return Ok(false) };
    let mut end = value;
    while end < value + LONGEST && source.peek_at(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
        end += 1;
    }
    Ok(source.peek_at(end)? == Some(b']'))
}

/// The distance and value of the first byte that is not a blank, from a distance on.
fn after_blanks<R: BufRead>(
    source: &mut ByteReader<R>,
    from: usize,
) -> Result<(usize, Option<u8>), RecordError> {
    let mut at = from;
    while at < from + MAX_BLANKS && source.peek_at(at)?.is_some_and(is_blank) {
        at += 1;
    }
    Ok((at, source.peek_at(at)?))
}
