//! Detection of paths to the same file, so that no output overwrites an input.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::{fs, io};

use same_file::Handle;

/// An input or output of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endpoint {
    Stdin,
    Stdout,
    Stderr,
    /// A file, which may not exist yet.
    File(PathBuf),
}

/// An output that is also an input or another output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    output: Endpoint,
    other: Endpoint,
}

impl std::error::Error for Conflict {}

/// Checks that no output is an input and that no two outputs are the same file.
///
/// Standard output and standard error count as outputs of every command. Only regular files can
/// conflict: pipes, terminals and devices store nothing.
pub fn check_distinct(
    inputs: impl IntoIterator<Item = Endpoint>,
    outputs: impl IntoIterator<Item = PathBuf>,
) -> Result<(), Conflict> {
    let mut others: Vec<Endpoint> = inputs.into_iter().collect();
    let conflict_with = |output: &Endpoint, others: &[Endpoint]| {
        let other = others.iter().find(|other| is_same(output, other))?.clone();
        Some(Conflict { output: output.clone(), other })
    };
    // Both streams may go to one file; they conflict only with inputs.
    for stream in [Endpoint::Stdout, Endpoint::Stderr] {
        if let Some(conflict) = conflict_with(&stream, &others) {
            return Err(conflict);
        }
    }
    for output in outputs.into_iter().map(Endpoint::File) {
        if let Some(conflict) = conflict_with(&output, &others) {
            return Err(conflict);
        }
        others.push(output);
    }
    Ok(())
}

impl Endpoint {
    /// An open handle to the endpoint; `None` if it is not a regular file.
    fn regular_file(&self) -> io::Result<Option<Handle>> {
        let handle = match self {
            Self::Stdin => Handle::stdin(),
            Self::Stdout => Handle::stdout(),
            Self::Stderr => Handle::stderr(),
            // Opening a pipe would block until its other end is opened.
            Self::File(path) if !fs::metadata(path)?.is_file() => return Ok(None),
            Self::File(path) => Handle::from_path(path),
        }?;
        let is_file = handle.as_file().metadata()?.is_file();
        Ok(is_file.then_some(handle))
    }
}

impl Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::Stdout => f.write_str("standard output"),
            Self::Stderr => f.write_str("standard error"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self { output: output @ Endpoint::File(_), other: other @ Endpoint::File(_) } => {
                if output == other {
                    write!(f, "{output} is given twice: each option needs its own file")
                } else {
                    write!(f, "{output} is the same file as {other}: each option needs its own")
                }
            }
            Self { output, other } => {
                write!(f, "{output} and {other} are the same file: write to another file")
            }
        }
    }
}

/// Whether two endpoints are the same regular file, which may not exist yet.
fn is_same(one: &Endpoint, other: &Endpoint) -> bool {
    match (one.regular_file(), other.regular_file()) {
        (Ok(Some(one)), Ok(Some(other))) => one == other,
        (Err(_), Err(_)) => match (one, other) {
            (Endpoint::File(one), Endpoint::File(other)) => {
                folder_and_name(&followed(one)) == folder_and_name(&followed(other))
            }
            _ => false,
        },
        _ => false,
    }
}

const MAX_LINKS: usize = 40;

/// The target of a symbolic link, which may not exist yet; other paths are returned unchanged.
pub fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // An existing special file keeps its path; some of them have no other one.
    let is_special = |path: &Path| fs::metadata(path).is_ok_and(|data| !data.is_file());
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) if !is_special(&path) => path = path.with_file_name(next),
            _ => break,
        }
    }
    path
}

/// The canonical directory and the name of a file.
fn folder_and_name(path: &Path) -> (Option<PathBuf>, Option<OsString>) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok();
    (folder, path.file_name().map(OsString::from))
}
