//! The items of the input: what its files hold.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;
use std::path::PathBuf;

use super::input::Item;
use super::report::{Failure, Origin};
use super::settings::Settings;
use crate::files::lines::next_line;
use crate::files::named;
use crate::records::setups::{SetupText, Setups};
use crate::records::{Place, Reader, Record, RecordError};

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

/// Records, if the text begins like one, or setups. `file` is its name, where that is told.
fn read(
    mut source: impl BufRead + Send + 'static,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<Items> {
    if begins_like_a_record(source.fill_buf()?) {
        return Ok(Box::new(reader(source, variant).map(move |game| of_record(game, &file))));
    }
    Ok(Box::new(until_an_error(Setups::new(source)).map(move |setup| {
        let origin = |line| Origin { file: file.clone(), line };
        let failure = |line, error| Item::Failure(Failure { origin: origin(line), error });
        match setup {
            Ok(SetupText { line, text: Ok(text) }) => Item::Setup { origin: origin(line), text },
            Ok(SetupText { line, text: Err(error) }) => failure(line, error.to_string()),
            Err(error) => failure(0, error.to_string()),
        }
    })))
}

fn reader<R: BufRead>(source: R, variant: Option<&'static str>) -> Reader<R> {
    variant.into_iter().fold(Reader::new(source), Reader::variant)
}

/// Whether this is the beginning of a file of games and not of setups.
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
    if !begins_like_a_record(bytes) {
        let text = String::from_utf8_lossy(bytes).trim().to_string();
        return (!text.is_empty()).then_some(Item::Setup { origin, text });
    }
    let mut games = reader(bytes, variant).map(|game| of_record(game, &None));
    Some(match (games.next(), games.next()) {
        (Some(Item::Failure(Failure { error, .. })), _) => failure(line, error),
        (Some(Item::Game(_, record)), None) => Item::Game(origin, record),
        (Some(_), _) => failure(line, "more than one game on a line".to_string()),
        (None, _) => failure(line, "no game".to_string()),
    })
}

fn failure(line: usize, error: String) -> Item {
    Item::Failure(Failure { origin: Origin { file: None, line }, error })
}

fn of_record(record: Result<Record, RecordError>, file: &Option<String>) -> Item {
    let origin = |place: Place| Origin { file: file.clone(), line: place.line as usize };
    match record {
        Ok(record) => Item::Game(origin(record.place()), Box::new(record)),
        Err(RecordError { place, fault }) => Item::Failure(Failure {
            origin: origin(place),
            error: format!("column {}: {fault}", place.column),
        }),
    }
}
