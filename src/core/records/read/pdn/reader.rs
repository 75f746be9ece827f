//! The parts of a game in PDN, PGN or a list of moves, one after the other.
//!
//! What is read beyond the standards is listed in `habits.md`.

use std::borrow::Cow;

use super::super::super::error::{RecordFault, shorten};
use super::super::super::values::is_space;
use super::super::super::{pdn, results};

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// The maximum number of digits of a move number.
const LONGEST_NUMBER: usize = 3;

/// The glyph of an only move, written as a star directly after the move.
const ONLY_MOVE: u8 = 7;

/// The notations of a pass in PGN and in lists of moves.
const PASSES: [&str; 2] = ["pass", "0000"];

/// A part of a game.
pub(super) enum PdnEvent<'a> {
    /// A tag; the place is that of its value.
    Tag(&'a str, Cow<'a, str>, usize),
    /// A move in the notation that the rules accept.
    Move(Cow<'a, str>),
    /// A comment as it is written.
    Comment(&'a str),
    /// A numeric annotation glyph (NAG).
    Glyph(u8),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result of the game, in points or in words.
    Result(&'a str),
}

/// An error and its place, a number of bytes.
pub(super) type PlacedFault = (usize, RecordFault);

type Read<T> = Result<T, PlacedFault>;

/// A line of play: the game or a variation.
#[derive(Clone, Copy, Default)]
struct OpenLine {
    /// Where it begins.
    begin: usize,
    /// The number of moves up to here, from the beginning of the game.
    plies: usize,
    has_move: bool,
    /// Whether a result has ended it.
    is_over: bool,
}

/// Reads a game.
#[derive(Default)]
pub(super) struct PdnReader<'a> {
    text: &'a str,
    /// Where the next part begins.
    at: usize,
    /// Where the last part begins.
    pub(super) place: usize,
    /// The first error after which the game is read further.
    pub(super) fault: Option<PlacedFault>,
    line: OpenLine,
    /// The lines that it leaves.
    outer: Vec<OpenLine>,
    /// The name of the last tag, and the end of its line.
    tag: Option<(&'a str, usize)>,
    /// The number of the first move, and whether it may be any one.
    first_number: Option<usize>,
    begins_anywhere: bool,
    /// A number after which no move has been read, and its place.
    number: Option<(usize, &'a str)>,
    /// The end of the last move and of signs that belong to it.
    move_end: usize,
}

impl<'a> PdnReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Notes an error after which the game is read further.
    pub(super) fn note(&mut self, place: usize, fault: RecordFault) {
        self.fault.get_or_insert((place, fault));
    }

    /// The next part of the game; `None` at its end. An error ends it too.
    pub(super) fn next(&mut self) -> Read<Option<PdnEvent<'a>>> {
        loop {
            self.at = self.after_blanks(self.at);
            self.place = self.at;
            let Some(first) = self.rest().bytes().next() else { return self.end().map(|()| None) };
            let read = match first {
                b'{' => self.comment().map(Some),
                b';' => Ok(Some(PdnEvent::Comment(self.line_after(1)))),
                _ if self.line.is_over && self.outer.is_empty() => {
                    let expected = "a comment or the next game after the result";
                    self.note(self.at, RecordFault::expected(expected, self.rest().trim()));
                    return Ok(None);
                }
                b'[' => self.tag(),
                b'%' | b'#' if self.begins_line(self.at) => {
                    self.line_after(0);
                    Ok(None)
                }
                b'(' => self.bracket().map(Some),
                b')' => self.close().map(Some),
                b'!' | b'?' => self.suffix(0).map(Some),
                b'$' => self.glyph().map(Some),
                b'*' if self.at == self.move_end && self.line.has_move => {
                    self.at += 1;
                    Ok(Some(PdnEvent::Glyph(ONLY_MOVE)))
                }
                b'*' => self.result(1),
                // Full stops alone, as in `1. 11-15 ... 23-19`.
                b'.' => {
                    self.skip(b'.');
                    Ok(None)
                }
                b'0'..=b'9' => self.number_or_move(),
                _ => self.sign_or_word(),
            };
            match read {
                Ok(None) => {}
                Ok(event) => return Ok(event),
                Err(fault) => self.skip_line(fault)?,
            }
        }
    }

    /// Skips the rest of a line between the tags and the moves that cannot be read: a tag that does not determine
    /// what the moves mean, what is behind a tag, or one word. Any other error ends the game.
    fn skip_line(&mut self, (place, fault): PlacedFault) -> Read<()> {
        self.at = self.place;
        let line = self.line_after(0);
        let is_word = self.begins_line(self.place) && !line.trim().contains(is_space);
        let (place, fault) = match self.tag {
            _ if self.has_begun() || self.number.is_some() => return Err((place, fault)),
            _ if line.starts_with('[') && !defines_moves(line) => (place, fault),
            Some((name, end)) if self.place < end && !line.starts_with('[') => {
                let expected = format!("the end of the line after the tag {name}");
                (self.place, RecordFault::expected(expected, line.trim()))
            }
            Some(_) if is_word && !line.starts_with('[') => (place, fault),
            _ => return Err((place, fault)),
        };
        self.note(place, fault);
        Ok(())
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Consumes this many bytes, which it returns.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = self.rest().get(..length).unwrap_or_default();
        self.at += taken.len();
        taken
    }

    /// Consumes all bytes of this kind that follow.
    fn skip(&mut self, byte: u8) {
        self.at += self.rest().bytes().take_while(|&next| next == byte).count();
    }

    fn after_blanks(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        // The usual case.
        match rest.as_bytes() {
            [b' ', b'!'..=b'~', ..] => at + 1,
            [b'!'..=b'~', ..] => at,
            _ => self.text.len() - rest.trim_start_matches(is_space).len(),
        }
    }

    /// Consumes the rest of the line, which it returns without its first bytes.
    fn line_after(&mut self, length: usize) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.take(line.len()).get(length..).unwrap_or_default()
    }

    fn begins_line(&self, place: usize) -> bool {
        let before = self.text.get(..place).unwrap_or_default();
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether the moves have begun.
    fn has_begun(&self) -> bool {
        self.line.has_move || !self.outer.is_empty()
    }

    /// A comment in braces. Another opening brace in it shows that its own closing one is missing.
    fn comment(&mut self) -> Read<PdnEvent<'a>> {
        let braces = self.rest().get(1..).unwrap_or_default();
        match braces.split_once(['{', '}']) {
            Some((text, rest))
                if !braces.get(text.len()..).is_some_and(|end| end.starts_with('{')) =>
            {
                self.at = self.text.len() - rest.len();
                Ok(PdnEvent::Comment(text))
            }
            _ => Err((self.at, RecordFault::NotClosed("a comment"))),
        }
    }

    /// A tag, `[Name "value"]`.
    fn tag(&mut self) -> Read<Option<PdnEvent<'a>>> {
        if self.has_begun() {
            return Err((self.at, RecordFault::expected("a move", "[")));
        }
        let text = self.text;
        let at = self.after_blanks(self.at + 1);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = text.get(at..).unwrap_or_default();
        let name = name.split(|c| !is_of_name(c)).next().unwrap_or_default();
        if name.is_empty() {
            return Err(self.unexpected(at, "the name of a tag"));
        }
        let opened = self.after_blanks(at + name.len());
        let value = text.get(opened..).unwrap_or_default();
        let Some(opening) = value.chars().next().filter(|&c| is_quote(c)) else {
            return Err(self.unexpected(opened, "'\"'"));
        };
        // Only after a typographic quote may another quote than the usual one close the value.
        let closes = |c: char| c == '"' || opening != '"' && is_quote(c);
        let value = value.get(opening.len_utf8()..).unwrap_or_default();
        let (value, length) =
            quoted(value, closes).ok_or((opened, RecordFault::NotClosed("the value of a tag")))?;
        let closed = self.after_blanks(opened + opening.len_utf8() + length);
        if text.as_bytes().get(closed) != Some(&b']') {
            return Err(self.unexpected(closed, "']'"));
        }
        self.at = closed + 1;
        if self.tag.is_none_or(|(_, end)| end < closed) {
            let end = self.rest().find('\n').map_or(text.len(), |end| self.at + end);
            self.tag = Some((name, end));
        }
        self.tag = self.tag.map(|(_, end)| (name, end));
        self.begins_anywhere |= name.eq_ignore_ascii_case("FEN");
        Ok(Some(PdnEvent::Tag(name, value, opened)))
    }

    /// The error that another character than the expected one is at a place in a tag.
    fn unexpected(&self, at: usize, expected: &'static str) -> PlacedFault {
        let found = self.text.get(at..).and_then(|rest| rest.chars().next());
        let wrong = |found: char| RecordFault::expected(expected, &found.to_string());
        (at, found.map_or(RecordFault::NotClosed("a tag"), wrong))
    }

    /// What begins with a round bracket: a suffix, a remark or a variation.
    fn bracket(&mut self) -> Read<PdnEvent<'a>> {
        let inner = self.rest().get(1..).unwrap_or_default();
        if inner.starts_with(['!', '?']) {
            return self.suffix(1);
        }
        if is_remark(inner.trim_start_matches(is_space)) {
            let mut depth = 1;
            let end = inner.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            let end = end.ok_or((self.at, RecordFault::NotClosed("a remark in brackets")))?;
            self.at += end + 2;
            return Ok(PdnEvent::Comment(inner.get(..end).unwrap_or_default()));
        }
        if !self.line.has_move {
            return Err((
                self.at,
                RecordFault::Invalid("a variation before the first move".to_string()),
            ));
        }
        if self.outer.len() >= MAX_DEPTH {
            return Err((self.at, RecordFault::TooMuch("1000 nested variations")));
        }
        let plies = self.line.plies - 1;
        self.outer.push(self.line);
        self.line = OpenLine { begin: self.at, plies, ..OpenLine::default() };
        self.number = None;
        self.at += 1;
        Ok(PdnEvent::Open)
    }

    fn close(&mut self) -> Read<PdnEvent<'a>> {
        self.end_number();
        self.line = self.outer.pop().ok_or_else(|| {
            (self.at, RecordFault::Invalid("')' closes no variation".to_string()))
        })?;
        self.at += 1;
        Ok(PdnEvent::Close)
    }

    /// A move suffix of `!` and `?`, which may be in brackets.
    fn suffix(&mut self, brackets: usize) -> Read<PdnEvent<'a>> {
        let begin = self.at;
        self.at += brackets;
        let rest = self.rest();
        let signs = self.take(rest.len() - rest.trim_start_matches(['!', '?']).len());
        if brackets > 0 && self.take(1) != ")" {
            return Err((begin, RecordFault::NotClosed("'('")));
        }
        if begin == self.move_end {
            self.move_end = self.at;
        }
        let glyph = pdn::glyph(signs).map(PdnEvent::Glyph);
        glyph.ok_or_else(|| (begin, RecordFault::expected("a move", signs)))
    }

    /// A glyph, `$n`.
    fn glyph(&mut self) -> Read<PdnEvent<'a>> {
        let word = self.word();
        let digits = word.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let number = word.get(1..=digits).and_then(|digits| digits.parse().ok());
        let glyph = number.ok_or_else(|| (self.at, RecordFault::expected("a move", word)))?;
        self.at += 1 + digits;
        Ok(PdnEvent::Glyph(glyph))
    }

    /// The text up to the next blank, bracket or comment.
    fn word(&self) -> &'a str {
        let ends = |c| is_space(c) || matches!(c, '{' | '(' | ')' | ';');
        self.rest().split(ends).next().unwrap_or_default()
    }

    fn number_or_move(&mut self) -> Read<Option<PdnEvent<'a>>> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits <= LONGEST_NUMBER && rest.as_bytes().get(digits) == Some(&b'.') {
            let number = self.take(digits);
            self.skip(b'.');
            self.begin_number(number);
            return Ok(None);
        }
        self.move_or_result()
    }

    /// A move, a result, or a number without a full stop.
    fn move_or_result(&mut self) -> Read<Option<PdnEvent<'a>>> {
        let rest = self.rest();
        if results::may_be_points(rest.as_bytes()) {
            let word = self.word();
            if results::is_points(&word.chars().map(pdn::plain_sign).collect::<String>()) {
                return self.result(word.len());
            }
        }
        if let Some((mv, length)) = pdn::read_move(rest) {
            return self.add_move(mv, length).map(Some);
        }
        let word = self.word();
        if PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(word)) {
            return self.add_move("0000".into(), word.len()).map(Some);
        }
        if word.len() <= LONGEST_NUMBER && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.number_without_stop(word);
        }
        if let Some(text) = self.result_in_words() {
            return self.result(text.len());
        }
        let fault = match rest.chars().next() {
            Some(found) if !found.is_alphanumeric() => {
                RecordFault::expected("a move", &found.to_string())
            }
            _ if is_of_chess(word) => {
                RecordFault::Other(format!("'{}' is a chess move", shorten(word)))
            }
            _ => RecordFault::expected("a move", word),
        };
        Err((self.at, fault))
    }

    /// A sign of an annotator, or what `move_or_result` reads.
    fn sign_or_word(&mut self) -> Read<Option<PdnEvent<'a>>> {
        let rest = self.rest();
        let may_be_sign = !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        if may_be_sign && let Some((glyph, length)) = pdn::read_sign(rest) {
            self.at += length;
            return Ok(Some(PdnEvent::Glyph(glyph)));
        }
        // XBoard appends a sign to each move of variants whose rules it does not know.
        if self.at == self.move_end && rest.starts_with(['#', '+']) {
            self.at += 1;
            self.move_end = self.at;
            return Ok(None);
        }
        self.move_or_result()
    }

    /// Digits alone: the number of the move that follows, or the first square of a move without a sign.
    fn number_without_stop(&mut self, word: &'a str) -> Read<Option<PdnEvent<'a>>> {
        let wrong = (self.at, RecordFault::expected("a move", word));
        let next = self.after_blanks(self.at + word.len());
        let rest = self.text.get(next..).unwrap_or_default();
        let number: usize = word.parse().unwrap_or_default();
        if pdn::read_move(rest).is_some() {
            let OpenLine { plies, .. } = self.line;
            let usual = if self.begins_anywhere && plies == 0 { number } else { 1 };
            let first = self.first_number.unwrap_or(usual);
            // Games in which White begins may number White's move or Black's.
            if number != first + plies / 2 && number != first + plies.div_ceil(2) {
                return Err(wrong);
            }
            self.at = next;
            self.begin_number(word);
            return Ok(None);
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (to, after) = rest.split_at_checked(digits).unwrap_or_default();
        let distance = number.abs_diff(to.parse().unwrap_or_default());
        let sign = if (3..=5).contains(&distance) { '-' } else { 'x' };
        match pdn::turn(&format!("{word}{sign}{to}")) {
            Some(turn) if !after.starts_with('.') => {
                self.add_move(turn.text.into(), next + digits - self.at).map(Some)
            }
            _ => Err(wrong),
        }
    }

    fn add_move(&mut self, mv: Cow<'a, str>, length: usize) -> Read<PdnEvent<'a>> {
        if self.line.is_over {
            let what = "a variation before the end of the game";
            return Err((self.at, RecordFault::NotClosed(what)));
        }
        self.at += length;
        (self.move_end, self.number) = (self.at, None);
        self.line.has_move = true;
        self.line.plies += 1;
        Ok(PdnEvent::Move(mv))
    }

    /// Takes the number of a move.
    fn begin_number(&mut self, text: &'a str) {
        let number: usize = text.parse().unwrap_or_default();
        if self.first_number.is_none() {
            self.first_number = Some(number.saturating_sub(self.line.plies / 2));
            if number != 1 && self.line.plies == 0 && !self.begins_anywhere {
                let what = format!("expected move 1 or a FEN, found move {number}");
                self.note(self.place, RecordFault::Invalid(what));
            }
        }
        if self.number.is_some_and(|(_, known)| known != text) {
            self.end_number();
        }
        self.number = Some((self.place, text));
    }

    /// Notes a number after which no move has been read.
    fn end_number(&mut self) {
        if let Some((place, number)) = self.number.take() {
            self.note(place, RecordFault::Invalid(format!("no move follows the number {number}")));
        }
    }

    /// A result in words, which ends with the line or before a bracket or comment.
    fn result_in_words(&self) -> Option<&'a str> {
        let line = self.rest().split(['\n', '{', ';', '(', ')']).next()?.trim_end_matches(is_space);
        results::is_in_words(line).then_some(line)
    }

    /// Takes a result: of the game or, as a comment, of a variation.
    fn result(&mut self, length: usize) -> Read<Option<PdnEvent<'a>>> {
        let result = self.take(length);
        // The game of a tag on this line goes on.
        let is_on_tag_line = self.tag.is_some_and(|(_, end)| self.place < end);
        if !self.has_begun() && is_on_tag_line && !self.rest().trim().is_empty() {
            return Err((self.place, RecordFault::expected("a move", result)));
        }
        self.end_number();
        self.line.is_over = true;
        Ok(match self.outer.is_empty() {
            true => Some(PdnEvent::Result(result)),
            false => (result != pdn::UNKNOWN).then_some(PdnEvent::Comment(result)),
        })
    }

    fn end(&mut self) -> Read<()> {
        self.end_number();
        match self.outer.is_empty() {
            true => Ok(()),
            false => Err((self.line.begin, RecordFault::NotClosed("a variation"))),
        }
    }
}

/// Whether a line begins with a tag that determines what the moves mean.
fn defines_moves(line: &str) -> bool {
    let name = line.trim_start_matches(|c| c == '[' || is_space(c));
    let names = ["FEN", "GameType"];
    names
        .iter()
        .any(|known| name.get(..known.len()).is_some_and(|name| name.eq_ignore_ascii_case(known)))
}

/// Whether a character stands before or behind the value of a tag: a quote, or one that word processors
/// write for it.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}')
}

/// The value that ends with a quote on the first line, and its length with this quote.
fn quoted(line: &str, closes: impl Fn(char) -> bool) -> Option<(Cow<'_, str>, usize)> {
    let (mut value, mut copied) = (String::new(), 0);
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        if closes(c) {
            let last = line.get(copied..at)?;
            let value = if copied == 0 { last.into() } else { (value + last).into() };
            return Some((value, at + c.len_utf8()));
        }
        if c == '\n' {
            break;
        }
        let is_escape = c == '\\' && matches!(line.as_bytes().get(at + 1), Some(b'"' | b'\\'));
        if is_escape {
            value += line.get(copied..at)?;
            copied = at + 1;
            chars.next();
        }
    }
    None
}

/// Whether the text in a bracket is a remark: it begins with a word or a quote, not with a move, a number or a
/// sign.
fn is_remark(text: &str) -> bool {
    let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]);
    let is_piece = |text: &[u8]| matches!(text, [b'A'..=b'Z', rest @ ..] if is_square(rest));
    let begins = |c: char| c.is_alphabetic() || is_quote(c) || matches!(c, '\'' | '\u{2018}');
    text.starts_with(begins) && !is_square(text.as_bytes()) && !is_piece(text.as_bytes())
}

/// Whether a word is a chess move that no supported game has, such as `e4` or `Nf3`.
fn is_of_chess(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']).split('=').next().unwrap_or_default();
    let body = word.strip_prefix(['K', 'Q', 'R', 'B', 'N']).unwrap_or(word);
    let is_square = matches!(body.as_bytes(), [.., b'a'..=b'h', b'1'..=b'8']);
    let is_of_move = |byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x');
    word.starts_with("O-O") || is_square && body.len() <= 4 && body.bytes().all(is_of_move)
}

/// Whether a word is a move or a pass.
pub(in super::super) fn is_move(word: &str) -> bool {
    let is_pass = PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(word));
    let mv = pdn::read_move(word).filter(|(mv, _)| !results::is_points(mv));
    is_pass || mv.is_some_and(|(_, length)| length == word.len())
}
