//! Text for output: counts of things, and text from files, arguments and engines that is safe on a
//! terminal.
//!
//! An escape sequence, for example in a player name, could change the state of the terminal. A
//! bidirectional control character could reorder the text next to it. Both are replaced.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

/// The text on one line, with control and bidirectional characters replaced.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_unsafe)
}

/// The start of a text for a message, with dots if it has more than `longest` characters.
pub fn excerpt(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// Returns a number with the singular or plural of a noun: `1 ply`, `2 plies`.
pub fn plural<N: Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let word = if number == N::from(1) { one } else { many };
    format!("{number} {word}")
}

/// A writer that replaces control and bidirectional characters, except line ends and tabs.
pub struct Printable<W>(pub W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let is_refused = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\t');
        self.0.write_all(replaced(&text, is_refused).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn replaced(text: &str, is_refused: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_refused) {
        return Cow::Borrowed(text);
    }
    let replaced = |c| if is_refused(c) { char::REPLACEMENT_CHARACTER } else { c };
    Cow::Owned(text.chars().map(replaced).collect())
}

/// Whether a character is a control character, a line or paragraph separator, or a control of the
/// Unicode Bidirectional Algorithm.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_end_between_characters() {
        for (text, shown) in [("", ""), ("äöü", "äöü"), ("äöüß", "äöü...")] {
            assert_eq!(excerpt(text, 3), shown);
        }
    }

    #[test]
    fn control_and_bidirectional_characters_are_replaced() {
        let table = [
            ("Zoë 李 \u{301}", "Zoë 李 \u{301}"),
            ("\u{1b}[31mred\u{7}", "�[31mred�"),
            ("\u{9b}2J\u{7f}\0", "�2J��"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a�b�c�"),
            ("one\ntwo\r\n", "one�two��"),
        ];
        for (text, shown) in table {
            assert_eq!(one_line(text), shown, "{text:?}");
        }
        let mut written = Vec::new();
        write!(Printable(&mut written), "1\t\u{1b}[2J\n\0").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "1\t�[2J\n�");
    }
}
