//! What an analysis has found so far, kept in a file so that an interrupted one can go on: an
//! entry is the judgement of the next position.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::analyser::Analysis;
use crate::tools::journal;
pub use crate::tools::journal::JournalError;

/// A judgement, and of which position it is.
#[derive(Serialize, Deserialize)]
struct Entry {
    setup: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    judgement: Analysis,
}

/// The part of a journal that was written before.
pub struct KnownAnalyses(journal::KnownEntries);

/// The end of a journal, where more is written.
pub struct Journal(journal::Journal);

/// Opens a journal, or begins it.
pub fn open(path: &Path, settings: &Value) -> Result<(KnownAnalyses, Journal), JournalError> {
    journal::open(path, "analysis", settings)
        .map(|(known, journal)| (KnownAnalyses(known), Journal(journal)))
}

impl KnownAnalyses {
    /// What is known of the next position; `None` if nothing is known from here on.
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
            Some(_) => Err(self.0.alien()),
        }
    }
}

impl Journal {
    /// Notes the judgement of the next position.
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
