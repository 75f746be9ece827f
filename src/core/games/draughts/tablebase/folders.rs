//! The endgame tables of some folders: Soucie's own, and databases for what these do not have.

use std::any::Any;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::Cache;
use super::chinook::{AllEntries, Block, DATABASE_CACHE, DATABASES, Databases};
use super::entry::{Entry, Value};
use super::lookup::{self, Entries};
use super::own::OwnTables;
use super::shape::{MAX_PIECES, MIN_PIECES, Placement, Shape};
use crate::game::{ErasedTablebase, Game, SharedTablebase, Tablebase, TablebaseError};
use crate::games::draughts::Draughts;

/// The endgame tables of some folders, shareable between threads.
///
/// Own tables are asked first: they know distances. Values from databases have none.
pub struct FolderTables {
    own: Arc<OwnTables>,
    databases: Arc<Databases>,
    cache: Cache<Block>,
    /// The largest number of pieces of a position that is looked up.
    limit: usize,
}

impl FolderTables {
    /// Opens the tables and databases of a folder, or of several ones with the separator of `PATH`
    /// between them. Also returns the errors of files and folders that are unusable. Fails if no folder
    /// has usable ones.
    ///
    /// Databases are checked, which takes seconds for those of many pieces.
    pub fn open(path: &Path) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
        let mut refused = Vec::new();
        let mut folders = folders(path);
        folders.retain(|folder| match folder.read_dir() {
            Ok(_) => true,
            Err(error) => {
                refused.push(TablebaseError::io(folder, error));
                false
            }
        });
        let mut own = OwnTables::open_all(&folders)?;
        refused.extend(own.take_refused());
        let mut databases = Databases::default();
        for folder in &folders {
            databases.add(folder, &mut refused)?;
        }
        refused.extend(databases.close_wrong(&own)?);
        for folder in folders {
            let is_usable =
                databases.are_in(&folder) || own.pieces() > 0 && OwnTables::are_in(&folder);
            let of_folder =
                |error: &TablebaseError| error.path().is_some_and(|path| path.starts_with(&folder));
            if !is_usable && !refused.iter().any(of_folder) {
                refused.push(TablebaseError::Incomplete { path: folder });
            }
        }
        if own.pieces() == 0 && databases.slices() == 0 && !refused.is_empty() {
            return Err(refused.swap_remove(0));
        }
        Ok((Self::new(Arc::new(own), Arc::new(databases), DATABASE_CACHE, usize::MAX)?, refused))
    }

    fn new(
        own: Arc<OwnTables>,
        databases: Arc<Databases>,
        cache: usize,
        limit: usize,
    ) -> Result<Self, TablebaseError> {
        let mib = if databases.slices() > 0 { cache } else { 0 };
        let cache = Cache::new(mib, size_of::<Block>())?;
        Ok(Self { own, databases, cache, limit })
    }

    /// The same tables, for positions of at most `pieces` pieces, with a cache of `mib` MiB for the blocks
    /// of databases.
    pub fn with_limits(&self, mib: usize, pieces: usize) -> Result<Self, TablebaseError> {
        Self::new(self.own.clone(), self.databases.clone(), mib, pieces)
    }

    pub fn own(&self) -> &OwnTables {
        &self.own
    }

    /// Those among these tables that [`Tablebase::identity`] names so; `None` if they are not there, or
    /// if there is no memory for them.
    pub fn named(&self, identity: &str) -> Option<Self> {
        let (own, databases) = match identity.split_once(DATABASES) {
            Some((own, _)) => (own.trim_end_matches(SEPARATOR), &identity[own.len()..]),
            None => (identity, ""),
        };
        let mut fewer = (0..=self.own.pieces()).map(|pieces| self.own.upto(pieces));
        let own = fewer.find(|tables| name_of_own(tables).unwrap_or_default() == own)?;
        let databases = self.databases.named(databases)?;
        let named =
            Self::new(Arc::new(own), Arc::new(databases), DATABASE_CACHE, usize::MAX).ok()?;
        Some(named).filter(|named| named.proof_name().as_deref() == Some(identity))
    }

    /// The value of a position for the side to move; `None` if no table has it, or if too many moves
    /// are needed to a position without threats of captures.
    pub fn value(&self, position: &Draughts) -> Option<Value> {
        Some(lookup::entry(position, self.pieces(), self)?.value())
    }

    /// The maximum number of pieces of a position that may have a value.
    pub fn pieces(&self) -> usize {
        Entries::pieces(self)
    }

    fn entries(&self) -> AllEntries<'_> {
        AllEntries::new(&self.own, &self.databases, &self.cache)
    }
}

impl ErasedTablebase for FolderTables {
    fn game(&self) -> &'static str {
        Draughts::name()
    }

    fn own_pieces(&self) -> usize {
        self.own.pieces().min(self.limit)
    }

    fn slices(&self) -> usize {
        let own: usize = (MIN_PIECES..=MAX_PIECES).map(|pieces| self.own.slices(pieces).0).sum();
        own + self.databases.slices()
    }

    fn with_limits(
        &self,
        mib: usize,
        pieces: usize,
    ) -> Result<Option<SharedTablebase>, TablebaseError> {
        Ok(Some(Arc::new(self.with_limits(mib, pieces)?)))
    }

    fn named(&self, identity: &str) -> Option<SharedTablebase> {
        Some(Arc::new(self.named(identity)?))
    }

    fn tablebase(self: Arc<Self>) -> Box<dyn Any> {
        Box::new(self as Arc<dyn Tablebase<Draughts>>)
    }
}

impl Entries for FolderTables {
    fn pieces(&self) -> usize {
        self.entries().pieces().min(self.limit)
    }

    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        self.entries().quiet(placement)
    }

    fn keep_distance(&self, shape: Shape) -> bool {
        self.entries().keep_distance(shape)
    }

    fn proof_name(&self) -> Option<String> {
        let databases = match self.databases.slices() {
            0 => None,
            _ => Some(self.databases.identity()?),
        };
        let names: Vec<String> = name_of_own(&self.own).into_iter().chain(databases).collect();
        (!names.is_empty()).then(|| names.join(SEPARATOR))
    }
}

/// Stands between the names of own tables and of databases.
const SEPARATOR: &str = ", ";

/// The name of own tables in proofs; `None` without any.
fn name_of_own(tables: &OwnTables) -> Option<String> {
    tables.proof_name().filter(|_| tables.pieces() > 0)
}

/// The folders of a path. A folder may have the separator in its name, and a separator may stand at the
/// end.
fn folders(path: &Path) -> Vec<PathBuf> {
    let named = |folder: &PathBuf| !folder.as_os_str().is_empty();
    let folders: Vec<PathBuf> = env::split_paths(path).filter(named).collect();
    if path.is_dir() || folders.is_empty() { vec![path.into()] } else { folders }
}
