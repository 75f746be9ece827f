//! Detection of the format of a text from its beginning.

use std::io::{self, BufRead};

use super::super::setups::{SetupMoves, first_entry};
use super::super::values::RecordFormat;
use super::buffer::{Buffer, blanks};
use super::pdn::{self, reader::is_move};
use super::sgf;
use crate::files::json;
use crate::files::lines::BYTE_ORDER_MARK;

/// The number of bytes in which the first game or setup is looked for.
const EXAMINED_BYTES: usize = 64 << 10;

/// Whether a text begins like game records rather than setups. The first 64 KiB are enough.
pub fn begins_like_games(head: &[u8]) -> bool {
    let mut text = Buffer::new(1);
    let is_added = text.add(head).is_ok();
    text.finish();
    let found = Detector::default().find(text.rest(), true);
    is_added && found.is_some_and(|found| found.format.is_some())
}

/// Whether a text begins like game records, but not with a move, as a list of openings may.
pub fn begins_like_records(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.get(blank_beginning(head)..).unwrap_or_default());
    let first = text.split_whitespace().next().unwrap_or_default();
    begins_like_games(head) && !is_move(first) && !is_digits(first)
}

/// Reads the beginning of a text, up to the first game or setup. A pipe may yield it in several parts.
pub fn beginning(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut detector = Detector::default();
    loop {
        let part = match source.fill_buf() {
            Ok(part) => part,
            // It occurs again behind the beginning.
            Err(_) if !head.is_empty() => return Ok(head),
            Err(error) => return Err(error),
        };
        let length = part.len();
        head.extend_from_slice(part);
        source.consume(length);
        if length == 0 || detector.find(&head, false).is_some() {
            return Ok(head);
        }
    }
}

/// What a text begins with.
pub(in super::super) struct Detected {
    /// The format of the games; `None` if these are none.
    pub(in super::super) format: Option<RecordFormat>,
    /// The number of bytes of blanks and comment lines, and up to the first game or setup.
    pub(in super::super) begin: usize,
    pub(in super::super) place: usize,
    /// The number of bytes with the first line.
    pub(in super::super) first: usize,
}

/// Finds the first game or setup of a text that arrives in parts. What precedes it, such as the head of a mail, is
/// neither. What is found depends on the text and not on its parts.
#[derive(Default)]
pub(in super::super) struct Detector {
    /// The number of bytes in which there is neither.
    passed: usize,
}

impl Detector {
    /// `None` if it depends on what follows.
    pub(in super::super) fn find(&mut self, head: &[u8], is_whole: bool) -> Option<Detected> {
        let is_end = is_whole || head.len() >= EXAMINED_BYTES;
        let head = head.get(..EXAMINED_BYTES).unwrap_or(head);
        let begin = blank_beginning(head);
        let first = first_line(head, begin, is_end)?;
        let found = |format, place| Some(Detected { format, begin, place, first });
        let format = format_of(head.get(begin..first).unwrap_or_default());
        if format.is_some() {
            return found(format, begin);
        }
        self.passed = self.passed.max(begin);
        while let Some(rest) = head.get(self.passed..).filter(|rest| !rest.is_empty()) {
            let (length, entry) = first_entry(rest, is_end)?;
            let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let format = format_of_line(&String::from_utf8_lossy(line));
            if format.is_some() {
                return found(format, self.passed);
            }
            if entry.is_some_and(|entry| is_setup(&entry)) {
                break;
            }
            self.passed += length;
        }
        (is_end || self.passed < head.len()).then_some(())?;
        found(None, begin)
    }
}

/// The format of a text that begins with a game; `None` if it does not.
pub(in super::super) fn format_of(head: &[u8]) -> Option<RecordFormat> {
    let text = String::from_utf8_lossy(head.get(blank_beginning(head)..).unwrap_or_default());
    let mut words = text.split_whitespace();
    let first = words.next()?;
    match text.as_bytes().first()? {
        b'(' => return Some(RecordFormat::Sgf),
        b'[' | b'{' | b'%' | b';' | b'*' => return Some(RecordFormat::Pdn),
        _ => {}
    }
    let is_number = first.split_once('.').is_some_and(|(number, _)| is_digits(number));
    // The number of the first move may lack its full stop, and its squares the sign.
    let is_begun = |word: &str| is_digits(first) && (is_digits(word) || is_move(word));
    let is_game = is_number || is_move(first) || words.next().is_some_and(is_begun);
    is_game.then_some(RecordFormat::Pdn)
}

/// The format of a game that this line begins behind other text.
fn format_of_line(line: &str) -> Option<RecordFormat> {
    if sgf::begins_line(line.as_bytes()) || line.trim() == "(;" {
        return Some(RecordFormat::Sgf);
    }
    pdn::begins_line(line).then_some(RecordFormat::Pdn)
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an entry of a text is a setup, and not a line below a title or a word such as `and/or`.
fn is_setup(entry: &str) -> bool {
    const RANKS: usize = 8;
    let has_ranks = |separator: char| {
        !entry.contains(separator) || entry.matches(separator).count() >= RANKS - 1
    };
    has_ranks('\n')
        && has_ranks('/')
        && SetupMoves::read(entry).is_ok_and(|setup| setup.is_likely())
}

/// The number of bytes of blanks and comment lines before a text.
fn blank_beginning(head: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = head.get(at..).unwrap_or_default();
        at += blanks(rest);
        let rest = head.get(at..).unwrap_or_default();
        match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) if rest.starts_with(b"#") => at += end,
            _ => return at,
        }
    }
}

/// The end of the first line of a text, or of the lines with what may be an object of JSON or a first number and the
/// word behind it. `None` if it has not arrived.
fn first_line(head: &[u8], begin: usize, is_end: bool) -> Option<usize> {
    let text = head.get(begin..).unwrap_or_default();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let first = match text.first() {
        Some(b'{') => text.iter().position(|&byte| byte == b'}').unwrap_or(text.len()),
        _ => digits + blanks(text.get(digits..).unwrap_or_default()) * usize::from(digits > 0),
    };
    let mut rest = text.iter().skip(first);
    let length = rest.position(|&byte| byte == b'\n').map(|end| first + end + 1);
    length.map(|length| begin + length).or(is_end.then_some(head.len()))
}

/// The first bytes of common unsupported file formats, and their names.
const MAGIC_BYTES: [(&[u8], &str); 14] = [
    (b"\xff\xfe", "UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "UTF-16: save it as UTF-8"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document: save it as plain text"),
    (b"\xd0\xcf\x11\xe0", "a document of a word processor: save it as plain text"),
    (
        b"PK\x03\x04",
        "a ZIP archive or a document of a word processor: unpack it, or save it as plain text",
    ),
    (b"\x1f\x8b", "compressed by gzip: unpack it first"),
    (b"{\\rtf", "RTF, the format of a word processor: save it as plain text"),
    (b"<?xml", "an XML document"),
    (b"<", "an HTML page"),
    (b"[{", "JSON"),
    (b"soucie proof", "a proof: use soucie verify"),
];

/// The unsupported format of a text with this beginning; `None` if it is not recognised as one.
pub(in super::super) fn unsupported_format(head: &[u8]) -> Option<&'static str> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let known =
        MAGIC_BYTES.iter().find(|(magic, _)| text.starts_with(magic)).map(|(_, kind)| *kind);
    let is_json = json::begins_object(text);
    known
        .or_else(|| is_json.then_some("JSON"))
        .or_else(|| head.contains(&0).then_some("binary data"))
}
