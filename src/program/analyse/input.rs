//! Reads the input files and splits them into items: games and setups.

use std::io;
use std::iter;

use super::settings::AnalyseSettings;
use crate::sources::{self, Source};
use soucie::analysis::report::InputOrigin;
use soucie::files::paths::Endpoint;
use soucie::records::DefaultVariant;
use soucie::records::items::{self, TextItem};

pub enum InputItem {
    /// A game, a setup, or text that cannot be read.
    Text(InputOrigin, TextItem),
    /// A source without any game or position, by name.
    Empty(String),
}

type InputItems = Box<dyn Iterator<Item = InputItem> + Send>;

/// The items of all sources, in order. All files are opened at once, so that a missing one is
/// reported before the analysis starts.
pub fn items(
    settings: &AnalyseSettings,
    variant: Option<&'static str>,
) -> io::Result<impl Iterator<Item = InputItem> + Send + use<>> {
    let several = settings.files.len() > 1;
    let open = |source: &Endpoint| {
        let is_named = several && *source != Endpoint::Stdin;
        let name = source.to_string();
        let file = is_named.then(|| name.clone());
        Ok(or_empty(sources::open(source, |text| read(text, file, variant))?, name))
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
    source: Source,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<InputItems> {
    let variant = variant.and_then(DefaultVariant::given);
    Ok(Box::new(items::items(source, variant)?.map(move |item| {
        let (file, line) = (file.clone(), item.line());
        InputItem::Text(InputOrigin { file, line, ..InputOrigin::default() }, item)
    })))
}
