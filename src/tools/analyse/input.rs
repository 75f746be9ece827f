//! Reads the input files and splits them into items: games and setups.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::settings::{AnalyseSettings, InputSource};
use super::stdin::StdinReader;
use crate::analysis::report::{InputError, InputOrigin};
use crate::files::lines::next_line;
use crate::files::named;
use crate::records::items::{self, TextError, TextItem, beginning, item_of_line, until_an_error};
use crate::records::{Record, begins_over_lines};

/// An entry of the input.
pub enum InputItem {
    /// A game.
    Game(InputOrigin, Box<Record>),
    /// A setup, optionally followed by moves as in the `position` command.
    Setup {
        /// The location in the input.
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
/// reported before the analysis starts. Standard input ends early if it `is_needed` no more.
pub fn items(
    settings: &AnalyseSettings,
    variant: Option<&'static str>,
    is_needed: &Arc<AtomicBool>,
) -> io::Result<impl Iterator<Item = InputItem> + Send + use<>> {
    let several = settings.files.len() > 1;
    let open = |source: &InputSource| match source {
        InputSource::Stdin => {
            let name = "standard input".to_string();
            let mut stdin = BufReader::new(StdinReader::new(Arc::clone(is_needed))?);
            // An error occurs again where the lines are read.
            let head =
                if settings.json { beginning(&mut stdin).unwrap_or_default() } else { Vec::new() };
            let has_lines = settings.ids || settings.json && !begins_over_lines(&head);
            let text = Cursor::new(head).chain(stdin);
            // With `--json`, each line is answered before the next one is read.
            if has_lines {
                return Ok(something(lines(text, settings.ids, variant), name));
            }
            Ok(something(read(text, None, variant)?, name))
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

/// The items of a text.
///
/// `file` is the file name for error messages and reports; `None` if it is the only input.
fn read(
    source: impl BufRead + Send + 'static,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<InputItems> {
    Ok(Box::new(items::items(source, variant)?.map(move |item| of_text(item, &file))))
}

fn of_text(item: TextItem, file: &Option<String>) -> InputItem {
    let origin = |line| InputOrigin { file: file.clone(), line, ..InputOrigin::default() };
    match item {
        TextItem::Game(record) => InputItem::Game(origin(record.location().line as usize), record),
        TextItem::Setup { line, text } => InputItem::Setup { origin: origin(line), text },
        TextItem::Failure(TextError { line, column, error }) => {
            InputItem::Failure(InputError { origin: InputOrigin { column, ..origin(line) }, error })
        }
    }
}

/// The maximum length of a line of stdin in bytes. No supported game is longer.
const LONGEST_LINE: usize = 4 << 20;

/// One item for each line; empty lines are skipped. With `ids`, each line begins with its id.
fn lines(
    mut source: impl BufRead + Send + 'static,
    ids: bool,
    variant: Option<&'static str>,
) -> InputItems {
    let next = move || next_line(&mut source, LONGEST_LINE).transpose();
    let read = until_an_error(iter::from_fn(next));
    Box::new(read.zip(1..).filter_map(move |(read, line)| match read {
        Ok(Ok(bytes)) if ids => with_id(&bytes, line, variant),
        Ok(Ok(bytes)) => {
            let origin = InputOrigin { line, ..InputOrigin::default() };
            Some(of_line(item_of_line(&bytes, line, variant)?, origin))
        }
        Ok(Err(too_long)) => Some(failure(line, too_long.to_string())),
        Err(error) => Some(failure(line, error.to_string())),
    }))
}

/// The item of a line that begins with an id and a tab; `None` if the line is empty.
fn with_id(bytes: &[u8], line: usize, variant: Option<&'static str>) -> Option<InputItem> {
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    let mut parts = bytes.splitn(2, |&byte| byte == b'\t');
    let (Some(id), Some(text)) = (parts.next(), parts.next()) else {
        return Some(failure(line, "expected an id and a tab".to_string()));
    };
    let id = Some(String::from_utf8_lossy(id).into_owned());
    let origin = InputOrigin { id, ..InputOrigin::default() };
    // An entry with an id does not depend on the lines before it.
    Some(match item_of_line(text, 1, variant) {
        Some(item) => of_line(item, origin),
        None => {
            let error = "no game or position after the id".to_string();
            InputItem::Failure(InputError { origin, error })
        }
    })
}

/// An item with this origin, also for a game and for an error in it.
fn of_line(item: TextItem, origin: InputOrigin) -> InputItem {
    match item {
        TextItem::Game(record) => InputItem::Game(origin, record),
        TextItem::Setup { text, .. } => InputItem::Setup { origin, text },
        TextItem::Failure(TextError { column, error, .. }) => {
            InputItem::Failure(InputError { origin: InputOrigin { column, ..origin }, error })
        }
    }
}

fn failure(line: usize, error: String) -> InputItem {
    let origin = InputOrigin { line, ..InputOrigin::default() };
    InputItem::Failure(InputError { origin, error })
}
