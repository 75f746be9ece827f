//! A journal: a file of intermediate results from which interrupted work is resumed.
//!
//! Each line is a JSON object. The first one is the header: the kind of the journal, the version of
//! the format, the version of the program, the builds of the engines, and the settings on which the
//! entries depend. Each further line is an entry. The last field of a line is its checksum, the CRC-32 of all text
//! before it:
//!
//! ```text
//! {"journal":"match","format":3,"engine":"0.3.0","builds":[...],"settings":{...},"crc32":"5d1c03f2"}
//! {"game":1,...,"crc32":"90ab12cd"}
//! ```
//!
//! Lines are written one at a time. An interrupt costs at most the last line; an incomplete line is
//! removed when the journal is opened again.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::fingerprint::{EngineFiles, Fingerprint};
use crate::files::lines::bounded_line;
use crate::files::lock::Lock;
use crate::files::regular;

/// The version of the format. Format 1 had settings as free text and no checksums, format 2 no
/// builds.
const FORMAT: u64 = 3;

/// The oldest format that can be read.
const OLDEST_FORMAT: u64 = 2;

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
    /// The journal does not identify the engines that it has results of.
    #[error("{0} does not identify the build of its engine: pass --any-build to accept it")]
    NoBuild(PathBuf),
    /// The journal has results of another build.
    #[error(
        "{path} has results of another build of {name}: name another file, or pass --any-build to \
         mix them"
    )]
    Build {
        /// The path of the file.
        path: PathBuf,
        /// The name of the engine in the file.
        name: String,
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

/// The first line of a journal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    journal: String,
    format: u64,
    engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    builds: Option<Vec<Fingerprint>>,
    settings: Value,
}

/// The builds of the engines whose results are added to a journal.
pub struct Builds<'a> {
    /// The files of each engine.
    pub files: Vec<EngineFiles>,
    /// Returns the fingerprint of each engine, for which engines are started.
    pub identify: &'a dyn Fn() -> io::Result<Vec<Fingerprint>>,
    /// Whether results of any other builds may be there.
    pub any: bool,
}

impl Builds<'_> {
    /// Returns the build of the running program.
    pub fn own(any: bool) -> Self {
        let identify = &|| Ok(vec![Fingerprint::own()?]);
        Self { files: vec![EngineFiles::own()], identify, any }
    }

    /// Checks that the journal has results of engines with the same files only.
    fn check(&self, path: &Path, header: &Header) -> Result<(), JournalError> {
        if self.any {
            return Ok(());
        }
        let path = path.to_path_buf();
        let Some(builds) = &header.builds else { return Err(JournalError::NoBuild(path)) };
        let other = builds.iter().zip(&self.files).find(|(build, files)| build.files != **files);
        other.map_or(Ok(()), |(build, _)| {
            Err(JournalError::Build { path, name: build.name.clone() })
        })
    }
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
/// depend on besides the builds of the engines. A file that is not a matching journal stays
/// unchanged.
pub fn open(
    path: &Path,
    kind: &str,
    settings: &Value,
    builds: &Builds,
) -> Result<(KnownEntries, Journal), JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let mut file = regular::open_or_create(path).map_err(failed)?;
    let lock = Lock::beside(path).map_err(failed)?;
    let lock = lock.ok_or_else(|| JournalError::InUse(path.to_path_buf()))?;
    let mut lines = BufReader::new(regular::open(path).map_err(failed)?);
    let first = first_line(path, &mut lines)?;
    let (end, last) = whole_lines(path, &file)?;
    if last > 0 {
        let header = Header::read(path, &first)?;
        header.check(path, kind, settings)?;
        builds.check(path, &header)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    } else {
        let identified = Some((builds.identify)().map_err(failed)?);
        let header = sealed(&Header::new(kind, identified, settings)).map_err(failed)?;
        // A header that was cut off by an interrupt is written again.
        if !header.starts_with(&first) {
            return Err(JournalError::NoJournal(path.to_path_buf()));
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
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
    /// The settings in the header.
    pub settings: Value,
    /// The entries.
    pub entries: KnownEntries,
    builds: Option<Vec<Fingerprint>>,
}

/// Opens a journal of the given kind, made by this version, to read it.
pub fn read(path: &Path, kind: &str) -> Result<ClosedJournal, JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let file = regular::open(path).map_err(failed)?;
    let mut lines = BufReader::new(regular::open(path).map_err(failed)?);
    let first = first_line(path, &mut lines)?;
    let (_, last) = whole_lines(path, &file)?;
    let header = Header::read(path, &first)?;
    header.check(path, kind, &header.settings)?;
    let entries = KnownEntries { path: path.to_path_buf(), lines, number: 1, last };
    Ok(ClosedJournal { settings: header.settings, entries, builds: header.builds })
}

impl ClosedJournal {
    /// Checks that the engines play like `expected`, or like those of another journal. Their
    /// executables need not be the same, as other computers may have built them. Returns the builds.
    pub fn check_builds(
        &self,
        expected: Option<&[Fingerprint]>,
    ) -> Result<Vec<Fingerprint>, JournalError> {
        let path = &self.entries.path;
        let builds = self.builds.clone().ok_or_else(|| JournalError::NoBuild(path.clone()))?;
        let pairs = builds.iter().zip(expected.unwrap_or(&builds));
        match pairs.into_iter().find(|(build, other)| !build.plays_like(other)) {
            Some((Fingerprint { name, .. }, _)) => {
                Err(JournalError::Build { path: path.clone(), name: name.clone() })
            }
            None => Ok(builds),
        }
    }
}

/// Reads the first line of a file, which may be incomplete.
fn first_line(path: &Path, lines: &mut impl BufRead) -> Result<String, JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let first = bounded_line(lines, LONGEST_LINE).map_err(failed)?.unwrap_or(Ok(Vec::new()));
    let first = first.ok().and_then(|line| String::from_utf8(line).ok());
    first.ok_or_else(|| JournalError::NoJournal(path.to_path_buf()))
}

impl Header {
    fn new(kind: &str, builds: Option<Vec<Fingerprint>>, settings: &Value) -> Self {
        Self {
            journal: kind.to_string(),
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            builds,
            settings: settings.clone(),
        }
    }

    /// Reads the header in the first line of a file.
    fn read(path: &Path, line: &str) -> Result<Self, JournalError> {
        let path = path.to_path_buf();
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        let format = value.get("format").and_then(Value::as_u64);
        let format = format.filter(|_| value.get("journal").is_some());
        match format.or(line.starts_with(FORMAT_1).then_some(1)) {
            None => Err(JournalError::NoJournal(path)),
            Some(OLDEST_FORMAT..=FORMAT) => {
                let Some(line) = unsealed(line) else { return Err(JournalError::Damaged(path, 1)) };
                serde_json::from_str(&line).map_err(|_| JournalError::Fields(path, 1))
            }
            Some(there) => Err(JournalError::Format { path, there }),
        }
    }

    /// Checks that the journal is of this kind and version, and has these settings.
    fn check(&self, path: &Path, kind: &str, settings: &Value) -> Result<(), JournalError> {
        let compared = |header: &Self| {
            let Self { journal, engine, settings, .. } = header;
            json!({ "journal": journal, "engine": engine, "settings": settings })
        };
        check_same(path, &compared(self), &compared(&Self::new(kind, None, settings)))
    }
}

/// Checks that the settings of a journal are those that are expected.
pub fn check_same(path: &Path, there: &Value, here: &Value) -> Result<(), JournalError> {
    match difference("", there, here) {
        Some([what, there, here]) => {
            Err(JournalError::Settings { path: path.to_path_buf(), what, there, here })
        }
        None => Ok(()),
    }
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
        begin_with(path, "a", false)
    }

    /// Opens the journal with an engine whose executable has this hash.
    fn begin_with(
        path: &Path,
        hash: &str,
        any: bool,
    ) -> Result<(KnownEntries, Journal), JournalError> {
        let settings = json!({ "nodes": 5, "network": { "loa": "12ab" } });
        let files = EngineFiles { executable: Some(hash.to_string()), named: Vec::new() };
        let build = Fingerprint { name: "Test 1".into(), bench: None, files: files.clone() };
        let identify = &|| Ok(vec![build.clone()]);
        open(path, "test", &settings, &Builds { files: vec![files], identify, any })
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
        assert_eq!((&header["journal"], &header["format"]), (&json!("test"), &json!(3)));
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
        let newer = whole.replace("\"format\":3", "\"format\":4");
        let other = json!({ "nodes": 5, "network": { "loa": "34cd" } });
        let other = sealed(&Header::new("test", None, &other)).unwrap() + "\n";
        let no_journal = "FILE is not a Soucie journal: name another file";
        let table = [
            ("soucie 0.1.0 analysis: Judge\n", "FILE has journal format 1, expected format 3"),
            (&newer, "FILE has journal format 4, expected format 3: name another file"),
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
    fn builds_are_mixed_only_on_request() {
        let path = file("builds");
        let whole = written(&path, 1);
        let (header, entries) = whole.split_once('\n').unwrap();
        let mut old: Value = serde_json::from_str(&unsealed(header).unwrap()).unwrap();
        old.as_object_mut().unwrap().remove("builds");
        old["format"] = json!(2);
        let old = format!("{}\n{entries}", sealed(&old).unwrap());
        for (text, error) in [
            (
                &whole,
                "FILE has results of another build of Test 1: name another file, or pass --any",
            ),
            (&old, "FILE does not identify the build of its engine: pass --any-build"),
        ] {
            fs::write(&path, text).unwrap();
            let refused = begin_with(&path, "b", false).err().unwrap().to_string();
            let refused = refused.replace(&path.display().to_string(), "FILE");
            assert!(refused.starts_with(error), "{refused}");
            let (mut known, _journal) = begin_with(&path, "b", true).unwrap();
            assert_eq!(known.next().unwrap(), Some(entry(1)));
            assert_eq!(fs::read_to_string(&path).unwrap(), *text);
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
