//! Reads the input files and splits them into items: games and setups.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::settings::{AnalyseSettings, InputSource};
use super::stdin::StdinReader;
use soucie::analysis::report::InputOrigin;
use soucie::files::named;
use soucie::games;
use soucie::records::items::{self, TextItem};

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
            let stdin = BufReader::new(StdinReader::new(Arc::clone(is_needed))?);
            Ok(or_empty(read(stdin, None, variant)?, name))
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
    let variant = variant.and_then(games::variant);
    Ok(Box::new(items::items(source, variant)?.map(move |item| {
        let (file, line) = (file.clone(), item.line());
        InputItem::Text(InputOrigin { file, line, ..InputOrigin::default() }, item)
    })))
}
