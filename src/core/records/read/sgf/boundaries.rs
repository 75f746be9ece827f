//! Where a game of SGF begins.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::super::sgf;
use super::super::bytes::{ByteReader, is_blank};

/// The maximum number of bytes from the beginning of a game to the property that names the game.
const MAX_HEAD: usize = 4096;

/// Whether a game tree or a variation follows: `(`, blanks, `;`, or a root that names the format or
/// the game and has lost one of these signs.
pub(super) fn begins_tree<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    let is_opened = source.peek()? == Some(b'(');
    let has_node = is_opened && {
        let at = after_blanks(source, 1)?;
        source.peek_at(at)? == Some(b';')
    };
    Ok(has_node || begins_game(source)?)
}

/// Whether a game rather than a variation follows: its root names the format or the game.
pub(super) fn begins_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(head_value(source)?.is_some())
}

/// Whether a game follows that is not quoted in a value: there `]` would be escaped.
pub(super) fn begins_unquoted_game<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<bool, RecordError> {
    const LONGEST: usize = 4;
    let Some(value) = head_value(source)? else { return Ok(false) };
    let mut end = value;
    while end < value + LONGEST && source.peek_at(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
        end += 1;
    }
    Ok(source.peek_at(end)? == Some(b']'))
}

/// The value of `CA` in the root of the game that follows. In the values before it, a byte of a character
/// may look like a bracket, so that `CA` right behind a bracket counts in what seems to be a value.
pub(super) fn charset_name<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    const FARTHEST: usize = 1 << 16;
    let (mut nodes, mut in_value, mut is_escaped, mut previous) = (0, false, false, b' ');
    for at in 0..FARTHEST {
        let Some(byte) = source.peek_at(at)? else { break };
        let may_begin = !previous.is_ascii_alphanumeric() && (!in_value || previous == b']');
        if byte.eq_ignore_ascii_case(&b'C')
            && may_begin
            && let Some(name) = value_of(source, at, "CA")?
        {
            return Ok(Some(name));
        }
        match byte {
            b']' => in_value &= is_escaped,
            b'[' => in_value = true,
            b';' if !in_value => nodes += 1,
            // ISO-2022-JP has escape sequences such as `\x1b(B`.
            b'(' | b')' if !in_value && at > 0 && previous != b'\x1b' => break,
            _ => {}
        }
        if nodes > 1 {
            break;
        }
        is_escaped = in_value && byte == b'\\' && !is_escaped;
        previous = if is_blank(byte) { previous } else { byte };
    }
    Ok(None)
}

/// The short value of the property of this name at a distance, if it is there.
fn value_of<R: BufRead>(
    source: &mut ByteReader<R>,
    at: usize,
    property: &str,
) -> Result<Option<String>, RecordError> {
    const LONGEST: usize = 64;
    let name = source.peek_while(at, LONGEST, |c| c.is_ascii_alphanumeric());
    let opened = after_blanks(source, at + name.len())?;
    if sgf::short_name(&name).as_deref() != Some(property) || source.peek_at(opened)? != Some(b'[')
    {
        return Ok(None);
    }
    let value = source.peek_while(opened + 1, LONGEST, |c| !matches!(c, '[' | ']' | '\\'));
    let is_closed = source.peek_at(opened + 1 + value.len())? == Some(b']');
    Ok(is_closed.then_some(value))
}

/// The distance to the value of the property of the root that names the format or the game, if a game
/// follows. At the beginning of a line, its parenthesis may be missing.
fn head_value<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<usize>, RecordError> {
    let mut at = match source.peek()? {
        Some(b'(') => after_blanks(source, 1)?,
        Some(b';') if source.location().column == 1 => 0,
        _ => return Ok(None),
    };
    if source.peek_at(at)? == Some(b';') {
        at += 1;
    }
    loop {
        at = after_blanks(source, at)?;
        let name = source.peek_while(at, MAX_HEAD, |c| c.is_ascii_alphanumeric());
        at = after_blanks(source, at + name.len())?;
        if name.is_empty() || at > MAX_HEAD || source.peek_at(at)? != Some(b'[') {
            return Ok(None);
        }
        if sgf::short_name(&name).is_some_and(|name| matches!(name.as_str(), "FF" | "GM")) {
            return Ok(Some(at + 1));
        }
        while source.peek_at(at)? == Some(b'[') {
            let Some(end) = after_value(source, at + 1)? else { return Ok(None) };
            at = after_blanks(source, end)?;
        }
    }
}

/// The distance to what follows a value that begins at a distance; `None` if it is too long.
fn after_value<R: BufRead>(
    source: &mut ByteReader<R>,
    from: usize,
) -> Result<Option<usize>, RecordError> {
    let mut is_escaped = false;
    for at in from..MAX_HEAD {
        match source.peek_at(at)? {
            Some(b']') if !is_escaped => return Ok(Some(at + 1)),
            Some(byte) => is_escaped = byte == b'\\' && !is_escaped,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The distance to the first byte that is not a blank, from a distance on.
fn after_blanks<R: BufRead>(source: &mut ByteReader<R>, from: usize) -> Result<usize, RecordError> {
    let mut at = from;
    while at < MAX_HEAD && source.peek_at(at)?.is_some_and(is_blank) {
        at += 1;
    }
    Ok(at)
}
