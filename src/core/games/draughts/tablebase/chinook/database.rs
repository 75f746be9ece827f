//! A database: an index, and a file of data that is read block by block.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::Digest;

use super::super::cache::Cache;
use super::super::entry::Value;
use super::blocks::{BLOCK, Block, Segment};
use super::index::{self, DataRange, DatabaseIndex, IndexError, IndexedSlice};
use crate::files::regular::{self, read_at};
use crate::game::TablebaseError;

pub(super) struct Database {
    pub path: PathBuf,
    file: File,
    length: u64,
    index: DatabaseIndex,
    /// Whether a block was damaged: nothing more is read then.
    is_damaged: AtomicBool,
    /// The hash once it has been computed.
    sha256: OnceLock<Option<[u8; 32]>>,
}

impl Database {
    /// Opens a database of up to `pieces` pieces with these paths of its index and its data.
    pub fn open(index: &Path, path: &Path, pieces: usize) -> Result<Self, TablebaseError> {
        Self::open_if(index, path, |index| index.check(pieces))
    }

    /// Opens a database if a check of its index finds nothing wrong.
    pub(super) fn open_if(
        index: &Path,
        path: &Path,
        check: impl Fn(&DatabaseIndex) -> Result<(), String>,
    ) -> Result<Self, TablebaseError> {
        let file = regular::open(path).map_err(|error| TablebaseError::io(path, error))?;
        let length = file.metadata().map_err(|error| TablebaseError::io(path, error))?.len();
        let text = regular::open(index).map_err(|error| TablebaseError::io(index, error))?;
        let parsed = index::read(BufReader::new(text)).map_err(|error| match error {
            IndexError::Io(error) => TablebaseError::io(index, error),
            IndexError::Line { line, expected, found } => {
                let what = format!(", line {line}: expected {expected}, found {found}");
                TablebaseError::content(index, what)
            }
        })?;
        check(&parsed).map_err(|what| {
            let why = "damaged, or another number of pieces than in its name";
            TablebaseError::content(index, format!(": {what}: {why}"))
        })?;
        let end = parsed.data_length();
        // The last block may be filled up.
        let filled = end.next_multiple_of(BLOCK);
        if !(end..=filled).contains(&length) {
            let expected =
                format!("{end} as in its index, or {filled} with its last block filled up");
            return Err(TablebaseError::content(
                path,
                format!(" has {length} bytes, expected {expected}"),
            ));
        }
        let (is_damaged, sha256) = (AtomicBool::new(false), OnceLock::new());
        Ok(Self { path: path.into(), file, length, index: parsed, is_damaged, sha256 })
    }

    /// The SHA-256 hash of the words of the index (see [`DatabaseIndex::hash`]), followed by the data;
    /// `None` if these cannot be read. The first call reads them as a whole.
    pub fn sha256(&self) -> Option<[u8; 32]> {
        *self.sha256.get_or_init(|| {
            let mut hash = self.index.hash.clone();
            let mut bytes = vec![0; 1 << 20];
            let mut at = 0;
            while at < self.length {
                let length = (self.length - at).min(bytes.len() as u64);
                let part = bytes.get_mut(..length as usize)?;
                read_at(&self.file, part, at).ok()?;
                hash.update(part);
                at += length;
            }
            Some(hash.finalize().into())
        })
    }

    /// The subslices in the order of the index.
    pub fn slices(&self) -> &[IndexedSlice] {
        &self.index.slices
    }

    pub fn pieces(&self) -> usize {
        self.slices().iter().map(|indexed| indexed.slice.shape.pieces()).max().unwrap_or(0)
    }

    /// The value of a position with this number in a subslice, given as its place in
    /// [`Database::slices`]. `number` is the number of this database. `None` if the data are damaged,
    /// which is logged once.
    pub fn value(
        &self,
        slice: usize,
        position: u64,
        cache: &Cache<Block>,
        number: u64,
    ) -> Option<Value> {
        let indexed = self.index.slices.get(slice)?;
        let Some(data) = &indexed.data else { return Some(indexed.left_out) };
        if self.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let firsts = self.index.firsts.get(data.firsts.clone())?;
        let place = firsts.partition_point(|&first| first <= position);
        let (block, first, segment) = segment(data, firsts, place)?;
        let (position, left_out) = (position - first, indexed.left_out);
        let key = (number + 1) << 40 | block;
        let read = || self.block(block).map_err(|error| self.give_up(block, Some(error))).ok();
        let value = cache.read(key, read, |block| segment.value(block, position, left_out));
        if value.is_none() {
            self.give_up(block, None);
        }
        value
    }

    /// Calls `visit` with the value of each position of a subslice, in order.
    pub fn values(
        &self,
        indexed: &IndexedSlice,
        mut visit: impl FnMut(Value),
    ) -> Result<(), TablebaseError> {
        let left_out = indexed.left_out;
        let Some(data) = &indexed.data else {
            (0..indexed.slice.size()).for_each(|_| visit(left_out));
            return Ok(());
        };
        let firsts = self.index.firsts.get(data.firsts.clone()).unwrap_or_default();
        for place in 0..=firsts.len() {
            let Some((block, _, segment)) = segment(data, firsts, place) else { continue };
            let read = self.block(block).map_err(|error| self.damaged(block, Some(error)))?;
            if !segment.is_whole(&read) {
                return Err(self.damaged(block, None));
            }
            segment.values(&read, left_out, &mut visit);
        }
        Ok(())
    }

    /// Reads a block. What is missing at the end of the file is taken for zeros.
    fn block(&self, number: u64) -> io::Result<Block> {
        let mut bytes = [0; BLOCK as usize];
        let begin = number.saturating_mul(BLOCK);
        let length = self.length.saturating_sub(begin).min(BLOCK) as usize;
        read_at(&self.file, bytes.get_mut(..length).unwrap_or_default(), begin)?;
        Ok(Block::new(bytes))
    }

    /// The error of a wrong value in a subslice.
    pub fn wrong(&self, indexed: &IndexedSlice, what: String) -> TablebaseError {
        let slice = indexed.slice;
        let what = format!(", BASE{slice}: {what}: damaged, or of another format");
        TablebaseError::content(&self.path, what)
    }

    fn damaged(&self, block: u64, error: Option<io::Error>) -> TablebaseError {
        match error {
            Some(error) => TablebaseError::io(&self.path, error),
            None => {
                let what = format!(", block {block}: damaged, or not the data of its index");
                TablebaseError::content(&self.path, what)
            }
        }
    }

    /// Uses the database no longer.
    fn give_up(&self, block: u64, error: Option<io::Error>) {
        if !self.is_damaged.swap(true, Ordering::Relaxed) {
            log::error!("endgame tables: {}; it is not used any more", self.damaged(block, error));
        }
    }
}

/// A part of the data of a subslice that is in one block, counted from 0: the number of the block, the
/// first position, and the place in the block.
fn segment(data: &DataRange, firsts: &[u64], place: usize) -> Option<(u64, u64, Segment)> {
    let start = data.bytes.start / BLOCK;
    let block = start + place as u64;
    let is_first = place == 0;
    let first = place.checked_sub(1).map_or(Some(0), |before| firsts.get(before).copied())?;
    let next = firsts.get(place).copied();
    let begin = if is_first { data.bytes.start % BLOCK } else { 0 };
    let end = if next.is_some() { BLOCK } else { data.bytes.end - block * BLOCK };
    let positions = next.unwrap_or(data.count) - first;
    let segment = Segment { begin: begin as usize, end: end as usize, positions };
    Some((block, first, segment))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::super::super::shape::Shape;
    use super::super::numbering::Subslice;
    use super::*;

    /// The data begin after 5 GiB of nothing, which takes up no space.
    #[cfg(target_os = "linux")]
    #[test]
    fn offsets_have_64_bits() {
        const BEGIN: u64 = 5 << 30;
        const LENGTH: u64 = 199;
        let mut file = tempfile::tempfile().unwrap();
        file.seek(SeekFrom::Start(BEGIN)).unwrap();
        let bytes: Vec<u8> = (0..LENGTH as u8).collect();
        file.write_all(&bytes).unwrap();
        let slice = Subslice::new(Shape { own: [0, 1], other: [0, 1] }, [0, 0]).unwrap();
        let data = DataRange { bytes: BEGIN..BEGIN + LENGTH, count: 5 * LENGTH, firsts: 0..0 };
        let slices = vec![IndexedSlice { slice, left_out: Value::Draw, data: Some(data) }];
        let database = Database {
            path: PathBuf::new(),
            file,
            length: BEGIN + LENGTH,
            index: DatabaseIndex { slices, ..DatabaseIndex::default() },
            is_damaged: AtomicBool::new(false),
            sha256: OnceLock::new(),
        };
        let cache = Cache::new(1, size_of::<Block>()).unwrap();
        for (number, byte) in bytes.into_iter().enumerate() {
            let expected = [Value::Draw, Value::Win, Value::Loss][usize::from(byte % 3)];
            let last = 5 * number as u64 + 4;
            assert_eq!(database.value(0, last, &cache, 0), Some(expected), "{number}");
        }
    }
}
