//! An output file of records.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::note;
use soucie::files::atomic_file::AtomicFile;
use soucie::files::named;
use soucie::files::printable::plural;
use soucie::records::RecordFormat;

/// Records in a file, which has one format, that of the first record.
pub struct RecordFile {
    target: PathBuf,
    /// The output file; `None` once it is finished.
    file: Option<AtomicFile>,
    /// The format of its records; `None` before the first one.
    format: Option<RecordFormat>,
    /// The number of entries that it cannot contain.
    left_out: u64,
}

impl RecordFile {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let file = Some(AtomicFile::begin(target)?);
        Ok(Self { target: target.to_path_buf(), file, format: None, left_out: 0 })
    }

    /// Adds a record, or leaves it out if it has another format than the first one.
    pub fn add(&mut self, format: RecordFormat, record: &str) -> io::Result<()> {
        if *self.format.get_or_insert(format) != format {
            self.leave_out();
            return Ok(());
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(record.as_bytes()))
    }

    /// Counts an entry of the input that has no place in the file.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    pub fn error(&self, reason: &str) -> io::Error {
        named(&self.target, io::Error::other(reason.to_string()))
    }

    /// Replaces the target, and reports how many entries were left out. Without a record it returns false,
    /// and an existing file stays.
    pub fn end(&mut self) -> io::Result<bool> {
        let Some(format) = self.format else { return Ok(false) };
        if self.left_out > 0 {
            let count = plural(self.left_out, "entry is", "entries are");
            let target = self.target.display();
            let format = match format {
                RecordFormat::Sgf => "SGF",
                RecordFormat::Pdn => "PDN",
            };
            note(format_args!(
                "{target}: {count} left out: unreadable or not {format}, as the first one"
            ));
        }
        self.file.take().map_or(Ok(()), AtomicFile::finish)?;
        Ok(true)
    }
}
