//! Reading lines with a bounded length.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// The maximum length of a line of input in bytes, enough for a game of many thousand moves.
pub const LONGEST_LINE: usize = 1 << 20;

/// A line longer than the limit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line longer than {longest} bytes ignored")]
pub struct TooLong {
    /// The limit, in bytes.
    pub longest: usize,
    pub first_word: String,
}

impl TooLong {
    /// The error for a line, which exceeds `longest` bytes.
    pub fn new(line: &[u8], longest: usize) -> Self {
        Self { longest, first_word: first_word(line) }
    }
}

/// With it some programs begin a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the next line, without its line end and without a byte order mark before it; [`TooLong`] if
/// it exceeds `longest` bytes, in which case the whole line is skipped. `None` at the end of the
/// input.
pub fn next_line(
    input: &mut impl BufRead,
    longest: usize,
) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut line = bounded_line(input, longest)?;
    match &mut line {
        Some(Ok(line)) if line.starts_with(BYTE_ORDER_MARK) => {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Some(Err(_)) => {
            input.skip_until(b'\n')?;
        }
        _ => {}
    }
    Ok(line)
}

/// Like [`next_line`], but leaves the rest of a too long line unread: it may never end.
pub fn bounded_line(
    input: &mut impl BufRead,
    longest: usize,
) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut line = Vec::new();
    if input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") {
        line.pop();
    } else if line.len() > longest {
        return Ok(Some(Err(TooLong::new(&line, longest))));
    }
    Ok(Some(Ok(line)))
}

fn first_word(line: &[u8]) -> String {
    const LONGEST: usize = 40;
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let word = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    String::from_utf8_lossy(word.get(..LONGEST).unwrap_or(word)).into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The lines of a text with a limit of three bytes; `-` and the first word for longer ones.
    fn read(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        let next = || next_line(&mut input, 3).unwrap();
        let lines = std::iter::from_fn(next);
        lines
            .map(|line| match line {
                Ok(line) => String::from_utf8(line).unwrap(),
                Err(too_long) => format!("-{}", too_long.first_word),
            })
            .collect()
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let mut input = "\u{feff}uci\n".as_bytes();
        assert_eq!(next_line(&mut input, 9).unwrap(), Some(Ok(b"uci".to_vec())));
    }

    #[test]
    fn too_long_lines_are_skipped() {
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("\n\nab"), ["", "", "ab"]);
        assert_eq!(read("abc\nabcd\nabc\r\nab\r\nabc"), ["abc", "-abcd", "-abc", "ab\r", "abc"]);
        assert_eq!(read(" abcd"), ["-abc"]);
        assert_eq!(read("abcdefgh\n\nx\n"), ["-abcd", "", "x"]);
    }
}
