//! Reads the input files and splits them into items: games and setups.

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

/// A source of input.
#[derive(Clone, Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

type Items = Box<dyn Iterator<Item = Item> + Send>;

/// The items of all sources, in order. All files are opened at once, so that a missing one is
/// reported before the analysis starts.
pub fn items(
    settings: &Settings,
    variant: Option<&'static str>,
) -> io::Result<impl Iterator<Item = Item> + Send + use<>> {
    let several = settings.files.len() > 1;
    let open = |source: &Source| match source {
        // With `--json`, each line of stdin is answered before the next one is read.
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

/// The items of a source; [`Item::Nothing`] if there are none.
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

/// The items of a text: games if it begins like a game record, otherwise setups.
///
/// `file` is the file name for error messages and reports; `None` if it is the only input.
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

/// An entry of a file of setups, which may also contain lists of moves.
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

/// The single game of a text; a failure if there is no game or more than one.
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
