//! A text that arrives in parts, and the places and characters in it.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};
use std::{iter, mem};

use super::super::error::LineColumn;
use super::super::values::is_blank;
use crate::files::lines::BYTE_ORDER_MARK;

/// The maximum size of a game in bytes, which limits the memory.
pub(super) const MAX_GAME_BYTES: usize = 4 << 20;

/// The part of a text that has arrived and is not consumed yet.
pub(in super::super) struct Buffer {
    bytes: Vec<u8>,
    /// The number of bytes that are consumed.
    begin: usize,
    /// The position of the rest in the text.
    location: LineColumn,
    /// Whether no part follows.
    is_whole: bool,
    /// The length of the rest from which on it is looked at again.
    wanted: usize,
    /// The number of carriage returns that have arrived last and may be line ends, and whether one is before them.
    returns: usize,
    is_behind_line: bool,
}

impl Buffer {
    pub(in super::super) fn new(line: usize) -> Self {
        let location = LineColumn { line: line as u64, column: 1 };
        let (bytes, begin, is_whole, wanted) = (Vec::new(), 0, false, 1);
        let (returns, is_behind_line) = (0, false);
        Self { bytes, begin, location, is_whole, wanted, returns, is_behind_line }
    }

    /// Adds a part. A carriage return without a line feed beside it is a line end.
    pub(in super::super) fn add(&mut self, part: &[u8]) -> io::Result<()> {
        self.bytes.drain(..self.begin);
        self.begin = 0;
        let length = part.len() + self.returns;
        self.bytes.try_reserve(length).map_err(|_| ErrorKind::OutOfMemory)?;
        for (i, line) in part.split(|&byte| byte == b'\r').enumerate() {
            self.returns += usize::from(i > 0);
            if let [first, ..] = line {
                self.add_returns(*first == b'\n');
                self.bytes.extend_from_slice(line);
                self.is_behind_line = line.ends_with(b"\n");
            }
        }
        Ok(())
    }

    /// Adds the last carriage returns, as line ends where there is no line feed beside them.
    fn add_returns(&mut self, is_before_line_end: bool) {
        let is_blank = is_before_line_end || self.is_behind_line;
        let sign = if is_blank { b'\r' } else { b'\n' };
        self.bytes.extend(iter::repeat_n(sign, mem::take(&mut self.returns)));
    }

    pub(in super::super) fn finish(&mut self) {
        self.add_returns(false);
        self.is_whole = true;
    }

    /// Adds a part of what an input has ready. An error ends the text.
    pub(in super::super) fn fill(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        const MOST: usize = 64 << 10;
        let part = loop {
            match input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.finish();
                    return Err(error);
                }
                Ok(part) => break part,
            }
        };
        let part = part.get(..MOST).unwrap_or(part);
        let length = part.len();
        if length == 0 {
            self.finish();
        }
        self.add(part)?;
        input.consume(length);
        Ok(())
    }

    pub(in super::super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub(in super::super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.begin..).unwrap_or_default()
    }

    /// The position of the rest.
    pub(in super::super) fn location(&self) -> LineColumn {
        self.location
    }

    /// Consumes this number of bytes.
    pub(in super::super) fn skip(&mut self, length: usize) {
        let passed = self.rest().get(..length).unwrap_or(self.rest());
        // The same rest is looked at no earlier.
        if !passed.is_empty() {
            let (location, length) = (self.location.after(passed), passed.len());
            (self.location, self.wanted) = (location, 1);
            self.begin += length;
        }
    }

    /// Consumes blanks, line ends and byte order marks. The marks count as no columns, whichever parts they
    /// arrive in.
    pub(in super::super) fn skip_blanks(&mut self) {
        let length = blanks(self.rest());
        let passed = self.rest().get(..length).unwrap_or_default();
        let last_line = passed.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let marks =
            last_line.iter().filter(|byte| BYTE_ORDER_MARK.first() == Some(byte)).count() as u64;
        self.skip(length);
        self.location.column -= marks;
    }

    /// Consumes blanks and the lines of comment with `#` before a game. `None` if such a line has not arrived
    /// as a whole.
    pub(in super::super) fn skip_comments(&mut self) -> Option<()> {
        self.skip_blanks();
        while self.rest().starts_with(b"#") {
            let line = self.rest().iter().position(|&byte| byte == b'\n');
            self.skip(line.or(self.is_whole.then_some(self.rest().len()))?);
            self.skip_blanks();
        }
        Some(())
    }

    /// Whether there is enough to look at: more than when it was not.
    pub(in super::super) fn is_ready(&self) -> bool {
        !self.rest().is_empty() && (self.is_whole || self.rest().len() >= self.wanted)
    }

    /// Waits for more text. A long game is looked at again when it is twice as long, so that this takes a
    /// time in proportion to its length.
    pub(in super::super) fn wait(&mut self) {
        const LONG: usize = 64 << 10;
        let length = self.rest().len();
        self.wanted = if length < LONG { length + 1 } else { 2 * length };
    }
}

/// The number of bytes of blanks, line ends and byte order marks at the beginning of a text.
pub(super) fn blanks(text: &[u8]) -> usize {
    // No game begins with these bytes, of which a no-break space and the mark consist.
    let is_space = |byte: u8| is_blank(byte) || matches!(byte, 0xc2 | 0xa0 | 0xef | 0xbb | 0xbf);
    text.iter().take_while(|byte| is_space(**byte)).count()
}

/// The places in a text, which are asked for in ascending order.
pub(super) struct Places<'a> {
    text: &'a str,
    at: usize,
    location: LineColumn,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str, location: LineColumn) -> Self {
        Self { text, at: 0, location }
    }

    /// The position of a byte of the text.
    pub(super) fn at(&mut self, place: usize) -> LineColumn {
        if let Some(passed) = self.text.as_bytes().get(self.at..place) {
            (self.at, self.location) = (place, self.location.after(passed));
        }
        self.location
    }
}

/// The characters of windows-1252 from 0x80 on, where it differs from ISO 8859-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 or, where they are not, as windows-1252, as old files use it. Also returns the place of
/// the first of these.
pub(super) fn text(bytes: &[u8]) -> (Cow<'_, str>, Option<usize>) {
    let malformed = match str::from_utf8(bytes) {
        Ok(text) => return (text.into(), None),
        Err(error) => Some(error.valid_up_to()),
    };
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252.get(usize::from(byte) - 0x80).copied().unwrap_or_default(),
        _ => char::from(byte),
    };
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(character));
    }
    (text.into(), malformed)
}
