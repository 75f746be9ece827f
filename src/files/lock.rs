//! Lock files between processes.
//!
//! A lock is a separate file, because some systems forbid reading a locked file.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::error::named;
use super::temporary::Listed;

/// A held lock, released on drop or at the end of the process.
///
/// After a crash the file remains, unlocked, and the next process reuses it.
pub struct Lock {
    path: PathBuf,
    _file: File,
    _listed: Listed,
}

impl Lock {
    /// Locks the file at `path`, creating it if necessary; `None` if another process holds the
    /// lock.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let locked = Listed::create(|| Ok(locked(path)?.map(|file| (file, path.to_path_buf()))))?;
        Ok(locked.map(|(file, listed)| Self { path: path.into(), _file: file, _listed: listed }))
    }

    /// Locks an existing file through a lock file next to it.
    pub fn beside(target: &Path) -> io::Result<Option<Self>> {
        // Canonical, so that all names of the file share one lock.
        let mut name = OsString::from(fs::canonicalize(target)?);
        name.push(".lock");
        let path = PathBuf::from(name);
        Self::take(&path).map_err(|error| named(&path, error))
    }
}

/// Opens and locks the file at `path`, creating it if necessary; `None` if another process holds the
/// lock.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    let file = options.create(true).truncate(false).read(true).write(true).open(path)?;
    Ok(try_lock(&file, path)?.then_some(file))
}

/// Locks an open file. Returns false if another process holds the lock, or has removed the file
/// since it was opened.
pub(super) fn try_lock(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        // Not every file system supports locks.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let handle = Handle::from_file(file.try_clone()?)?;
    Ok(Handle::from_path(path).is_ok_and(|there| there == handle))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Other processes do not remove a locked file. If the removal fails, the file stays.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::{env, process, thread};

    use super::*;

    fn file(name: &str) -> PathBuf {
        env::temp_dir().join(format!("soucie-lock-{}-{name}", process::id()))
    }

    #[test]
    fn a_lock_is_exclusive_and_its_file_is_removed() {
        let target = file("target");
        fs::write(&target, "").unwrap();
        let folder = env::temp_dir();
        let again = folder.join(".").join(target.file_name().unwrap());
        let lock = Lock::beside(&target).unwrap();
        assert!(lock.is_some() && Lock::beside(&again).unwrap().is_none());
        drop(lock);
        assert!(!file("target.lock").exists());
        assert!(Lock::beside(&again).unwrap().is_some());
        fs::remove_file(target).unwrap();
    }

    #[test]
    fn contended_locks_have_one_holder_at_a_time() {
        let path = file("many");
        let (holders, acquired) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let lock_repeatedly = || {
            for _ in 0..500 {
                if let Some(_lock) = Lock::take(&path).unwrap() {
                    assert_eq!(holders.fetch_add(1, SeqCst), 0);
                    acquired.fetch_add(1, SeqCst);
                    holders.fetch_sub(1, SeqCst);
                }
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(lock_repeatedly))));
        assert!(acquired.load(SeqCst) > 0 && !path.exists());
    }
}
