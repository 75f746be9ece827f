//! The parts of a game in PDN, PGN or a list of moves, one after the other.
//!
//! What is read beyond the standards is listed in `habits.md`.

use std::borrow::Cow;

use super::super::super::error::RecordFault;
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

/// What follows: a part of the game, or nothing that is one.
type Read<'a> = Result<Option<PdnEvent<'a>>, PlacedFault>;

/// A line of play: the game or a variation.
#[derive(Clone, Copy, Default)]
struct OpenLine {
    /// Where the bracket of a variation is.
    opened: usize,
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
    /// Where the last part begins, and the next one.
    pub(super) place: usize,
    at: usize,
    /// The first error after which the game is read further.
    pub(super) fault: Option<PlacedFault>,
    line: OpenLine,
    /// The lines that it leaves.
    outer: Vec<OpenLine>,
    /// The name of the last tag, and the end of its line.
    tag: Option<(&'a str, usize)>,
    /// The number of the first move, and whether it may be any one.
    pub(super) first_number: Option<usize>,
    begins_anywhere: bool,
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
    pub(super) fn next(&mut self) -> Read<'a> {
        loop {
            self.place = self.after_blanks(self.at);
            self.at = self.place;
            let read = match self.rest().bytes().next() {
                Some(b'{') => self.comment(),
                Some(b';') => Ok(Some(PdnEvent::Comment(self.line_after(1)))),
                None if !self.outer.is_empty() => {
                    Err((self.line.opened, RecordFault::not_closed("a variation")))
                }
                None => return Ok(None),
                Some(_) if self.line.is_over && self.outer.is_empty() => {
                    let expected = "a comment or the next game after the result";
                    self.note(self.at, RecordFault::expected(expected, self.rest().trim()));
                    return Ok(None);
                }
                Some(b'%' | b'#') if self.begins_line() => {
                    self.line_after(0);
                    continue;
                }
                Some(first) => self.part(first),
            };
            match read {
                Ok(None) => {}
                Err(fault) => self.skip_line(fault)?,
                event => return event,
            }
        }
    }

    fn part(&mut self, first: u8) -> Read<'a> {
        match first {
            b'[' => self.tag(),
            b'(' => self.bracket(),
            b')' => match self.outer.pop() {
                Some(line) => {
                    self.line = line;
                    self.take(1, PdnEvent::Close)
                }
                None => self.refuse(RecordFault::invalid("')' closes no variation")),
            },
            b'!' | b'?' => self.suffix(0),
            b'$' => self.glyph(),
            b'*' if self.at == self.move_end && self.line.has_move => {
                self.take(1, PdnEvent::Glyph(ONLY_MOVE))
            }
            b'*' => self.result(1),
            b'a'..=b'z' | b'A'..=b'Z' => self.move_or_result(),
            b'0'..=b'9' | b'.' => {
                let rest = self.rest();
                let (digits, stops) = number(rest);
                if stops == 0 || digits > LONGEST_NUMBER {
                    return self.move_or_result();
                }
                self.at += digits + stops;
                // Full stops alone are no number, as in `1. 11-15 ... 23-19`.
                let number = rest.get(..digits).and_then(|digits| digits.parse().ok());
                number.into_iter().for_each(|number| self.begin_number(number));
                Ok(None)
            }
            _ => match pdn::read_sign(self.rest()) {
                Some((glyph, length)) => self.take(length, PdnEvent::Glyph(glyph)),
                // XBoard appends a sign to each move of variants whose rules it does not know.
                None if self.at == self.move_end && matches!(first, b'#' | b'+') => {
                    self.at += 1;
                    self.move_end = self.at;
                    Ok(None)
                }
                None => self.move_or_result(),
            },
        }
    }

    /// Skips the rest of a line between the tags and the moves that cannot be read: a tag that does not determine
    /// what the moves mean, what is behind a tag, or one word. Any other error ends the game.
    fn skip_line(&mut self, (place, fault): PlacedFault) -> Result<(), PlacedFault> {
        self.at = self.place;
        let begins_line = self.begins_line();
        let line = self.line_after(0);
        let is_word = begins_line && !line.trim().contains(is_space);
        let is_tag = line.starts_with('[');
        let defines_moves = |name: &str| {
            let begins = |known: &&str| {
                name.get(..known.len()).is_some_and(|n| n.eq_ignore_ascii_case(known))
            };
            ["FEN", "GameType"].iter().any(begins)
        };
        let (place, fault) = match self.tag {
            _ if self.has_begun() || self.first_number.is_some() => return Err((place, fault)),
            _ if is_tag && !defines_moves(line.trim_start_matches(['[', ' '])) => (place, fault),
            Some((name, end)) if self.place < end && !is_tag => {
                let expected = format!("the end of the line after the tag {name}");
                (self.place, RecordFault::expected(&expected, line.trim()))
            }
            Some(_) if is_word && !is_tag => (place, fault),
            _ => return Err((place, fault)),
        };
        self.note(place, fault);
        Ok(())
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Consumes a part of this length.
    fn take(&mut self, length: usize, event: PdnEvent<'a>) -> Read<'a> {
        self.at += length;
        Ok(Some(event))
    }

    /// The error of the part that begins here.
    fn refuse(&self, fault: RecordFault) -> Read<'a> {
        Err((self.place, fault))
    }

    fn after_blanks(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        self.text.len() - rest.trim_start_matches(is_space).len()
    }

    /// Consumes the rest of the line, which it returns without its first bytes.
    fn line_after(&mut self, length: usize) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line.get(length..).unwrap_or_default()
    }

    fn begins_line(&self) -> bool {
        self.text.get(..self.at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    fn has_begun(&self) -> bool {
        self.line.has_move || !self.outer.is_empty()
    }

    /// A comment in braces. Another opening brace in it shows that its own closing one is missing.
    fn comment(&mut self) -> Read<'a> {
        let rest = self.rest().get(1..).unwrap_or_default();
        match rest.find(['{', '}']) {
            Some(end) if rest.as_bytes().get(end) == Some(&b'}') => {
                self.take(end + 2, PdnEvent::Comment(rest.get(..end).unwrap_or_default()))
            }
            _ => self.refuse(RecordFault::not_closed("a comment")),
        }
    }

    /// A tag, `[Name "value"]`.
    fn tag(&mut self) -> Read<'a> {
        if self.has_begun() {
            return self.refuse(RecordFault::expected("a move", "["));
        }
        let text = self.text;
        let from = |at: usize| text.get(at..).unwrap_or_default();
        let wrong = |at: usize, expected: &'static str| {
            let found = from(at).chars().next();
            let fault = |found: char| RecordFault::expected(expected, &found.to_string());
            Err((at, found.map_or(RecordFault::not_closed("a tag"), fault)))
        };
        let begin = self.after_blanks(self.at + 1);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = from(begin).split(|c| !is_of_name(c)).next().unwrap_or_default();
        let opened = self.after_blanks(begin + name.len());
        let opening = from(opened).chars().next().filter(|&c| is_quote(c));
        let opening = match opening {
            _ if name.is_empty() => return wrong(begin, "the name of a tag"),
            None => return wrong(opened, "'\"'"),
            Some(opening) => opening,
        };
        // Only after a typographic quote may another quote than the usual one close the value.
        let closes = |c: char| c == '"' || opening != '"' && is_quote(c);
        let value = quoted(from(opened + opening.len_utf8()), closes);
        let Some((value, length)) = value else {
            return Err((opened, RecordFault::not_closed("the value of a tag")));
        };
        let value_end = opened + opening.len_utf8() + length;
        let line_end = match self.tag {
            Some((_, end)) if value_end <= end => end,
            _ => from(value_end).find('\n').map_or(text.len(), |end| value_end + end),
        };
        let mut closed = self.after_blanks(value_end);
        if from(closed).starts_with(']') {
            closed += 1;
        } else if closed < line_end {
            return wrong(closed, "']'");
        } else {
            self.note(value_end, RecordFault::not_closed(&format!("the tag {name}")));
            closed = value_end;
        }
        let end = self.tag.map_or(line_end, |(_, end)| end.max(line_end));
        self.tag = Some((name, end));
        self.begins_anywhere |= name.eq_ignore_ascii_case("FEN");
        self.take(closed - self.at, PdnEvent::Tag(name, value, opened))
    }

    /// What begins with a round bracket: a suffix, a remark or a variation.
    fn bracket(&mut self) -> Read<'a> {
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
            return match end.and_then(|end| Some((end, inner.get(..end)?))) {
                Some((end, remark)) => self.take(end + 2, PdnEvent::Comment(remark)),
                None => self.refuse(RecordFault::not_closed("a remark in brackets")),
            };
        }
        if !self.line.has_move {
            return self.refuse(RecordFault::invalid("a variation before the first move"));
        }
        if self.outer.len() >= MAX_DEPTH {
            return self.refuse(RecordFault::too_much("1000 nested variations"));
        }
        let (opened, plies) = (self.at, self.line.plies - 1);
        self.outer.push(self.line);
        self.line = OpenLine { opened, plies, ..OpenLine::default() };
        self.take(1, PdnEvent::Open)
    }

    /// A move suffix of `!` and `?`, which may be in brackets.
    fn suffix(&mut self, brackets: usize) -> Read<'a> {
        let rest = self.rest().get(brackets..).unwrap_or_default();
        let after = rest.trim_start_matches(['!', '?']);
        if brackets > 0 && !after.starts_with(')') {
            return self.refuse(RecordFault::not_closed("'('"));
        }
        let signs = rest.get(..rest.len() - after.len()).unwrap_or_default();
        let Some(glyph) = pdn::glyph(signs) else { return self.unreadable() };
        let length = signs.len() + 2 * brackets;
        if self.at == self.move_end {
            self.move_end += length;
        }
        self.take(length, PdnEvent::Glyph(glyph))
    }

    /// A glyph, `$n`.
    fn glyph(&mut self) -> Read<'a> {
        let rest = self.rest().get(1..).unwrap_or_default();
        let (digits, _) = number(rest);
        match rest.get(..digits).and_then(|digits| digits.parse().ok()) {
            Some(glyph) => self.take(1 + digits, PdnEvent::Glyph(glyph)),
            None => self.unreadable(),
        }
    }

    /// The error that a word or a sign is no move.
    fn unreadable(&self) -> Read<'a> {
        let word = self.word();
        let sign = self.rest().chars().next().filter(|&c| !c.is_alphanumeric() && c != '$');
        let word = sign.map_or(word.to_string(), String::from);
        let fault = RecordFault::expected("a move", &word);
        // Without any move, this may be another game.
        let is_foreign = !self.has_begun();
        self.refuse(if is_foreign { RecordFault::Foreign(fault.to_string()) } else { fault })
    }

    /// The text up to the next blank, bracket or comment.
    fn word(&self) -> &'a str {
        word(self.rest())
    }

    /// A move, a result, or a number without a full stop.
    fn move_or_result(&mut self) -> Read<'a> {
        let rest = self.rest();
        if results::may_be_points(rest.as_bytes()) {
            let beginning = rest.char_indices().nth(results::LONGEST_POINTS + 1);
            let word =
                word(rest.get(..beginning.map_or(rest.len(), |(end, _)| end)).unwrap_or(rest));
            if results::is_points(&word.chars().map(pdn::plain_sign).collect::<String>()) {
                return self.result(word.len());
            }
        }
        if let Some((mv, length)) = pdn::read_move(rest) {
            return self.add_move(mv, length);
        }
        let word = self.word();
        if PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(word)) {
            return self.add_move("0000".into(), word.len());
        }
        if word.len() <= LONGEST_NUMBER && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.number_without_stop(word);
        }
        // A result in words ends with the line or before a bracket or comment.
        let line = rest.split(['\n', '{', ';', '(', ')']).next().unwrap_or_default();
        let line = line.trim_end_matches(is_space);
        if results::is_in_words(line) { self.result(line.len()) } else { self.unreadable() }
    }

    /// Digits alone: the number of the move that follows, or the first square of a move without a sign.
    fn number_without_stop(&mut self, word: &'a str) -> Read<'a> {
        let next = self.after_blanks(self.at + word.len());
        let rest = self.text.get(next..).unwrap_or_default();
        let value: usize = word.parse().unwrap_or_default();
        if pdn::read_move(rest).is_some() {
            let OpenLine { plies, .. } = self.line;
            let usual = if self.begins_anywhere && plies == 0 { value } else { 1 };
            let first = self.first_number.unwrap_or(usual);
            if !follows(value, first, plies) {
                return self.unreadable();
            }
            self.at = next;
            self.begin_number(value);
            return Ok(None);
        }
        let (digits, stops) = number(rest);
        let to = rest.get(..digits).unwrap_or_default();
        let distance = value.abs_diff(to.parse().unwrap_or_default());
        let sign = if (3..=5).contains(&distance) { '-' } else { 'x' };
        match pdn::turn(&format!("{word}{sign}{to}")) {
            Some(turn) if stops == 0 => self.add_move(turn.text.into(), next + digits - self.at),
            _ => self.unreadable(),
        }
    }

    fn add_move(&mut self, mv: Cow<'a, str>, length: usize) -> Read<'a> {
        if self.line.is_over {
            return self.refuse(RecordFault::not_closed("a variation before the end of the game"));
        }
        self.move_end = self.at + length;
        self.line.has_move = true;
        self.line.plies += 1;
        self.take(length, PdnEvent::Move(mv))
    }

    /// Takes the number of a move.
    fn begin_number(&mut self, number: usize) {
        if self.first_number.is_none()
            && number != 1
            && self.line.plies == 0
            && !self.begins_anywhere
        {
            let what = format!("expected move 1 or a FEN, found move {number}");
            self.note(self.place, RecordFault::invalid(what));
        }
        let plies = self.line.plies;
        let usual = if self.begins_anywhere || plies == 0 { number } else { 1 + plies / 2 };
        let first = *self.first_number.get_or_insert(usual.saturating_sub(plies / 2));
        if !follows(number, first, plies) {
            let what = format!("expected move {}, found move {number}", first + plies / 2);
            self.note(self.place, RecordFault::invalid(what));
        }
    }

    /// A result: of the game or, as a comment, of a variation.
    fn result(&mut self, length: usize) -> Read<'a> {
        let (result, rest) = self.rest().split_at_checked(length).unwrap_or_default();
        // The game of a tag on this line goes on.
        let is_on_tag_line = self.tag.is_some_and(|(_, end)| self.place < end);
        if !self.has_begun() && is_on_tag_line && !rest.trim().is_empty() {
            return self.refuse(RecordFault::expected("a move", result));
        }
        self.at += length;
        self.line.is_over = true;
        Ok(match self.outer.is_empty() {
            true => Some(PdnEvent::Result(result)),
            false => (result != pdn::UNKNOWN).then_some(PdnEvent::Comment(result)),
        })
    }
}

/// Whether the number of a move follows from the first one of the game and the plies since then. Games in which
/// White begins may number White's move or Black's.
fn follows(number: usize, first: usize, plies: usize) -> bool {
    number == first + plies / 2 || number == first + plies.div_ceil(2)
}

fn word(text: &str) -> &str {
    let ends = |c| is_space(c) || matches!(c, '{' | '(' | ')' | ';');
    text.split(ends).next().unwrap_or_default()
}

/// The number of digits that begin a text, and of full stops behind them.
fn number(text: &str) -> (usize, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits, text.bytes().skip(digits).take_while(|byte| *byte == b'.').count())
}

/// Whether a character stands before or behind the value of a tag: a quote, or one that word processors
/// write for it.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}')
}

/// The value that ends with a quote on the first line, and its length with this quote.
fn quoted(text: &str, closes: impl Fn(char) -> bool) -> Option<(Cow<'_, str>, usize)> {
    let mut has_escapes = false;
    let mut chars = text.char_indices();
    let (end, quote) = loop {
        match chars.next()? {
            (_, '\n') => return None,
            (at, '\\') if matches!(text.as_bytes().get(at + 1), Some(b'"' | b'\\')) => {
                has_escapes = true;
                chars.next();
            }
            (at, c) if closes(c) => break (at, c),
            _ => {}
        }
    };
    let value = text.get(..end)?;
    // A backslash of a pair stays, in place of which no other sign is in the value.
    let unescaped = || value.replace("\\\\", "\n").replace("\\\"", "\"").replace('\n', "\\");
    let value = if has_escapes { unescaped().into() } else { value.into() };
    Some((value, end + quote.len_utf8()))
}

/// Whether the text in a bracket is a remark: it begins with a word or a quote, not with a move, a number or a
/// sign.
fn is_remark(text: &str) -> bool {
    let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]);
    let is_piece = |text: &[u8]| matches!(text, [b'A'..=b'Z', rest @ ..] if is_square(rest));
    let begins = |c: char| c.is_alphabetic() || is_quote(c) || matches!(c, '\'' | '\u{2018}');
    text.starts_with(begins) && !is_square(text.as_bytes()) && !is_piece(text.as_bytes())
}

/// Whether a word is a move or a pass.
pub(in super::super) fn is_move(word: &str) -> bool {
    let is_pass = PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(word));
    is_pass || pdn::read_move(word).is_some_and(|(_, length)| length == word.len())
}
