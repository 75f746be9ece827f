//! The win-loss-draw databases of Chinook, which other programs also write: text indexes with data.
//!
//! They were made for the program Chinook at the University of Alberta. A database is a file `DB4`, or
//! another number, with an index `DB4.idx` beside it (`index`). The positions are divided by
//! material and by the ranks of the most advanced men (`numbering`), with a value for the side to
//! move each (`blocks`). A position in which either side can capture has no meaningful value.
//!
//! Files can have gigabytes, so they are read block by block, through a cache.

mod blocks;
mod check;
mod database;
mod entries;
mod index;
mod numbering;
mod verify;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::cache::Cache;
use super::entry::Value;
use super::shape::{Placement, Shape};
use crate::files::hash::hex;
use crate::game::TablebaseError;
use database::Database;
use numbering::{Numbering, Subslice};
pub use verify::DatabaseCheck;

pub(super) use blocks::Block;
pub(super) use entries::AllEntries;
pub use numbering::DATABASE_PIECES;

/// The databases of some folders, shareable between threads. Where several have a position, the first one is asked.
#[derive(Default)]
pub struct Databases {
    databases: Vec<Arc<Database>>,
    /// The maximum number of pieces of a subslice; 0 without databases.
    pieces: usize,
    /// By the number of a subslice, its database and its place there; [`NONE`] for none.
    places: Vec<[u32; 2]>,
    numbering: Numbering,
}

/// The default size of the cache for blocks of databases, in MiB.
pub const DATABASE_CACHE: usize = 64;

/// The SHA-256 hashes of published databases, and what these have.
const PUBLISHED: [(&str, &str); 1] = [(
    "784a7d19de75e397d6c1d8bfea33957327aaa65a9c8d03a7ec2bb28b52386424",
    "the published database of up to four pieces",
)];

/// The message about databases in a format that is not read, such as those of Cake and KingsRow, after the
/// path of their folder.
const FOREIGN: &str = " has databases of another program (.cpr): Soucie reads those of Chinook (DB6 with \
    DB6.idx) and its own tables (`soucie tables build`)";

pub(super) const DATABASES: &str = "databases ";
const MOST_CHOICES: usize = 12;

/// The place of a subslice that no database has.
const NONE: [u32; 2] = [u32::MAX; 2];

impl Databases {
    /// Opens the databases of some folders. Also returns the errors of those that are unusable.
    pub fn open(folders: &[PathBuf]) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
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
        refused: &mut Vec<TablebaseError>,
    ) -> Result<(), TablebaseError> {
        for files in files(folder)? {
            let open = |Files { index, data, pieces }| Database::open(&index, &data, pieces);
            match files.and_then(open) {
                Ok(database) => self.push(Arc::new(database)),
                Err(error) => refused.push(error),
            }
        }
        Ok(())
    }

    fn push(&mut self, database: Arc<Database>) {
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
    pub(super) fn value(&self, placement: &Placement, cache: &Cache<Block>) -> Option<Value> {
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

    /// The name of the databases in proofs; `None` if one cannot be read. The first call reads the databases
    /// as a whole.
    pub(super) fn identity(&self) -> Option<String> {
        identity(&self.databases)
    }

    /// Those among these databases that [`Databases::identity`] names so, or none for an empty name;
    /// `None` if they are not there.
    pub(super) fn named(&self, name: &str) -> Option<Self> {
        let mut named = Self::default();
        if name.is_empty() {
            return Some(named);
        }
        // One folder has a few. Of more than can be tried only all are.
        let choices = match self.databases.len() {
            count @ ..=MOST_CHOICES => 1..1_u32 << count,
            _ => u32::MAX..u32::MAX,
        };
        let chosen = choices.map(|choice| {
            let numbered = self.databases.iter().enumerate();
            let is_chosen = numbered.filter(|(number, _)| choice >> number & 1 == 1);
            is_chosen.map(|(_, database)| database.clone()).collect()
        });
        let mut all = chosen.chain([self.databases.clone()]);
        let found: Vec<_> = all.find(|chosen| identity(chosen).as_deref() == Some(name))?;
        found.into_iter().for_each(|database| named.push(database));
        Some(named)
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

/// The name of some databases in proofs: the maximum number of pieces, and the SHA-256 hash of the only
/// one, or of the hashes of all.
fn identity(databases: &[Arc<Database>]) -> Option<String> {
    let hashes = databases.iter().map(|database| database.sha256());
    let hash = match hashes.collect::<Option<Vec<_>>>()?.as_slice() {
        [hash] => *hash,
        all => Sha256::digest(all.as_flattened()).into(),
    };
    let pieces = databases.iter().map(|database| database.pieces()).max().unwrap_or(0);
    Some(format!("{DATABASES}{pieces} pieces sha256 {}", hex(&hash)))
}

struct Files {
    index: PathBuf,
    data: PathBuf,
    pieces: usize,
}

/// The databases in a folder, by name. An error for a file without the other one, and for a folder with data
/// of another format, whose indexes have the same names.
fn files(folder: &Path) -> Result<Vec<Result<Files, TablebaseError>>, TablebaseError> {
    let failed = |error| TablebaseError::io(folder, error);
    // The data and the index of each.
    let mut found: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    let mut is_foreign = false;
    for entry in folder.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let lower = entry.file_name().to_string_lossy().to_lowercase();
        is_foreign |= lower.ends_with(".cpr");
        let (stem, is_index) = match lower.strip_suffix(".idx") {
            Some(stem) => (stem, true),
            None => (&*lower, false),
        };
        let digits = stem.strip_prefix("db").unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit()) {
            let both = found.entry(stem.to_string()).or_default();
            both[usize::from(is_index)] = Some(entry.path());
        }
    }
    let alone = |path: PathBuf, extension: &str| {
        let missing = path.with_extension(extension);
        let missing = missing.file_name().unwrap_or_default().display();
        let what = format!(" is half of a database: {missing} is missing beside it");
        Err(TablebaseError::content(&path, what))
    };
    let paths = |(stem, both): (String, [Option<PathBuf>; 2])| match both {
        [Some(data), Some(index)] => {
            let pieces = stem.trim_start_matches("db").parse().unwrap_or(usize::MAX);
            Ok(Files { index, data, pieces })
        }
        [Some(data), None] => alone(data, "idx"),
        [None, index] => alone(index.unwrap_or_default(), ""),
    };
    if is_foreign {
        found.retain(|_, [data, _]| data.is_some());
    }
    let foreign = is_foreign.then(|| Err(TablebaseError::content(folder, FOREIGN)));
    Ok(foreign.into_iter().chain(found.into_iter().map(paths)).collect())
}
