//! The file format of a slice: little-endian numbers and compressed blocks.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SOUCIE-T` |
//! | 4 | the version |
//! | 4 | the CRC-32 of all following bytes |
//! | 4 | men and kings of the side to move, men and kings of the opponent |
//! | 24 | the numbers of won, lost and drawn positions |
//! | 4 | the CRC-32 of the unpacked blocks, the same whatever compresses them |
//! | 4 per block | the end offset of each block, from the start of the first block |
//! | | the blocks, each compressed with raw DEFLATE |
//!
//! A block unpacks to 4096 bytes, the last one to fewer. With distances an entry takes one byte;
//! without them, four entries share a byte, the first one in the lowest bits. The version is 3: versions
//! 1 and 2 had Zstandard frames as blocks.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crc32fast::Hasher;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::super::entry::{Counts, Entry};
use super::super::index::Index;
use super::super::shape::Shape;
use super::library::{Slice, in_parallel, reserved};
use crate::files::atomic_file::AtomicFile;
use crate::files::fields::FieldReader;
use crate::files::regular;
use crate::game::TablebaseError;

const MAGIC: &[u8; 8] = b"SOUCIE-T";
const VERSION: u32 = 3;
/// The size of an unpacked block, in bytes.
pub(super) const BLOCK: usize = 4096;
/// The level of compression: the highest that is useful, because files are written once and read often.
const LEVEL: u8 = 9;
/// The message of a wrong checksum or size, after the path.
const DAMAGED: &str = " is damaged";

fn name(shape: Shape) -> String {
    format!("{shape}.table")
}

pub(super) fn path(dir: &Path, shape: Shape) -> PathBuf {
    dir.join(name(shape))
}

pub(super) struct Packed {
    pub shape: Shape,
    pub index: Index,
    pub counts: Counts,
    /// The end offset of each block, from the start of the first block.
    ends: Vec<u32>,
    blocks: Vec<u8>,
    /// The CRC-32 of the unpacked blocks.
    pub content: u32,
}

impl Packed {
    pub fn pack(slice: &Slice, threads: usize) -> Self {
        let (shape, counts) = (slice.shape, slice.counts);
        let unpacked: Vec<_> = slice.entries.chunks(BLOCK * per_byte(shape)).collect();
        let packed: Vec<Mutex<(Vec<u8>, Hasher)>> =
            unpacked.iter().map(|_| Mutex::default()).collect();
        in_parallel(threads, unpacked.len(), |number| {
            if let (Some(entries), Some(slot)) = (unpacked.get(number), packed.get(number))
                && let Ok(mut slot) = slot.lock()
            {
                let bytes = bytes_of(entries, shape);
                slot.0 = compress_to_vec(&bytes, LEVEL);
                slot.1.update(&bytes);
            }
        });
        let (mut ends, mut blocks, mut content) = (Vec::new(), Vec::new(), Hasher::new());
        for slot in packed {
            let (block, hash) = slot.into_inner().unwrap_or_else(|poison| poison.into_inner());
            blocks.extend(block);
            ends.push(blocks.len() as u32);
            content.combine(&hash);
        }
        let (index, content) = (Index::new(shape), content.finalize());
        Self { shape, index, counts, ends, blocks, content }
    }

    pub fn write(&self, dir: &Path) -> Result<(), TablebaseError> {
        let write = || {
            let mut file = AtomicFile::begin(&path(dir, self.shape))?;
            let body = self.body();
            file.write_all(MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            file.write_all(&crc32fast::hash(&body).to_le_bytes())?;
            file.write_all(&body)?;
            file.finish()
        };
        write().map_err(|error: io::Error| TablebaseError::Other(error.to_string()))
    }

    /// The bytes that the checksum covers.
    fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend(self.shape.own);
        body.extend(self.shape.other);
        for count in [self.counts.won, self.counts.lost, self.counts.drawn] {
            body.extend(count.to_le_bytes());
        }
        body.extend(self.content.to_le_bytes());
        for end in &self.ends {
            body.extend(end.to_le_bytes());
        }
        body.extend(&self.blocks);
        body
    }

    /// Reads the file of a shape; `None` if there is none.
    pub fn read(dir: &Path, shape: Shape) -> Result<Option<Self>, TablebaseError> {
        let path = path(dir, shape);
        let bytes = match read_regular(&path, shape) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TablebaseError::io(&path, error)),
            Ok(bytes) => bytes,
        };
        let mut reader = FieldReader(&bytes);
        if reader.array() != Some(*MAGIC) {
            return Err(TablebaseError::content(&path, " is not an endgame table"));
        }
        let damaged = || TablebaseError::content(&path, DAMAGED);
        let found = reader.u32().ok_or_else(damaged)?;
        if found != VERSION {
            let what = format!(" has table version {found}, expected version {VERSION}");
            return Err(TablebaseError::content(&path, what));
        }
        if reader.u32() != Some(crc32fast::hash(reader.0)) {
            return Err(damaged());
        }
        Self::read_body(reader, shape).map(Some).ok_or_else(damaged)
    }

    /// Parses the bytes that the checksum covers; `None` if they are malformed or of another
    /// shape.
    fn read_body(mut reader: FieldReader, shape: Shape) -> Option<Self> {
        let [men, kings, other_men, other_kings] = reader.array()?;
        if (Shape { own: [men, kings], other: [other_men, other_kings] }) != shape {
            return None;
        }
        let mut count = || reader.array().map(u64::from_le_bytes);
        let counts = Counts { won: count()?, lost: count()?, drawn: count()? };
        let index = Index::new(shape);
        let all = counts.won.checked_add(counts.lost)?.checked_add(counts.drawn)?;
        if all != index.size() as u64 {
            return None;
        }
        let content = reader.u32()?;
        let number = index.size().div_ceil(BLOCK * per_byte(shape));
        let ends = (0..number).map(|_| reader.u32()).collect::<Option<Vec<u32>>>()?;
        Some(Self { shape, index, counts, ends, blocks: reader.0.to_vec(), content })
    }

    /// The block of an entry, and the index of the entry within it.
    pub fn locate(&self, number: usize) -> (usize, usize) {
        let per_block = BLOCK * per_byte(self.shape);
        (number / per_block, number % per_block)
    }

    /// The unpacked bytes of a block; `None` if it is damaged.
    pub fn block(&self, number: usize) -> Option<Vec<u8>> {
        let end = *self.ends.get(number)? as usize;
        let begin = number.checked_sub(1).and_then(|last| self.ends.get(last));
        let begin = begin.map_or(0, |&begin| begin as usize);
        let all = self.index.size().div_ceil(per_byte(self.shape));
        let size = all.checked_sub(number * BLOCK)?.min(BLOCK);
        let block = decompress_to_vec_with_limit(self.blocks.get(begin..end)?, size).ok()?;
        (block.len() == size).then_some(block)
    }

    /// The entry at an index of an unpacked block.
    #[inline]
    pub fn entry(&self, block: &[u8], number: usize) -> Option<Entry> {
        if self.shape.keeps_distance() {
            return block.get(number).map(|&code| Entry(code));
        }
        let byte = block.get(number / 4)?;
        Some(Entry((byte >> (2 * (number % 4))) & 3))
    }

    pub fn unpack(self, dir: &Path) -> Result<Slice, TablebaseError> {
        let size = self.index.size();
        let mut entries = reserved(size)?;
        let mut content = Hasher::new();
        for number in 0..self.ends.len() {
            let block = self.block(number).unwrap_or_default();
            content.update(&block);
            let here = (size - entries.len()).min(BLOCK * per_byte(self.shape));
            entries.extend((0..here).map_while(|number| self.entry(&block, number)));
        }
        if entries.len() != size || content.finalize() != self.content {
            return Err(TablebaseError::content(&path(dir, self.shape), DAMAGED));
        }
        Ok(Slice { shape: self.shape, index: self.index, counts: self.counts, entries })
    }
}

/// Reads the file of a shape, but at most one byte more than the largest has: a longer file is damaged.
fn read_regular(path: &Path, shape: Shape) -> io::Result<Vec<u8>> {
    // The largest size takes long to compute, and most shapes have no file.
    let file = regular::open(path)?;
    let most = largest(shape) as u64 + 1;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(file.metadata()?.len().min(most) as usize)?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The maximum file size of a shape, in bytes.
fn largest(shape: Shape) -> usize {
    const HEAD: usize = 64;
    /// More than what DEFLATE adds to a block that it cannot compress.
    const OVERHEAD: usize = 128;
    let blocks = Index::new(shape).size().div_ceil(BLOCK * per_byte(shape));
    HEAD + blocks * (size_of::<u32>() + BLOCK + OVERHEAD)
}

fn per_byte(shape: Shape) -> usize {
    if shape.keeps_distance() { 1 } else { 4 }
}

fn bytes_of(entries: &[Entry], shape: Shape) -> Vec<u8> {
    let byte = |entries: &[Entry]| entries.iter().rev().fold(0, |byte, entry| byte << 2 | entry.0);
    match per_byte(shape) {
        1 => entries.iter().map(|entry| entry.0).collect(),
        per_byte => entries.chunks(per_byte).map(byte).collect(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::fs;

    use super::*;

    fn slice(shape: Shape, entry: impl Fn(usize) -> Entry) -> Slice {
        let index = Index::new(shape);
        let entries: Vec<Entry> = (0..index.size()).map(entry).collect();
        let mut counts = Counts::default();
        for entry in &entries {
            counts.add(entry.value());
        }
        Slice { shape, index, counts, entries }
    }

    #[test]
    fn slices_are_read_as_they_were_written() {
        let dir = std::env::temp_dir().join(format!("soucie-slices-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        // One block, several blocks, and four entries a byte.
        for (own, other) in [([1, 0], [0, 1]), ([0, 1], [1, 1]), ([0, 1], [4, 0])] {
            let shape = Shape { own, other };
            let is_plain = !shape.keeps_distance();
            let slice = slice(shape, |number| {
                let code = crc32fast::hash(&number.to_le_bytes()) as u8;
                if is_plain { Entry(code).plain() } else { Entry(code) }
            });
            Packed::pack(&slice, 2).write(&dir).unwrap();
            let read = Packed::read(&dir, shape).unwrap().unwrap().unpack(&dir).unwrap();
            assert!((read.counts, read.entries) == (slice.counts, slice.entries), "{shape}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn tables_of_another_version_are_refused() {
        let dir = std::env::temp_dir().join(format!("soucie-versions-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let shape = Shape { own: [0, 2], other: [0, 2] };
        let draws = slice(shape, |_| Entry::DRAWN);
        Packed::pack(&draws, 2).write(&dir).unwrap();
        assert!(Packed::read(&dir, shape).unwrap().is_some());
        let mut bytes = fs::read(path(&dir, shape)).unwrap();
        for version in [1, 2, 4] {
            bytes[8..12].copy_from_slice(&u32::to_le_bytes(version));
            fs::write(path(&dir, shape), &bytes).unwrap();
            let error = Packed::read(&dir, shape).err().unwrap().to_string();
            let expected = format!("table version {version}, expected version 3");
            assert!(error.ends_with(&expected), "{error}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
