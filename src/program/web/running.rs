//! Finds the server of an earlier start: another start opens its page. Two servers would have two
//! addresses, and the browser keeps the games of an address apart.
//!
//! A server holds a lock on the file of its token while it runs, and the user's file `play-server` has
//! the port of the last one. So no start sends anything to what listens at that port, which may be any
//! program, of any user.

use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use soucie::files::{named, regular, user_dirs};

/// The maximum size of the file, in bytes.
const LONGEST_FILE: u64 = 16;

/// Returns the port of the running server with the token of this file; `None` if there is none.
pub fn port(token_file: &File) -> Option<u16> {
    match token_file.try_lock() {
        Err(TryLockError::WouldBlock) => last_port(),
        Ok(()) => {
            // The server that starts here locks it again, once its port is written.
            let _ = token_file.unlock();
            None
        }
        // Not every file system supports locks.
        Err(TryLockError::Error(_)) => None,
    }
}

/// Returns the port of the last server, running or not; `None` if there is no readable file.
pub fn last_port() -> Option<u16> {
    let bytes = regular::read(&default_file()?, LONGEST_FILE).ok()?;
    String::from_utf8(bytes).ok()?.trim_end().parse().ok()
}

/// Registers a server that listens at a port, until the file of its token is closed.
pub fn register(port: u16, token_file: &File) -> io::Result<()> {
    let Some(path) = default_file() else { return Ok(()) };
    let write = || {
        user_dirs::private_file(&path, &format!("{port}\n"))?.persist(&path)?;
        // Others can read a file with a shared lock, also on Windows.
        Ok(token_file.try_lock_shared()?)
    };
    write().map_err(|error| named(&path, error))
}

/// The file, in the user's directory for state; `None` if there is no home.
fn default_file() -> Option<PathBuf> {
    Some(user_dirs::state()?.join("play-server"))
}
