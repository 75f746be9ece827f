//! The first line of a journal, and why a journal is refused.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::fingerprint::Fingerprint;
use soucie::files::printable::excerpt;

/// The version of the format. Format 2, of version 0.2, has entries that this version cannot continue.
const FORMAT: u64 = 3;

/// The maximum length of a value in an error, in characters.
const LONGEST_VALUE: usize = 60;

#[derive(Debug, Error)]
#[error("{path}: {fault}")]
pub struct JournalError {
    pub path: PathBuf,
    pub fault: JournalFault,
}

#[derive(Debug, Error)]
pub enum JournalFault {
    #[error(transparent)]
    File(#[from] io::Error),
    #[error("in use by another process")]
    InUse,
    #[error("not a Soucie journal; name another file")]
    NoJournal,
    #[error("found journal format {0}, expected format {FORMAT}; name another file")]
    Format(u64),
    #[error(
        "made with other settings: {name} is {there} in the journal and {here} now; name another file"
    )]
    Settings {
        /// The name of the first setting that differs.
        name: String,
        /// The value in the file.
        there: String,
        /// The current value.
        here: String,
    },
    #[error("does not identify the build of its engine; pass --any-build to accept it")]
    NoBuild,
    #[error(
        "has results of another build of {0}; name another file, or pass --any-build to mix them"
    )]
    Build(String),
    #[error("line {0} is damaged; delete it and all lines after it to continue from there")]
    Damaged(usize),
    #[error("line {0} has unknown or missing fields; name another file")]
    Fields(usize),
    #[error("belongs to other input: line {0} is of another game, position or problem")]
    Entry(usize),
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    journal: String,
    format: u64,
    engine: String,
    #[serde(default)]
    pub builds: Vec<Fingerprint>,
    /// All that the entries depend on besides the builds.
    pub settings: Value,
}

impl Header {
    pub fn new(kind: &str, builds: Vec<Fingerprint>, settings: &Value) -> Self {
        Self {
            journal: kind.to_string(),
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            builds,
            settings: settings.clone(),
        }
    }

    /// Reads the header in the first line of a file.
    pub fn read(line: &str) -> Result<Self, JournalFault> {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        let format = value.get("format").and_then(Value::as_u64);
        match format.filter(|_| value.get("journal").is_some()) {
            Some(FORMAT) => {}
            Some(other) => return Err(JournalFault::Format(other)),
            None => return Err(JournalFault::NoJournal),
        }
        let line = unsealed(line).ok_or(JournalFault::Damaged(1))?;
        serde_json::from_str(&line).map_err(|_| JournalFault::Fields(1))
    }

    /// Checks that the journal is of this kind and has these settings.
    pub fn check(&self, kind: &str, settings: &Value) -> Result<(), JournalFault> {
        check_same("journal", &json!(self.journal), &json!(kind))?;
        check_same("", &self.settings, settings)
    }
}

/// Checks that the builds in a journal are the same as others, which `is_same` compares.
pub fn check_builds<T>(
    builds: &[Fingerprint],
    others: &[T],
    is_same: impl Fn(&Fingerprint, &T) -> bool,
) -> Result<(), JournalFault> {
    if builds.is_empty() {
        return Err(JournalFault::NoBuild);
    }
    let mut pairs = builds.iter().zip(others);
    match pairs.find(|(build, other)| !is_same(build, other)) {
        Some((build, _)) => Err(JournalFault::Build(build.name.clone())),
        None => Ok(()),
    }
}

/// Checks that the value of a setting in a journal is the one that is expected. The name of the
/// whole settings is empty.
pub fn check_same(name: &str, there: &Value, here: &Value) -> Result<(), JournalFault> {
    if there == here {
        return Ok(());
    }
    if let (Value::Object(there), Value::Object(here)) = (there, here) {
        return there.keys().chain(here.keys()).try_for_each(|key| {
            let inner = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            let value = |object: &Map<_, _>| object.get(key).cloned().unwrap_or_default();
            check_same(&inner, &value(there), &value(here))
        });
    }
    let shown = |value: &Value| excerpt(&value.to_string(), LONGEST_VALUE).into();
    Err(JournalFault::Settings { name: name.to_string(), there: shown(there), here: shown(here) })
}

/// Returns the object as JSON with its checksum as the last field, without a line ending.
pub fn sealed(object: &impl Serialize) -> io::Result<String> {
    let text = serde_json::to_string(object)?;
    let body = text.strip_suffix('}').unwrap_or(&text);
    Ok(format!("{body},\"crc32\":\"{:08x}\"}}", crc32fast::hash(body.as_bytes())))
}

/// Returns the object of a line without its checksum, or `None` if the checksum is wrong.
pub fn unsealed(line: &str) -> Option<String> {
    let (body, rest) = line.rsplit_once(",\"crc32\":\"")?;
    let checksum = rest.strip_suffix("\"}")?;
    let fits = checksum == format!("{:08x}", crc32fast::hash(body.as_bytes()));
    fits.then(|| format!("{body}}}"))
}
