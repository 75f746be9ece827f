//! A journal: a file of intermediate results from which interrupted work is resumed.
//!
//! Each line is a JSON object. The first one is the header: the kind of the journal, the version of
//! the format, the version of the engine, and the settings on which the entries depend. Each
//! further line is an entry. The last field of a line is its checksum, the CRC-32 of all text
//! before it:
//!
//! ```text
//! {"journal":"match","format":2,"engine":"0.1.0","settings":{...},"crc32":"5d1c03f2"}
//! {"game":1,...,"crc32":"90ab12cd"}
//! ```
//!
//! Lines are written one at a time. An interrupt costs at most the last line; an incomplete line is
//! removed when the journal is opened again.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::files::lines::bounded_line;
use crate::files::lock::Lock;
use crate::files::regular;

/// The version of the format. Format 1 had settings as free text and no checksums.
const FORMAT: u64 = 2;

/// The beginning of the header of a journal in format 1.
const FORMAT_1: &str = "soucie ";

/// The maximum length of a line, in bytes: more than any entry needs.
const LONGEST_LINE: usize = 16 << 20;

/// The errors of opening, reading and writing a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Another process has locked the journal.
    #[error("{0} is in use")]
    InUse(PathBuf),
    /// The file is not a journal.
    #[error("{0} is not a Soucie journal: name another file")]
    NoJournal(PathBuf),
    /// The journal has the format of an older or newer version.
    #[error("{path} has journal format {there}, expected format {FORMAT}: name another file")]
    Format {
        /// The path of the file.
        path: PathBuf,
        /// The format of the file.
        there: u64,
    },
    /// The journal was written with other settings.
    #[error("{path} was made with other settings: {what} is {there} in the journal and {here} now")]
    Settings {
        /// The path of the file.
        path: PathBuf,
        /// The name of the first setting that differs.
        what: String,
        /// The value in the file.
        there: String,
        /// The current value.
        here: String,
    },
    /// The checksum of a line is wrong.
    #[error("{0}: line {1} is damaged; delete it and all lines after it to continue from there")]
    Damaged(PathBuf, usize),
    /// A line has other fields than this version writes.
    #[error("{0}: line {1} has unknown or missing fields: name another file")]
    Fields(PathBuf, usize),
    /// An entry belongs to other work.
    #[error("{0} belongs to other input: its line {1} is of another game or position")]
    Entry(PathBuf, usize),
}

#[derive(Serialize)]
struct JournalHeader<'a> {
    journal: &'a str,
    format: u64,
    engine: &'a str,
    settings: &'a Value,
}

/// The existing entries of a journal.
pub struct KnownEntries {
    path: PathBuf,
    lines: BufReader<File>,
    number: usize,
    /// The number of the last line when the journal was opened.
    last: usize,
}

/// An open journal to which entries are appended.
pub struct Journal {
    path: PathBuf,
    file: File,
    _lock: Lock,
}

/// Opens a journal of the given kind, or creates it. `settings` contains all that its entries
/// depend on. A file that is not a matching journal stays unchanged.
pub fn open(
    path: &Path,
    kind: &str,
    settings: &Value,
) -> Result<(KnownEntries, Journal), JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let engine = env!("CARGO_PKG_VERSION");
    let header = JournalHeader { journal: kind, format: FORMAT, engine, settings };
    let header = sealed(&header).map_err(failed)?;
    let mut file = regular::open_or_create(path).map_err(failed)?;
    let lock = Lock::beside(path).map_err(failed)?;
    let lock = lock.ok_or_else(|| JournalError::InUse(path.to_path_buf()))?;
    let mut lines = BufReader::new(regular::open(path).map_err(failed)?);
    let first = bounded_line(&mut lines, LONGEST_LINE).map_err(failed)?;
    let first = first.unwrap_or(Ok(Vec::new()));
    let first = first.map_err(|_| JournalError::NoJournal(path.to_path_buf()))?;
    let (end, last) = whole_lines(path, &file)?;
    // A header that was cut off by an interrupt is written again.
    if last > 0 || !header.as_bytes().starts_with(&first) {
        check_header(path, &String::from_utf8_lossy(&first), &header)?;
    }
    file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    if end == 0 {
        writeln!(file, "{header}").map_err(failed)?;
    }
    let path = path.to_path_buf();
    Ok((
        KnownEntries { path: path.clone(), lines, number: 1, last },
        Journal { path, file, _lock: lock },
    ))
}

/// A journal that is only read.
pub struct ClosedJournal {
    /// The header, for comparison with that of other journals.
    pub header: String,
    /// The settings in the header.
    pub settings: Value,
    /// The entries.
    pub entries: KnownEntries,
}

/// Opens a journal of the given kind, made by this version, to read it. If `expected` is the header
/// of another journal, both must have the same settings.
pub fn read(
    path: &Path,
    kind: &str,
    expected: Option<&str>,
) -> Result<ClosedJournal, JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let file = regular::open(path).map_err(failed)?;
    let (_, last) = whole_lines(path, &file)?;
    let mut lines = BufReader::new(regular::open(path).map_err(failed)?);
    let first = bounded_line(&mut lines, LONGEST_LINE).map_err(failed)?;
    let first = first.and_then(Result::ok).filter(|_| last > 0);
    let first = first.ok_or_else(|| JournalError::NoJournal(path.to_path_buf()))?;
    let header = String::from_utf8_lossy(&first).into_owned();
    let mut value: Value = serde_json::from_str(&header).unwrap_or_default();
    let settings = value.get_mut("settings").map(Value::take).unwrap_or_default();
    let engine = env!("CARGO_PKG_VERSION");
    let own = JournalHeader { journal: kind, format: FORMAT, engine, settings: &settings };
    check_header(path, &header, &sealed(&own).map_err(failed)?)?;
    if let Some(expected) = expected {
        check_header(path, &header, expected)?;
    }
    let entries = KnownEntries { path: path.to_path_buf(), lines, number: 1, last };
    Ok(ClosedJournal { header, settings, entries })
}

/// Returns the object as JSON with its checksum as the last field, without a line ending.
fn sealed(object: &impl Serialize) -> io::Result<String> {
    let text = serde_json::to_string(object)?;
    let body = text.strip_suffix('}').unwrap_or(&text);
    Ok(format!("{body},\"crc32\":\"{:08x}\"}}", crc32fast::hash(body.as_bytes())))
}

/// Returns the object of a line without its checksum, or `None` if the checksum is wrong.
fn unsealed(line: &str) -> Option<String> {
    let (body, rest) = line.rsplit_once(",\"crc32\":\"")?;
    let checksum = rest.strip_suffix("\"}")?;
    let fits = checksum == format!("{:08x}", crc32fast::hash(body.as_bytes()));
    fits.then(|| format!("{body}}}"))
}

fn check_header(path: &Path, there: &str, here: &str) -> Result<(), JournalError> {
    let path = path.to_path_buf();
    if there == here {
        return Ok(());
    }
    if there.starts_with(FORMAT_1) {
        return Err(JournalError::Format { path, there: 1 });
    }
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let there_value = value(there);
    let format = there_value.get("format").and_then(Value::as_u64);
    match format.filter(|_| there_value.get("journal").is_some()) {
        None => Err(JournalError::NoJournal(path)),
        Some(there) if there != FORMAT => Err(JournalError::Format { path, there }),
        Some(_) => {
            let plain = |text: &str| value(&unsealed(text).unwrap_or_default());
            let (there, here) = (plain(there), plain(here));
            if there.is_null() {
                return Err(JournalError::Damaged(path, 1));
            }
            let [what, there, here] = difference("", &there, &here).unwrap_or_default();
            Err(JournalError::Settings { path, what, there, here })
        }
    }
}

/// Returns the name of the first value in which two headers differ, and both values.
fn difference(name: &str, one: &Value, other: &Value) -> Option<[String; 3]> {
    const LONGEST: usize = 60;
    if one == other {
        return None;
    }
    if let (Value::Object(a), Value::Object(b)) = (one, other) {
        return a.keys().chain(b.keys()).find_map(|key| {
            let inner = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            let of = |object: &serde_json::Map<_, _>| object.get(key).cloned().unwrap_or_default();
            difference(&inner, &of(a), &of(b))
        });
    }
    let shown = |value: &Value| value.to_string().chars().take(LONGEST).collect();
    let name = name.strip_prefix("settings.").unwrap_or(name);
    Some([name.to_string(), shown(one), shown(other)])
}

/// Returns the offset of the end of the last complete line, and the number of complete lines.
fn whole_lines(path: &Path, file: &File) -> Result<(u64, usize), JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let mut reader = BufReader::new(file);
    let (mut end, mut lines) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = LONGEST_LINE as u64 + 1;
        let length = reader.by_ref().take(most).read_until(b'\n', &mut line).map_err(failed)?;
        if !line.ends_with(b"\n") {
            let is_cut = line.len() <= LONGEST_LINE;
            let damaged = || JournalError::Damaged(path.to_path_buf(), lines + 1);
            return if is_cut { Ok((end, lines)) } else { Err(damaged()) };
        }
        end += length as u64;
        lines += 1;
    }
}

impl KnownEntries {
    /// Returns the next existing entry, or `None` after the last one. An entry is refused unless
    /// this version would write exactly the same line.
    pub fn next<T: Serialize + DeserializeOwned>(&mut self) -> Result<Option<T>, JournalError> {
        // Entries added since the journal was opened are not returned.
        if self.number >= self.last {
            return Ok(None);
        }
        let failed = |error| JournalError::File { path: self.path.clone(), error };
        let Some(line) = bounded_line(&mut self.lines, LONGEST_LINE).map_err(failed)? else {
            return Ok(None);
        };
        self.number += 1;
        let line = line.ok().and_then(|line| unsealed(str::from_utf8(&line).ok()?));
        let line = line.ok_or_else(|| JournalError::Damaged(self.path.clone(), self.number))?;
        let entry = serde_json::from_str::<T>(&line).ok();
        let entry =
            entry.filter(|entry| serde_json::to_string(entry).is_ok_and(|text| text == line));
        entry.map(Some).ok_or_else(|| JournalError::Fields(self.path.clone(), self.number))
    }

    /// Returns the error that the last entry belongs to other work.
    pub fn foreign_entry(&self) -> JournalError {
        JournalError::Entry(self.path.clone(), self.number)
    }
}

impl Journal {
    /// Appends an entry, which must serialise to a JSON object.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let written =
            sealed(entry).and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| JournalError::File { path: self.path.clone(), error })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::{env, fs, process};

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct TestEntry {
        number: u32,
        #[serde(default)]
        word: String,
    }

    fn entry(number: u32) -> TestEntry {
        TestEntry { number, word: "word".to_string() }
    }

    fn file(name: &str) -> PathBuf {
        env::temp_dir().join(format!("soucie-journal-{}-{name}", process::id()))
    }

    fn begin(path: &Path) -> Result<(KnownEntries, Journal), JournalError> {
        open(path, "test", &json!({ "nodes": 5, "network": { "loa": "12ab" } }))
    }

    /// Writes a journal with the given number of entries and returns its text.
    fn written(path: &Path, entries: u32) -> String {
        let _ = fs::remove_file(path);
        let (_, mut journal) = begin(path).unwrap();
        (1..=entries).for_each(|number| journal.add(&entry(number)).unwrap());
        fs::read_to_string(path).unwrap()
    }

    fn entries(path: &Path) -> Result<Vec<u32>, JournalError> {
        let (mut known, _journal) = begin(path)?;
        let numbers = std::iter::from_fn(|| known.next::<TestEntry>().transpose());
        numbers.map(|entry| entry.map(|entry| entry.number)).collect()
    }

    fn error_text(path: &Path) -> String {
        let error = entries(path).unwrap_err().to_string();
        error.replace(&path.display().to_string(), "FILE")
    }

    #[test]
    fn a_header_is_json_with_a_format_and_a_checksum() {
        let path = file("header");
        let text = written(&path, 0);
        let header: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&header["journal"], &header["format"]), (&json!("test"), &json!(2)));
        assert_eq!(header["settings"]["network"]["loa"], "12ab");
        assert!(text.ends_with("\"}\n") && text.contains(",\"crc32\":\""), "{text}");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_truncated_last_line_is_dropped_and_the_rest_is_read() {
        let path = file("cut");
        let whole = written(&path, 0);
        for content in ["", &whole[..5], &whole[..whole.len() - 1]] {
            fs::write(&path, content).unwrap();
            assert_eq!(entries(&path).unwrap(), [0; 0]);
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
        let whole = written(&path, 3);
        fs::write(&path, &whole[..whole.len() - 2]).unwrap();
        let (mut known, mut journal) = begin(&path).unwrap();
        journal.add(&entry(4)).unwrap();
        assert_eq!(known.next().unwrap(), Some(entry(1)));
        assert_eq!(known.next().unwrap(), Some(entry(2)));
        assert_eq!(known.next::<TestEntry>().unwrap(), None);
        let refused = begin(&path).err().unwrap();
        assert!(matches!(refused, JournalError::InUse(_)), "{refused}");
        drop((known, journal));
        assert_eq!(entries(&path).unwrap(), [1, 2, 4]);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn any_flipped_bit_is_detected() {
        let path = file("flipped");
        let whole = written(&path, 2).into_bytes();
        for at in 0..whole.len() {
            for bit in [1, 4, 32] {
                let mut content = whole.clone();
                content[at] ^= bit;
                fs::write(&path, &content).unwrap();
                // Without its line ending, the last line counts as cut off.
                if at + 1 == whole.len() {
                    assert_eq!(entries(&path).unwrap(), [1]);
                } else {
                    assert!(entries(&path).is_err(), "byte {at}");
                    assert!(fs::read(&path).unwrap() == content);
                }
            }
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn unknown_and_missing_fields_are_refused() {
        let path = file("fields");
        let header = written(&path, 0);
        for object in [
            json!({ "number": 1 }),
            json!({ "word": "word" }),
            json!({ "number": 1, "word": "word", "x": 1 }),
        ] {
            fs::write(&path, format!("{header}{}\n", sealed(&object).unwrap())).unwrap();
            assert_eq!(
                error_text(&path),
                "FILE: line 2 has unknown or missing fields: name another file"
            );
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn another_file_is_refused_and_stays_unchanged() {
        let path = file("other");
        let whole = written(&path, 1);
        let newer = whole.replace("\"format\":2", "\"format\":3");
        let other = json!({ "nodes": 5, "network": { "loa": "34cd" } });
        let engine = env!("CARGO_PKG_VERSION");
        let header = JournalHeader { journal: "test", format: 2, engine, settings: &other };
        let other = sealed(&header).unwrap() + "\n";
        let no_journal = "FILE is not a Soucie journal: name another file";
        let table = [
            ("soucie 0.1.0 analysis: Judge\n", "FILE has journal format 1, expected format 2"),
            (&newer, "FILE has journal format 3, expected format 2: name another file"),
            (
                &other,
                "FILE was made with other settings: network.loa is \"34cd\" in the journal and",
            ),
            ("not a journal", no_journal),
            ("x\ny", no_journal),
            (&"\0".repeat(LONGEST_LINE + 1), no_journal),
        ];
        for (content, expected) in table {
            fs::write(&path, content).unwrap();
            let error = error_text(&path);
            assert!(error.starts_with(expected), "{error}");
            assert!(fs::read_to_string(&path).unwrap() == content);
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_refused_and_no_lock_is_left() {
        let error = error_text(Path::new("/dev/full"));
        assert_eq!(error, "FILE: is a device or a pipe; expected a regular file");
        assert!(!Path::new("/dev/full.lock").exists());
    }
}
