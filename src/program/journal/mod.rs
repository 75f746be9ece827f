//! A journal: a file of intermediate results from which interrupted work is resumed.
//!
//! Each line is a JSON object. The first one is the header: the kind of the journal, the version of
//! the format, the version of the program, the builds of the engines, and the settings on which the
//! entries depend. Each further line is an entry. The last field of a line is its checksum, the CRC-32
//! of all text before it:
//!
//! ```text
//! {"journal":"match","format":3,"engine":"1.0.0","builds":[...],"settings":{...},"crc32":"5d1c03f2"}
//! {"game":1,...,"crc32":"90ab12cd"}
//! ```
//!
//! Lines are written one at a time. An interrupt costs at most the last line; an incomplete line is
//! removed when the journal is opened again.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod header;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::fingerprint::{EngineFiles, Fingerprint};
use header::{Header, check_builds, sealed, unsealed};
pub use header::{JournalError, JournalFault, check_same};
use soucie::files::lines::bounded_line;
use soucie::files::regular;

/// The maximum length of a line, in bytes: more than any entry needs.
const LONGEST_LINE: usize = 16 << 20;

/// The builds of the engines whose results are added to a journal.
pub struct Builds<'a> {
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
}

pub struct KnownEntries {
    path: PathBuf,
    lines: BufReader<Reader>,
    /// The number of the last line that was read.
    number: usize,
    /// The number of the last line when the journal was opened.
    last: usize,
}

/// An open journal to which entries are appended.
pub struct Journal {
    path: PathBuf,
    file: SharedFile,
}

/// A file that is read and appended to by turns, from several threads. It has one handle, because on
/// Windows no other one can read a locked file.
#[derive(Clone)]
struct SharedFile(Arc<Mutex<File>>);

impl SharedFile {
    fn new(file: File) -> Self {
        Self(Arc::new(Mutex::new(file)))
    }

    fn handle(&self) -> MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, text: &str) -> io::Result<()> {
        let mut file = self.handle();
        file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())
    }

    /// Returns a reader of the file from its beginning.
    fn reader(&self) -> BufReader<Reader> {
        BufReader::new(Reader { file: self.clone(), position: 0 })
    }
}

/// A reader of a file, at a position of its own.
struct Reader {
    file: SharedFile,
    position: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.handle();
        file.seek(SeekFrom::Start(self.position))?;
        let count = file.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
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
    open_file(path, kind, settings, builds).map_err(|fault| JournalError::new(path, fault))
}

fn open_file(
    path: &Path,
    kind: &str,
    settings: &Value,
    builds: &Builds,
) -> Result<(KnownEntries, Journal), JournalFault> {
    let file = SharedFile::new(regular::open_locked(path)?.ok_or(JournalFault::InUse)?);
    let (first, end, entries) = KnownEntries::open(&file, path)?;
    if entries.last > 0 {
        let header = Header::read(&first)?;
        header.check(kind, settings)?;
        if !builds.any {
            check_builds(&header.builds, &builds.files, |build, files| build.files == *files)?;
        }
        file.handle().set_len(end)?;
    } else {
        let header = sealed(&Header::new(kind, (builds.identify)()?, settings))?;
        // A header that was cut off by an interrupt is written again.
        if !header.starts_with(&first) {
            return Err(JournalFault::NoJournal);
        }
        file.handle().set_len(0)?;
        file.append(&format!("{header}\n"))?;
    }
    Ok((entries, Journal { path: path.to_path_buf(), file }))
}

/// A journal that is only read.
pub struct ClosedJournal {
    pub settings: Value,
    pub builds: Vec<Fingerprint>,
    pub entries: KnownEntries,
}

pub fn read(path: &Path, kind: &str) -> Result<ClosedJournal, JournalError> {
    let read = || {
        let file = SharedFile::new(regular::open(path)?);
        let (first, _, entries) = KnownEntries::open(&file, path)?;
        let header = Header::read(&first)?;
        header.check(kind, &header.settings)?;
        Ok(ClosedJournal { settings: header.settings, builds: header.builds, entries })
    };
    read().map_err(|fault| JournalError::new(path, fault))
}

impl ClosedJournal {
    /// Checks that the engines play like those of other results. Their executables need not be the
    /// same, as other computers may have built them.
    pub fn check_builds(&self, others: &[Fingerprint]) -> Result<(), JournalError> {
        let checked = check_builds(&self.builds, others, Fingerprint::plays_like);
        checked.map_err(|fault| self.entries.refused(fault))
    }
}

impl JournalError {
    pub fn new(path: &Path, fault: JournalFault) -> Self {
        Self { path: path.to_path_buf(), fault }
    }
}

impl KnownEntries {
    /// Reads the first line of a file, which may be incomplete. Also returns the offset of the end of the
    /// last complete line.
    fn open(file: &SharedFile, path: &Path) -> Result<(String, u64, Self), JournalFault> {
        let mut lines = file.reader();
        let first = bounded_line(&mut lines, LONGEST_LINE)?.unwrap_or(Ok(Vec::new()));
        let first = first.ok().and_then(|line| String::from_utf8(line).ok());
        let first = first.ok_or(JournalFault::NoJournal)?;
        let (end, last) = whole_lines(file.reader())?;
        Ok((first, end, Self { path: path.to_path_buf(), lines, number: 1, last }))
    }

    /// Returns the next existing entry, or `None` after the last one. An entry is refused unless
    /// this version would write exactly the same line.
    pub fn take_next<T: Serialize + DeserializeOwned>(
        &mut self,
    ) -> Result<Option<T>, JournalError> {
        // Entries added since the journal was opened are not returned.
        if self.number >= self.last {
            return Ok(None);
        }
        self.number += 1;
        self.entry().map(Some).map_err(|fault| self.refused(fault))
    }

    fn entry<T: Serialize + DeserializeOwned>(&mut self) -> Result<T, JournalFault> {
        let line = bounded_line(&mut self.lines, LONGEST_LINE)?.and_then(Result::ok);
        let line = line.and_then(|line| unsealed(str::from_utf8(&line).ok()?));
        let line = line.ok_or(JournalFault::Damaged(self.number))?;
        let entry = serde_json::from_str::<T>(&line).ok();
        let is_same = |entry: &T| serde_json::to_string(entry).is_ok_and(|text| text == line);
        entry.filter(is_same).ok_or(JournalFault::Fields(self.number))
    }

    /// Returns the error that the last entry belongs to other work.
    pub fn foreign_entry(&self) -> JournalError {
        self.refused(JournalFault::Entry(self.number))
    }

    fn refused(&self, fault: JournalFault) -> JournalError {
        JournalError::new(&self.path, fault)
    }
}

/// Returns the offset of the end of the last complete line, and the number of complete lines.
fn whole_lines(mut reader: impl BufRead) -> Result<(u64, usize), JournalFault> {
    let (mut end, mut lines) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = LONGEST_LINE as u64 + 1;
        let length = reader.by_ref().take(most).read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            let is_cut = line.len() <= LONGEST_LINE;
            return if is_cut { Ok((end, lines)) } else { Err(JournalFault::Damaged(lines + 1)) };
        }
        end += length as u64;
        lines += 1;
    }
}

impl Journal {
    /// Appends an entry, which must serialise to a JSON object.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let written = sealed(entry).and_then(|line| self.file.append(&format!("{line}\n")));
        written.map_err(|error| JournalError::new(&self.path, error.into()))
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
        let settings = json!({ "nodes": 5, "network": { "loa": "12ab" } });
        let files = EngineFiles { executable: Some("a".to_string()), named: Vec::new() };
        let build = Fingerprint { name: "Test 1".into(), bench: None, files: files.clone() };
        let identify = &|| Ok(vec![build.clone()]);
        open(path, "test", &settings, &Builds { files: vec![files], identify, any: false })
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
        let numbers = std::iter::from_fn(|| known.take_next::<TestEntry>().transpose());
        numbers.map(|entry| entry.map(|entry| entry.number)).collect()
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
        assert_eq!(known.take_next().unwrap(), Some(entry(1)));
        assert_eq!(known.take_next().unwrap(), Some(entry(2)));
        assert_eq!(known.take_next::<TestEntry>().unwrap(), None);
        let refused = begin(&path).err().unwrap().fault;
        assert!(matches!(refused, JournalFault::InUse), "{refused}");
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
    fn another_file_is_refused_and_stays_unchanged() {
        let path = file("other");
        let whole = written(&path, 1);
        let newer = whole.replace("\"format\":3", "\"format\":4");
        let older = whole.replace("\"format\":3", "\"format\":2");
        let header = whole.split_inclusive('\n').next().unwrap();
        let with_entry = |entry: Value| format!("{header}{}\n", sealed(&entry).unwrap());
        let fields = "line 2 has unknown or missing fields; name another file";
        let no_journal = "not a Soucie journal; name another file";
        for (content, expected) in [
            (&*newer, "found journal format 4, expected format 3; name another file"),
            (&older, "found journal format 2, expected format 3; name another file"),
            (&with_entry(json!({ "number": 1 })), fields),
            (&with_entry(json!({ "word": "word" })), fields),
            (&with_entry(json!({ "number": 1, "word": "word", "x": 1 })), fields),
            ("not a journal", no_journal),
            ("x\ny", no_journal),
            (&"\0".repeat(LONGEST_LINE + 1), no_journal),
        ] {
            fs::write(&path, content).unwrap();
            assert_eq!(entries(&path).unwrap_err().fault.to_string(), expected);
            assert!(fs::read_to_string(&path).unwrap() == content);
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_journal_without_builds_needs_consent() {
        let path = file("old");
        let settings = json!({ "nodes": 5, "network": { "loa": "34cd" } });
        let old = sealed(
            &json!({ "journal": "test", "format": 3, "engine": "0.2.0", "settings": settings }),
        );
        fs::write(&path, old.unwrap() + "\n").unwrap();
        let error = |settings: &Value, any| {
            let builds = Builds { files: Vec::new(), identify: &|| Ok(Vec::new()), any };
            open(&path, "test", settings, &builds).err().map(|error| error.fault.to_string())
        };
        let expected = "does not identify the build of its engine; pass --any-build to accept it";
        assert_eq!(error(&settings, false).unwrap(), expected);
        assert_eq!(error(&settings, true), None);
        let expected = "made with other settings: network.loa is \"34cd\" in the journal and 5 now; name another file";
        assert_eq!(error(&json!({ "nodes": 5, "network": { "loa": 5 } }), true).unwrap(), expected);
        fs::remove_file(&path).unwrap();
    }
}
