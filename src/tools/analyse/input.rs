//! Reads the input files and splits them into items: games and setups.
//!
//! A file in an unsupported format gives one error, not one for each line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;

use super::settings::{AnalyseSettings, InputSource};
use crate::analysis::report::{InputError, InputOrigin};
use crate::files::lines::next_line;
use crate::files::named;
use crate::records::setups::{SetupText, Setups};
use crate::records::{
    LineColumn, Record, RecordError, RecordFault, RecordReader, begins_like_games,
};

/// An entry of the input.
pub enum InputItem {
    /// A game.
    Game(InputOrigin, Box<Record>),
    /// A setup, optionally followed by moves as in the `position` command.
    Setup {
        /// The place in the input.
        origin: InputOrigin,
        /// The text.
        text: String,
    },
    /// Unreadable input.
    Failure(InputError),
    /// A source without any game or position, by name.
    Nothing(String),
}

type InputItems = Box<dyn Iterator<Item = InputItem> + Send>;

/// The items of all sources, in order. All files are opened at once, so that a missing one is
/// reported before the analysis starts.
pub fn items(
    settings: &AnalyseSettings,
    variant: Option<&'static str>,
) -> io::Result<impl Iterator<Item = InputItem> + Send + use<>> {
    let several = settings.files.len() > 1;
    let open = |source: &InputSource| match source {
        // With `--json`, each line of stdin is answered before the next one is read.
        InputSource::Stdin if settings.json => Ok(lines(BufReader::new(io::stdin()), variant)),
        InputSource::Stdin => {
            let items = read(BufReader::new(io::stdin()), None, variant)?;
            Ok(something(items, "standard input".to_string()))
        }
        InputSource::File(path) => {
            let name = path.display().to_string();
            let file = Some(name.clone()).filter(|_| several);
            let items = File::open(path).and_then(|text| read(BufReader::new(text), file, variant));
            Ok(something(items.map_err(|error| named(path, error))?, name))
        }
    };
    let sources: Vec<InputItems> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    Ok(sources.into_iter().flatten())
}

/// The items of a source; [`InputItem::Nothing`] if there are none.
fn something(mut items: InputItems, name: String) -> InputItems {
    let mut nothing = Some(InputItem::Nothing(name));
    Box::new(iter::from_fn(move || match items.next() {
        Some(item) => {
            nothing = None;
            Some(item)
        }
        None => nothing.take(),
    }))
}

/// The items of a text: games if it begins like a game record, otherwise setups.
///
/// `file` is the file name for error messages and reports; `None` if it is the only input.
fn read(
    mut source: impl BufRead + Send + 'static,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<InputItems> {
    let head = source.fill_buf()?;
    if let Some(kind) = unsupported_format(head) {
        let origin = InputOrigin { file, line: 1 };
        return Ok(Box::new(iter::once(refusal(origin, &format!("this is {kind}")))));
    }
    if begins_like_games(head) {
        let games = reader(source, variant).map(move |game| of_record(game, &file));
        return Ok(Box::new(as_one(games)));
    }
    let setups = until_an_error(Setups::new(source)).map(move |setup| {
        let origin = |line| InputOrigin { file: file.clone(), line };
        let failure = |line, error| InputError { origin: origin(line), error };
        match setup {
            Ok(SetupText { line, text: Ok(text) }) => of_setup(text, origin(line), variant),
            Ok(SetupText { line, text: Err(error) }) => {
                FileEntry::Other(failure(line, error.to_string()))
            }
            Err(error) => FileEntry::Known(InputItem::Failure(failure(0, error.to_string()))),
        }
    });
    Ok(Box::new(as_one(setups)))
}

/// An entry of a file of setups, which may also contain lists of moves.
fn of_setup(text: String, origin: InputOrigin, variant: Option<&'static str>) -> FileEntry {
    if begins_like_games(text.as_bytes()) {
        return FileEntry::Known(of_game(text.as_bytes(), origin, variant));
    }
    if is_setup(&text) {
        return FileEntry::Known(InputItem::Setup { origin, text });
    }
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "..." } else { "" };
    let error = format!("expected a game or a position, found '{}{dots}'", short.escape_debug());
    FileEntry::Other(InputError { origin, error })
}

fn reader<R: BufRead>(source: R, variant: Option<&'static str>) -> RecordReader<R> {
    variant.into_iter().fold(RecordReader::new(source), RecordReader::variant)
}

/// The maximum length of a line of stdin in bytes. No supported game is longer.
const LONGEST_LINE: usize = 4 << 20;

/// The items up to and including the first read error, which may repeat for ever.
fn until_an_error<T>(
    read: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    read.scan(false, |has_failed, next| {
        (!std::mem::replace(has_failed, next.is_err())).then_some(next)
    })
}

/// One item for each line; empty lines are skipped.
fn lines(mut source: impl BufRead + Send + 'static, variant: Option<&'static str>) -> InputItems {
    let next = move || next_line(&mut source, LONGEST_LINE).transpose();
    let read = until_an_error(iter::from_fn(next));
    Box::new(read.zip(1..).filter_map(move |(read, line)| match read {
        Ok(Ok(bytes)) => of_line(&bytes, line, variant),
        Ok(Err(too_long)) => Some(failure(line, too_long.to_string())),
        Err(error) => Some(failure(line, error.to_string())),
    }))
}

fn of_line(bytes: &[u8], line: usize, variant: Option<&'static str>) -> Option<InputItem> {
    let origin = InputOrigin { file: None, line };
    if !begins_like_games(bytes) {
        let text = String::from_utf8_lossy(bytes).trim().to_string();
        return (!text.is_empty()).then_some(InputItem::Setup { origin, text });
    }
    Some(of_game(bytes, origin, variant))
}

/// The single game of a text; a failure if there is no game or more than one.
fn of_game(bytes: &[u8], origin: InputOrigin, variant: Option<&'static str>) -> InputItem {
    let failure = |error: String| InputItem::Failure(InputError { origin: origin.clone(), error });
    let mut games = reader(bytes, variant).map(|game| of_record(game, &None));
    match (games.next(), games.next()) {
        (Some(FileEntry::Known(InputItem::Game(_, record))), None) => {
            InputItem::Game(origin, record)
        }
        (Some(FileEntry::Other(error) | FileEntry::Known(InputItem::Failure(error))), _) => {
            failure(error.error)
        }
        (Some(_), _) => failure("more than one game on a line".to_string()),
        (None, _) => failure("no game".to_string()),
    }
}

fn failure(line: usize, error: String) -> InputItem {
    InputItem::Failure(InputError { origin: InputOrigin { file: None, line }, error })
}

fn of_record(record: Result<Record, RecordError>, file: &Option<String>) -> FileEntry {
    let origin = |place: LineColumn| InputOrigin { file: file.clone(), line: place.line as usize };
    match record {
        Ok(record) => FileEntry::Known(InputItem::Game(origin(record.place()), Box::new(record))),
        Err(RecordError { place, fault }) => {
            let error = format!("column {}: {fault}", place.column);
            let failure = InputError { origin: origin(place), error };
            if is_other(&fault) {
                FileEntry::Other(failure)
            } else {
                FileEntry::Known(InputItem::Failure(failure))
            }
        }
    }
}

/// The supported formats, for the error message.
const SUPPORTED: &str = "Lines of Action in SGF or in PGN of XBoard, English draughts in PDN, lists of \
     moves, logs of the console, setups (one a line) and drawn boards";

/// The number of unrecognised entries at the start of a file after which the whole file is
/// rejected as unsupported.
const MOST_UNRECOGNISED: usize = 64;

/// An entry of a file.
enum FileEntry {
    /// An entry in a supported format, possibly with an error in it.
    Known(InputItem),
    /// An entry in an unsupported format.
    Other(InputError),
}

/// The first bytes of common unsupported file formats, and their names.
const SIGNS: [(&[u8], &str); 11] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"\x1f\x8b", "compressed by gzip: unpack it first"),
    (b"<?xml", "an XML document"),
    (b"<", "an HTML page"),
    (b"{\"", "JSON"),
    (b"[{", "JSON"),
    (b"soucie proof", "a proof: use soucie verify"),
];

/// The unsupported format of a file with this beginning; `None` if it is not recognised as one.
fn unsupported_format(head: &[u8]) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)).map(|(_, kind)| *kind);
    sign.or_else(|| head.contains(&0).then_some("binary data"))
}

/// The failure for a file in an unsupported format.
fn refusal(origin: InputOrigin, found: &str) -> InputItem {
    InputItem::Failure(InputError {
        origin,
        error: format!("{found}; supported formats: {SUPPORTED}"),
    })
}

/// Whether the fault is that the record is of an unsupported game or format.
fn is_other(fault: &RecordFault) -> bool {
    matches!(
        fault,
        RecordFault::OtherGame { .. } | RecordFault::Chess { .. } | RecordFault::Format(_)
    )
}

/// Whether a text looks like a setup, with or without moves, or like a board diagram.
fn is_setup(text: &str) -> bool {
    let word = text.strip_prefix("position ").unwrap_or(text);
    let word = word.strip_prefix("fen ").unwrap_or(word).split_whitespace().next();
    let word = word.unwrap_or_default();
    let is_placement = || {
        word.contains('/') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-.".contains(&b))
    };
    let has_side = || matches!(word.get(..2), Some("W:" | "B:" | "w:" | "b:"));
    text.contains('\n') || word == "startpos" || has_side() || is_placement()
}

/// The items of a file; a single failure if the file is in an unsupported format.
fn as_one(
    entries: impl Iterator<Item = FileEntry> + Send + 'static,
) -> impl Iterator<Item = InputItem> {
    let mut entries = entries;
    let begin = move || {
        let mut held = Vec::new();
        let next = loop {
            match entries.next() {
                Some(FileEntry::Other(failure)) if held.len() < MOST_UNRECOGNISED => {
                    held.push(failure)
                }
                next => break next,
            }
        };
        let is_known = matches!(next, Some(FileEntry::Known(_)));
        let items: Box<dyn Iterator<Item = InputItem> + Send> = if is_known || held.is_empty() {
            let held = held.into_iter().map(InputItem::Failure);
            Box::new(held.chain(next.into_iter().chain(entries).map(item)))
        } else {
            let first = held.into_iter().next();
            Box::new(first.map(|first| refusal(first.origin, &first.error)).into_iter())
        };
        items
    };
    iter::once_with(begin).flatten()
}

fn item(entry: FileEntry) -> InputItem {
    match entry {
        FileEntry::Known(item) => item,
        FileEntry::Other(failure) => InputItem::Failure(failure),
    }
}
