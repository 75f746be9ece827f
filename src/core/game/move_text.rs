//! The text of moves as people and other programs write it, before any rules are applied.

use std::borrow::Cow;

/// Whether a character separates words: white space, with the no-break spaces, or a space of no width.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// The words of a line, between blanks: see [`is_blank`].
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_blank).filter(|word| !word.is_empty())
}

/// The signs between squares, each with what web pages and word processors write for it.
const SIGNS: [(char, &str); 3] =
    [('-', "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}"), ('x', "X\u{d7}"), (':', "")];

fn sign(c: char) -> Option<char> {
    let is_written = |&&(sign, others): &&(char, &str)| c == sign || others.contains(c);
    SIGNS.iter().find(is_written).map(|&(sign, _)| sign)
}

/// Whether a character after a move only annotates it: `12-16!`, or `d1b3+` as XBoard writes it.
fn is_annotation(c: char) -> bool {
    matches!(c, '!' | '?' | '+' | '#' | '*')
}

fn begins_with_sign(word: &str) -> bool {
    word.starts_with(|c| sign(c).is_some())
}

fn ends_with_sign(word: &str) -> bool {
    word.ends_with(|c| sign(c).is_some())
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && is_short_number(digits)
}

fn is_short_number(word: &str) -> bool {
    (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is a single square: its number, or its file and rank.
fn is_square(word: &str) -> bool {
    let is_name = matches!(word.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    is_name || is_short_number(word)
}

/// A move without the number before it, the annotations behind it and the blanks in it, and with the
/// signs `-`, `x` and `:` between the squares.
pub fn plain_move(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':')) {
        return text.into();
    }
    let text =
        text.trim_end_matches(|c| is_blank(c) || is_annotation(c)).trim_start_matches(is_blank);
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let (number, rest) = text.split_at_checked(digits).unwrap_or(("", text));
    let unnumbered = rest.trim_start_matches('.');
    let text =
        if is_short_number(number) && unnumbered.len() < rest.len() { unnumbered } else { text };
    let mut plain = String::new();
    for word in words(text) {
        if !plain.is_empty() && !ends_with_sign(&plain) && !begins_with_sign(word) {
            plain.push('-');
        }
        plain.extend(word.chars().map(|c| sign(c).unwrap_or(c)));
    }
    plain.into()
}

/// The moves of a line, each as it is written. Blanks may stand between the squares of a move:
/// `11 - 15` and `11 15` are one.
pub fn split_moves(line: &str) -> Vec<&str> {
    let mut moves: Vec<&str> = Vec::new();
    // Whether the last move is so far a single square.
    let mut is_half = false;
    for word in words(line) {
        let is_continued = |last: &&mut &str| {
            is_number(last)
                || ends_with_sign(last)
                || begins_with_sign(word)
                || word.chars().all(is_annotation)
                || is_half && is_square(word)
        };
        match moves.last_mut().filter(is_continued) {
            Some(last) => {
                is_half = is_number(last) && is_square(word);
                let end = offset(line, word) + word.len();
                *last = line.get(offset(line, last)..end).unwrap_or(word);
            }
            None => {
                is_half = is_square(word);
                moves.push(word);
            }
        }
    }
    moves
}

fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_parted_and_freed_of_what_is_around_them() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("11-15 22-18", &["11-15", "22-18"]),
            ("11 15 22 18", &["11-15", "22-18"]),
            ("1. 11 15 22 18 2. 15 22 25 18", &["11-15", "22-18", "15-22", "25-18"]),
            ("1.11-15 1...22-18", &["11-15", "22-18"]),
            ("11 - 15 22 -18 15x 22 25 x18", &["11-15", "22-18", "15x22", "25x18"]),
            ("12-16! 24-20 ?? 8–12?! 22×15", &["12-16", "24-20", "8-12", "22x15"]),
            ("12\u{2011}16\u{a0}24\u{2212}20\u{200b}8\u{2014}12", &["12-16", "24-20", "8-12"]),
            ("d1 b3 h4 f2", &["d1-b3", "h4-f2"]),
            ("D1-B3 d1b3# c1:a3", &["D1-B3", "d1b3", "c1:a3"]),
            ("7x14x23 11", &["7x14x23", "11"]),
            ("pass 0000", &["pass", "0000"]),
            ("12 hello", &["12", "hello"]),
        ];
        for (line, expected) in table {
            let moves: Vec<_> = split_moves(line).into_iter().map(plain_move).collect();
            assert_eq!(moves, *expected, "{line}");
        }
    }
}
