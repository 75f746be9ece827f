//! Atomic file writing: no reader sees an incomplete file under its final name.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::{Builder, NamedTempFile};

use super::named;
use super::paths::followed;
use super::temporary::Listed;

/// An output file that appears under its name only when finished, and is removed otherwise.
///
/// A target that is not a regular file, such as a pipe or a terminal, cannot be replaced; it is
/// written directly. Errors include the path.
pub struct AtomicFile {
    target: PathBuf,
    output: BufWriter<Output>,
}

enum Output {
    /// A file in the folder of the target, which is renamed to the target.
    Temporary(NamedTempFile, Listed),
    Direct(Box<dyn Write>),
}

/// Writes a file, replacing an existing one.
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::begin(target)?;
    file.write_all(bytes)?;
    file.finish()
}

impl AtomicFile {
    /// Opens a temporary file in the folder of `target`.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let target = followed(target);
        let output = Output::open(&target).map_err(|error| named(&target, error))?;
        Ok(Self { target, output: BufWriter::new(output) })
    }

    /// Renames the file to its target, replacing an existing file atomically.
    pub fn finish(self) -> io::Result<()> {
        let Self { target, output } = self;
        let finish = || {
            if let Output::Temporary(file, _listed) = output.into_inner()? {
                file.as_file().sync_all()?;
                file.persist(&target)?;
            }
            Ok(())
        };
        finish().map_err(|error| named(&target, error))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(|error| named(&self.target, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush().map_err(|error| named(&self.target, error))
    }
}

impl Output {
    fn open(target: &Path) -> io::Result<Self> {
        let replaced = fs::metadata(target);
        match &replaced {
            // A rename over a directory would fail only after all work is done.
            Ok(data) if data.is_dir() => return Err(io::Error::other("is a directory")),
            // Most users would not want a file of this name.
            _ if target == Path::new("-") => {
                return Err(io::Error::other("expected a file, not standard output"));
            }
            Ok(data) if !data.is_file() => {
                return Ok(Self::Direct(Box::new(File::options().write(true).open(target)?)));
            }
            Ok(_) if is_stdout(target) => return Ok(Self::Direct(Box::new(io::stdout()))),
            _ => {}
        }
        // Without the system error alone, the message would have the name of the temporary file.
        let mut failure = None;
        // By default, only the owner could read the file.
        let create = |path: &Path| {
            File::create_new(path).inspect_err(|error| failure = error.raw_os_error())
        };
        let mut prefix = target.file_name().unwrap_or_default().to_os_string();
        prefix.push(".");
        let mut builder = Builder::new();
        // Users would not give such a name to a file of theirs.
        builder.prefix(&prefix).suffix(".soucie-tmp");
        let made = Listed::create(|| builder.make_in(folder(target), create));
        let (file, listed) =
            made.map_err(|error| failure.map_or(error, io::Error::from_raw_os_error))?;
        // A private file stays private, also while it is written.
        if let Ok(replaced) = replaced {
            file.as_file().set_permissions(replaced.permissions())?;
        }
        Ok(Self::Temporary(file, listed))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(file, _) => file.as_file_mut().write(bytes),
            Self::Direct(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(file, _) => file.as_file_mut().flush(),
            Self::Direct(output) => output.flush(),
        }
    }
}

fn folder(target: &Path) -> &Path {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn is_stdout(path: &Path) -> bool {
    let both = Handle::stdout().and_then(|stdout| Ok((stdout, Handle::from_path(path)?)));
    both.is_ok_and(|(stdout, file)| stdout == file)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_file_has_the_permissions_of_the_one_that_it_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("private");
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, PermissionsExt::from_mode(0o600)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let mut file = AtomicFile::begin(&target).unwrap();
        file.write_all(b"new").unwrap();
        let entries = fs::read_dir(folder.path()).unwrap();
        let modes: Vec<u32> = entries.map(|entry| mode(&entry.unwrap().path())).collect();
        assert_eq!(modes, [0o600; 2]);
        file.finish().unwrap();
        assert_eq!((mode(&target), fs::read(&target).unwrap()), (0o600, b"new".to_vec()));
    }
}
