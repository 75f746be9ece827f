//! Opening regular files only: a device may be endless, and a pipe cannot be read twice.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file for reading. Errors do not include the path.
pub fn open(path: &Path) -> io::Result<File> {
    check(path)?;
    File::open(path)
}

/// Opens a regular file for reading and writing, or creates it, and locks it until it is closed; `None`
/// if it is locked already. Errors do not include the path.
///
/// Windows lets no other handle read or write a locked file, not even one of this process.
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
    match check(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        checked => checked?,
    }
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Not every file system supports locks.
        Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(Some(file)),
    }
}

/// Reads a whole regular file; an error if it has more than `most` bytes. Errors do not include
/// the path.
// Inlined, so that WebAssembly, where no file can be opened, has no code for what is read.
#[inline]
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte beyond the limit shows that the file is too large.
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("file larger than {} MiB", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// Checks before opening, because opening a pipe blocks until its other end is opened.
fn check(path: &Path) -> io::Result<()> {
    let data = fs::metadata(path)?;
    if data.is_dir() {
        return Err(io::Error::new(
            ErrorKind::IsADirectory,
            "is a directory; expected a regular file",
        ));
    }
    if !data.is_file() {
        let text = "is a device or a pipe; expected a regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    Ok(())
}

/// Fills a buffer from an offset of a file; an error if the file ends before.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer from an offset of a file; an error if the file ends before.
#[cfg(windows)]
pub fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;

    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = buffer.get_mut(count..).unwrap_or_default();
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{env, process};

    use super::*;

    #[test]
    fn files_larger_than_the_limit_are_refused() {
        let path = env::temp_dir().join(format!("soucie-regular-{}", process::id()));
        fs::write(&path, vec![0; 1 << 20]).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap().len(), 1 << 20);
        fs::write(&path, vec![0; (1 << 20) + 1]).unwrap();
        let error = read(&path, 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "file larger than 1 MiB");
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, 1).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(open_locked(&env::temp_dir()).is_err());
    }
}
