//! What an analysis has found so far, kept in a file so that an interrupted one can go on.
//!
//! The first line names the settings; each further one is the judgement of the next position.
//! Lines are written and flushed one by one: an interrupt costs at most the last one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::judge::Judgement;

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
    /// It tells of an analysis with other settings.
    #[error("{0} belongs to an analysis with other settings or of another version")]
    Settings(PathBuf),
    /// It tells of other positions.
    #[error("{0} belongs to an analysis of something else: its line {1} is of another position")]
    Position(PathBuf, usize),
}

/// A judgement, and of which position it is.
#[derive(Serialize, Deserialize)]
struct Entry {
    setup: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    judgement: Judgement,
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
}

/// Opens a journal, or begins it.
pub fn open(path: &Path, settings: &str) -> Result<(Known, Journal), JournalError> {
    let failed = |error| JournalError::File { path: path.to_path_buf(), error };
    let mut options = OpenOptions::new();
    let mut file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.as_mut().map_err(|error| failed(io::Error::from(error.kind())))?;
    let (end, last) = whole_lines(file).map_err(failed)?;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    if end == 0 {
        writeln!(file, "{settings}").map_err(failed)?;
    }
    let reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut lines = reader.lines();
    if lines.next().transpose().map_err(failed)?.as_deref() != Some(settings) {
        return Err(JournalError::Settings(path.to_path_buf()));
    }
    let file = file.try_clone().map_err(failed)?;
    let path = path.to_path_buf();
    Ok((Known { path: path.clone(), lines, number: 1, last }, Journal { path, file }))
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
    /// What is known of the next position; `None` if nothing is known from here on.
    pub fn next(
        &mut self,
        setup: &str,
        played: Option<&str>,
    ) -> Result<Option<Judgement>, JournalError> {
        // What is added while this is read is not from before.
        if self.number >= self.last {
            return Ok(None);
        }
        let Some(line) = self.lines.next() else { return Ok(None) };
        self.number += 1;
        let line = line.map_err(|error| JournalError::File { path: self.path.clone(), error })?;
        match serde_json::from_str::<Entry>(&line) {
            Ok(entry) if entry.setup == setup && entry.played.as_deref() == played => {
                Ok(Some(entry.judgement))
            }
            _ => Err(JournalError::Position(self.path.clone(), self.number)),
        }
    }
}

impl Journal {
    /// Notes the judgement of the next position.
    pub fn add(
        &mut self,
        setup: &str,
        played: Option<&str>,
        judgement: &Judgement,
    ) -> Result<(), JournalError> {
        let (setup, played) = (setup.to_string(), played.map(str::to_string));
        let entry = Entry { setup, played, judgement: judgement.clone() };
        let line = serde_json::to_string(&entry).map_err(io::Error::other);
        let written = line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| JournalError::File { path: self.path.clone(), error })
    }
}
