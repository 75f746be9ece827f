//! Splits a text in any format into items: games and setups.
//!
//! The text may arrive in parts. [`TextReader`] yields what has arrived as a whole.
//!
//! A text in an unsupported format gives one error, not one for each line.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::{iter, mem};

use super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::read::{Buffer, Detected, Detector, GameReader, RawGame, format_of, unsupported_format};
use super::record::Record;
use super::setups::{SetupMoves, SetupMovesError, SetupReader};
use super::values::RecordFormat;
use crate::files::lines::BYTE_ORDER_MARK;
use crate::game::Variant;
use crate::games;

pub use super::read::beginning;

/// An entry of a text.
pub enum TextItem {
    Game(Box<Record>),
    /// A setup, optionally followed by moves.
    Setup {
        /// The line in the text, from 1.
        line: usize,
        setup: SetupMoves,
    },
    /// Unreadable text.
    Failure(RecordError),
}

impl TextItem {
    /// The first line in the text, from 1; 0 if the text cannot be read further.
    pub fn line(&self) -> usize {
        match self {
            Self::Game(record) => record.location().line as usize,
            Self::Setup { line, .. } => *line,
            Self::Failure(error) => error.location.line as usize,
        }
    }

    fn failure(line: usize, fault: RecordFault) -> Self {
        Self::Failure(fault.at(LineColumn { line: line as u64, column: 0 }))
    }

    /// Whether it is an error because of an unsupported format.
    fn is_unrecognised(&self) -> bool {
        matches!(self, Self::Failure(RecordError { fault: RecordFault::Foreign(_), .. }))
    }
}

impl From<TextItem> for RawItem {
    fn from(item: TextItem) -> Self {
        Self::Item(item)
    }
}

impl From<Result<Record, RecordError>> for TextItem {
    fn from(game: Result<Record, RecordError>) -> Self {
        game.map_or_else(Self::Failure, |record| Self::Game(Box::new(record)))
    }
}

/// An entry of a text, of which a game is only cut out: reading it takes longer, and may be done on another thread.
pub enum RawItem {
    Game(RawGame),
    /// Any other entry, or a game that had to be read.
    Item(TextItem),
}

impl RawItem {
    /// Reads the entry; `None` if there is nothing in it. Unlike those of [`TextReader::next_item`], each game has the
    /// [note](Record::note) that a charset is assumed.
    pub fn read(self) -> Option<TextItem> {
        match self {
            Self::Game(game) => game.read().map(TextItem::from),
            Self::Item(item) => Some(item),
        }
    }
}

/// Reads the items of a text that arrives in parts: games if it begins like a game record, otherwise setups.
pub struct TextReader {
    buffer: Buffer,
    /// `None` before the beginning of the text has arrived.
    kind: Option<TextKind>,
    detector: Detector,
    /// The format of games, if it is not detected.
    format: Option<RecordFormat>,
    variant: Option<&'static Variant>,
    is_decoded: bool,
    /// Items at the beginning, of which only the last one may be in a supported format.
    first: VecDeque<TextItem>,
    is_recognised: bool,
    /// Whether a game has named the charset that is assumed.
    has_note: bool,
    failed: Option<io::Error>,
}

enum TextKind {
    Games(GameReader),
    Setups(SetupReader),
    /// An unsupported format.
    Foreign,
}

impl TextReader {
    /// An empty text. `variant` is that of games which neither the text nor the moves determine. A text
    /// `is_decoded` if it is UTF-8, whatever charset a game declares.
    pub fn new(variant: Option<&'static Variant>, is_decoded: bool) -> Self {
        Self {
            buffer: Buffer::new(1),
            kind: None,
            detector: Detector::default(),
            format: None,
            variant,
            is_decoded,
            first: VecDeque::new(),
            is_recognised: false,
            has_note: false,
            failed: None,
        }
    }

    pub fn add(&mut self, part: &[u8]) -> io::Result<()> {
        if self.is_over() { Ok(()) } else { self.buffer.add(part) }
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        self.buffer.finish();
    }

    /// Whether the rest of the text makes no difference.
    fn is_over(&self) -> bool {
        self.buffer.is_whole() || matches!(self.kind, Some(TextKind::Foreign))
    }

    /// The next item; `None` if no further one has arrived as a whole.
    pub fn next_item(&mut self) -> Option<TextItem> {
        while !self.is_recognised {
            match self.entry() {
                Some(item) => {
                    self.is_recognised = !item.is_unrecognised();
                    self.first.push_back(item);
                }
                None if !self.is_over() => return None,
                None => break,
            }
            if self.first.len() > MOST_UNRECOGNISED {
                break;
            }
        }
        if !mem::replace(&mut self.is_recognised, true) {
            self.kind = Some(TextKind::Foreign);
            self.first.truncate(1);
            if let Some(TextItem::Failure(RecordError { fault, location })) = self.first.pop_front()
            {
                let error = format!("{fault}; supported formats: {SUPPORTED_FORMATS}");
                return Some(TextItem::Failure(RecordFault::invalid(error).at(location)));
            }
        }
        self.first.pop_front().or_else(|| self.entry())
    }

    /// The next item, of which a game is only cut out if possible; `None` if no further one has arrived as a whole.
    pub fn next_raw(&mut self) -> Option<RawItem> {
        match &mut self.kind {
            Some(TextKind::Games(games))
                if self.is_recognised && self.first.is_empty() && games.may_cut() =>
            {
                Some(match games.cut(&mut self.buffer)? {
                    Ok(game) => RawItem::Game(game),
                    Err(error) => RawItem::Item(TextItem::Failure(error)),
                })
            }
            _ => self.next_item().map(RawItem::Item),
        }
    }

    fn entry(&mut self) -> Option<TextItem> {
        if self.kind.is_none() {
            let head = self.buffer.rest();
            let found = self.detector.find(head, self.buffer.is_whole())?;
            self.is_decoded |= head.starts_with(BYTE_ORDER_MARK);
            if self.format.is_none() {
                let first = head.get(..found.first).unwrap_or_default();
                if let Some(kind) = unsupported_format(first) {
                    self.kind = Some(TextKind::Foreign);
                    let error = RecordFault::Foreign(format!("this is {kind}"));
                    return Some(TextItem::failure(1, error));
                }
            }
            self.kind = Some(match self.format.or(found.format) {
                Some(format) => {
                    TextKind::Games(GameReader::new(format, self.variant, self.is_decoded))
                }
                None => TextKind::Setups(SetupReader::default()),
            });
            if self.format.is_none() && found.format == Some(RecordFormat::Pdn) {
                let error = self.skip_prose(&found);
                if error.is_some() {
                    return error;
                }
            }
        }
        let mut item = match self.kind.as_mut()? {
            TextKind::Games(games) => games.next(&mut self.buffer)?.into(),
            TextKind::Setups(setups) => {
                let (line, text) = setups.next(&mut self.buffer)?;
                match text {
                    Ok((bytes, text)) => match format_of(&bytes) {
                        Some(format) => {
                            let games = GameReader::new(format, self.variant, self.is_decoded);
                            game_item(&bytes, line, games)
                        }
                        None => setup_item(&text, line),
                    },
                    Err(error) => TextItem::failure(line, RecordFault::Foreign(error.to_string())),
                }
            }
            TextKind::Foreign => return None,
        };
        if let TextItem::Game(record) = &mut item
            && record.note.is_some()
            && mem::replace(&mut self.has_note, true)
        {
            record.note = None;
        }
        Some(item)
    }

    /// Skips the text before the first game, and returns the error if there is any.
    fn skip_prose(&mut self, found: &Detected) -> Option<TextItem> {
        self.buffer.skip(found.begin);
        let prose = self.buffer.rest().get(..found.place - found.begin)?;
        let line = prose.split(|&byte| byte == b'\n').next().filter(|line| !line.is_empty())?;
        let line = String::from_utf8_lossy(line);
        let error = RecordFault::expected("a game", line.trim()).at(self.buffer.location());
        self.buffer.skip(found.place - found.begin);
        Some(TextItem::Failure(error))
    }

    /// The next item of a text that an input yields. An error of the input is behind the items before it.
    fn pull<T: From<TextItem>>(
        &mut self,
        input: &mut impl BufRead,
        next: fn(&mut Self) -> Option<T>,
    ) -> Option<T> {
        loop {
            let item = next(self);
            if item.is_some() || self.is_over() {
                return item.or_else(|| {
                    let error = self.failed.take()?;
                    Some(TextItem::failure(0, input_fault(error)).into())
                });
            }
            self.failed = self.buffer.fill(input).err();
        }
    }
}

fn input_fault(error: io::Error) -> RecordFault {
    RecordFault::invalid(error.to_string())
}

/// The items of a file. Games of SGF are in the charset that each declares.
///
/// `variant` is the variant of games that neither the text nor the moves determine.
pub fn items(
    source: impl BufRead + Send + 'static,
    variant: Option<&'static Variant>,
) -> io::Result<Box<dyn Iterator<Item = TextItem> + Send>> {
    // A single type of source, so that the code exists once.
    let mut source: Box<dyn BufRead + Send> = Box::new(source);
    let mut text = TextReader::new(variant, false);
    text.buffer.fill(&mut source)?;
    Ok(Box::new(iter::from_fn(move || text.pull(&mut source, TextReader::next_item))))
}

/// The items of a file as [`items()`] has them, in groups: those that a part of the file has, with games that are only
/// cut out.
pub fn raw_items(
    mut source: impl BufRead,
    variant: Option<&'static Variant>,
) -> io::Result<impl Iterator<Item = Vec<RawItem>>> {
    let mut text = TextReader::new(variant, false);
    text.buffer.fill(&mut source)?;
    Ok(iter::from_fn(move || {
        let first = text.pull(&mut source, TextReader::next_raw)?;
        Some(iter::once(first).chain(iter::from_fn(|| text.next_raw())).collect())
    }))
}

/// An iterator over the games of a file.
///
/// A record with a syntax error has it as its [fault](Record::fault); an error before the moves is the item
/// itself. Both are followed by the next game that can be found. An error of the input is behind the games
/// before it and ends the iteration.
pub struct RecordReader<R> {
    input: R,
    text: TextReader,
}

impl<R: BufRead> RecordReader<R> {
    /// A reader that detects the format from the beginning of the text.
    pub fn new(input: R) -> Self {
        Self { input, text: TextReader::new(None, false) }
    }

    /// Sets the format instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: RecordFormat) -> Self {
        self.text.format = Some(format);
        self
    }

    /// Sets the variant of games that neither the text nor the moves determine.
    #[must_use]
    pub fn default_variant(mut self, name: &str) -> Self {
        self.text.variant = games::variant(name);
        self
    }

    /// Takes the text as UTF-8, whatever charset it declares: its caller has decoded it.
    #[must_use]
    pub fn decoded(mut self) -> Self {
        self.text.is_decoded = true;
        self
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.text.pull(&mut self.input, TextReader::entry)?;
        let line = item.line() as u64;
        Some(match item {
            TextItem::Game(record) => Ok(*record),
            TextItem::Failure(error) => Err(error),
            TextItem::Setup { .. } => {
                Err(RecordFault::invalid("expected a game, found a position")
                    .at(LineColumn { line, column: 0 }))
            }
        })
    }
}

/// The entry of a line or a drawing that is no game.
fn setup_item(text: &str, line: usize) -> TextItem {
    match SetupMoves::read(text) {
        Ok(setup) if setup.is_likely() => TextItem::Setup { line, setup },
        Err(error) if error != SetupMovesError::Empty => {
            TextItem::failure(line, RecordFault::invalid(error.to_string()))
        }
        _ => {
            let short = shorten(text);
            let error = format!("expected a game or a position, found '{}'", short.escape_debug());
            TextItem::failure(line, RecordFault::Foreign(error))
        }
    }
}

/// The single game of a line; a failure if there is no game or more than one.
fn game_item(bytes: &[u8], line: usize, mut games: GameReader) -> TextItem {
    let mut buffer = Buffer::new(line);
    if let Err(error) = buffer.add(bytes) {
        return TextItem::failure(line, input_fault(error));
    }
    buffer.finish();
    match (games.next(&mut buffer), games.next(&mut buffer)) {
        (Some(Ok(record)), Some(_)) if record.fault().is_none() => {
            TextItem::failure(line, RecordFault::invalid("more than one game on a line"))
        }
        // An error in it explains why another game seems to follow.
        (Some(game), _) => game.into(),
        (None, _) => TextItem::failure(line, RecordFault::invalid("no game")),
    }
}

/// The supported formats, for the error message.
const SUPPORTED_FORMATS: &str = "Lines of Action in SGF or in PGN of XBoard, English draughts in PDN, lists of \
     moves, setups (one a line) and drawn boards";

/// The number of unrecognised entries at the start of a text after which the whole text is
/// rejected as unsupported.
const MOST_UNRECOGNISED: usize = 64;
