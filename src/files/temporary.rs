//! Files that do not outlive the process: unfinished outputs and locks.
//!
//! They are removed by destructors. A signal handler that ends the process without these calls
//! [`remove_all`]. What a killed process leaves is removed by the next one.

use std::fs;
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The paths of the files that are there.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file in the list of those to remove. Dropping it removes it from the list only.
pub struct Listed(PathBuf);

impl Listed {
    /// Creates a file and lists it, unless `create` returns `None`.
    pub fn create<T>(
        create: impl FnOnce() -> io::Result<Option<(T, PathBuf)>>,
    ) -> io::Result<Option<(T, Self)>> {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        let created = create()?;
        Ok(created.map(|(file, path)| {
            files.push(path.clone());
            (file, Self(path))
        }))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = files.iter().position(|path| *path == self.0) {
            files.swap_remove(at);
        }
    }
}

/// Removes all listed files. From then on, a thread that creates or finishes one waits for the end of
/// the process.
pub fn remove_all() {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    for path in files.iter() {
        // A file may be finished or removed already.
        let _ = fs::remove_file(path);
    }
    mem::forget(files);
}
