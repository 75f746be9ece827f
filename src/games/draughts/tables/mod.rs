//! Endgame tables: whether a position with few pieces is won, lost or drawn, and of some how far
//! away the end is.
//!
//! ```no_run
//! use soucie::games::draughts::tables::{Tables, Value};
//! # use soucie::{game::Game, games::draughts::Draughts};
//! let tables = Tables::open("/path/to/tables".as_ref())?;
//! let position = Draughts::read_setup("W:WK14,K15:BK1", Default::default())?;
//! assert_eq!(tables.value(&position), Some(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A slice holds the positions with the same pieces (`shape`), numbered without a gap
//! (`index`). `solve` finds their values from those of the slices that captures and
//! promotions lead to, `build` does so slice by slice, `file` compresses and keeps them.

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

/// The fewest pieces: one of each side.
pub const MIN_PIECES: usize = 2;
/// The most pieces of which tables can be built.
pub const MAX_PIECES: usize = 6;
/// Up to so many pieces tables also tell how far away the end is.
pub const DISTANCE_PIECES: usize = 4;
/// They tell that too of three pieces against two with no more men than that. Wins by kings are
/// long; who has more men to crown makes headway without being told.
pub const DISTANCE_MEN: u8 = 1;

/// What a position is worth to the side to move if both play their best, however long it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// How many positions are won, lost and drawn for the side to move.
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

    /// All positions.
    pub fn positions(self) -> u64 {
        self.won + self.lost + self.drawn
    }
}

/// What can be wrong with tables.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file or a directory cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Somebody else builds tables there.
    #[error("another build of tables is at work in {}", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// Something else has the name of a table.
    #[error("{} is no table", path.display())]
    NoTable {
        /// Its path.
        path: PathBuf,
    },
    /// A table of another version.
    #[error("{} is a table of version {found}, not {known}", path.display())]
    Version {
        /// Its path.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The checksum or the size is wrong.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// Its path.
        path: PathBuf,
    },
    /// A table that others need is not there.
    #[error("the table {shape} or one that it needs is missing")]
    Missing {
        /// Its name.
        shape: String,
    },
    /// There are no tables with so many pieces.
    #[error("tables are of {MIN_PIECES} to {MAX_PIECES} pieces, not {pieces}")]
    Pieces {
        /// What was asked for.
        pieces: usize,
    },
    /// Building would take more memory than is allowed.
    #[error(
        "tables of {pieces} pieces take {} MiB of memory, {} are allowed",
        needed.div_ceil(1 << 20),
        allowed >> 20
    )]
    Memory {
        /// The number of pieces.
        pieces: usize,
        /// The bytes that it takes.
        needed: usize,
        /// The bytes that may be taken.
        allowed: usize,
    },
    /// The system refuses memory.
    #[error("there is no memory for {} MiB", bytes.div_ceil(1 << 20))]
    OutOfMemory {
        /// What was asked for.
        bytes: usize,
    },
    /// A block cannot be compressed.
    #[error("compression fails: {error}")]
    Compression {
        /// What the library says.
        error: io::Error,
    },
}

/// Where tables lie unless somebody says otherwise: in the user's data directory, if there is one.
pub fn default_dir() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "soucie")?.data_dir().join("tables"))
}

/// The tables of a directory. Threads can share them.
pub struct Tables {
    slices: Vec<Option<Packed>>,
    refused: Vec<TableError>,
    cache: Cache,
    pieces: usize,
}

impl Tables {
    /// Reads the tables of a directory. Files that are damaged or of another version are left out;
    /// [`Tables::refused`] names them.
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

    /// Why files were not read.
    pub fn refused(&self) -> &[TableError] {
        &self.refused
    }

    /// Why files were not read, to tell somebody once.
    pub fn take_refused(&mut self) -> Vec<TableError> {
        std::mem::take(&mut self.refused)
    }

    /// The value of every position with up to so many pieces is known; 0 if of none.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// What a position is worth to the side to move; nothing if no table knows it.
    pub fn value(&self, position: &Draughts) -> Option<Value> {
        Some(self.entry(position)?.value())
    }

    /// The plies until the game is over if the winner hurries and the loser delays: odd in a won
    /// position, even in a lost one. Nothing for a draw, and where tables tell values alone: see
    /// [`DISTANCE_PIECES`] and [`DISTANCE_MEN`].
    pub fn distance(&self, position: &Draughts) -> Option<u16> {
        Self::told(position, self.entry(position)?)
    }

    /// The distance that the entry of a position tells, unless it is a value alone.
    fn told(position: &Draughts, entry: Entry) -> Option<u16> {
        entry.distance().filter(|_| Shape::of(position).keeps_distance())
    }

    fn entry(&self, position: &Draughts) -> Option<Entry> {
        let known = position.pieces.iter().all(|&set| set != 0) && count(position) <= MAX_PIECES;
        if known { rules::settle(position, self) } else { None }
    }

    /// What is known of the positions with so many pieces, both sides on the board and one certain
    /// side to move; nothing if slices are missing.
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

    /// How many of the slices with so many pieces are there, and how many there should be.
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

/// The pieces on the board.
fn count(position: &Draughts) -> usize {
    (position.pieces[0] | position.pieces[1]).count_ones() as usize
}
