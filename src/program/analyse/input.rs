//! Reads the input files and splits them into items: games and setups.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::settings::{AnalyseSettings, InputSource};
use super::stdin::StdinReader;
use soucie::analysis::report::InputOrigin;
use soucie::files::lines::next_line;
use soucie::files::named;
use soucie::records::items::{self, TextItem, beginning, item_of_line, until_an_error};
use soucie::records::{DefaultVariant, MAX_GAME_BYTES, begins_over_lines};

/// An entry of the input.
pub enum InputItem {
    /// A game, a setup, or text that cannot be read.
    Text(InputOrigin, TextItem),
    /// A source without any game or position, by name.
    Empty(String),
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
                return Ok(or_empty(lines(text, settings.ids, variant), name));
            }
            Ok(or_empty(read(text, None, variant)?, name))
        }
        InputSource::File(path) => {
            let name = path.display().to_string();
            let file = Some(name.clone()).filter(|_| several);
            let items = File::open(path).and_then(|text| read(BufReader::new(text), file, variant));
            Ok(or_empty(items.map_err(|error| named(path, error))?, name))
        }
    };
    let sources: Vec<InputItems> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    Ok(sources.into_iter().flatten())
}

/// The items of a source; [`InputItem::Empty`] if there are none.
fn or_empty(mut items: InputItems, name: String) -> InputItems {
    let mut empty = Some(InputItem::Empty(name));
    Box::new(iter::from_fn(move || match items.next() {
        Some(item) => {
            empty = None;
            Some(item)
        }
        None => empty.take(),
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
    let variant = variant.and_then(DefaultVariant::given);
    Ok(Box::new(items::items(source, variant)?.map(move |item| {
        let (file, line) = (file.clone(), item.line());
        InputItem::Text(InputOrigin { file, line, ..InputOrigin::default() }, item)
    })))
}

/// One item for each line, which may be a whole game; empty lines are skipped. With `ids`, each line
/// begins with its id.
fn lines(
    mut source: impl BufRead + Send + 'static,
    ids: bool,
    variant: Option<&'static str>,
) -> InputItems {
    let variant = variant.and_then(DefaultVariant::given);
    let next = move || next_line(&mut source, MAX_GAME_BYTES).transpose();
    let read = until_an_error(iter::from_fn(next));
    Box::new(read.zip(1..).filter_map(move |(read, line)| {
        let item = match read {
            Ok(Ok(bytes)) if ids => return with_id(&bytes, line, variant),
            Ok(Ok(bytes)) => item_of_line(&bytes, line, variant)?,
            Ok(Err(too_long)) => TextItem::failure(line, too_long),
            Err(error) => TextItem::failure(line, error),
        };
        Some(InputItem::Text(InputOrigin { line, ..InputOrigin::default() }, item))
    }))
}

/// The item of a line that begins with an id and a tab; `None` if the line is empty.
fn with_id(bytes: &[u8], line: usize, variant: Option<DefaultVariant>) -> Option<InputItem> {
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    let mut parts = bytes.splitn(2, |&byte| byte == b'\t');
    let (Some(id), Some(text)) = (parts.next(), parts.next()) else {
        let origin = InputOrigin { line, ..InputOrigin::default() };
        let item = TextItem::failure(line, "expected an id and a tab");
        return Some(InputItem::Text(origin, item));
    };
    // An entry with an id does not depend on the lines before it.
    let item = item_of_line(text, 1, variant);
    let item = item.unwrap_or_else(|| TextItem::failure(1, "no game or position after the id"));
    let id = Some(String::from_utf8_lossy(id).into_owned());
    Some(InputItem::Text(InputOrigin { id, ..InputOrigin::default() }, item))
}
