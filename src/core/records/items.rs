//! Splits a text in any format into items: games and setups.
//!
//! A text in an unsupported format gives one error, not one for each line.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, Cursor, Read};
use std::iter;

use super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::read::{DefaultVariant, RecordReader, begins_like_games};
use super::record::Record;
use super::setups::{SetupMoves, SetupMovesError, SetupText, Setups};

/// An entry of a text.
pub enum TextItem {
    /// A game.
    Game(Box<Record>),
    /// A setup, optionally followed by moves.
    Setup {
        /// The line in the text, from 1.
        line: usize,
        /// The setup.
        setup: SetupMoves,
    },
    /// Unreadable text.
    Failure(TextError),
}

impl TextItem {
    /// The first line in the text, from 1; 0 if the text cannot be read further.
    pub fn line(&self) -> usize {
        match self {
            Self::Game(record) => record.location().line as usize,
            Self::Setup { line, .. } => *line,
            Self::Failure(error) => error.line,
        }
    }

    /// An error in a line of a text.
    pub fn failure(line: usize, error: impl ToString) -> Self {
        Self::Failure(TextError::new(line, error))
    }
}

/// Why a part of a text is unreadable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line in the text, from 1; 0 if the text cannot be read further.
    pub line: usize,
    /// The column in characters, from 1, if the error is at a part of the line.
    pub column: Option<u64>,
    /// The error.
    pub error: String,
}

impl TextError {
    fn new(line: usize, error: impl ToString) -> Self {
        Self { line, column: None, error: error.to_string() }
    }
}

impl Display for TextError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, None) => write!(f, "line {line}: "),
            (line, Some(column)) => write!(f, "line {line}, column {column}: "),
        }?;
        f.write_str(&self.error)
    }
}

/// How games without a variant and a charset are read.
#[derive(Clone, Copy)]
struct Reading {
    /// The variant of games that specify neither their variant nor their start position.
    variant: Option<DefaultVariant>,
    /// Whether the text is UTF-8, whatever charset a game declares.
    is_decoded: bool,
}

/// The items of a file: games if it begins like a game record, otherwise setups. Games of SGF are in the
/// charset that each declares.
///
/// `variant` is the variant of games that specify neither their variant nor their start position.
pub fn items(
    source: impl BufRead + Send + 'static,
    variant: Option<DefaultVariant>,
) -> io::Result<Box<dyn Iterator<Item = TextItem> + Send>> {
    split(source, Reading { variant, is_decoded: false })
}

/// The items of a text that its caller has decoded; otherwise as [`items`].
pub fn items_of_text(
    source: impl BufRead + Send + 'static,
    variant: Option<DefaultVariant>,
) -> io::Result<Box<dyn Iterator<Item = TextItem> + Send>> {
    split(source, Reading { variant, is_decoded: true })
}

fn split(
    mut source: impl BufRead + Send + 'static,
    reading: Reading,
) -> io::Result<Box<dyn Iterator<Item = TextItem> + Send>> {
    let head = beginning(&mut source)?;
    // A single type of source, so that the code exists once.
    let source: Box<dyn BufRead + Send> = Box::new(Cursor::new(head.clone()).chain(source));
    let head = head.as_slice();
    if let Some(kind) = unsupported_format(head) {
        let error = TextError::new(1, format!("this is {kind}"));
        return Ok(Box::new(iter::once(TextItem::Failure(refusal(error)))));
    }
    if begins_like_games(head) {
        return Ok(Box::new(as_one(reader(source, reading).map(record_entry))));
    }
    let setups = until_an_error(Setups::new(source)).map(move |setup| match setup {
        Ok(SetupText { line, text: Ok(text) }) => setup_entry(text, line, reading.variant),
        Ok(SetupText { line, text: Err(error) }) => Entry::Other(TextError::new(line, error)),
        Err(error) => Entry::Known(TextItem::Failure(TextError::new(0, error))),
    });
    Ok(Box::new(as_one(setups)))
}

/// Reads the beginning of a text: blank lines and comments, and at least the first other line. A
/// pipe may yield it in several parts.
pub fn beginning(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    /// More is not examined.
    const MOST_BYTES: usize = 64 << 10;
    let mut head = Vec::new();
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
        let mut lines = head.split_inclusive(|&byte| byte == b'\n');
        let has_line = lines.any(|line| {
            let text = line.trim_ascii();
            line.ends_with(b"\n") && !text.is_empty() && !text.starts_with(b"#")
        });
        if length == 0 || has_line || head.len() >= MOST_BYTES {
            return Ok(head);
        }
    }
}

/// The item of a line on its own, whose number is `line`; `None` if the line is empty.
pub fn item_of_line(
    bytes: &[u8],
    line: usize,
    variant: Option<DefaultVariant>,
) -> Option<TextItem> {
    if begins_like_games(bytes) {
        return Some(game_item(bytes, line, Reading { variant, is_decoded: false }));
    }
    let text = String::from_utf8_lossy(bytes).trim().to_string();
    (!text.is_empty()).then(|| into_item(setup_entry(text, line, variant)))
}

/// The results up to and including the first read error, which may repeat for ever.
pub fn until_an_error<T>(
    read: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    read.scan(false, |has_failed, next| {
        (!std::mem::replace(has_failed, next.is_err())).then_some(next)
    })
}

/// An entry of a text.
enum Entry {
    /// An entry in a supported format, possibly with an error in it.
    Known(TextItem),
    /// An entry in an unsupported format.
    Other(TextError),
}

/// An entry of a text of setups, which may also contain lists of moves.
fn setup_entry(text: String, line: usize, variant: Option<DefaultVariant>) -> Entry {
    if begins_like_games(text.as_bytes()) {
        let reading = Reading { variant, is_decoded: true };
        return Entry::Known(game_item(text.as_bytes(), line, reading));
    }
    match SetupMoves::read(&text) {
        Ok(setup) if setup.is_likely() => return Entry::Known(TextItem::Setup { line, setup }),
        Err(error) if error != SetupMovesError::Empty => {
            return Entry::Known(TextItem::failure(line, error));
        }
        _ => {}
    }
    let short = shorten(&text);
    let error = format!("expected a game or a position, found '{}'", short.escape_debug());
    Entry::Other(TextError::new(line, error))
}

fn reader<R: BufRead>(source: R, reading: Reading) -> RecordReader<R> {
    let reader = RecordReader::new(source).with_default(reading.variant);
    if reading.is_decoded { reader.decoded() } else { reader }
}

/// The single game of a line; a failure if there is no game or more than one.
fn game_item(bytes: &[u8], line: usize, reading: Reading) -> TextItem {
    let source: Box<dyn BufRead + Send> = Box::new(Cursor::new(bytes.to_vec()));
    let games = reader(source, reading).first_line(line.max(1));
    let mut games = games.map(record_entry);
    match (games.next(), games.next()) {
        (Some(Entry::Known(TextItem::Game(record))), None) => TextItem::Game(record),
        // Its error explains why another game seems to follow.
        (Some(Entry::Known(TextItem::Game(record))), _) if record.fault().is_some() => {
            TextItem::Game(record)
        }
        (Some(Entry::Other(error) | Entry::Known(TextItem::Failure(error))), _) => {
            TextItem::Failure(TextError { line, ..error })
        }
        (Some(_), _) => TextItem::failure(line, "more than one game on a line"),
        (None, _) => TextItem::failure(line, "no game"),
    }
}

fn record_entry(record: Result<Record, RecordError>) -> Entry {
    match record {
        Ok(record) => Entry::Known(TextItem::Game(Box::new(record))),
        Err(RecordError { location, fault }) => {
            let LineColumn { line, column } = location;
            let error = fault.to_string();
            let failure = TextError { line: line as usize, column: Some(column), error };
            if is_other(&fault) {
                Entry::Other(failure)
            } else {
                Entry::Known(TextItem::Failure(failure))
            }
        }
    }
}

/// The supported formats, for the error message.
const SUPPORTED: &str = "Lines of Action in SGF or in PGN of XBoard, English draughts in PDN, lists of \
     moves, setups (one a line) and drawn boards";

/// The number of unrecognised entries at the start of a text after which the whole text is
/// rejected as unsupported.
const MOST_UNRECOGNISED: usize = 64;

/// The first bytes of common unsupported file formats, and their names.
const MAGIC_BYTES: [(&[u8], &str); 15] = [
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
    (b"{\"", "JSON"),
    (b"[{", "JSON"),
    (b"soucie proof", "a proof: use soucie verify"),
];

/// The unsupported format of a text with this beginning; `None` if it is not recognised as one.
fn unsupported_format(head: &[u8]) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let known =
        MAGIC_BYTES.iter().find(|(magic, _)| text.starts_with(magic)).map(|(_, kind)| *kind);
    known.or_else(|| head.contains(&0).then_some("binary data"))
}

/// The failure for a text in an unsupported format.
fn refusal(found: TextError) -> TextError {
    let error = format!("{}; supported formats: {SUPPORTED}", found.error);
    TextError { error, ..found }
}

/// Whether the fault is that the record is of an unsupported game or format.
fn is_other(fault: &RecordFault) -> bool {
    matches!(
        fault,
        RecordFault::OtherGame { .. } | RecordFault::Chess { .. } | RecordFault::Format(_)
    )
}

/// The items of a text; a single failure if the text is in an unsupported format.
fn as_one(
    entries: impl Iterator<Item = Entry> + Send + 'static,
) -> impl Iterator<Item = TextItem> + Send {
    let mut entries = entries;
    let begin = move || {
        let mut held = Vec::new();
        let next = loop {
            match entries.next() {
                Some(Entry::Other(failure)) if held.len() < MOST_UNRECOGNISED => held.push(failure),
                next => break next,
            }
        };
        let is_known = matches!(next, Some(Entry::Known(_)));
        let items: Box<dyn Iterator<Item = TextItem> + Send> = if is_known || held.is_empty() {
            let held = held.into_iter().map(TextItem::Failure);
            Box::new(held.chain(next.into_iter().chain(entries).map(into_item)))
        } else {
            Box::new(held.into_iter().take(1).map(|first| TextItem::Failure(refusal(first))))
        };
        items
    };
    iter::once_with(begin).flatten()
}

fn into_item(entry: Entry) -> TextItem {
    match entry {
        Entry::Known(item) => item,
        Entry::Other(failure) => TextItem::Failure(failure),
    }
}
