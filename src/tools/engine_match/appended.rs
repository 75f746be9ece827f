//! An output file that is written again from its beginning when a match is resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// A writer that compares its output, byte by byte, with the existing content of the file and
/// appends only after the end of that.
///
/// A game that was cut off by an interrupt is thereby completed, and a file with other content
/// stays unchanged.
pub struct Appended {
    path: PathBuf,
    file: File,
    /// The existing content that has not been written again yet.
    there: Option<BufReader<File>>,
}

impl Appended {
    /// Opens a file, or creates it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(named)?;
        // A pipe or a terminal has no content to compare.
        let is_file = file.metadata().map_err(named)?.is_file();
        let there = is_file.then(|| File::open(path)).transpose().map_err(named)?;
        Ok(Self { path: path.to_path_buf(), file, there: there.map(BufReader::new) })
    }

    /// Returns an error unless all existing content has been written again.
    pub fn end_of_old(&mut self) -> io::Result<()> {
        if let Some(there) = &mut self.there
            && !there.fill_buf()?.is_empty()
        {
            return Err(self.alien());
        }
        Ok(())
    }

    fn alien(&self) -> io::Error {
        let path = self.path.display();
        io::Error::other(format!("{path} is there already and is not of this match"))
    }
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(reader) = &mut self.there else { return self.file.write(bytes) };
        let there = reader.fill_buf()?;
        let length = there.len().min(bytes.len());
        if there.is_empty() {
            self.there = None;
            return self.file.write(bytes);
        }
        if there.get(..length) != bytes.get(..length) {
            return Err(self.alien());
        }
        reader.consume(length);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn what_is_there_is_not_written_twice() {
        let path = env::temp_dir().join(format!("soucie-appended-{}", process::id()));
        for there in ["", "o", "one\n", "one\ntw", "one\ntwo\n"] {
            fs::write(&path, there).unwrap();
            let mut file = Appended::open(&path).unwrap();
            file.write_all(b"one\n").unwrap();
            file.write_all(b"two\n").unwrap();
            file.end_of_old().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n", "{there}");
        }
        for there in ["x", "one\nx", "one\ntwo\nx"] {
            fs::write(&path, there).unwrap();
            let mut file = Appended::open(&path).unwrap();
            let written = file.write_all(b"one\n").and_then(|()| file.write_all(b"two\n"));
            let error = written.and_then(|()| file.end_of_old()).unwrap_err().to_string();
            assert!(error.ends_with("is there already and is not of this match"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), there);
        }
        fs::remove_file(&path).unwrap();
    }
}
