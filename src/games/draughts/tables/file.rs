//! A slice as a file: little-endian numbers and compressed blocks.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `SOUCIE-T` |
//! | 4 | the version |
//! | 4 | the CRC-32 of all that follows |
//! | 4 | men and kings of the side to move, men and kings of its opponent |
//! | 24 | the numbers of won, lost and drawn positions |
//! | 4 a block | where each block ends, from the first one's beginning |
//! | | the blocks, each a Zstandard frame |
//!
//! A block unpacks to 4096 bytes, the last one to fewer: a byte an entry where distances are
//! kept, else four entries a byte, the first one lowest. The version is 1, but 2 where distances
//! are kept of more than four pieces.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::entry::Entry;
use super::index::Index;
use super::library::{Slice, in_parallel, reserved};
use super::shape::Shape;
use super::{Counts, DISTANCE_PIECES, TableError};
use crate::files::regular;

const MAGIC: &[u8; 8] = b"SOUCIE-T";
/// The version of tables with values alone and of all with up to four pieces.
const VERSION: u32 = 1;
/// The version of tables with more pieces that keep distances. The first version did not.
const VERSION_WITH_DISTANCES: u32 = 2;
/// The bytes of an unpacked block.
const BLOCK: usize = 4096;
/// Files are written once and read often.
const LEVEL: i32 = 19;

/// The name of the file of a shape.
fn name(shape: Shape) -> String {
    format!("{shape}.table")
}

/// Where the file of a shape lies.
pub(super) fn path(dir: &Path, shape: Shape) -> PathBuf {
    dir.join(name(shape))
}

/// A compressed slice.
pub(super) struct Packed {
    pub shape: Shape,
    pub index: Index,
    pub counts: Counts,
    /// Where each block ends.
    ends: Vec<u32>,
    blocks: Vec<u8>,
}

impl Packed {
    /// Compresses a slice on so many threads.
    pub fn pack(slice: &Slice, threads: usize) -> Result<Self, TableError> {
        let per_block = BLOCK * per_byte(slice.shape);
        let count = slice.entries.len().div_ceil(per_block);
        let packed: Vec<Mutex<io::Result<Vec<u8>>>> =
            (0..count).map(|_| Mutex::new(Ok(Vec::new()))).collect();
        in_parallel(threads, count, |number| {
            let entries = slice.entries.chunks(per_block).nth(number).unwrap_or_default();
            let block = zstd::bulk::compress(&bytes_of(entries, slice.shape), LEVEL);
            if let Some(slot) = packed.get(number)
                && let Ok(mut slot) = slot.lock()
            {
                *slot = block;
            }
        });
        let (mut ends, mut blocks) = (Vec::new(), Vec::new());
        for slot in packed {
            let block = slot.into_inner().unwrap_or_else(|poison| poison.into_inner());
            blocks.extend(block.map_err(|error| TableError::Compression { error })?);
            ends.push(blocks.len() as u32);
        }
        let index = Index::new(slice.shape);
        Ok(Self { shape: slice.shape, index, counts: slice.counts, ends, blocks })
    }

    /// Writes the file under another name and gives it its own when it is whole.
    pub fn write(&self, dir: &Path) -> Result<(), TableError> {
        let path = path(dir, self.shape);
        let beside = path.with_extension("table.part");
        let written = self.write_to(&beside).and_then(|()| fs::rename(&beside, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&beside);
            TableError::Io { path, error }
        })
    }

    fn write_to(&self, path: &Path) -> io::Result<()> {
        let body = self.body();
        let mut file = File::create(path)?;
        file.write_all(MAGIC)?;
        file.write_all(&version(self.shape).to_le_bytes())?;
        file.write_all(&crc32fast::hash(&body).to_le_bytes())?;
        file.write_all(&body)?;
        file.sync_all()
    }

    /// All that the checksum covers.
    fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend(self.shape.own);
        body.extend(self.shape.other);
        for count in [self.counts.won, self.counts.lost, self.counts.drawn] {
            body.extend(count.to_le_bytes());
        }
        for end in &self.ends {
            body.extend(end.to_le_bytes());
        }
        body.extend(&self.blocks);
        body
    }

    /// Reads the file of a shape; nothing if there is none.
    pub fn read(dir: &Path, shape: Shape) -> Result<Option<Self>, TableError> {
        let path = path(dir, shape);
        let bytes = match read_regular(&path, largest(shape)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TableError::Io { path, error }),
            Ok(bytes) => bytes,
        };
        let mut reader = Reader(&bytes);
        if reader.take() != Some(*MAGIC) {
            return Err(TableError::NoTable { path });
        }
        let known = version(shape);
        match reader.number() {
            Some(found) if found == known => {}
            None => return Err(TableError::Damaged { path }),
            Some(found) => return Err(TableError::Version { path, found, known }),
        }
        let sum = reader.number();
        if sum != Some(crc32fast::hash(reader.0)) {
            return Err(TableError::Damaged { path });
        }
        Self::read_body(reader, shape).map(Some).ok_or(TableError::Damaged { path })
    }

    /// Reads what the checksum covers; nothing if it is not about this shape.
    fn read_body(mut reader: Reader, shape: Shape) -> Option<Self> {
        let [men, kings, other_men, other_kings] = reader.take()?;
        if (Shape { own: [men, kings], other: [other_men, other_kings] }) != shape {
            return None;
        }
        let mut count = || reader.take().map(u64::from_le_bytes);
        let counts = Counts { won: count()?, lost: count()?, drawn: count()? };
        let index = Index::new(shape);
        let number = index.size().div_ceil(BLOCK * per_byte(shape));
        let ends = (0..number).map(|_| reader.number()).collect::<Option<Vec<u32>>>()?;
        Some(Self { shape, index, counts, ends, blocks: reader.0.to_vec() })
    }

    /// The block that holds an entry, and the entry's number in it.
    pub fn place(&self, number: usize) -> (usize, usize) {
        let per_block = BLOCK * per_byte(self.shape);
        (number / per_block, number % per_block)
    }

    /// The bytes of a block; nothing if it is damaged.
    pub fn block(&self, number: usize) -> Option<Vec<u8>> {
        let end = *self.ends.get(number)? as usize;
        let begin = number.checked_sub(1).and_then(|last| self.ends.get(last));
        let begin = begin.map_or(0, |&begin| begin as usize);
        zstd::bulk::decompress(self.blocks.get(begin..end)?, BLOCK).ok()
    }

    /// The entry with a number in an unpacked block.
    #[inline]
    pub fn entry(&self, block: &[u8], number: usize) -> Option<Entry> {
        if self.shape.keeps_distance() {
            return block.get(number).map(|&code| Entry(code));
        }
        let byte = block.get(number / 4)?;
        Some(Entry((byte >> (2 * (number % 4))) & 3))
    }

    /// All entries.
    pub fn unpack(self, dir: &Path) -> Result<Slice, TableError> {
        let size = self.index.size();
        let mut entries = reserved(size)?;
        for number in 0..self.ends.len() {
            let block = self.block(number).unwrap_or_default();
            let here = (size - entries.len()).min(BLOCK * per_byte(self.shape));
            entries.extend((0..here).map_while(|number| self.entry(&block, number)));
        }
        if entries.len() != size {
            return Err(TableError::Damaged { path: path(dir, self.shape) });
        }
        Ok(Slice { shape: self.shape, index: self.index, counts: self.counts, entries })
    }
}

/// Reads a file, but not much more than `largest` bytes of it: a longer one is damaged.
fn read_regular(path: &Path, largest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    regular::open(path)?.take(largest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The most bytes that the file of a shape has.
fn largest(shape: Shape) -> usize {
    const HEAD: usize = 64;
    let blocks = Index::new(shape).size().div_ceil(BLOCK * per_byte(shape));
    HEAD + blocks * (size_of::<u32>() + zstd::zstd_safe::compress_bound(BLOCK))
}

/// The version of the table of a shape.
fn version(shape: Shape) -> u32 {
    let is_new = shape.pieces() > DISTANCE_PIECES && shape.keeps_distance();
    if is_new { VERSION_WITH_DISTANCES } else { VERSION }
}

/// The entries that share a byte.
fn per_byte(shape: Shape) -> usize {
    if shape.keeps_distance() { 1 } else { 4 }
}

/// Entries as bytes of a block.
fn bytes_of(entries: &[Entry], shape: Shape) -> Vec<u8> {
    let byte = |entries: &[Entry]| entries.iter().rev().fold(0, |byte, entry| byte << 2 | entry.0);
    match per_byte(shape) {
        1 => entries.iter().map(|entry| entry.0).collect(),
        per_byte => entries.chunks(per_byte).map(byte).collect(),
    }
}

/// The bytes that are still to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// A table with nothing but draws.
    fn draws(shape: Shape) -> Packed {
        let index = Index::new(shape);
        let size = index.size();
        let counts = Counts { drawn: size as u64, ..Counts::default() };
        let slice = Slice { shape, index, counts, entries: vec![Entry::DRAWN; size] };
        Packed::pack(&slice, 2).unwrap()
    }

    #[test]
    fn tables_from_before_their_distances_are_of_another_version() {
        let dir = std::env::temp_dir().join(format!("soucie-versions-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let shapes = [([0, 2], [0, 2], 1), ([0, 3], [0, 2], 2), ([0, 1], [0, 4], 1)];
        for (own, other, version) in shapes {
            let shape = Shape { own, other };
            draws(shape).write(&dir).unwrap();
            assert!(Packed::read(&dir, shape).unwrap().is_some(), "{shape}");
            let mut bytes = fs::read(path(&dir, shape)).unwrap();
            assert_eq!(bytes[8..12], [version, 0, 0, 0], "{shape}");
            bytes[8] = 3 - version;
            fs::write(path(&dir, shape), bytes).unwrap();
            let error = Packed::read(&dir, shape).err().unwrap().to_string();
            let said = format!("is a table of version {}, not {version}", 3 - version);
            assert!(error.ends_with(&said), "{error}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
