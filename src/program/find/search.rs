//! Searches archives on several threads: one cuts out the games, the others read them.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;

use super::settings::FindSettings;
use crate::arguments::{Source, open_source};
use crate::error::CommandError;
use soucie::analysis::report::{InputError, InputOrigin};
use soucie::files::paths::Endpoint;
use soucie::ordered_map;
use soucie::records::Record;
use soucie::records::items::{RawItem, TextItem, raw_items};

/// What is found in a game, and the error in it.
pub struct GameResult<R> {
    pub found: Option<R>,
    pub error: Option<String>,
}

/// What a search prints or counts.
pub trait ResultSink<R> {
    /// Called for each game that is found, in order, with the number of its archive from 0, its place and its number
    /// in the archive.
    fn found(
        &mut self,
        place: (usize, InputOrigin),
        number: usize,
        found: R,
    ) -> Result<(), CommandError>;

    /// Called for each error.
    fn failed(&mut self, error: InputError) -> Result<(), CommandError>;
}

/// A game of a part of an archive that is found or has an error.
struct SearchedEntry<R> {
    /// The number in the part, from 1.
    number: usize,
    line: usize,
    result: GameResult<R>,
}

/// Searches the archives, until `stop` is set, and returns the number of games and other entries. `search` is called
/// for each game.
pub fn search<R: Send>(
    settings: &FindSettings,
    (bar, stop): (&ProgressBar, &AtomicBool),
    search: impl Fn(&Record) -> GameResult<R> + Sync,
    sink: &mut impl ResultSink<R>,
) -> Result<usize, CommandError> {
    let parts = parts(settings, bar)?.take_while(|_| !stop.load(Relaxed));
    let has_names = settings.archives.len() > 1;
    let (mut last, mut before, mut all) = (0, 0, 0);
    ordered_map::map(
        settings.threads.count(),
        parts,
        |(archive, items): (usize, Vec<RawItem>)| (archive, search_part(items, &search)),
        |(archive, (count, entries))| {
            if archive != last {
                (last, before) = (archive, 0);
            }
            let name = settings.archives.get(archive).filter(|_| has_names);
            for SearchedEntry { number, line, result } in entries {
                let file = name.map(Endpoint::to_string);
                let origin = InputOrigin { file, line, column: None };
                if let Some(error) = result.error {
                    let origin = origin.clone();
                    bar.suspend(|| sink.failed(InputError { origin, error }))?;
                }
                if let Some(found) = result.found {
                    bar.suspend(|| sink.found((archive, origin), before + number, found))?;
                }
            }
            before += count;
            all += count;
            Ok::<_, CommandError>(())
        },
    )?;
    Ok(all)
}

/// The parts of all archives, each with the number of its archive. All are opened at once, so that a missing one is
/// reported before the search starts.
fn parts(
    settings: &FindSettings,
    bar: &ProgressBar,
) -> io::Result<impl Iterator<Item = (usize, Vec<RawItem>)> + Send> {
    let open = |(archive, source): (usize, &Endpoint)| {
        let begin = |text: Source| raw_items(bar.wrap_read(text), settings.variant());
        Ok(open_source(source, begin)?.map(move |items| (archive, items)))
    };
    let archives = settings.archives.iter().enumerate();
    let archives: Vec<_> = archives.map(open).collect::<io::Result<_>>()?;
    Ok(archives.into_iter().flatten())
}

/// Reads and searches the entries of a part. Returns their number, and those that are found or have an error.
fn search_part<R>(
    items: Vec<RawItem>,
    search: impl Fn(&Record) -> GameResult<R>,
) -> (usize, Vec<SearchedEntry<R>>) {
    let (mut count, mut entries) = (0, Vec::new());
    for item in items.into_iter().filter_map(RawItem::read) {
        count += 1;
        let line = item.line();
        let failed = |error| GameResult { found: None, error: Some(error) };
        let result = match item {
            TextItem::Game(record) => {
                let result = search(&record);
                let fault = record.fault().map(str::to_string);
                GameResult { error: fault.or(result.error), ..result }
            }
            TextItem::Setup { .. } => failed("expected a game, found a position".to_string()),
            TextItem::Failure(error) => failed(error.to_string()),
        };
        if result.found.is_some() || result.error.is_some() {
            entries.push(SearchedEntry { number: count, line, result });
        }
    }
    (count, entries)
}
