//! Detection of the syntax of a text from its beginning.

use std::io::BufRead;

use super::super::error::{RecordError, RecordFault};
use super::super::setups::SetupMoves;
use super::bytes::ByteReader;
use super::pgn;
use crate::files::lines::BYTE_ORDER_MARK;

/// A syntax of game records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    /// The Smart Game Format.
    Sgf,
    /// PDN, PGN, and move lists.
    Pdn,
}

/// The number of bytes examined.
const EXAMINED_BYTES: usize = 4096;

/// Whether a text begins like game records rather than setups. The first 4 KiB are enough.
pub fn begins_like_games(head: &[u8]) -> bool {
    of(head).is_some()
}

/// Whether a text begins like game records, but not with a move, as a list of openings may.
pub fn begins_like_records(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning(head));
    of(head).is_some() && first_words(&text).next().is_none_or(|word| pgn::turn(word).is_none())
}

/// Whether a text begins with a record of several lines: a line with only a tag, a comment, or a part
/// of a game in SGF.
pub fn begins_over_lines(head: &[u8]) -> bool {
    let head = beginning(head);
    let end = head.iter().position(|&byte| byte == b'\n').unwrap_or(head.len());
    let line = head.get(..end).unwrap_or_default().trim_ascii_end();
    match line.first() {
        Some(b'[') => line.ends_with(b"]"),
        Some(b'{') => line.ends_with(b"}"),
        Some(b';' | b'%') => true,
        Some(b'(') => !is_whole_game(line),
        _ => false,
    }
}

/// Whether every parenthesis of a line of SGF is closed, outside of values in brackets.
fn is_whole_game(line: &[u8]) -> bool {
    let (mut depth, mut is_value, mut is_escaped) = (0, false, false);
    for &byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_value => is_escaped = true,
            b']' => is_value = false,
            b'[' => is_value = true,
            b'(' if !is_value => depth += 1,
            b')' if !is_value => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !is_value
}

/// Detects the syntax of the text that follows; `None` if it is empty.
pub(super) fn detect<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<Syntax>, RecordError> {
    source.skip_blanks()?;
    loop {
        let location = source.location();
        let Some(first) = source.peek()? else { return Ok(None) };
        // A first byte that is enough must not wait for more of a slow input.
        let found = of_first_byte(first).or_else(|| of(source.head(EXAMINED_BYTES)));
        let is_comment = first == b'#';
        if is_comment {
            skip_comment_lines(source)?;
        }
        return match found {
            // Comments can be longer than what is examined.
            None if is_comment => continue,
            // The number of the first move may lack its full stop.
            None if first.is_ascii_digit() => Ok(Some(Syntax::Pdn)),
            None => {
                let found = source.peek_char()?.unwrap_or_default();
                Err(RecordFault::Format(found).at(location))
            }
            found => Ok(found),
        };
    }
}

/// Skips lines that begin with `#`.
fn skip_comment_lines<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    while source.peek()? == Some(b'#') {
        while source.skip()?.is_some_and(|byte| byte != b'\n') {}
        source.skip_blanks()?;
    }
    Ok(())
}

/// The syntax of a text with this first byte, if that is enough to determine it.
fn of_first_byte(first: u8) -> Option<Syntax> {
    match first {
        b'(' => Some(Syntax::Sgf),
        b'[' | b'{' | b'%' | b';' | b'*' => Some(Syntax::Pdn),
        _ => None,
    }
}

/// The syntax of a text with this beginning; `None` if it contains no game records.
fn of(head: &[u8]) -> Option<Syntax> {
    let head = String::from_utf8_lossy(beginning(head));
    let mut lines = head.lines().map(str::trim_start);
    let first_line = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
    if let Some(syntax) = of_first_byte(*first_line.as_bytes().first()?) {
        return Some(syntax);
    }
    let first = first_words(&head).next()?;
    if is_number(first) || pgn::turn(first).is_some() {
        return Some(Syntax::Pdn);
    }
    is_prose_before_sgf(&head, first_line).then_some(Syntax::Sgf)
}

/// Whether a text is prose, such as the head of a mail, with a game in SGF on a later line.
fn is_prose_before_sgf(head: &str, first: &str) -> bool {
    let is_word =
        |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_prose = first.split(|c: char| !c.is_alphanumeric()).any(is_word);
    let root = |line: &str| {
        let line = line.trim_start().strip_prefix('(')?.trim_start().strip_prefix(';')?;
        Some(line.trim_start().starts_with("GM[") || line.trim_start().starts_with("FF["))
    };
    let is_setup = SetupMoves::read(first).is_ok_and(|setup| setup.is_likely());
    is_prose && !is_setup && head.lines().any(|line| root(line) == Some(true))
}

/// The bytes that are examined: without a byte order mark, and without leading blanks and comment
/// lines.
fn beginning(head: &[u8]) -> &[u8] {
    let mut head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    while head.starts_with(b"#")
        && let Some(end) = head.iter().position(|&byte| byte == b'\n')
    {
        head = head.get(end..).unwrap_or_default().trim_ascii_start();
    }
    head.get(..EXAMINED_BYTES).unwrap_or(head)
}

/// The first words of the lines, without comment lines.
fn first_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    words.filter(|word| !word.starts_with('#'))
}

/// Whether a word is or begins with a move number: `1.` or `1.11-15`.
fn is_number(word: &str) -> bool {
    let number = word.split_once('.').map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
