//! The book file format.
//!
//! All numbers are little-endian. The fields are, in this order:
//!
//! - eight letters [`MAGIC`] and the [`VERSION`] of the format (`u32`)
//! - the name of the game in 32 bytes, padded with zeros
//! - the entries in ascending order: the hash of a position (`u64`) and the code of a move (`u16`)
//! - the CRC-32 of everything before it (`u32`)

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use thiserror::Error;

use super::{Book, BookEntry};
use crate::files::fields::FieldReader;

const MAGIC: &[u8; 8] = b"SoucieBk";
const VERSION: u32 = 1;

/// The size of the game name field in bytes.
const NAME_SIZE: usize = 32;

const ENTRY_SIZE: usize = 10;

pub const MAX_FILE_SIZE: u64 = 256 << 20;

/// A reason why a file is not a usable book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    #[error("not a Soucie book")]
    NotABook,
    #[error("expected book version {VERSION}, found version {0}")]
    Version(u32),
    #[error("the book is damaged: wrong checksum")]
    Damaged,
    #[error("the book is malformed: {0}")]
    Malformed(&'static str),
    #[error("the book is for an unknown game: {0}")]
    UnknownGame(String),
}

impl Book {
    /// Reads the contents of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let mut reader = FieldReader(bytes.strip_prefix(MAGIC).ok_or(BookError::NotABook)?);
        let version = reader.u32().ok_or(BookError::Damaged)?;
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let (content, checksum) = reader.0.split_last_chunk::<4>().ok_or(BookError::Damaged)?;
        let body = bytes.strip_suffix(checksum).unwrap_or_default();
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(BookError::Damaged);
        }
        reader.0 = content;
        let unnamed = BookError::Malformed("it names no game");
        let name = reader.array::<NAME_SIZE>().ok_or(unnamed.clone())?;
        let name = str::from_utf8(&name).map_err(|_| unnamed)?;
        let entries = reader.0.chunks(ENTRY_SIZE).map(entry).collect::<Option<Vec<_>>>();
        let entries = entries.ok_or(BookError::Malformed("its last entry is incomplete"))?;
        if !entries.is_sorted_by(|one, next| one < next) {
            return Err(BookError::Malformed("its entries are not in ascending order"));
        }
        Ok(Self { game: name.trim_end_matches('\0').to_string(), entries })
    }

    /// Returns the contents of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let name = self.game.bytes().chain(std::iter::repeat(0));
        bytes.extend(name.take(NAME_SIZE));
        for entry in &self.entries {
            bytes.extend(entry.hash.to_le_bytes());
            bytes.extend(entry.mv.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

fn entry(bytes: &[u8]) -> Option<BookEntry> {
    let (hash, mv) = bytes.split_first_chunk()?;
    let mv: [u8; 2] = mv.try_into().ok()?;
    Some(BookEntry { hash: u64::from_le_bytes(*hash), mv: u16::from_le_bytes(mv) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn book() -> Book {
        let entry = |hash, mv| BookEntry { hash, mv };
        Book::new("linesofaction", vec![entry(9, 1), entry(u64::MAX, 5), entry(9, 0), entry(9, 1)])
    }

    #[test]
    fn a_changed_or_truncated_file_is_refused() {
        let bytes = book().write();
        for length in 0..bytes.len() {
            let error = if length < MAGIC.len() { BookError::NotABook } else { BookError::Damaged };
            assert_eq!(Book::read(&bytes[..length]), Err(error), "{length}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(Book::read(&bytes).is_err(), "{at}");
        }
    }

    #[test]
    fn malformed_contents_with_a_valid_checksum_are_refused() {
        let sealed = |body: &[u8]| {
            let mut bytes = body.to_vec();
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            Book::read(&bytes).unwrap_err().to_string()
        };
        let bytes = book().write();
        let (header, entries) = bytes[..bytes.len() - 4].split_at(12 + NAME_SIZE);
        let reversed: Vec<u8> = entries.rchunks(ENTRY_SIZE).flatten().copied().collect();
        let version = [&MAGIC[..], &2_u32.to_le_bytes()].concat();
        for (body, error) in [
            (&[header, &reversed].concat(), "its entries are not in ascending order"),
            (&[header, &entries[..15]].concat(), "its last entry is incomplete"),
            (&header[..20].to_vec(), "it names no game"),
            (&[&header[..12], &[0xff; NAME_SIZE]].concat(), "it names no game"),
            (&version, "expected book version 1, found version 2"),
        ] {
            assert!(sealed(body).ends_with(error), "{}", sealed(body));
        }
    }
}
