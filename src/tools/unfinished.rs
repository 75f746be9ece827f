//! Files that are not whole yet: nobody ever sees half of one under its own name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is removed again unless it is finished.
pub struct Unfinished {
    path: PathBuf,
    /// `None` once it is closed.
    file: Option<BufWriter<File>>,
}

impl Unfinished {
    /// Begins a file whose name is that of `target` and `ending`.
    pub fn beside(target: &Path, ending: &str) -> io::Result<Self> {
        // This would come out only when all is done.
        if target.is_dir() {
            return Err(io::Error::other(format!("{}: this is a folder", target.display())));
        }
        let mut name = OsString::from(target);
        name.push(ending);
        let path = PathBuf::from(name);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path);
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = Some(BufWriter::new(file.map_err(named)?));
        Ok(Self { path, file })
    }

    /// Copies all that was written to it so far.
    pub fn copy_to(&mut self, output: &mut impl Write) -> io::Result<()> {
        let file = open(&mut self.file)?;
        file.flush()?;
        file.seek(SeekFrom::Start(0))?;
        io::copy(file.get_mut(), output)?;
        Ok(())
    }

    /// Gives it its name. What had that name before is replaced at one stroke.
    pub fn finish(mut self, target: &Path) -> io::Result<()> {
        let file = open(&mut self.file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        self.file = None;
        fs::rename(&self.path, target)
    }
}

fn open(file: &mut Option<BufWriter<File>>) -> io::Result<&mut BufWriter<File>> {
    file.as_mut().ok_or_else(|| io::Error::other("the file is closed"))
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        open(&mut self.file)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        open(&mut self.file)?.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Some systems do not remove a file that is open.
        self.file = None;
        // A finished file is no longer there, which is as well.
        let _ = fs::remove_file(&self.path);
    }
}
