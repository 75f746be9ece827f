//! The secret in the address, which keeps out other pages and other users of the computer.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use soucie::files::{named, regular, user_dirs};

/// The number of hexadecimal digits: 128 bits.
const DIGITS: usize = 32;

/// The maximum size of the file in bytes, with a line end.
const LONGEST: u64 = DIGITS as u64 + 2;

/// The secret.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Returns the token in the user's directory for state, so that an address stays valid, and its file.
    /// Creates the file if it is missing, damaged or readable by others. Without such a file every call
    /// returns a new token. `notes` is for the user, and may be closed.
    pub fn load(notes: &mut impl Write) -> (Self, Option<File>) {
        let Some(path) = default_file() else { return (Self::random(), None) };
        match Self::load_from(&path, notes) {
            Ok((token, file)) => (token, Some(file)),
            Err(error) => {
                let _ = writeln!(notes, "soucie: the address changes at every start: {error}");
                (Self::random(), None)
            }
        }
    }

    /// Reads the token in a file, or creates the file.
    fn load_from(path: &Path, notes: &mut impl Write) -> io::Result<(Self, File)> {
        match read(path)? {
            Some(Ok(found)) => return Ok(found),
            Some(Err(fault)) => {
                fs::remove_file(path).map_err(|error| named(path, error))?;
                let path = path.display();
                let _ = writeln!(notes, "soucie: {path} {fault}: the address has changed");
            }
            None => {}
        }
        let token = Self::random();
        match token.create(path) {
            // Another process has created it at the same time.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => match read(path)? {
                Some(Ok(found)) => Ok(found),
                _ => Err(named(path, error)),
            },
            created => Ok((token, created.map_err(|error| named(path, error))?)),
        }
    }

    /// Creates the file atomically.
    fn create(&self, path: &Path) -> io::Result<File> {
        let file = user_dirs::private_file(path, &format!("{}\n", self.0))?;
        Ok(file.persist_noclobber(path)?)
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

#[derive(Clone, Copy, Debug, Error)]
enum TokenFault {
    #[error("contains no secret")]
    Damaged,
    #[error("was readable by other users of this computer")]
    Exposed,
}

/// Reads the token in a file, and returns it with the file; `None` if there is no file.
fn read(path: &Path) -> io::Result<Option<Result<(Token, File), TokenFault>>> {
    let file = match regular::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| named(path, error))?,
    };
    read_from(file).map(Some).map_err(|error| named(path, error))
}

fn read_from(file: File) -> io::Result<Result<(Token, File), TokenFault>> {
    if is_exposed(&file)? {
        return Ok(Err(TokenFault::Exposed));
    }
    let mut bytes = Vec::new();
    (&file).take(LONGEST + 1).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end();
    let is_token = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok(if is_token { Ok((Token(text.to_string()), file)) } else { Err(TokenFault::Damaged) })
}

/// Whether the mode of a file gives other users any right. Elsewhere than on Unix, the user's
/// directories are closed to others.
fn is_exposed(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(false)
    }
}

/// The file with the token, in the user's directory for state; `None` if there is no home.
fn default_file() -> Option<PathBuf> {
    Some(user_dirs::state()?.join("play-token"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The token of a file, and the notes.
    fn load(path: &Path) -> io::Result<(String, String)> {
        let mut notes = Vec::new();
        let (token, _) = Token::load_from(path, &mut notes)?;
        Ok((token.0, String::from_utf8(notes).unwrap()))
    }

    #[test]
    fn a_token_is_kept_unless_its_file_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join("play-token");
        let (first, notes) = load(&path).unwrap();
        assert_eq!((first.len(), notes.as_str()), (DIGITS, ""));
        assert_eq!(load(&path).unwrap(), (first, String::new()));
        for damaged in ["", "0123", &"x".repeat(DIGITS), &"0".repeat(1000)] {
            fs::write(&path, damaged).unwrap();
            let (token, notes) = load(&path).unwrap();
            assert_ne!(token, damaged);
            assert!(notes.ends_with(" contains no secret: the address has changed\n"), "{notes}");
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{token}\n"));
        }
        assert!(load(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_replaced() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("play-token");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let (first, _) = load(&path).unwrap();
        assert_eq!(mode(), 0o600);
        for (given, is_kept) in [
            (0o400, true),
            (0o600, true),
            (0o640, false),
            (0o604, false),
            (0o644, false),
            (0o620, false),
            (0o602, false),
            (0o777, false),
        ] {
            fs::set_permissions(&path, PermissionsExt::from_mode(given)).unwrap();
            let before = fs::read_to_string(&path).unwrap();
            let (token, notes) = load(&path).unwrap();
            assert_eq!(before == format!("{token}\n"), is_kept, "{given:o}");
            assert_eq!(notes.is_empty(), is_kept, "{given:o}: {notes}");
            assert_eq!(mode(), if is_kept { given } else { 0o600 }, "{given:o}");
        }
        assert_ne!(load(&path).unwrap().0, first);
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
