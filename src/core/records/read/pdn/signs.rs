//! Signs behind a move: glyphs, suffixes and evaluations.

use std::io::BufRead;

use super::super::super::error::{RecordError, RecordFault, shorten};
use super::super::super::pdn;
use super::super::bytes::{ByteReader, is_space};
use super::token::{Token, ascii_sign};

/// The maximum number of symbols in a row.
const LONGEST: usize = 64;

/// Reads a glyph, `$n`. Without the number of a glyph it is a comment.
pub(super) fn glyph<R: BufRead>(source: &mut ByteReader<R>) -> Result<Token, RecordError> {
    source.next()?;
    let digits = source.take_while(|byte| byte.is_ascii_digit())?;
    let comment = |_| Token::Comment(format!("${digits}"));
    Ok(digits.parse().map_or_else(comment, Token::Glyph))
}

/// Reads a move suffix of `!` and `?`.
pub(super) fn suffix<R: BufRead>(source: &mut ByteReader<R>) -> Result<Token, RecordError> {
    let location = source.location();
    let signs = source.take_while(|byte| matches!(byte, b'!' | b'?'))?;
    let unknown = || RecordFault::Move(shorten(&signs)).at(location);
    pdn::glyph(&signs).map(Token::Glyph).ok_or_else(unknown)
}

/// Reads an evaluation such as `+-`, if one follows. A symbol without a known meaning is a comment.
pub(super) fn next<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<Token>, RecordError> {
    if let Some((glyph, length)) = evaluation(source, 0) {
        source.consume(length)?;
        return Ok(Some(Token::Glyph(glyph)));
    }
    let symbols = source.peek_while(0, LONGEST, is_symbol);
    source.consume(symbols.chars().count())?;
    Ok((!symbols.is_empty()).then_some(Token::Comment(symbols)))
}

/// Whether an evaluation follows at a distance.
pub(super) fn follows<R: BufRead>(source: &mut ByteReader<R>, distance: usize) -> bool {
    evaluation(source, distance).is_some()
}

/// The glyph of the evaluation at a distance, and the number of its characters.
fn evaluation<R: BufRead>(source: &mut ByteReader<R>, distance: usize) -> Option<(u8, usize)> {
    let text = source.peek_while(distance, 3, |c| !c.is_ascii_alphanumeric() && !is_space(c));
    let text: String = text.chars().map(ascii_sign).collect();
    let mut known = pdn::EVALUATIONS.iter().filter(|(sign, _)| text.starts_with(sign));
    known.next().map(|&(sign, glyph)| (glyph, sign.chars().count()))
}

/// Whether a character is an arrow or a mathematical or geometric symbol, as annotators use them.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{23ff}' | '\u{25a0}'..='\u{2bff}') && ascii_sign(c) == c
}
