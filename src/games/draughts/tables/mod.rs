//! Endgame tables (tablebases): win, draw or loss of positions with few pieces and, for some of
//! them, the distance to the end of the game.
//!
//! ```no_run
//! use soucie::games::draughts::tables::{Tables, Value};
//! # use soucie::{game::Position, games::draughts::Draughts};
//! let tables = Tables::open("/path/to/tables".as_ref())?;
//! let position = Draughts::read_setup("W:WK14,K15:BK1", Default::default())?;
//! assert_eq!(tables.value(&position), Some(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A slice holds the positions with the same material (`shape`), numbered without gaps (`index`).
//! `solve` computes their values from the slices that captures and promotions lead to. `build`
//! runs it slice by slice, and `file` compresses and stores the result.

mod build;
mod cache;
mod entry;
mod file;
mod index;
mod library;
mod rules;
mod shape;
mod solve;
mod tablebase;
mod verify;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Draughts;
pub use build::{Progress, Step, build, memory_needed};
use cache::Cache;
use entry::Entry;
use file::Packed;
use rules::Entries;
use shape::{Placement, Shape};
pub use verify::{Fault, verify};

/// The minimum number of pieces: one per side.
pub const MIN_PIECES: usize = 2;
/// The maximum number of pieces of a table.
pub const MAX_PIECES: usize = 6;
/// Tables with up to this many pieces also store distances.
pub const DISTANCE_PIECES: usize = 4;
/// Tables of three pieces against two also store distances, with at most this many men. Wins by
/// kings are long; with more men to crown, the search makes progress without distances.
pub const DISTANCE_MEN: u8 = 1;

/// The value of a position for the side to move under perfect play, however long it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// The numbers of won, lost and drawn positions for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Won positions.
    pub won: u64,
    /// Lost positions.
    pub lost: u64,
    /// Drawn positions.
    pub drawn: u64,
}

impl Counts {
    fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.won += 1,
            Value::Loss => self.lost += 1,
            Value::Draw => self.drawn += 1,
        }
    }

    /// The number of all positions.
    pub fn positions(self) -> u64 {
        self.won + self.lost + self.drawn
    }
}

/// An error of endgame tables.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file or a directory cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path of the file or directory.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Another process is building tables in this directory.
    #[error("another build is running in {}", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// A file with the name of a table is not a table.
    #[error("{} is not an endgame table", path.display())]
    NoTable {
        /// The path of the file.
        path: PathBuf,
    },
    /// A table of an unsupported version.
    #[error("{} has table version {found}, expected version {known}", path.display())]
    Version {
        /// The path of the table.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The supported version.
        known: u32,
    },
    /// The checksum or the size is wrong.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The path of the table.
        path: PathBuf,
    },
    /// A required table is missing.
    #[error("missing table: {shape} or one that it depends on")]
    Missing {
        /// The name of the table that cannot be used.
        shape: String,
    },
    /// A number of pieces that tables do not support.
    #[error("expected {MIN_PIECES} to {MAX_PIECES} pieces, found {pieces}")]
    Pieces {
        /// The number requested.
        pieces: usize,
    },
    /// Building needs more memory than allowed.
    #[error(
        "tables of {pieces} pieces need {} MiB of memory; the limit is {} MiB",
        needed.div_ceil(1 << 20),
        allowed >> 20
    )]
    Memory {
        /// The number of pieces.
        pieces: usize,
        /// The memory needed, in bytes.
        needed: usize,
        /// The memory allowed, in bytes.
        allowed: usize,
    },
    /// An allocation failed.
    #[error("cannot allocate {} MiB", bytes.div_ceil(1 << 20))]
    OutOfMemory {
        /// The requested size, in bytes.
        bytes: usize,
    },
    /// A block cannot be compressed.
    #[error("compression failed: {error}")]
    Compression {
        /// The error of the compression library.
        error: io::Error,
    },
}

/// The default directory of the tables, in the user's data directory; `None` if there is none.
pub fn default_dir() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "soucie")?.data_dir().join("tables"))
}

/// The endgame tables of a directory, shareable between threads.
pub struct Tables {
    slices: Vec<Option<Packed>>,
    refused: Vec<TableError>,
    cache: Cache,
    pieces: usize,
}

impl Tables {
    /// Opens the tables of a directory. Damaged files and files of another version are skipped;
    /// [`Tables::refused`] returns the errors.
    pub fn open(dir: &Path) -> Result<Self, TableError> {
        dir.read_dir().map_err(|error| TableError::Io { path: dir.into(), error })?;
        let mut slices: Vec<_> = (0..Shape::COUNT).map(|_| None).collect();
        let mut refused = Vec::new();
        for shape in (MIN_PIECES..=MAX_PIECES).flat_map(Shape::all) {
            match Packed::read(dir, shape) {
                Ok(packed) => slices[shape.number()] = packed,
                Err(error) => refused.push(error),
            }
        }
        let mut tables = Self { slices, refused, cache: Cache::new(), pieces: 0 };
        let is_whole = |&pieces: &usize| tables.is_whole(pieces);
        tables.pieces = (MIN_PIECES..=MAX_PIECES).take_while(is_whole).last().unwrap_or(0);
        Ok(tables)
    }

    /// The errors of the skipped files.
    pub fn refused(&self) -> &[TableError] {
        &self.refused
    }

    /// Takes the errors of the skipped files, so that each is reported once.
    pub fn take_refused(&mut self) -> Vec<TableError> {
        std::mem::take(&mut self.refused)
    }

    /// The number of pieces up to which every position has a value; 0 for none.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of a position for the side to move; `None` if no table has it.
    pub fn value(&self, position: &Draughts) -> Option<Value> {
        Some(self.entry(position)?.value())
    }

    /// The number of plies until the game is over under optimal play: the winner shortens, the
    /// loser delays. Odd in a won position, even in a lost one.
    ///
    /// `None` for a draw, and where tables store no distances: see [`DISTANCE_PIECES`] and
    /// [`DISTANCE_MEN`].
    pub fn distance(&self, position: &Draughts) -> Option<u16> {
        Self::told(position, self.entry(position)?)
    }

    /// The distance of an entry; `None` for a draw, or if the table stores no distances.
    fn told(position: &Draughts, entry: Entry) -> Option<u16> {
        entry.distance().filter(|_| Shape::of(position).keeps_distance())
    }

    fn entry(&self, position: &Draughts) -> Option<Entry> {
        let known = position.pieces.iter().all(|&set| set != 0) && count(position) <= MAX_PIECES;
        if known { rules::settle(position, self) } else { None }
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

    /// The numbers of existing and of all slices with `pieces` pieces.
    pub fn slices(&self, pieces: usize) -> (usize, usize) {
        let all = Shape::all(pieces);
        (all.iter().filter(|&&shape| self.slice(shape).is_some()).count(), all.len())
    }

    fn is_whole(&self, pieces: usize) -> bool {
        let (there, all) = self.slices(pieces);
        there == all
    }

    fn slice(&self, shape: Shape) -> Option<&Packed> {
        self.slices.get(shape.number())?.as_ref()
    }
}

impl Entries for Tables {
    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        let shape = placement.shape();
        let slice = self.slice(shape)?;
        let (block, number) = slice.place(slice.index.number(placement));
        let key = (shape.number() as u64) << 32 | block as u64;
        self.cache.with(key, || slice.block(block), |bytes| slice.entry(bytes, number))
    }
}

/// The number of pieces on the board.
fn count(position: &Draughts) -> usize {
    (position.pieces[0] | position.pieces[1]).count_ones() as usize
}
