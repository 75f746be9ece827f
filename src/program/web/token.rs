//! The secret in the address, which keeps out other pages and other users of the computer, and what a
//! server leaves for the next start: another start opens the page of a server that runs. Two servers would
//! have two addresses, and the browser keeps the games of an address apart.
//!
//! The user's file `play-server` has the secret and the port of the last server, which holds a lock on it
//! while it runs. So no start sends anything to what listens at that port, which may be any program, of
//! any user.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::path::PathBuf;

use soucie::files::{named, regular, user_dirs};

/// The number of hexadecimal digits: 128 bits.
const DIGITS: usize = 32;

/// The maximum size of the file in bytes: the secret, a space, a port and a line end.
const LONGEST_FILE: u64 = DIGITS as u64 + 8;

#[derive(Clone)]
pub struct Token(String);

impl Token {
    fn random() -> Self {
        Self(format!("{:0DIGITS$x}", rand::random::<u128>()))
    }

    fn read(text: &str) -> Option<Self> {
        let is_token = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_token.then(|| Self(text.to_string()))
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

/// The last server of the user. Without one it has a new token, and no port.
pub struct LastServer {
    /// Is kept, so that an address stays valid.
    pub token: Token,
    pub port: Option<u16>,
    pub is_running: bool,
}

impl LastServer {
    pub fn find() -> Self {
        Self::read().unwrap_or_else(|| Self {
            token: Token::random(),
            port: None,
            is_running: false,
        })
    }

    /// Reads the file, if it is there and whole.
    fn read() -> Option<Self> {
        let file = regular::open(&default_file()?).ok()?;
        let mut text = String::new();
        (&file).take(LONGEST_FILE).read_to_string(&mut text).ok()?;
        let (token, port) = text.trim_end().split_once(' ')?;
        // Not every file system supports locks.
        let is_running = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        Some(Self { token: Token::read(token)?, port: Some(port.parse().ok()?), is_running })
    }
}

/// Registers a server as the last one, until the file that is returned is closed.
pub fn register(token: &Token, port: u16) -> io::Result<File> {
    let path = default_file().ok_or_else(|| io::Error::other("no home directory found"))?;
    let write = || {
        let text = format!("{} {port}\n", token.0);
        let file = user_dirs::private_file(&path, &text)?.persist(&path)?;
        // Others can read a file with a shared lock, also on Windows.
        file.try_lock_shared()?;
        Ok(file)
    };
    write().map_err(|error| named(&path, error))
}

/// The file, in the user's directory for state; `None` if there is no home.
fn default_file() -> Option<PathBuf> {
    Some(user_dirs::state()?.join("play-server"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_matches() {
        let token = Token("ab".repeat(16));
        assert!(token.matches(&"ab".repeat(16)));
        for wrong in ["", "ab", &"ab".repeat(17), &"AB".repeat(16), &"ac".repeat(16)] {
            assert!(!token.matches(wrong), "{wrong}");
        }
    }
}
