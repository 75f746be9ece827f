//! Where a game in PDN, PGN or a list of moves ends: behind its result, or before the next game.
//!
//! What is in a comment counts for nothing. Errors in a game do not move its end, so that the next one is found.

use super::super::super::legality::legal_plies;
use super::super::super::values::{is_blank, is_space};
use super::super::super::{pdn, results};
use super::super::buffer::{MAX_GAME_BYTES, text as decoded};
use crate::files::lines::BYTE_ORDER_MARK;
use crate::games::variants;

/// The number of bytes that show what a line begins with.
const LOOKAHEAD: usize = 32;

/// What a game has so far.
#[derive(Default)]
struct Seen<'a> {
    /// The name of its first tag.
    tag: Option<&'a [u8]>,
    has_moves: bool,
    /// Whether there is a move, and not only text in place of one.
    has_move: bool,
    has_numbers: bool,
    is_on_tag_line: bool,
    /// The number of open variations.
    depth: usize,
}

/// The length of the first game of a text that does not begin with a blank; `None` if that depends on what
/// follows.
pub(in super::super) fn cut(text: &[u8], is_whole: bool) -> Option<usize> {
    let mut seen = Seen::default();
    let (mut at, mut line_end) = (0, 0);
    loop {
        let before = at;
        let mut line_ends = 0;
        while let length @ 1.. = blank_length(text.get(at..)?) {
            line_ends += usize::from(text.get(at) == Some(&b'\n'));
            at += length;
        }
        let rest = text.get(at..)?;
        let Some(&first) = rest.first() else { return is_whole.then_some(text.len()) };
        if line_ends > 0 || before == 0 {
            seen.is_on_tag_line = false;
            let may_end = at > 0 && matches!(first, b'[' | b'1');
            if may_end && rest.len() < LOOKAHEAD && !is_whole {
                return None;
            }
            if at > 0 && seen.ends_before(rest, line_ends) {
                return Some(at);
            }
        }
        if at >= line_end {
            line_end = at + line_length(rest);
        }
        let begins_line = line_ends > 0 && text.get(at - 1) == Some(&b'\n') || at == 0;
        at += match first {
            // The end of the tag may be anywhere on its line.
            b'[' if !seen.has_moves && line_end == text.len() && !is_whole => return None,
            b'[' if !seen.has_moves => {
                seen.tag = seen.tag.or(Some(tag_name(rest)));
                seen.is_on_tag_line = true;
                tag_length(text.get(at..line_end)?)
            }
            b'[' if line_ends == 0
                && seen.has_move
                && seen.depth == 0
                && opens_tag(rest, is_whole)? =>
            {
                return Some(at);
            }
            b'{' => comment_length(rest, is_whole)?,
            b';' => line_length(rest),
            b'%' | b'#' if begins_line => line_length(rest),
            b'(' => {
                seen.depth += 1;
                1
            }
            b')' => {
                seen.depth = seen.depth.saturating_sub(1);
                1
            }
            _ => {
                let (length, is_result) = seen.word(rest);
                if at + length == text.len() && !is_whole {
                    return None;
                }
                if is_result {
                    return seen.end_of_line(text, at + length, is_whole);
                }
                length
            }
        };
    }
}

impl Seen<'_> {
    /// Whether the game ends before a line that is not its first one. `line_ends` is 2 or more behind an empty
    /// line.
    fn ends_before(&self, line: &[u8], line_ends: usize) -> bool {
        let is_parted = line_ends > 1;
        let repeats = || self.tag.is_some_and(|tag| tag.eq_ignore_ascii_case(tag_name(line)));
        let is_outside = self.has_moves && self.depth == 0;
        match line.first() {
            Some(b'[') if begins_tag(line) && self.has_moves => {
                self.tag.is_none() || is_parted || repeats()
            }
            Some(b'[') => is_parted && repeats(),
            Some(b'1') if begins_first_move(line) => {
                let is_new = is_parted || self.tag.is_none();
                let has_move = self.has_move && self.depth == 0;
                self.has_moves && (is_new || has_move && is_legal_first_move(line))
            }
            _ => is_parted && is_outside && self.tag.is_none() && !self.has_numbers,
        }
    }

    /// Takes a word. Returns its length, and whether it is the result of the game.
    fn word(&mut self, text: &[u8]) -> (usize, bool) {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 && text.get(digits) == Some(&b'.') {
            (self.has_moves, self.has_numbers) = (true, true);
            let stops = text.iter().skip(digits).take_while(|byte| **byte == b'.').count();
            return (digits + stops, false);
        }
        let ends = |byte: &u8| is_blank(*byte) || matches!(byte, b'{' | b'(' | b')' | b';' | b'[');
        let length = text.iter().position(ends).unwrap_or(text.len());
        let word = text.get(..length).unwrap_or_default();
        let is_result = is_result(word);
        self.has_move =
            self.has_move || str::from_utf8(word).is_ok_and(|word| pdn::read_move(word).is_some());
        // Behind a tag only a move is more than the rest of its line.
        let is_of_tag = self.is_on_tag_line && !self.has_moves;
        self.has_moves |= !is_of_tag || digits > 0 && !is_result;
        (length.max(1), is_result && self.depth == 0 && !is_of_tag)
    }

    /// The end of a game behind its result: comments on the line belong to it, and anything else but another
    /// game.
    fn end_of_line(&self, text: &[u8], mut at: usize, is_whole: bool) -> Option<usize> {
        loop {
            let rest = text.get(at..)?;
            let is_blank = |byte: &&u8| is_blank(**byte) && **byte != b'\n';
            at += rest.iter().take_while(is_blank).count();
            let rest = text.get(at..)?;
            let is_near_end = rest.len() < LOOKAHEAD && !is_whole;
            let is_list = self.tag.is_none() && !self.has_numbers;
            at += match rest.first() {
                None => return is_whole.then_some(at),
                Some(b'\n') => return Some(at),
                Some(b'{') => comment_length(rest, is_whole)?,
                Some(b'[' | b'1') if is_near_end && !rest.contains(&b'\n') => return None,
                Some(b'[') if begins_tag(rest) => return Some(at),
                Some(b'1') if begins_first_move(rest) => return Some(at),
                Some(byte) if is_list && *byte != b';' => return Some(at),
                Some(_) => line_length(rest),
            };
        }
    }
}

fn is_result(word: &[u8]) -> bool {
    if word.is_ascii() {
        return results::may_be_points(word) && str::from_utf8(word).is_ok_and(results::is_points);
    }
    let plain: String = decoded(word).0.chars().map(pdn::plain_sign).collect();
    plain.split(is_space).any(results::is_points)
}

/// Whether a line begins a game: with a tag or the first move.
pub(in super::super) fn begins_game(line: &[u8]) -> bool {
    begins_tag(line) || begins_first_move(line)
}

/// Whether a bracket and the name of a tag begin a line.
fn begins_tag(line: &[u8]) -> bool {
    tag_name(line).first().is_some_and(u8::is_ascii_alphabetic)
}

pub(in super::super) fn tag_name(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    let end = line.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    line.get(..end.unwrap_or(line.len())).unwrap_or_default()
}

/// Whether a bracket, the name of a tag and a quote begin a text; `None` if that depends on what follows.
fn opens_tag(text: &[u8], is_whole: bool) -> Option<bool> {
    let name = text.strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    let length = tag_name(text).len();
    let value = name.get(length..).unwrap_or_default().trim_ascii_start();
    match value.first() {
        Some(byte) => Some(*byte == b'"' && length > 0),
        None => is_whole.then_some(false),
    }
}

/// The length of the tag that begins the rest of a line: up to the bracket behind its value.
fn tag_length(line: &[u8]) -> usize {
    let closes = |quote: usize| {
        line.get(quote + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"]"))
    };
    let mut at = line.iter().position(|&byte| byte == b'"').map_or(line.len(), |quote| quote + 1);
    while let Some(&byte) = line.get(at).filter(|byte| **byte != b'"' || !closes(at)) {
        at += if byte == b'\\' { 2 } else { 1 };
    }
    let end = (at..line.len()).chain(0..line.len()).find(|at| line.get(*at) == Some(&b']'));
    end.map_or(line.len(), |end| end + 1)
}

/// The length of the comment that begins a text; 1 if its closing brace is missing, so that the comment is read
/// like moves. `None` if that depends on what follows.
fn comment_length(text: &[u8], is_whole: bool) -> Option<usize> {
    match text.iter().skip(1).position(|byte| matches!(byte, b'{' | b'}')) {
        Some(brace) if text.get(brace + 1) == Some(&b'}') => Some(brace + 2),
        None if !is_whole && text.len() < MAX_GAME_BYTES => None,
        _ => Some(1),
    }
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// The number of bytes of a blank that begins a text; 0 if there is none.
fn blank_length(text: &[u8]) -> usize {
    const NO_BREAK_SPACE: &[u8] = "\u{a0}".as_bytes();
    let wide = || {
        let mut signs = [NO_BREAK_SPACE, BYTE_ORDER_MARK].into_iter();
        signs.find(|sign| text.starts_with(sign)).map_or(0, <[u8]>::len)
    };
    match text.first() {
        Some(byte) if is_blank(*byte) => 1,
        Some(byte) if byte.is_ascii() => 0,
        _ => wide(),
    }
}

/// Whether the move behind the number 1 that begins a line is legal in the start position of a game.
fn is_legal_first_move(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line.get(..LOOKAHEAD).unwrap_or(line));
    let text = line.trim_start_matches("1.").trim_start_matches(is_space);
    let mv = pdn::read_move(text);
    mv.is_some_and(|(mv, _)| variants().any(|variant| legal_plies(variant, None, &[&mv]) == 1))
}

/// Whether a text begins with `1.`, but not with `1...`, also with blanks in it.
fn begins_first_move(text: &[u8]) -> bool {
    text.strip_prefix(b"1.").is_some_and(|rest| !rest.trim_ascii_start().starts_with(b"."))
}
