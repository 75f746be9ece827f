//! The folders in which the program keeps files of its own choice for the user.

use std::env;
use std::fs::DirBuilder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use tempfile::NamedTempFile;

/// The environment variable that names one folder for all of these files. On Windows the default
/// ones do not depend on the environment.
const HOME: &str = "SOUCIE_HOME";

/// The folder for data, such as endgame tables; `None` if the user has no home.
pub fn data() -> Option<PathBuf> {
    named().or_else(|| Some(default()?.data_dir().to_path_buf()))
}

/// The folder for state, such as secrets; `None` if the user has no home.
pub fn state() -> Option<PathBuf> {
    named().or_else(|| {
        let dirs = default()?;
        Some(dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_path_buf())
    })
}

/// Writes a temporary file that is to replace `path`. Only the user can read it: this is the default of
/// the library. Errors do not include the path.
pub fn private_file(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    // Others may not replace what only the user may read.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn named() -> Option<PathBuf> {
    env::var_os(HOME).filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn default() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "soucie")
}
