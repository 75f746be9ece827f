//! Hashes of files.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{atomic_file, regular};

/// Returns the SHA-256 hash of a regular file. Errors do not include the path.
pub fn sha256(path: &Path) -> io::Result<[u8; 32]> {
    const PART: usize = 64 << 10;
    let mut reader = BufReader::with_capacity(PART, regular::open(path)?);
    let mut hash = Sha256::new();
    loop {
        let part = reader.fill_buf()?;
        if part.is_empty() {
            return Ok(hash.finalize().into());
        }
        hash.update(part);
        let length = part.len();
        reader.consume(length);
    }
}

/// Writes a file and its manifest to a folder. Both are written even if they exist. Returns the path
/// of the file: `NAME-HASH.EXTENSION`, with the first eight digits of its SHA-256 hash.
pub fn write_with_manifest(
    dir: &Path,
    name: &str,
    extension: &str,
    bytes: &[u8],
    manifest: &[u8],
) -> io::Result<PathBuf> {
    let hash = hex(&Sha256::digest(bytes));
    let name = format!("{name}-{}", hash.get(..8).unwrap_or_default());
    // The manifest comes first, so that no file is ever without it.
    atomic_file::write(&dir.join(format!("{name}.json")), manifest)?;
    let path = dir.join(format!("{name}.{extension}"));
    atomic_file::write(&path, bytes)?;
    Ok(path)
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
