//! Reads the input files and splits them into items: games and setups.

use std::io;
use std::iter;

use super::settings::AnalyseSettings;
use crate::sources::{self, Source};
use soucie::analysis::report::InputOrigin;
use soucie::files::paths::Endpoint;
use soucie::games;
use soucie::records::items::{self, TextItem};

/// Games, setups and text that cannot be read, with their origins.
type InputItems = Box<dyn Iterator<Item = (InputOrigin, TextItem)> + Send>;

/// The items of all sources, in order. All files are opened at once, so that a missing one is
/// reported before the analysis starts. `on_empty` gets the name of a source without any item.
pub fn items<F: Fn(&str) + Clone + Send + 'static>(
    settings: &AnalyseSettings,
    variant: Option<&'static str>,
    on_empty: F,
) -> io::Result<impl Iterator<Item = (InputOrigin, TextItem)> + Send + use<F>> {
    let several = settings.files.len() > 1;
    let open = |source: &Endpoint| {
        let (name, on_empty) = (source.to_string(), on_empty.clone());
        let file = (several && *source != Endpoint::Stdin).then(|| name.clone());
        let mut items = sources::open(source, |text| read(text, file, variant))?;
        let mut is_empty = true;
        Ok(iter::from_fn(move || {
            let item = items.next();
            if item.is_none() && is_empty {
                on_empty(&name);
            }
            is_empty = false;
            item
        }))
    };
    let sources: Vec<_> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    Ok(sources.into_iter().flatten())
}

/// The items of a text.
///
/// `file` is the file name for error messages and reports; `None` if it is the only input.
fn read(
    source: Source,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<InputItems> {
    let variant = variant.and_then(games::variant);
    Ok(Box::new(items::items(source, variant)?.map(move |item| {
        let (file, line) = (file.clone(), item.line());
        (InputOrigin { file, line, ..InputOrigin::default() }, item)
    })))
}
