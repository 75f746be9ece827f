//! The work of a command on many items: on several threads, in order, and with a journal.

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
    /// journal lists it; one without a name is not kept in the journal. Returns false after an interrupt.
    pub fn run<T: Send, R: Serialize + DeserializeOwned + Send>(
        &self,
        items: impl Iterator<Item = (Option<String>, T)> + Send,
        work: impl Fn(T) -> R + Sync,
        mut sink: impl FnMut(R) -> Result<(), CommandError>,
    ) -> Result<bool, CommandError> {
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
        let done = ordered_map::map(
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
                    return Err(CommandError::Interrupted(String::new()));
                }
                if let (Some(journal), Some(item)) = (&mut journal, name) {
                    journal.add_result(item, &result)?;
                }
                bar.inc(1);
                sink(result)
            },
        );
        bar.finish_and_clear();
        match done {
            Err(CommandError::Interrupted(_)) => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// The error of an interrupt after this work.
    pub fn interrupted_after(&self, done: &str) -> CommandError {
        let how = match self.settings.journal.resume {
            Some(_) => interrupt::UNFINISHED,
            None => "pass --resume FILE to continue later ones",
        };
        CommandError::Interrupted(format!("interrupted after {done}; {how}"))
    }
}
