//! A journal: a file of intermediate results from which interrupted work is resumed.
//!
//! Each line is a JSON object. The first one is the header: the kind of the work, the version of the
//! format, the version of the program, and the settings on which the results depend, with the node
//! count of the engine's benchmark, which identifies its search. Each further line is an entry:
//!
//! ```text
//! {"journal":"match","format":4,"engine":"1.0.0","settings":{...}}
//! {"game":1,...}
//! ```
//!
//! Lines are written one at a time. An interrupt costs at most the last line; an incomplete line is
//! removed when the journal is opened again.
//!
//! Work of other forms is resumed from what it writes anyway: self-play from the last whole game of its
//! file of samples, a build of tables from the last whole table, training from its last epoch.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use soucie::files::lines::bounded_line;
use soucie::files::printable::excerpt;
use soucie::files::regular;

/// The version of the format. Earlier versions identified builds by hashes of files.
const FORMAT: u64 = 4;

/// The maximum length of a line, in bytes: more than any entry needs.
const LONGEST_LINE: usize = 16 << 20;

/// The maximum length of a value in an error, in characters.
const LONGEST_VALUE: usize = 60;

#[derive(Debug, Error)]
#[error("{path}: {fault}")]
pub struct JournalError {
    path: PathBuf,
    fault: JournalFault,
}

/// Why a journal is refused.
#[derive(Debug, Error)]
enum JournalFault {
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
        there: String,
        here: String,
    },
    #[error("line {0} cannot be read; delete it and all lines after it to continue from there")]
    Unreadable(usize),
    #[error("belongs to other input: line {0} is of another game, position or problem")]
    Entry(usize),
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
struct Header {
    journal: String,
    format: u64,
    engine: String,
    /// All that the entries depend on.
    settings: Value,
}

/// An item of the input, for comparison when the work is continued, and its result.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    item: String,
    result: R,
}

/// The entries that a journal has when it is opened.
pub struct KnownEntries {
    path: PathBuf,
    lines: Take<BufReader<Arc<File>>>,
    /// The number of the last line that was read.
    number: usize,
}

/// An open journal to which entries are appended, after those that it has are taken.
pub struct Journal {
    path: PathBuf,
    /// On Windows no other handle can read a locked file.
    file: Arc<File>,
}

/// Opens a journal of the given kind, or creates it. `settings` contains all that its entries depend on. A
/// file that is not a matching journal stays unchanged.
pub fn open(
    path: &Path,
    kind: &str,
    settings: &Value,
) -> Result<(KnownEntries, Journal), JournalError> {
    let open = || {
        let file = Arc::new(regular::open_locked(path)?.ok_or(JournalFault::InUse)?);
        let (first, end) = beginning(&file)?;
        if end > 0 {
            let header = Header::read(&first)?;
            check_same("journal", &header.journal.into(), &kind.into())?;
            check_same("", &header.settings, settings)?;
            file.set_len(end)?;
        } else {
            let header =
                serde_json::to_string(&Header::new(kind, settings)).map_err(io::Error::from)?;
            // A header that was cut off by an interrupt is written again.
            if !header.starts_with(&first) {
                return Err(JournalFault::NoJournal);
            }
            file.set_len(0)?;
            (&*file).rewind()?;
            writeln!(&*file, "{header}")?;
        }
        let entries = KnownEntries::after(&first, end, &file, path)?;
        Ok((entries, Journal { path: path.to_path_buf(), file }))
    };
    open().map_err(|fault| JournalError { path: path.to_path_buf(), fault })
}

/// Returns the settings and the entries of a journal that is only read. If `expected` settings are given,
/// it must have the same.
pub fn read(
    path: &Path,
    kind: &str,
    expected: Option<&Value>,
) -> Result<(Value, KnownEntries), JournalError> {
    let read = || {
        let file = Arc::new(regular::open(path)?);
        let (first, end) = beginning(&file)?;
        let Header { journal, settings, .. } = Header::read(&first)?;
        check_same("journal", &journal.into(), &kind.into())?;
        expected.map_or(Ok(()), |expected| check_same("", &settings, expected))?;
        Ok((settings, KnownEntries::after(&first, end, &file, path)?))
    };
    read().map_err(|fault| JournalError { path: path.to_path_buf(), fault })
}

/// Returns the first line of a file, and the offset of the end of its last complete line.
fn beginning(file: &File) -> Result<(String, u64), JournalFault> {
    let mut reader = BufReader::new(file);
    let first = bounded_line(&mut reader, LONGEST_LINE)?.unwrap_or(Ok(Vec::new()));
    let first = first.ok().and_then(|line| String::from_utf8(line).ok());
    let first = first.ok_or(JournalFault::NoJournal)?;
    let (mut at, mut end) = (0, 0);
    reader.rewind()?;
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok((first, end));
        }
        if let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n') {
            end = at + last as u64 + 1;
        }
        let length = bytes.len();
        at += length as u64;
        reader.consume(length);
    }
}

impl Header {
    fn new(kind: &str, settings: &Value) -> Self {
        Self {
            journal: kind.to_string(),
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            settings: settings.clone(),
        }
    }

    /// Reads the header in the first line of a file.
    fn read(line: &str) -> Result<Self, JournalFault> {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format != FORMAT && value.get("journal").is_some() => {
                Err(JournalFault::Format(format))
            }
            _ => serde_json::from_value(value).map_err(|_| JournalFault::NoJournal),
        }
    }
}

/// Checks that the value of a setting in a journal is the current one. The name of the whole settings is
/// empty.
fn check_same(name: &str, there: &Value, here: &Value) -> Result<(), JournalFault> {
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

impl KnownEntries {
    /// Returns the entries between the first line of a file and the offset `end`.
    fn after(first: &str, end: u64, file: &Arc<File>, path: &Path) -> io::Result<Self> {
        let begin = first.len() as u64 + 1;
        let mut file = Arc::clone(file);
        file.seek(SeekFrom::Start(begin))?;
        let lines = BufReader::new(file).take(end.saturating_sub(begin));
        Ok(Self { path: path.to_path_buf(), lines, number: 1 })
    }

    /// Returns the next entry, or `None` after the last one.
    pub fn take_next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, JournalError> {
        self.number += 1;
        let line = bounded_line(&mut self.lines, LONGEST_LINE);
        let Some(line) = line.map_err(|error| self.refused(error.into()))? else {
            return Ok(None);
        };
        let entry = line.ok().and_then(|line| serde_json::from_slice(&line).ok());
        entry.map(Some).ok_or_else(|| self.refused(JournalFault::Unreadable(self.number)))
    }

    /// Returns the result of the next item of the input, or `None` after the last entry.
    pub fn take_result<R: DeserializeOwned>(
        &mut self,
        item: &str,
    ) -> Result<Option<R>, JournalError> {
        match self.take_next::<Entry<R>>()? {
            Some(entry) if entry.item != item => Err(self.foreign_entry()),
            entry => Ok(entry.map(|entry| entry.result)),
        }
    }

    /// Returns the error that the last entry belongs to other work.
    pub fn foreign_entry(&self) -> JournalError {
        self.refused(JournalFault::Entry(self.number))
    }

    fn refused(&self, fault: JournalFault) -> JournalError {
        JournalError { path: self.path.clone(), fault }
    }
}

impl Journal {
    /// Appends the result of an item of the input.
    pub fn add_result(
        &mut self,
        item: String,
        result: &impl Serialize,
    ) -> Result<(), JournalError> {
        self.add(&Entry { item, result })
    }

    /// Appends an entry, which must serialise to a JSON object.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let mut add = || {
            let line = serde_json::to_string(entry)? + "\n";
            self.file.seek(SeekFrom::End(0))?;
            self.file.write_all(line.as_bytes())
        };
        add().map_err(|error: io::Error| JournalError {
            path: self.path.clone(),
            fault: error.into(),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::{env, fs, process};

    use serde_json::json;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct TestEntry {
        number: u32,
    }

    fn begin(path: &Path) -> Result<(KnownEntries, Journal), JournalError> {
        open(path, "test", &json!({ "nodes": 5, "network": { "loa": "12ab" } }))
    }

    fn first_entry(path: &Path) -> Result<u32, JournalError> {
        let (mut known, _journal) = begin(path)?;
        known.take_next::<TestEntry>().map(|entry| entry.unwrap().number)
    }

    #[test]
    fn another_file_is_refused_and_stays_unchanged() {
        let path = env::temp_dir().join(format!("soucie-journal-{}", process::id()));
        let (_, mut journal) = begin(&path).unwrap();
        journal.add(&TestEntry { number: 1 }).unwrap();
        drop(journal);
        let whole = fs::read_to_string(&path).unwrap();
        let newer = whole.replace("\"format\":4", "\"format\":5");
        let older = whole.replace("\"format\":4", "\"format\":3");
        let other = whole.replace("12ab", "34cd");
        let no_journal = "not a Soucie journal; name another file";
        for (content, expected) in [
            (&*newer, "found journal format 5, expected format 4; name another file"),
            (&older, "found journal format 3, expected format 4; name another file"),
            (
                &other,
                "made with other settings: network.loa is \"34cd\" in the journal and \"12ab\" now; \
                 name another file",
            ),
            (
                &whole.replace("\"number\"", "\"word\""),
                "line 2 cannot be read; delete it and all lines after it to continue from there",
            ),
            ("not a journal", no_journal),
            ("x\ny", no_journal),
            (&"\0".repeat(LONGEST_LINE + 1), no_journal),
        ] {
            fs::write(&path, content).unwrap();
            assert_eq!(first_entry(&path).unwrap_err().fault.to_string(), expected);
            assert!(fs::read_to_string(&path).unwrap() == content);
        }
        fs::remove_file(&path).unwrap();
    }
}
