//! A file that keeps what was found so far, so that what was interrupted can go on.
//!
//! The first line names the settings; each further one is an entry. Lines are written one by one:
//! an interrupt costs at most the last one, which is cut off when the journal is opened again.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::files::lock::Lock;

/// What can be wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// Somebody else writes it.
    #[error("{0} is in use")]
    InUse(PathBuf),
    /// It tells of work with other settings, or is no journal.
    #[error(
        "{path} belongs to work with other settings or of another version: '{there}', not '{here}'"
    )]
    Settings {
        /// The file.
        path: PathBuf,
        /// Where its settings begin to differ.
        there: String,
        /// What these settings say in that place.
        here: String,
    },
    /// An entry that does not belong there.
    #[error("{0} belongs to something else: its line {1} is of another game or position")]
    Entry(PathBuf, usize),
}

/// The part of a journal that was written before.
pub struct Known {
    path: PathBuf,
    lines: io::Lines<BufReader<File>>,
    number: usize,
    /// The number of the last line that was there at the beginning.
    last: usize,
}

/// The end of a journal, where more is written.
pub struct Journal {
    path: PathBuf,
    file: File,
    _lock: Lock,
}

/// Opens a journal, or begins it. A file that is something else stays as it is.
pub fn open(path: &Path, settings: &str) -> Result<(Known, Journal), JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    // The path is told already.
    let mut file = file.map_err(|error| failed(io::Error::from(error.kind())))?;
    let lock = Lock::beside(path).map_err(failed)?;
    let lock = lock.ok_or_else(|| JournalError::InUse(path.to_path_buf()))?;
    let (end, last) = whole_lines(&file).map_err(failed)?;
    let mut lines = BufReader::new(File::open(path).map_err(failed)?).lines();
    let first = lines.next().transpose().map_err(failed)?.unwrap_or_default();
    // The first line may have been cut, too.
    if first != settings && !(last == 0 && settings.starts_with(&first)) {
        let (there, here) = difference(&first, settings);
        return Err(JournalError::Settings { path: path.to_path_buf(), there, here });
    }
    file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    if end == 0 {
        writeln!(file, "{settings}").map_err(failed)?;
    }
    let path = path.to_path_buf();
    Ok((Known { path: path.clone(), lines, number: 1, last }, Journal { path, file, _lock: lock }))
}

/// The words at which two lines begin to differ.
fn difference(one: &str, other: &str) -> (String, String) {
    const LONGEST: usize = 60;
    let same = one.split(' ').zip(other.split(' ')).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| {
        let words: Vec<&str> = text.split(' ').skip(same).collect();
        let part = words.join(" ");
        part.split("; ").next().unwrap_or_default().chars().take(LONGEST).collect()
    };
    (rest(one), rest(other))
}

/// Where the last line ends that is whole, and the number of such lines.
fn whole_lines(file: &File) -> io::Result<(u64, usize)> {
    let mut reader = BufReader::new(file);
    let (mut end, mut lines) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            return Ok((end, lines));
        }
        end += length as u64;
        lines += 1;
    }
}

impl Known {
    /// The next entry; `None` if nothing is known from here on.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, JournalError> {
        // What is added while this is read is not from before.
        if self.number >= self.last {
            return Ok(None);
        }
        let Some(line) = self.lines.next() else { return Ok(None) };
        self.number += 1;
        let line = line.map_err(|error| JournalError::File { path: self.path.clone(), error })?;
        serde_json::from_str(&line).map(Some).map_err(|_| self.alien())
    }

    /// The error that the last entry does not belong there.
    pub fn alien(&self) -> JournalError {
        JournalError::Entry(self.path.clone(), self.number)
    }
}

impl Journal {
    /// Notes the next entry.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(entry).map_err(io::Error::other);
        let written = line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| JournalError::File { path: self.path.clone(), error })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    fn file(name: &str) -> PathBuf {
        env::temp_dir().join(format!("soucie-journal-{}-{name}", process::id()))
    }

    fn entries(path: &Path) -> Vec<u32> {
        let (mut known, _) = open(path, "one; two").unwrap();
        std::iter::from_fn(|| known.next().unwrap()).collect()
    }

    #[test]
    fn a_cut_line_is_forgotten_and_the_rest_known() {
        let path = file("cut");
        for there in ["", "on", "one; two"] {
            fs::write(&path, there).unwrap();
            assert_eq!(entries(&path), [0; 0]);
            assert_eq!(fs::read_to_string(&path).unwrap(), "one; two\n");
        }
        fs::write(&path, "one; two\n1\n2\n3").unwrap();
        let (mut known, mut journal) = open(&path, "one; two").unwrap();
        journal.add(&4).unwrap();
        assert_eq!(known.next().unwrap(), Some(1));
        assert_eq!(known.next().unwrap(), Some(2));
        assert_eq!(known.next::<u32>().unwrap(), None);
        let refused = open(&path, "one; two").err().unwrap();
        assert!(matches!(refused, JournalError::InUse(_)), "{refused}");
        drop(journal);
        assert_eq!(entries(&path), [1, 2, 4]);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn another_file_is_refused_and_stays_as_it_is() {
        let path = file("other");
        for there in ["one; three\n1\n", "not a journal", "x\ny"] {
            fs::write(&path, there).unwrap();
            let error = open(&path, "one; two").err().unwrap().to_string();
            assert!(error.contains("with other settings"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), there);
        }
        fs::write(&path, "one; two\nword\n").unwrap();
        let (mut known, _) = open(&path, "one; two").unwrap();
        assert!(known.next::<u32>().err().unwrap().to_string().contains("its line 2"));
        fs::remove_file(&path).unwrap();
        assert_eq!(difference("a 1; b 2; c", "a 1; b 3; c"), ("2".into(), "3".into()));
    }
}
