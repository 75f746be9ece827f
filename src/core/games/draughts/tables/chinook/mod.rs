//! The win-loss-draw databases of Chinook, which other programs also write: text indexes with data.
//!
//! They were made for the program Chinook at the University of Alberta. A database is a file `DB4`, or
//! another number, with an index `DB4.idx` beside it (`index`). The positions are divided by
//! material and by the ranks of the most advanced men (`numbering`), with a value for the side to
//! move each (`blocks`). A position in which either side can capture has no meaningful value.
//!
//! Files can have gigabytes, so they are read block by block, through a cache.

mod blocks;
mod cache;
mod check;
mod database;
mod entries;
mod export;
mod index;
mod numbering;
mod verify;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::files::TableError;
use super::shape::{Placement, Shape};
use super::value::Value;
use crate::files::hash::hex;
use database::Database;
use numbering::{Numbering, Subslice};
pub use verify::DatabaseCheck;

pub(super) use cache::BlockCache;
pub use cache::DATABASE_CACHE;
pub(super) use entries::AllEntries;
pub use export::{export_database, index_path};
pub use numbering::DATABASE_PIECES;

/// The databases of some folders, shareable between threads. Where several have a position, the first one is asked.
#[derive(Default)]
pub struct Databases {
    databases: Vec<Database>,
    /// The maximum number of pieces of a subslice; 0 without databases.
    pieces: usize,
    /// By the number of a subslice, its database and its place there; [`NONE`] for none.
    places: Vec<[u32; 2]>,
    numbering: Numbering,
}

/// The SHA-256 hashes of published databases, and what these have.
const PUBLISHED: [(&str, &str); 1] = [(
    "784a7d19de75e397d6c1d8bfea33957327aaa65a9c8d03a7ec2bb28b52386424",
    "the published database of up to four pieces",
)];

/// The place of a subslice that no database has.
const NONE: [u32; 2] = [u32::MAX; 2];

impl Databases {
    /// Opens the databases of some folders. Also returns the errors of those that are unusable.
    pub fn open(folders: &[PathBuf]) -> Result<(Self, Vec<TableError>), TableError> {
        let mut databases = Self::default();
        let mut refused = Vec::new();
        for folder in folders {
            databases.add(folder, &mut refused)?;
        }
        Ok((databases, refused))
    }

    /// Adds the databases of a folder, and the errors of those that are unusable to `refused`.
    pub(super) fn add(
        &mut self,
        folder: &Path,
        refused: &mut Vec<TableError>,
    ) -> Result<(), TableError> {
        for files in files(folder)? {
            match files.and_then(|Files { index, data }| Database::open(&index, &data)) {
                Ok(database) => self.push(database),
                Err(error) => refused.push(error),
            }
        }
        Ok(())
    }

    fn push(&mut self, database: Database) {
        self.places.resize(Subslice::COUNT, NONE);
        let number = self.databases.len() as u32;
        for (place, indexed) in database.slices().iter().enumerate() {
            let slot = &mut self.places[indexed.slice.number()];
            self.pieces = self.pieces.max(indexed.slice.shape.pieces());
            if *slot == NONE {
                *slot = [number, place as u32];
            }
        }
        self.databases.push(database);
    }

    /// The value of a placement in which neither side can capture; `None` if no database has it.
    #[inline]
    pub(super) fn value(&self, placement: &Placement, cache: &BlockCache) -> Option<Value> {
        let slice = Subslice::of(placement);
        let [database, place] = *self.places.get(slice.number())?;
        let position = || self.numbering.number(slice, placement);
        let known = self.databases.get(database as usize)?;
        known.value(place as usize, position(), cache, database.into())
    }

    /// The maximum number of pieces of a position that a database may have; 0 without databases.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The SHA-256 hash of the only database, or of the hashes of all; `None` if one cannot be read. The
    /// first call reads the databases as a whole.
    pub(super) fn sha256(&self) -> Option<[u8; 32]> {
        let hashes = self.databases.iter().map(Database::sha256).collect::<Option<Vec<_>>>()?;
        Some(match hashes.as_slice() {
            [hash] => *hash,
            all => Sha256::digest(all.as_flattened()).into(),
        })
    }

    /// The path of each database, and what it is: a published one, or one with another hash.
    pub fn describe(&self) -> impl Iterator<Item = (&Path, String)> {
        self.databases.iter().map(|database| {
            let Some(hash) = database.sha256().map(|hash| hex(&hash)) else {
                return (&*database.path, "cannot be read".to_string());
            };
            let published = PUBLISHED.iter().find(|(published, _)| *published == hash);
            let unknown = || format!("not a known database, sha256 {hash}");
            (&*database.path, published.map_or_else(unknown, |(_, name)| name.to_string()))
        })
    }

    /// Whether a database is in this folder.
    pub(super) fn are_in(&self, folder: &Path) -> bool {
        self.databases.iter().any(|database| database.path.parent() == Some(folder))
    }

    /// The number of subslices: positions with the same material and the same ranks of the most
    /// advanced men.
    pub fn slices(&self) -> usize {
        self.places.iter().filter(|&&place| place != NONE).count()
    }

    /// The numbers of existing and of all subslices with `pieces` pieces, and the name of the first
    /// missing one in an index.
    pub fn slices_of(&self, pieces: usize) -> (usize, usize, Option<String>) {
        let all = || Shape::all(pieces).into_iter().flat_map(Subslice::all);
        let is_there =
            |slice: &Subslice| self.places.get(slice.number()).is_some_and(|&place| place != NONE);
        let missing = all().find(|slice| !is_there(slice));
        (all().filter(is_there).count(), all().count(), missing.map(|slice| slice.to_string()))
    }
}

struct Files {
    index: PathBuf,
    data: PathBuf,
}

/// The databases in a folder, by name. One of the two files may not exist. An error for a file that is
/// there twice, with small and with capital letters, and one for a folder with data of another format,
/// whose indexes have the same names.
fn files(folder: &Path) -> Result<Vec<Result<Files, TableError>>, TableError> {
    let failed = |error| TableError::Io { path: folder.into(), error };
    let mut found: BTreeMap<String, [Vec<OsString>; 2]> = BTreeMap::new();
    let mut is_foreign = false;
    for entry in folder.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let lower = name.to_string_lossy().to_lowercase();
        is_foreign |= lower.ends_with(".cpr");
        let (stem, is_index) = match lower.strip_suffix(".idx") {
            Some(stem) => (stem, true),
            None => (&*lower, false),
        };
        let digits = stem.strip_prefix("db").unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit()) {
            found.entry(stem.to_string()).or_default()[usize::from(is_index)].push(name);
        }
    }
    let paths = |names: [Vec<OsString>; 2]| {
        let [mut data, mut index] = names
            .map(|names| -> Vec<_> { names.into_iter().map(|name| folder.join(name)).collect() });
        for names in [&mut data, &mut index] {
            names.sort();
            if let [first, second, ..] = &**names {
                return Err(TableError::Twice { path: first.clone(), second: second.clone() });
            }
        }
        Ok(match (data.pop(), index.pop()) {
            (Some(data), Some(index)) => Files { index, data },
            (Some(data), None) => Files { index: data.with_extension("idx"), data },
            (None, index) => {
                let index = index.unwrap_or_default();
                Files { data: index.with_extension(""), index }
            }
        })
    };
    if is_foreign {
        found.retain(|_, [data, _]| !data.is_empty());
    }
    let foreign = is_foreign.then(|| Err(TableError::Foreign { path: folder.into() }));
    Ok(foreign.into_iter().chain(found.into_values().map(paths)).collect())
}
