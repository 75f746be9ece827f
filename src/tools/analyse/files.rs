//! The items of the input: what its files hold.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;
use std::path::PathBuf;

use super::input::Item;
use super::kinds::{self, Entry};
use super::report::{Failure, Origin};
use super::settings::Settings;
use crate::files::lines::next_line;
use crate::files::named;
use crate::records::setups::{SetupText, Setups};
use crate::records::{Place, Reader, Record, RecordError, begins_like_games};

/// Where input comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

type Items = Box<dyn Iterator<Item = Item> + Send>;

/// What all sources hold, in order. They are opened beforehand, so that a missing one is told at
/// once.
pub fn items(
    settings: &Settings,
    variant: Option<&'static str>,
) -> io::Result<impl Iterator<Item = Item> + Send + use<>> {
    let several = settings.files.len() > 1;
    let open = |source: &Source| match source {
        // A filter answers a line before it knows the next one.
        Source::Stdin if settings.json => Ok(lines(BufReader::new(io::stdin()), variant)),
        Source::Stdin => {
            let items = read(BufReader::new(io::stdin()), None, variant)?;
            Ok(something(items, "standard input".to_string()))
        }
        Source::File(path) => {
            let name = path.display().to_string();
            let file = Some(name.clone()).filter(|_| several);
            let items = File::open(path).and_then(|text| read(BufReader::new(text), file, variant));
            Ok(something(items.map_err(|error| named(path, error))?, name))
        }
    };
    let sources: Vec<Items> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    Ok(sources.into_iter().flatten())
}

/// These items, or the word that there are none.
fn something(mut items: Items, name: String) -> Items {
    let mut nothing = Some(Item::Nothing(name));
    Box::new(iter::from_fn(move || match items.next() {
        Some(item) => {
            nothing = None;
            Some(item)
        }
        None => nothing.take(),
    }))
}

/// Games, if the text begins like them, or setups. `file` is its name, where that is told.
fn read(
    mut source: impl BufRead + Send + 'static,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<Items> {
    let head = source.fill_buf()?;
    if let Some(kind) = kinds::of(head) {
        let origin = Origin { file, line: 1 };
        return Ok(Box::new(iter::once(kinds::refusal(origin, &format!("this is {kind}")))));
    }
    if begins_like_games(head) {
        let games = reader(source, variant).map(move |game| of_record(game, &file));
        return Ok(Box::new(kinds::as_one(games)));
    }
    let setups = until_an_error(Setups::new(source)).map(move |setup| {
        let origin = |line| Origin { file: file.clone(), line };
        let failure = |line, error| Failure { origin: origin(line), error };
        match setup {
            Ok(SetupText { line, text: Ok(text) }) => of_setup(text, origin(line), variant),
            Ok(SetupText { line, text: Err(error) }) => {
                Entry::Other(failure(line, error.to_string()))
            }
            Err(error) => Entry::Known(Item::Failure(failure(0, error.to_string()))),
        }
    });
    Ok(Box::new(kinds::as_one(setups)))
}

/// An entry of a file of setups; a list of moves may stand between them.
fn of_setup(text: String, origin: Origin, variant: Option<&'static str>) -> Entry {
    if begins_like_games(text.as_bytes()) {
        return Entry::Known(of_game(text.as_bytes(), origin, variant));
    }
    if kinds::is_setup(&text) {
        return Entry::Known(Item::Setup { origin, text });
    }
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "..." } else { "" };
    let error = format!("'{}{dots}' is neither a game nor a position", short.escape_debug());
    Entry::Other(Failure { origin, error })
}

fn reader<R: BufRead>(source: R, variant: Option<&'static str>) -> Reader<R> {
    variant.into_iter().fold(Reader::new(source), Reader::variant)
}

/// Whether this is the beginning of a file of games and not of openings on lines.
pub(in crate::tools) fn begins_like_a_record(text: &[u8]) -> bool {
    const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // A drawn board begins with the number of a rank, a game with that of a move.
    let is_numbered = digits > 0 && text.get(digits) == Some(&b'.');
    is_numbered || matches!(text, [b'(' | b'[' | b'{' | b'%' | b';', ..])
}

/// The longest line of standard input that is read, in bytes: no game that is read is longer.
const LONGEST_LINE: usize = 4 << 20;

/// What is read up to the first error: where the input failed once it may fail for ever.
fn until_an_error<T>(
    read: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    read.scan(false, |has_failed, next| {
        (!std::mem::replace(has_failed, next.is_err())).then_some(next)
    })
}

/// Every line by itself; empty ones are passed over.
fn lines(mut source: impl BufRead + Send + 'static, variant: Option<&'static str>) -> Items {
    let next = move || next_line(&mut source, LONGEST_LINE).transpose();
    let read = until_an_error(iter::from_fn(next));
    Box::new(read.zip(1..).filter_map(move |(read, line)| match read {
        Ok(Ok(bytes)) => of_line(&bytes, line, variant),
        Ok(Err(too_long)) => Some(failure(line, too_long.to_string())),
        Err(error) => Some(failure(line, error.to_string())),
    }))
}

fn of_line(bytes: &[u8], line: usize, variant: Option<&'static str>) -> Option<Item> {
    let origin = Origin { file: None, line };
    if !begins_like_games(bytes) {
        let text = String::from_utf8_lossy(bytes).trim().to_string();
        return (!text.is_empty()).then_some(Item::Setup { origin, text });
    }
    Some(of_game(bytes, origin, variant))
}

/// The only game of a text.
fn of_game(bytes: &[u8], origin: Origin, variant: Option<&'static str>) -> Item {
    let failure = |error: String| Item::Failure(Failure { origin: origin.clone(), error });
    let mut games = reader(bytes, variant).map(|game| of_record(game, &None));
    match (games.next(), games.next()) {
        (Some(Entry::Known(Item::Game(_, record))), None) => Item::Game(origin, record),
        (Some(Entry::Other(error) | Entry::Known(Item::Failure(error))), _) => failure(error.error),
        (Some(_), _) => failure("more than one game on a line".to_string()),
        (None, _) => failure("no game".to_string()),
    }
}

fn failure(line: usize, error: String) -> Item {
    Item::Failure(Failure { origin: Origin { file: None, line }, error })
}

fn of_record(record: Result<Record, RecordError>, file: &Option<String>) -> Entry {
    let origin = |place: Place| Origin { file: file.clone(), line: place.line as usize };
    match record {
        Ok(record) => Entry::Known(Item::Game(origin(record.place()), Box::new(record))),
        Err(RecordError { place, fault }) => {
            let error = format!("column {}: {fault}", place.column);
            let failure = Failure { origin: origin(place), error };
            if kinds::is_other(&fault) {
                Entry::Other(failure)
            } else {
                Entry::Known(Item::Failure(failure))
            }
        }
    }
}
