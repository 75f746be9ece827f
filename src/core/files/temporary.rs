//! Unfinished outputs, which do not outlive the process unless it is killed.
//!
//! They are removed by destructors. A signal handler that ends the process without these calls
//! [`remove_all`].

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{fs, io, mem};

use tempfile::NamedTempFile;

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file in the list of those to remove. Dropping it removes it from the list only.
pub struct Listed(PathBuf);

impl Listed {
    /// Creates a file and lists it.
    pub fn create(
        create: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        let file = create()?;
        files.push(file.path().to_path_buf());
        let listed = Self(file.path().to_path_buf());
        Ok((file, listed))
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
