//! The secret in the address, which keeps out other pages and other users of the computer.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use tempfile::NamedTempFile;

use crate::files::{named, regular};

/// The number of hexadecimal digits: 128 bits.
const DIGITS: usize = 32;

/// The maximum size of the file in bytes, with a line end.
const LONGEST: u64 = DIGITS as u64 + 2;

/// The secret.
pub struct Token(String);

impl Token {
    /// Returns the token in the user's directory for state, so that an address stays valid. Creates
    /// the file if it is missing or damaged. Without such a file every call returns a new token.
    pub fn load() -> Self {
        let Some(path) = default_file() else { return Self::random() };
        Self::load_from(&path).unwrap_or_else(|error| {
            log::warn!("the address changes at every start: {error}");
            Self::random()
        })
    }

    /// Reads the token in a file, or creates the file.
    fn load_from(path: &Path) -> io::Result<Self> {
        match read(path)? {
            Some(Ok(token)) => return Ok(token),
            Some(Err(Damaged)) => fs::remove_file(path).map_err(|error| named(path, error))?,
            None => {}
        }
        let token = Self::random();
        match token.create(path) {
            // Another process has created it at the same time.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => match read(path)? {
                Some(Ok(token)) => Ok(token),
                _ => Err(named(path, error)),
            },
            created => created.map(|()| token).map_err(|error| named(path, error)),
        }
    }

    /// Creates the file atomically. Only the user can read it: this is the default of the library.
    fn create(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = NamedTempFile::new_in(folder)?;
        writeln!(file, "{}", self.0)?;
        file.persist_noclobber(path)?;
        Ok(())
    }

    fn random() -> Self {
        Self(format!("{:0DIGITS$x}", rand::random::<u128>()))
    }

    /// The token as text: hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `text` is the token. The time does not depend on how many characters agree.
    pub fn matches(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |difference, (a, b)| difference | (a ^ b));
        text.len() == self.0.len() && difference == 0
    }
}

/// A file that does not contain a token.
struct Damaged;

/// Reads the token in a file; `None` if there is no file.
fn read(path: &Path) -> io::Result<Option<Result<Token, Damaged>>> {
    let bytes = match regular::read(path, LONGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => return Ok(Some(Err(Damaged))),
        Err(error) => return Err(named(path, error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end();
    let is_token = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok(Some(if is_token { Ok(Token(text.to_string())) } else { Err(Damaged) }))
}

/// The file with the token, in the user's directory for state; `None` if there is no home.
fn default_file() -> Option<PathBuf> {
    let dirs = ProjectDirs::from("", "", "soucie")?;
    Some(dirs.state_dir().unwrap_or(dirs.data_local_dir()).join("play-token"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_unless_its_file_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join("play-token");
        let first = Token::load_from(&path).unwrap();
        assert_eq!(first.as_str().len(), DIGITS);
        assert_eq!(Token::load_from(&path).unwrap().as_str(), first.as_str());
        for damaged in ["", "0123", &"x".repeat(DIGITS), &"0".repeat(1000)] {
            fs::write(&path, damaged).unwrap();
            let token = Token::load_from(&path).unwrap();
            assert_ne!(token.as_str(), damaged);
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n", token.as_str()));
        }
        assert!(Token::load_from(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("play-token");
        Token::load_from(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_the_whole_token_matches() {
        let token = Token("ab".repeat(16));
        assert!(token.matches(&"ab".repeat(16)));
        for wrong in ["", "ab", &"ab".repeat(17), &"AB".repeat(16), &"ac".repeat(16)] {
            assert!(!token.matches(wrong), "{wrong}");
        }
    }
}
