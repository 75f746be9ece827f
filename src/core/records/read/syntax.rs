//! Detection of the syntax of a text from its beginning.

use super::super::error::{RecordError, RecordFault};
use super::super::setups::SetupMoves;
use super::buffer::{Buffer, text as decoded};
use super::charset::Charset;
use super::pdn::reader::is_move;
use super::sgf;
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
    of(head).is_some() && !first_words(&text).next().is_some_and(is_move)
}

/// Whether a text begins with a record of several lines: a line with only a tag, a comment, or a part
/// of a game in SGF.
pub fn begins_over_lines(head: &[u8]) -> bool {
    let line = beginning(head).split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.trim_ascii_end();
    match line.first() {
        Some(b'[') => line.ends_with(b"]"),
        Some(b'{') => line.ends_with(b"}"),
        Some(b';' | b'%') => true,
        Some(b'(') => sgf::cut(line, false, Charset::default()).is_none(),
        _ => false,
    }
}

/// Detects the syntax of the text that follows; `None` if that needs more of it.
pub(super) fn detect(buffer: &mut Buffer) -> Option<Result<Syntax, RecordError>> {
    buffer.skip_blanks();
    while buffer.rest().starts_with(b"#") {
        let line = buffer.rest().iter().position(|&byte| byte == b'\n');
        let line = line.or(buffer.is_whole().then_some(buffer.rest().len()))?;
        buffer.skip(line);
        buffer.skip_blanks();
    }
    let rest = buffer.rest();
    let first = *rest.first()?;
    // A first byte that is enough must not wait for more of a slow input.
    if let Some(syntax) = of_first_byte(first) {
        return Some(Ok(syntax));
    }
    if rest.len() < EXAMINED_BYTES && !buffer.is_whole() {
        return None;
    }
    // The number of the first move may lack its full stop.
    let numbered = first.is_ascii_digit().then_some(Syntax::Pdn);
    let head = rest.get(..EXAMINED_BYTES).unwrap_or(rest);
    Some(of(head).or(numbered).ok_or_else(|| {
        let found = decoded(head).chars().next().unwrap_or_default();
        RecordFault::Other(format!("expected a game record, found '{found}'")).at(buffer.location())
    }))
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
    if is_number(first) || is_move(first) {
        return Some(Syntax::Pdn);
    }
    is_prose_before_sgf(&head, first_line).then_some(Syntax::Sgf)
}

/// Whether a text is prose, such as the head of a mail, with a game in SGF on a later line.
fn is_prose_before_sgf(head: &str, first: &str) -> bool {
    let is_word =
        |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_prose = first.split(|c: char| !c.is_alphanumeric()).any(is_word);
    let is_setup = SetupMoves::read(first).is_ok_and(|setup| setup.is_likely());
    let is_game = |line: &str| sgf::begins_game(line.trim_start().as_bytes());
    is_prose && !is_setup && head.lines().any(is_game)
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
