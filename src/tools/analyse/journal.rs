//! The journal of `--resume`: a file of finished analyses with which an interrupted run resumes.
//! The entries are in the order of the input, one for each position.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::analyser::Analysis;
use crate::tools::journal;
pub use crate::tools::journal::JournalError;

/// An analysis, with its position and move for comparison with the input.
#[derive(Serialize, Deserialize)]
struct Entry {
    setup: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    judgement: Analysis,
}

/// The entries of a journal that an earlier run has written.
pub struct KnownAnalyses(journal::KnownEntries);

/// A journal, to which entries are appended.
pub struct Journal(journal::Journal);

/// Opens or creates a journal. An existing one must have the same `settings`.
pub fn open(path: &Path, settings: &Value) -> Result<(KnownAnalyses, Journal), JournalError> {
    journal::open(path, "analysis", settings)
        .map(|(known, journal)| (KnownAnalyses(known), Journal(journal)))
}

impl KnownAnalyses {
    /// The analysis of the next position; `None` once all stored entries are used.
    ///
    /// An entry of another position or move is an error.
    pub fn next(
        &mut self,
        setup: &str,
        played: Option<&str>,
    ) -> Result<Option<Analysis>, JournalError> {
        match self.0.next::<Entry>()? {
            None => Ok(None),
            Some(entry) if entry.setup == setup && entry.played.as_deref() == played => {
                Ok(Some(entry.judgement))
            }
            Some(_) => Err(self.0.foreign_entry()),
        }
    }
}

impl Journal {
    /// Appends the analysis of the next position.
    pub fn add(
        &mut self,
        setup: &str,
        played: Option<&str>,
        judgement: &Analysis,
    ) -> Result<(), JournalError> {
        let (setup, played) = (setup.to_string(), played.map(str::to_string));
        self.0.add(&Entry { setup, played, judgement: judgement.clone() })
    }
}
