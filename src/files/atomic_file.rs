//! Atomic file writing: no reader sees an incomplete file under its final name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

use same_file::Handle;

use super::paths::followed;
use super::{lock, named};

/// An output file that appears under its name only when finished, and is removed otherwise.
///
/// A target that is not a regular file, such as a pipe or a terminal, cannot be replaced; it is
/// written directly. Errors include the path.
pub struct AtomicFile {
    target: PathBuf,
    output: Output,
}

enum Output {
    /// A temporary file that is renamed to the target.
    Beside(Scratch),
    /// The target itself.
    Target(BufWriter<Box<dyn Write>>),
}

impl AtomicFile {
    /// Opens a temporary file for `target`, named `target` plus `ending` until it is finished.
    pub fn begin(target: &Path, ending: &str) -> io::Result<Self> {
        let target = followed(target);
        let direct = |output| Output::Target(BufWriter::new(output));
        let output = match fs::metadata(&target) {
            // A rename over a directory would fail only after all work is done.
            Ok(data) if data.is_dir() => {
                return Err(named(&target, io::Error::other("this is a folder")));
            }
            Ok(data) if !data.is_file() => {
                let file = File::options().write(true).open(&target);
                direct(Box::new(file.map_err(|error| named(&target, error))?))
            }
            Ok(_) if is_stdout(&target) => direct(Box::new(io::stdout())),
            _ => Output::Beside(Scratch::begin(with_ending(&target, ending))?),
        };
        Ok(Self { target, output })
    }

    /// Renames the file to its target, replacing an existing file atomically.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Output::Beside(scratch) = &mut self.output else { return Ok(()) };
        let named = |error| named(&self.target, error);
        scratch.file.get_ref().sync_all().map_err(named)?;
        // Rename under the lock: no other process can create a temporary file of this name before.
        fs::rename(&scratch.path, &self.target).map_err(named)?;
        scratch.is_kept = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Beside(scratch) => scratch.write(bytes),
            Output::Target(output) => {
                output.write(bytes).map_err(|error| named(&self.target, error))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Beside(scratch) => scratch.flush(),
            Output::Target(output) => output.flush().map_err(|error| named(&self.target, error)),
        }
    }
}

/// A temporary file, removed on drop. Errors include the path.
pub struct Scratch {
    path: PathBuf,
    file: BufWriter<File>,
    is_kept: bool,
}

impl Scratch {
    /// Creates a temporary file next to `target`, named `target` plus `ending`; in the temporary
    /// directory if the target is not a regular file.
    pub fn beside(target: &Path, ending: &str) -> io::Result<Self> {
        let target = followed(target);
        let is_plain = fs::metadata(&target).map_or(true, |data| data.is_file() || data.is_dir());
        let there = || env::temp_dir().join(format!("soucie-{}", process::id()));
        Self::begin(with_ending(&if is_plain { target } else { there() }, ending))
    }

    fn begin(path: PathBuf) -> io::Result<Self> {
        let begin = || {
            let in_use = || io::Error::other("it is in use");
            let file = lock::open(&path)?.ok_or_else(in_use)?;
            file.set_len(0)?;
            Ok(file)
        };
        let file = BufWriter::new(begin().map_err(|error| named(&path, error))?);
        Ok(Self { path, file, is_kept: false })
    }

    /// Copies everything written so far to `output`.
    pub fn copy_to(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.flush()?;
        self.file.seek(SeekFrom::Start(0)).map_err(|error| named(&self.path, error))?;
        io::copy(self.file.get_mut(), output)?;
        Ok(())
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| named(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| named(&self.path, error))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept {
            // Other processes do not remove a locked file. If the removal fails, the file stays.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

fn is_stdout(path: &Path) -> bool {
    let both = Handle::stdout().and_then(|stdout| Ok((stdout, Handle::from_path(path)?)));
    both.is_ok_and(|(stdout, file)| stdout == file)
}
