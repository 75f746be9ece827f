//! Atomic file writing: no reader sees an incomplete file under its final name.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::{Builder, NamedTempFile};

use super::error::named;
use super::lock::try_lock;
use super::paths::followed;
use super::regular;
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
    /// A locked file in the folder of the target, which is renamed to the target.
    Temporary(NamedTempFile, Listed),
    /// The target itself.
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
        remove_stale(target);
        // Without the system error alone, the message would have the name of the temporary file.
        let mut failure = None;
        let create = |path: &Path| {
            let file =
                File::create_new(path).inspect_err(|error| failure = error.raw_os_error())?;
            // Another process that starts may have removed the file before it was locked.
            if try_lock(&file, path)? { Ok(file) } else { Err(ErrorKind::AlreadyExists.into()) }
        };
        let prefix = temporary_prefix(target);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        // By default, only the owner could read the file.
        let made = Listed::create(|| {
            let file = builder.make_in(folder(target), create)?;
            let path = file.path().to_path_buf();
            Ok(Some((file, path)))
        });
        let made = made.map_err(|error| failure.map_or(error, io::Error::from_raw_os_error))?;
        let (file, listed) = made.ok_or(ErrorKind::AlreadyExists)?;
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

/// The end of the name of a temporary file, which users would not give to theirs, and the number of
/// random characters before it.
const SUFFIX: &str = ".soucie-tmp";
const RANDOM: usize = 6;

/// The beginning of the names of the temporary files of a target.
fn temporary_prefix(target: &Path) -> OsString {
    let mut prefix = target.file_name().unwrap_or_default().to_os_string();
    prefix.push(".");
    prefix
}

fn folder(target: &Path) -> &Path {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Removes the temporary files of a target that killed processes have left. Those of running ones are
/// locked.
pub fn remove_stale(target: &Path) {
    let prefix = temporary_prefix(target);
    let is_temporary = |name: &OsStr| {
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let random = random.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
        random.is_some_and(|r| r.len() == RANDOM && r.iter().all(u8::is_ascii_alphanumeric))
    };
    let Ok(entries) = fs::read_dir(folder(target)) else { return };
    let stale = entries.flatten().filter(|entry| is_temporary(&entry.file_name()));
    for path in stale.map(|entry| entry.path()) {
        // Without locks, it may be that of a running process.
        let file = regular::open(&path).ok().filter(|file| file.try_lock().is_ok());
        if file.is_some() {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(&path);
        }
    }
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
    fn only_temporary_files_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let target = path("page.html");
        let kept = [
            "page.html.latest.tmp",
            "page.html.old.soucie-tmp",
            "page.html.soucie-tmp",
            "page.html.a1b2c3.soucie-tmpx",
            "x.a1b2c3.soucie-tmp",
        ];
        kept.iter().for_each(|name| fs::write(path(name), "").unwrap());
        fs::write(path("page.html.a1b2c3.soucie-tmp"), "left by a killed process").unwrap();
        let running = AtomicFile::begin(&target).unwrap();
        assert!(!path("page.html.a1b2c3.soucie-tmp").exists());
        AtomicFile::begin(&target).unwrap().finish().unwrap();
        assert!(kept.iter().all(|name| path(name).exists()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept.len() + 2);
        running.finish().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept.len() + 1);
    }

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
