//! A byte reader that tracks positions in the file.

use std::collections::VecDeque;
use std::io::{BufRead, ErrorKind};

use super::super::error::{LineColumn, RecordError, RecordFault};
use crate::files::lines::BYTE_ORDER_MARK;
use crate::game::is_blank as is_blank_char;

/// The maximum size of a game in bytes, which limits the memory.
pub const MAX_GAME_BYTES: usize = 4 << 20;

/// A byte reader with a short lookahead.
pub(super) struct ByteReader<R> {
    input: R,
    ahead: VecDeque<u8>,
    location: LineColumn,
    /// An I/O error during lookahead, not yet reported.
    failed: Option<RecordError>,
    /// The number of bytes read in the current game.
    spent: usize,
    /// The number of open parentheses, for error recovery.
    pub(super) depth: usize,
    /// Whether an empty line ends a game, for error recovery.
    pub(super) is_list: bool,
    /// Whether the current game has been read to its end.
    pub(super) is_complete: bool,
    /// Whether the game before has numbered moves, so that the next one begins with number 1.
    pub(super) follows_numbers: bool,
    /// The number of line ends since the last byte that is not a blank.
    line_ends: usize,
    /// The bytes consumed since the last [`mark`](Self::mark).
    marked: Option<Vec<u8>>,
}

impl<R: BufRead> ByteReader<R> {
    pub(super) fn new(input: R) -> Self {
        let location = LineColumn { line: 1, column: 1 };
        let ahead = VecDeque::new();
        Self {
            input,
            ahead,
            location,
            failed: None,
            spent: 0,
            depth: 0,
            is_list: false,
            is_complete: false,
            follows_numbers: false,
            line_ends: 0,
            marked: None,
        }
    }

    /// Keeps the bytes that are consumed from here on, instead of those kept before.
    pub(super) fn mark(&mut self) {
        self.marked.get_or_insert_default().clear();
    }

    /// Keeps no more bytes, and returns the text consumed since the last mark.
    pub(super) fn take_marked(&mut self) -> String {
        text(self.marked.take().unwrap_or_default())
    }

    /// Sets the number of the first line.
    pub(super) fn set_line(&mut self, line: u64) {
        self.location.line = line;
    }

    /// Sets the column of the next byte.
    pub(super) fn set_column(&mut self, column: u64) {
        self.location.column = column;
    }

    /// Marks the beginning of a new game.
    pub(super) fn begin(&mut self) {
        self.spent = 0;
        self.depth = 0;
        self.is_complete = false;
    }

    /// The number of line ends since the last byte that is not a blank.
    pub(super) fn line_ends(&self) -> usize {
        self.line_ends
    }

    /// The position of the next byte.
    pub(super) fn location(&self) -> LineColumn {
        self.location
    }

    /// The next byte, without consuming it; `None` at the end of the input.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, RecordError> {
        self.peek_at(0)
    }

    /// The next character, without consuming it: in UTF-8 or, where the bytes are not, in windows-1252.
    pub(super) fn peek_char(&mut self) -> Result<Option<char>, RecordError> {
        Ok(self.char_at(0)?.map(|(c, _)| c))
    }

    /// The character that begins `distance` bytes after the next one, and its length in bytes.
    pub(super) fn char_at(
        &mut self,
        distance: usize,
    ) -> Result<Option<(char, usize)>, RecordError> {
        let Some(first) = self.peek_at(distance)? else { return Ok(None) };
        if first.is_ascii() {
            return Ok(Some((first.into(), 1)));
        }
        let mut bytes = vec![first];
        while bytes.len() < 4
            && let Some(byte) = self.peek_at(distance + bytes.len())?
            && byte & 0xc0 == 0x80
        {
            bytes.push(byte);
        }
        // A character of UTF-8 can be followed by bytes that belong to no character.
        let utf8 = (1..=bytes.len()).rev().find_map(|length| {
            let c = str::from_utf8(bytes.get(..length)?).ok()?.chars().next()?;
            (c.len_utf8() == length).then_some((c, length))
        });
        Ok(utf8.or_else(|| text(vec![first]).chars().next().map(|c| (c, 1))))
    }

    /// Consumes the next character of a game; an error if the game exceeds the size limit.
    pub(super) fn next_char(&mut self) -> Result<Option<char>, RecordError> {
        let Some((c, length)) = self.char_at(0)? else { return Ok(None) };
        let (line_ends, column) = (self.line_ends, self.location.column + 1);
        for _ in 0..length {
            self.next()?;
        }
        if !c.is_ascii() {
            self.location.column = column;
            if is_space(c) {
                self.line_ends = line_ends;
            }
        }
        Ok(Some(c))
    }

    /// Consumes this number of characters of a game.
    pub(super) fn consume(&mut self, count: usize) -> Result<(), RecordError> {
        for _ in 0..count {
            self.next_char()?;
        }
        Ok(())
    }

    /// The characters from `distance` bytes after the next one while `predicate` holds, at most
    /// `length`, without consuming them. An I/O error after them is reported by the next read.
    pub(super) fn peek_while(
        &mut self,
        distance: usize,
        length: usize,
        predicate: impl Fn(char) -> bool,
    ) -> String {
        let (mut found, mut at) = (String::new(), distance);
        for _ in 0..length {
            match self.char_at(at) {
                Ok(Some((c, bytes))) if predicate(c) => {
                    found.push(c);
                    at += bytes;
                }
                Ok(_) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        found
    }

    /// The byte `distance` bytes after the next one, without consuming it.
    pub(super) fn peek_at(&mut self, distance: usize) -> Result<Option<u8>, RecordError> {
        while self.ahead.len() <= distance {
            match self.pull()? {
                Some(byte) => self.ahead.push_back(byte),
                None => return Ok(None),
            }
        }
        Ok(self.ahead.get(distance).copied())
    }

    /// Up to `length` of the following bytes, without consuming them. An I/O error after them is
    /// reported by the next read.
    pub(super) fn head(&mut self, length: usize) -> &[u8] {
        if let Err(error) = self.peek_at(length) {
            self.failed = Some(error);
        }
        self.ahead.make_contiguous()
    }

    /// Whether these bytes follow.
    pub(super) fn follows(&mut self, bytes: &[u8]) -> Result<bool, RecordError> {
        for (i, byte) in bytes.iter().enumerate() {
            if self.peek_at(i)? != Some(*byte) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Consumes the next byte of a game; an error if the game exceeds the size limit.
    pub(super) fn next(&mut self) -> Result<Option<u8>, RecordError> {
        if self.spent >= MAX_GAME_BYTES {
            return Err(RecordFault::TooMuch("4 MiB").at(self.location));
        }
        self.skip()
    }

    /// Consumes the next byte without checking the size limit.
    pub(super) fn skip(&mut self) -> Result<Option<u8>, RecordError> {
        let Some(byte) = self.peek()? else { return Ok(None) };
        self.ahead.pop_front();
        self.marked.iter_mut().for_each(|marked| marked.push(byte));
        self.spent += 1;
        if !is_blank(byte) {
            self.line_ends = 0;
        }
        self.line_ends += usize::from(byte == b'\n');
        match byte {
            b'\n' => self.location = LineColumn { line: self.location.line + 1, column: 1 },
            // Continuation bytes of UTF-8 do not count as columns.
            0x80..=0xBF => {}
            _ => self.location.column += 1,
        }
        Ok(Some(byte))
    }

    /// Skips blanks and line ends before a game, and a byte order mark at the beginning of a line.
    pub(super) fn skip_blanks(&mut self) -> Result<(), RecordError> {
        if self.location.column == 1 && self.follows(BYTE_ORDER_MARK)? {
            self.ahead.drain(..BYTE_ORDER_MARK.len());
        }
        while self.peek_char()?.is_some_and(is_space) {
            self.spent = 0;
            self.next_char()?;
        }
        Ok(())
    }

    /// Consumes bytes while `predicate` holds.
    pub(super) fn take_while(&mut self, predicate: fn(u8) -> bool) -> Result<String, RecordError> {
        let mut taken = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| predicate(byte)) {
            self.next()?;
            taken.push(byte);
        }
        Ok(text(taken))
    }

    fn pull(&mut self) -> Result<Option<u8>, RecordError> {
        if let Some(error) = self.failed.take() {
            return Err(error.fault.at(self.location));
        }
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => {
                    let byte = bytes.first().copied();
                    self.input.consume(usize::from(byte.is_some()));
                    return Ok(byte);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(RecordFault::Input(error).at(self.location)),
            }
        }
    }
}

/// Whether a byte is a blank or part of a line end.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// Whether a character separates the parts of a record. One is the end of a file in DOS.
pub(super) fn is_space(c: char) -> bool {
    const END_OF_FILE: char = '\u{1a}';
    is_blank_char(c) || c == END_OF_FILE
}

/// The characters of windows-1252 from 0x80 on, where it differs from ISO 8859-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 or, if that fails, as windows-1252, as old files use it.
pub(super) fn text(bytes: Vec<u8>) -> String {
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252.get(usize::from(byte) - 0x80).copied().unwrap_or_default(),
        _ => char::from(byte),
    };
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(character).collect())
}
