//! Locks by which runs of the program keep out of each other's way.
//!
//! A lock is a file of its own: on some systems nobody can read what is locked.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::named;

/// Keeps others away as long as it lives. It ends with the process, however that ends; the file
/// stays behind then and is of use to the next one.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// So many others may come and go before this one gives up.
const TRIALS: usize = 10_000;

impl Lock {
    /// Locks the file of this name, which is made if it is not there; `None` if somebody else has
    /// locked it.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        Ok(open(path)?.map(|file| Self { path: path.into(), _file: file }))
    }

    /// Locks a file that exists, by one beside it.
    pub fn beside(target: &Path) -> io::Result<Option<Self>> {
        // By whatever name somebody calls it.
        let mut name = OsString::from(fs::canonicalize(target)?);
        name.push(".lock");
        let path = PathBuf::from(name);
        Self::take(&path).map_err(|error| named(&path, error))
    }
}

/// Opens the file of this name for reading and writing, locked as long as it is open; it is made if
/// it is not there. `None` if somebody else has locked it.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    for _ in 0..TRIALS {
        let mut options = File::options();
        let file = options.create(true).truncate(false).read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Not every file system has locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Who had it before may have removed or renamed it in the meantime.
        let handle = Handle::from_file(file.try_clone()?)?;
        if Handle::from_path(path).is_ok_and(|there| there == handle) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nobody else removes what is locked. Where it cannot be removed it stays.
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
    fn a_file_is_locked_once_and_nothing_stays_behind() {
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
    fn many_who_come_and_go_have_it_one_at_a_time() {
        let path = file("many");
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let come_and_go = || {
            for _ in 0..500 {
                if let Some(_lock) = Lock::take(&path).unwrap() {
                    assert_eq!(holders.fetch_add(1, SeqCst), 0);
                    taken.fetch_add(1, SeqCst);
                    holders.fetch_sub(1, SeqCst);
                }
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(come_and_go))));
        assert!(taken.load(SeqCst) > 0 && !path.exists());
    }
}
