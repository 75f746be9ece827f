//! Detection of the syntax of a text from its beginning.

use super::super::setups::SetupMoves;
use super::buffer::blanks;
use super::pdn::reader::is_move;
use super::sgf;

/// A syntax of game records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Syntax {
    /// The Smart Game Format.
    Sgf,
    /// PDN, PGN, and move lists.
    Pdn,
}

/// The number of bytes examined.
const EXAMINED_BYTES: usize = 4096;

/// Whether a text begins like game records rather than setups. The first 4 KiB are enough.
pub fn begins_like_games(head: &[u8]) -> bool {
    Syntax::of(head).is_some()
}

/// Whether a text begins like game records, but not with a move, as a list of openings may.
pub fn begins_like_records(head: &[u8]) -> bool {
    let text = beginning(head);
    let first = text.split_whitespace().next().unwrap_or_default();
    begins_like_games(head) && !is_move(first) && !is_digits(first)
}

impl Syntax {
    /// The syntax of a text with this beginning; `None` if it contains no game records.
    pub(in super::super) fn of(head: &[u8]) -> Option<Self> {
        let text = beginning(head);
        let mut words = text.split_whitespace();
        let first = words.next()?;
        match text.as_bytes().first()? {
            b'(' => return Some(Self::Sgf),
            b'[' | b'{' | b'%' | b';' | b'*' => return Some(Self::Pdn),
            _ => {}
        }
        let is_number = first.split_once('.').is_some_and(|(number, _)| is_digits(number));
        // The number of the first move may lack its full stop, and its squares the sign.
        let is_begun = |word: &str| is_digits(first) && (is_digits(word) || is_move(word));
        if is_number || is_move(first) || words.next().is_some_and(is_begun) {
            return Some(Self::Pdn);
        }
        // A game in SGF may follow prose, such as the head of a mail.
        let first_line = text.lines().next().unwrap_or_default();
        let is_setup = SetupMoves::read(first_line).is_ok_and(|setup| setup.is_likely());
        let has_game = || text.lines().any(|line| sgf::begins_line(line.as_bytes()));
        (!is_setup && has_game()).then_some(Self::Sgf)
    }
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text that is examined: without leading blanks and comment lines.
fn beginning(mut head: &[u8]) -> String {
    loop {
        head = head.get(blanks(head)..).unwrap_or_default();
        match head.iter().position(|&byte| byte == b'\n') {
            Some(end) if head.starts_with(b"#") => head = head.get(end..).unwrap_or_default(),
            _ => break,
        }
    }
    String::from_utf8_lossy(head.get(..EXAMINED_BYTES).unwrap_or(head)).into_owned()
}
