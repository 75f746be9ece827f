//! Hashes of files.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::regular;

/// Returns the SHA-256 hash of a regular file. Errors do not include the path.
pub fn sha256(path: &Path) -> io::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    io::copy(&mut regular::open(path)?, &mut hash)?;
    Ok(hash.finalize().into())
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
