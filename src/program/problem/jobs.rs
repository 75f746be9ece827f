//! The work of a command on many items: on several threads, in order, and with a journal.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::settings::ProofSettings;
use crate::error::CommandError;
use crate::journal;
use crate::{arguments, bench, interrupt};
use soucie::ordered_map;

/// What a command does with its items.
pub struct Jobs<'a> {
    pub settings: &'a ProofSettings,
    /// All that the results depend on, for the header of the journal.
    pub description: Value,
    pub stop: &'a AtomicBool,
    /// The progress bar, which counts the items.
    pub bar: &'a ProgressBar,
}

impl Jobs<'_> {
    /// Works on the items and passes the results to `sink` in order. An item has a name, by which the
    /// journal lists it; one without a name is not kept in the journal.
    pub fn run<T: Send, R: Serialize + DeserializeOwned + Send>(
        &self,
        items: impl Iterator<Item = (Option<String>, T)> + Send,
        work: impl Fn(T) -> R + Sync,
        mut sink: impl FnMut(R) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let Self { settings, description, stop, bar } = self;
        let (mut known, mut journal) = match &settings.journal.resume {
            Some(path) => {
                let description = bench::with_signature(description.clone())?;
                let (known, journal) = journal::open(path, "problems", &description)?;
                (Some(known), Some(journal))
            }
            None => (None, None),
        };
        let with_results = items.map(|(name, item)| {
            let known = match (&mut known, &name) {
                (Some(known), Some(name)) => known.take_result(name)?,
                _ => None,
            };
            Ok((name, item, known))
        });
        ordered_map::map(
            settings.jobs.map_or_else(arguments::default_threads, usize::from),
            with_results,
            |found: Result<_, CommandError>| {
                found.map(|(name, item, known)| match known {
                    Some(result) => (None, result),
                    None => (name, work(item)),
                })
            },
            |found| {
                let (name, result) = found?;
                if stop.load(Relaxed) {
                    return Err(CommandError::Interrupted("interrupted".into()));
                }
                if let (Some(journal), Some(item)) = (&mut journal, name) {
                    journal.add_result(item, &result)?;
                }
                bar.inc(1);
                sink(result)
            },
        )?;
        bar.finish_and_clear();
        Ok(())
    }
}

/// Adds to an interrupt what has been done and written, and how to go on.
pub fn with_rest(
    error: CommandError,
    settings: &ProofSettings,
    done: &str,
    file: Option<&PathBuf>,
) -> CommandError {
    if !matches!(error, CommandError::Interrupted(_)) {
        return error;
    }
    let folder = settings.out.as_ref().map(|path| format!("the proofs in {}", path.display()));
    let files =
        file.into_iter().chain(&settings.journal.resume).map(|path| path.display().to_string());
    let files: Vec<String> = files.chain(folder).collect();
    let written = match files.is_empty() {
        true => "no file is written".to_string(),
        false => format!("written: {}", files.join(", ")),
    };
    let how = match settings.journal.resume {
        Some(_) => interrupt::UNFINISHED,
        None => "pass --resume FILE to continue later ones",
    };
    CommandError::Interrupted(format!("interrupted after {done}; {written}; {how}").into())
}

/// Whether a file of results is to be written after the work: also of the first `count` ones, after an
/// interrupt or once the output is closed.
pub fn is_file_due(done: &Result<(), CommandError>, count: usize) -> bool {
    match done {
        Ok(()) => true,
        Err(CommandError::Interrupted(_)) => count > 0,
        Err(CommandError::Io(error)) => error.kind() == ErrorKind::BrokenPipe && count > 0,
        Err(_) => false,
    }
}
