//! What a token of PDN is, and the characters between and in tokens.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError};
use super::super::super::tree::Turn;
use super::super::bytes::{ByteReader, is_space};

/// A tag, a word, a sign or a comment.
pub(super) enum Token {
    Tag {
        name: String,
        value: String,
        /// The location of the value.
        at: LineColumn,
    },
    Comment(String),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A numeric annotation glyph (NAG), as `$n` or as a suffix of a move.
    Glyph(u8),
    /// A move number with its full stops, or full stops alone.
    Number(String),
    /// Digits alone: a move number, or a square of a move without a sign.
    Digits(String),
    Move {
        turn: Turn,
        /// Whether a star directly after the move marks it as the only one.
        is_only: bool,
    },
    Result(String),
}

/// Skips blanks and line ends.
pub(super) fn skip_blanks<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    while source.peek_char()?.is_some_and(is_space) {
        source.next_char()?;
    }
    Ok(())
}

/// Whether a character can be a part of a move or a result.
pub(super) fn is_of_word(c: char) -> bool {
    let c = ascii_sign(c);
    c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '/' | '\u{bd}')
}

/// The sign of a move for one that web pages and word processors write instead.
pub(super) fn ascii_sign(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{d7}' => 'x',
        c => c,
    }
}
