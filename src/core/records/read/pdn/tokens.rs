//! The tokens of PDN, PGN and move lists.

use std::io::BufRead;

use super::super::super::error::{RecordError, RecordFault, shorten};
use super::super::super::{pdn, results};
use super::super::bytes::{ByteReader, is_space};
use super::super::pgn;
use super::boundaries::{LONGEST_WORD, read_comment};
use super::token::{Token, ascii_sign, is_of_word, skip_blanks};
use super::{remarks, signs, tags};

/// The maximum number of digits of a move number.
const LONGEST_NUMBER: usize = 3;

/// The rest of the line.
pub(super) fn rest_of_line<R: BufRead>(source: &mut ByteReader<R>) -> Result<String, RecordError> {
    let mut text = String::new();
    while source.peek()?.is_some_and(|byte| byte != b'\n') {
        text.extend(source.next_char()?);
    }
    Ok(text)
}

/// Reads the next token. There must be one.
pub(super) fn next<R: BufRead>(source: &mut ByteReader<R>) -> Result<Token, RecordError> {
    let location = source.location();
    let token = match source.peek()? {
        Some(b'[') => return tags::tag(source),
        Some(b'{') => return braces(source).map(Token::Comment),
        Some(b'!' | b'?') => return signs::suffix(source),
        Some(b'$') => return signs::glyph(source),
        Some(b';') => {
            source.next()?;
            return rest_of_line(source).map(Token::Comment);
        }
        Some(b'(') if matches!(source.peek_at(1)?, Some(b'!' | b'?')) => {
            source.next()?;
            let token = signs::suffix(source)?;
            if source.peek()? != Some(b')') {
                return Err(RecordFault::NotClosed("'('").at(location));
            }
            token
        }
        Some(b'(') => match remarks::in_brackets(source)? {
            Some(text) => return Ok(Token::Comment(text)),
            None => Token::Open,
        },
        Some(b')') => Token::Close,
        Some(b'*') => Token::Result(pdn::UNKNOWN.to_string()),
        _ => {
            if let Some(token) = signs::next(source)? {
                return Ok(token);
            }
            return match result_in_words(source)? {
                Some(text) => Ok(Token::Result(text)),
                None => word(source),
            };
        }
    };
    source.next()?;
    Ok(token)
}

/// Reads a result in words, if one follows before the end of the line, a comment or another result.
pub(super) fn result_in_words<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    const MOST_WORDS: usize = 2;
    if !source.peek_char()?.is_some_and(|c| c.is_ascii_alphabetic()) {
        return Ok(None);
    }
    let ends = |c| matches!(c, '\n' | '{' | ';' | '(' | ')');
    let line = source.peek_while(0, LONGEST_WORD, |c| !ends(c));
    let words: Vec<&str> = line.split(is_space).filter(|word| !word.is_empty()).collect();
    for count in 1..=MOST_WORDS.min(words.len()) {
        let (text, rest) = words.split_at_checked(count).unwrap_or_default();
        let text = text.join(" ");
        if results::is_in_words(&text) && rest.first().is_none_or(|word| results::is_points(word)) {
            for _ in 0..count {
                skip_blanks(source)?;
                let word = source.peek_while(0, LONGEST_WORD, |c| !is_space(c) && !ends(c));
                source.consume(word.chars().count())?;
            }
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Reads a comment on the current line, if one follows.
pub(super) fn comment_on_line<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    while source.peek_char()?.is_some_and(|c| is_space(c) && c != '\n') {
        source.next_char()?;
    }
    match source.peek()? {
        Some(b'{') => braces(source).map(Some),
        Some(b';') => {
            source.next()?;
            rest_of_line(source).map(Some)
        }
        _ => Ok(None),
    }
}

/// Reads a comment in braces.
fn braces<R: BufRead>(source: &mut ByteReader<R>) -> Result<String, RecordError> {
    let location = source.location();
    source.next()?;
    let mut text = String::new();
    let is_closed = read_comment(source, |source| {
        let next = source.next_char()?;
        text.extend(next);
        Ok(next)
    })?;
    if !is_closed {
        return Err(RecordFault::NotClosed("a comment").at(location));
    }
    text.pop();
    Ok(text)
}

/// Reads a move, a move number or a result.
fn word<R: BufRead>(source: &mut ByteReader<R>) -> Result<Token, RecordError> {
    let location = source.location();
    let digits = source.peek_while(0, LONGEST_WORD, |c| c.is_ascii_digit());
    // A move may follow its number without a blank.
    if source.peek_at(digits.len())? == Some(b'.') && digits.len() <= LONGEST_NUMBER {
        source.take_while(|byte| byte.is_ascii_digit())?;
        source.take_while(|byte| byte == b'.')?;
        return Ok(Token::Number(digits));
    }
    let found = source.peek_while(0, LONGEST_WORD, is_of_word);
    let mut word: String = found.chars().map(ascii_sign).collect();
    if source.char_at(found.len())?.is_some_and(|(c, _)| c == '+') {
        // The evaluation `-+` or `-/+` behind the move.
        word.truncate(word.trim_end_matches(['-', '/']).len());
    }
    word.truncate(remark(&word).unwrap_or(word.len()));
    source.consume(word.chars().count())?;
    if word.is_empty() {
        let found = source.next_char()?.unwrap_or(' ');
        return Err(RecordFault::Unexpected { found, expected: "a move" }.at(location));
    }
    rest_of_move(source, &mut word)?;
    if word.len() <= LONGEST_NUMBER && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Token::Digits(word));
    }
    if results::is_points(&word) {
        return Ok(Token::Result(word));
    }
    match pgn::turn(&word) {
        Some(turn) => {
            // XBoard appends a sign to each move of variants whose rules it does not know.
            while matches!(source.peek()?, Some(b'#' | b'+')) && !signs::follows(source, 0) {
                source.next()?;
            }
            let is_only = source.peek()? == Some(b'*');
            if is_only {
                source.next()?;
            }
            Ok(Token::Move { turn, is_only })
        }
        None if pgn::is_of_chess(&word) => Err(RecordFault::Chess { word }.at(location)),
        None => Err(RecordFault::Move(shorten(&word)).at(location)),
    }
}

/// The length of the longest move or result that a word begins with, if the rest is a remark glued to
/// it, as in `8-11Red`.
fn remark(word: &str) -> Option<usize> {
    let is_whole = |word: &str| results::is_points(word) || pgn::turn(word).is_some();
    if is_whole(word) {
        return None;
    }
    let begins_remark = |rest: &str| match rest.strip_prefix(['x', 'X']) {
        // The next jump of a capture, cut off.
        Some(rest) => rest.starts_with(|c: char| c.is_ascii_alphabetic()),
        None => rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/')),
    };
    (1..word.len()).rev().find(|&length| {
        word.split_at_checked(length)
            .is_some_and(|(word, rest)| begins_remark(rest) && is_whole(word))
    })
}

/// Reads the rest of a move with blanks around its signs: `11 - 15`.
fn rest_of_move<R: BufRead>(
    source: &mut ByteReader<R>,
    word: &mut String,
) -> Result<(), RecordError> {
    let is_sign = |c: char| matches!(ascii_sign(c), '-' | 'x' | 'X' | ':');
    // A longer word cannot be a move.
    while word.len() <= LONGEST_WORD {
        let (blanks, distance) = blanks_ahead(source)?;
        let more = source.peek_while(distance, LONGEST_WORD, is_of_word);
        let mut signs = more.chars();
        let goes_on = word.ends_with(is_sign)
            || signs.next().is_some_and(is_sign)
                && signs.next().is_none_or(|c| matches!(c, '0'..='9' | 'a'..='h' | 'A'..='H'));
        if blanks == 0 || more.is_empty() || !goes_on || signs::follows(source, distance) {
            break;
        }
        source.consume(blanks + more.chars().count())?;
        word.extend(more.chars().map(ascii_sign));
    }
    Ok(())
}

/// The number of blanks that follow, at most 64, and their length in bytes.
fn blanks_ahead<R: BufRead>(source: &mut ByteReader<R>) -> Result<(usize, usize), RecordError> {
    let (mut blanks, mut distance) = (0, 0);
    while blanks < 64
        && let Some((_, length)) = source.char_at(distance)?.filter(|&(c, _)| is_space(c))
    {
        (blanks, distance) = (blanks + 1, distance + length);
    }
    Ok((blanks, distance))
}
