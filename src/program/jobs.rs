//! Work on many items: on several threads, in order, and with the journal of `--resume`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::ResumeArgument;
use super::bench;
use super::error::CommandError;
use super::journal::{self, Journal, KnownEntries};
use soucie::ordered_map;

/// The journal of `--resume`, if there is one, with its entries. The results depend on `description`, a JSON
/// object, and on the search of this program.
pub fn journal(
    resume: &ResumeArgument,
    kind: &str,
    description: Value,
) -> Result<Option<(KnownEntries, Journal)>, CommandError> {
    let Some(path) = &resume.resume else { return Ok(None) };
    Ok(Some(journal::open(path, kind, &bench::with_signature(description)?)?))
}

/// Works on the items on so many threads, and passes them with their results to `sink` in order. An item has
/// a name, by which the journal lists it; one without a name is not kept in the journal. Ends with an error
/// once `is_stopped` returns true; later results are in no journal.
pub fn map<T: Send, R: Serialize + DeserializeOwned + Send>(
    threads: usize,
    journal: Option<(KnownEntries, Journal)>,
    items: impl Iterator<Item = (Option<String>, T)> + Send,
    work: impl Fn(&T) -> Result<R, CommandError> + Sync,
    is_stopped: impl Fn() -> bool,
    mut sink: impl FnMut(T, R) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (mut known, mut journal) = journal.unzip();
    let with_results = items.map(|(name, item)| {
        let known = match (&mut known, &name) {
            (Some(known), Some(name)) => known.take_result(name)?,
            _ => None,
        };
        Ok((name, item, known))
    });
    ordered_map::map(
        threads,
        with_results,
        |found: Result<_, CommandError>| {
            let (name, item, known) = found?;
            let (name, result) = match known {
                Some(result) => (None, result),
                None => (name, work(&item)?),
            };
            Ok((name, item, result))
        },
        |found: Result<_, CommandError>| {
            let (name, item, result) = found?;
            if is_stopped() {
                return Err(CommandError::Interrupted("interrupted".into()));
            }
            if let (Some(journal), Some(name)) = (&mut journal, name) {
                journal.add_result(name, &result)?;
            }
            sink(item, result)
        },
    )
}
