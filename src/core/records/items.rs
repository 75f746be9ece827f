//! Splits a text in any format into items: games and setups.
//!
//! The text may arrive in parts. [`TextReader`] yields what has arrived as a whole.
//!
//! A text in an unsupported format gives one error, not one for each line.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead};
use std::iter;

use super::error::{RecordError, RecordFault, shorten};
use super::read::{Buffer, DefaultVariant, GameReader, begins_like_games};
use super::record::Record;
use super::setups::{SetupMoves, SetupMovesError, SetupReader};

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

/// Reads the items of a text that arrives in parts: games if it begins like a game record, otherwise setups.
pub struct TextReader {
    buffer: Buffer,
    /// `None` before the beginning of the text has arrived.
    kind: Option<TextKind>,
    variant: Option<DefaultVariant>,
    is_decoded: bool,
    /// The entries in an unsupported format at the beginning, until there is another one.
    held: Vec<TextError>,
    is_known: bool,
    ready: VecDeque<TextItem>,
}

enum TextKind {
    Games(GameReader),
    Setups(SetupReader),
    /// An unsupported format.
    Other,
}

impl TextReader {
    /// An empty text. `variant` is the variant of games that specify neither their variant nor their start
    /// position. A text `is_decoded` if it is UTF-8, whatever charset a game declares.
    pub fn new(variant: Option<DefaultVariant>, is_decoded: bool) -> Self {
        Self {
            buffer: Buffer::new(1),
            kind: None,
            variant,
            is_decoded,
            held: Vec::new(),
            is_known: false,
            ready: VecDeque::new(),
        }
    }

    /// Adds a part to the text.
    pub fn add(&mut self, part: &[u8]) -> io::Result<()> {
        if self.is_over() { Ok(()) } else { self.buffer.add(part) }
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        self.buffer.finish();
    }

    /// Whether the rest of the text makes no difference.
    fn is_over(&self) -> bool {
        self.buffer.is_whole() || matches!(self.kind, Some(TextKind::Other))
    }

    /// The next item; `None` if no further one has arrived as a whole.
    pub fn next_item(&mut self) -> Option<TextItem> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            match self.entry() {
                Some((TextItem::Failure(failure), true)) if !self.is_known => {
                    self.held.push(failure);
                    if self.held.len() <= MOST_UNRECOGNISED {
                        continue;
                    }
                    self.kind = Some(TextKind::Other);
                }
                Some((item, _)) => {
                    self.is_known = true;
                    self.ready.extend(self.held.drain(..).map(TextItem::Failure));
                    self.ready.push_back(item);
                    continue;
                }
                None if !self.is_over() => return None,
                None => {}
            }
            let first = self.held.drain(..).next();
            return first.map(|first| TextItem::Failure(refusal(first)));
        }
    }

    fn entry(&mut self) -> Option<Entry> {
        if self.kind.is_none() {
            let head = self.buffer.rest();
            if !has_beginning(head) && !self.buffer.is_whole() {
                return None;
            }
            if let Some(kind) = unsupported_format(head) {
                self.kind = Some(TextKind::Other);
                return Some((TextItem::failure(1, format!("this is {kind}")), true));
            }
            self.kind = Some(match begins_like_games(head) {
                true => TextKind::Games(GameReader::new(self.variant, self.is_decoded)),
                false => TextKind::Setups(SetupReader::default()),
            });
        }
        match self.kind.as_mut()? {
            TextKind::Games(games) => games.next(&mut self.buffer).map(entry_of),
            TextKind::Setups(setups) => {
                let (line, text) = setups.next(&mut self.buffer)?;
                Some(match text {
                    Ok(text) => setup_entry(text, line, self.variant),
                    Err(error) => (TextItem::failure(line, error), true),
                })
            }
            TextKind::Other => None,
        }
    }
}

/// The items of a file. Games of SGF are in the charset that each declares.
///
/// `variant` is the variant of games that specify neither their variant nor their start position.
pub fn items(
    source: impl BufRead + Send + 'static,
    variant: Option<DefaultVariant>,
) -> io::Result<Box<dyn Iterator<Item = TextItem> + Send>> {
    // A single type of source, so that the code exists once.
    let mut source: Box<dyn BufRead + Send> = Box::new(source);
    let mut text = TextReader::new(variant, false);
    text.buffer.fill(&mut source)?;
    let mut failed = None;
    Ok(Box::new(iter::from_fn(move || {
        loop {
            let item = text.next_item();
            if item.is_some() || text.is_over() {
                return item.or_else(|| failed.take());
            }
            if let Err(error) = text.buffer.fill(&mut source) {
                failed = Some(TextItem::failure(0, error));
            }
        }
    })))
}

/// Reads the beginning of a text: blank lines and comments, and at least the first other line. A
/// pipe may yield it in several parts.
pub fn beginning(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
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
        if length == 0 || has_beginning(&head) {
            return Ok(head);
        }
    }
}

/// Whether a line that is not empty or a comment has arrived.
fn has_beginning(head: &[u8]) -> bool {
    /// More is not examined.
    const MOST_BYTES: usize = 64 << 10;
    let mut lines = head.split_inclusive(|&byte| byte == b'\n');
    head.len() >= MOST_BYTES
        || lines.any(|line| {
            let text = line.trim_ascii();
            line.ends_with(b"\n") && !text.is_empty() && !text.starts_with(b"#")
        })
}

/// The item of a line on its own, whose number is `line`; `None` if the line is empty.
pub fn item_of_line(
    bytes: &[u8],
    line: usize,
    variant: Option<DefaultVariant>,
) -> Option<TextItem> {
    if begins_like_games(bytes) {
        return Some(game_item(bytes, line, GameReader::new(variant, false)));
    }
    let text = String::from_utf8_lossy(bytes).trim().to_string();
    (!text.is_empty()).then(|| setup_entry(text, line, variant).0)
}

/// The results up to and including the first read error, which may repeat for ever.
pub fn until_an_error<T>(
    read: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    read.scan(false, |has_failed, next| {
        (!std::mem::replace(has_failed, next.is_err())).then_some(next)
    })
}

/// An item, and whether it is an error because of an unsupported format.
type Entry = (TextItem, bool);

/// An entry of a text of setups, which may also contain lists of moves.
fn setup_entry(text: String, line: usize, variant: Option<DefaultVariant>) -> Entry {
    if begins_like_games(text.as_bytes()) {
        let games = GameReader::new(variant, true);
        return (game_item(text.as_bytes(), line, games), false);
    }
    match SetupMoves::read(&text) {
        Ok(setup) if setup.is_likely() => (TextItem::Setup { line, setup }, false),
        Err(error) if error != SetupMovesError::Empty => (TextItem::failure(line, error), false),
        _ => {
            let short = shorten(&text);
            let error = format!("expected a game or a position, found '{}'", short.escape_debug());
            (TextItem::failure(line, error), true)
        }
    }
}

/// The single game of a line; a failure if there is no game or more than one.
fn game_item(bytes: &[u8], line: usize, mut games: GameReader) -> TextItem {
    let mut buffer = Buffer::new(line.max(1));
    if let Err(error) = buffer.add(bytes) {
        return TextItem::failure(line, error);
    }
    buffer.finish();
    let mut games = iter::from_fn(|| games.next(&mut buffer)).map(|game| entry_of(game).0);
    match (games.next(), games.next()) {
        (Some(TextItem::Failure(error)), _) => TextItem::Failure(TextError { line, ..error }),
        (Some(TextItem::Game(record)), Some(_)) if record.fault().is_none() => {
            TextItem::failure(line, "more than one game on a line")
        }
        // An error in it explains why another game seems to follow.
        (Some(item), _) => item,
        (None, _) => TextItem::failure(line, "no game"),
    }
}

fn entry_of(game: Result<Record, RecordError>) -> Entry {
    match game {
        Ok(record) => (TextItem::Game(Box::new(record)), false),
        Err(RecordError { location, fault }) => {
            let (line, column) = (location.line as usize, Some(location.column));
            let failure = TextError { line, column, error: fault.to_string() };
            (TextItem::Failure(failure), matches!(fault, RecordFault::Other(_)))
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
