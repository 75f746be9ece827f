//! The endgame tables of a directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::cache::Cache;
use super::super::entry::{Counts, Entry, Value};
use super::super::lookup::{self, Entries};
use super::super::memory::{MAGIC, VERSION, checksum, shapes};
use super::super::shape::{MAX_PIECES, MIN_PIECES, Placement, Shape};
use super::build::unpacked;
use super::file::{self, BLOCK, Packed};
use crate::files::user_dirs;
use crate::game::TablebaseError;
use crate::games::draughts::Draughts;

/// The default directory of the tables, in the user's data directory; `None` if there is none.
pub fn default_dir() -> Option<PathBuf> {
    Some(user_dirs::data()?.join("tables"))
}

/// The size of the cache in MiB. The tables with up to five pieces unpack to 55 MiB.
const CACHE: usize = 64;

/// The endgame tables of a directory, shareable between threads.
pub struct OwnTables {
    slices: Vec<Option<Arc<Packed>>>,
    refused: Vec<TablebaseError>,
    cache: Cache<Vec<u8>>,
    pieces: usize,
}

impl OwnTables {
    /// Opens the tables of a directory. Damaged files and files of another version are skipped;
    /// [`OwnTables::take_refused`] returns the errors.
    pub fn open(dir: &Path) -> Result<Self, TablebaseError> {
        Self::open_all(&[dir.into()])
    }

    /// Opens the tables of several directories, each from the first one that has it.
    pub fn open_all(dirs: &[PathBuf]) -> Result<Self, TablebaseError> {
        for dir in dirs {
            dir.read_dir().map_err(|error| TablebaseError::io(dir, error))?;
        }
        let mut slices: Vec<_> = (0..Shape::COUNT).map(|_| None).collect();
        let mut refused = Vec::new();
        for shape in (MIN_PIECES..=MAX_PIECES).flat_map(Shape::all) {
            let slot = &mut slices[shape.number()];
            for dir in dirs {
                match Packed::read(dir, shape) {
                    Ok(packed) if slot.is_none() => *slot = packed.map(Arc::new),
                    Ok(_) => {}
                    Err(error) => refused.push(error),
                }
            }
        }
        Ok(Self::of(slices, refused))
    }

    fn of(slices: Vec<Option<Arc<Packed>>>, refused: Vec<TablebaseError>) -> Self {
        let mut tables = Self {
            slices,
            refused,
            cache: Cache::new(CACHE, BLOCK).unwrap_or_default(),
            pieces: 0,
        };
        let is_whole = |&pieces: &usize| tables.is_whole(pieces);
        tables.pieces = (MIN_PIECES..=MAX_PIECES).take_while(is_whole).last().unwrap_or(0);
        tables
    }

    /// The tables of up to `pieces` pieces among these.
    pub(in super::super) fn upto(&self, pieces: usize) -> Self {
        let is_kept = |slice: &&Arc<Packed>| slice.shape.pieces() <= pieces;
        let slices = self.slices.iter().map(|slot| slot.as_ref().filter(is_kept).cloned());
        Self::of(slices.collect(), Vec::new())
    }

    /// Whether a directory has files with names of tables.
    pub fn are_in(dir: &Path) -> bool {
        table_files(dir).any(|file| file.exists())
    }

    /// Takes the errors of the skipped files, so that each is reported once.
    pub fn take_refused(&mut self) -> Vec<TablebaseError> {
        std::mem::take(&mut self.refused)
    }

    /// The number of pieces up to which every position has a value; 0 for none.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of a position for the side to move; `None` if no table has it.
    pub fn value(&self, position: &Draughts) -> Option<Value> {
        Some(lookup::entry(position, MAX_PIECES, self)?.value())
    }

    /// The number of plies until the game is over under optimal play: the winner shortens, the
    /// loser delays. Odd in a won position, even in a lost one.
    ///
    /// `None` for a draw, and where tables store no distances: see [`DISTANCE_PIECES`].
    ///
    /// [`DISTANCE_PIECES`]: super::super::DISTANCE_PIECES
    pub fn distance(&self, position: &Draughts) -> Option<u16> {
        lookup::distance(position, lookup::entry(position, MAX_PIECES, self)?, self)
    }

    /// The numbers of won, lost and drawn positions with `pieces` pieces, at least one per side
    /// and a fixed side to move. `None` if slices are missing.
    pub fn counts(&self, pieces: usize) -> Option<Counts> {
        let mut sum = Counts::default();
        for shape in Shape::all(pieces) {
            let counts = self.slice(shape)?.counts;
            sum.won += counts.won;
            sum.lost += counts.lost;
            sum.drawn += counts.drawn;
        }
        Some(sum)
    }

    pub fn slices(&self, pieces: usize) -> (usize, usize) {
        let all = Shape::all(pieces);
        (all.iter().filter(|&&shape| self.slice(shape).is_some()).count(), all.len())
    }

    fn is_whole(&self, pieces: usize) -> bool {
        let (there, all) = self.slices(pieces);
        there == all
    }

    fn slice(&self, shape: Shape) -> Option<&Packed> {
        self.slices.get(shape.number())?.as_deref()
    }
}

impl Entries for OwnTables {
    fn pieces(&self) -> usize {
        self.pieces
    }

    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        let shape = placement.shape();
        let slice = self.slice(shape)?;
        let (block, number) = slice.locate(slice.index.number(placement));
        let key = (shape.number() as u64) << 32 | block as u64;
        self.cache.read(key, || slice.block(block), |bytes| slice.entry(bytes, number))
    }

    fn proof_name(&self) -> Option<String> {
        let shapes = (MIN_PIECES..=self.pieces).flat_map(Shape::all);
        let sums = shapes.filter_map(|shape| self.slice(shape)).map(|slice| slice.content);
        let bytes: Vec<u8> = sums.flat_map(u32::to_le_bytes).collect();
        Some(format!("{} pieces crc32 {:08x}", self.pieces, crc32fast::hash(&bytes)))
    }
}

/// The contents of a file for [`MemoryTables`](super::super::MemoryTables), from the tables of a
/// directory.
pub fn export(dir: &Path) -> Result<Vec<u8>, TablebaseError> {
    let mut body = Vec::new();
    for shape in shapes() {
        body.extend(unpacked(dir, shape)?.entries.iter().map(|entry| entry.0));
    }
    let sum = checksum(&body).to_le_bytes();
    Ok([&MAGIC[..], &VERSION.to_le_bytes(), &sum, &body].concat())
}

/// The files of all tables of a directory, whether they exist or not.
pub fn table_files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    (MIN_PIECES..=MAX_PIECES).flat_map(Shape::all).map(|shape| file::path(dir, shape))
}
