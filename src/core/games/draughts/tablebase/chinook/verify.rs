//! Verifies databases: their structure, and their values against those of own tables, the known ones of
//! few pieces, and each other.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::cache::Cache;
use super::super::own::{Fault, OwnTables, Progress, Step, in_parallel};
use super::blocks::Block;
use super::check::{
    KNOWN_PIECES, KnownValues, NOT_KNOWN, Values, difference, is_quiet, known_values,
};
use super::database::Database;
use super::entries::AllEntries;
use super::index::IndexedSlice;
use super::{DATABASE_CACHE, Databases};
use crate::game::{TablebaseError, mix};

/// The number of positions of a subslice in a sample, about.
const SAMPLE: u64 = 2_000;
/// The number of positions between two events of the progress.
const PROGRESS: u64 = 1 << 16;

/// What a verification of databases found.
#[derive(Debug, Default)]
pub struct DatabaseCheck {
    /// The number of positions whose value is that of own tables.
    pub equal: u64,
    /// The number of positions that own tables do not have.
    pub unknown: u64,
    /// How many of these have values that are known, as all of up to four pieces are.
    pub known: u64,
    /// How many of these have the value that follows from those after their moves. It need not be right.
    pub consistent: u64,
    /// The first difference in each database.
    pub faults: Vec<Fault>,
}

impl DatabaseCheck {
    /// Whether no value was compared or checked.
    pub fn is_empty(&self) -> bool {
        self.equal + self.known + self.consistent == 0 && self.faults.is_empty()
    }

    fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.unknown += other.unknown;
        self.known += other.known;
        self.consistent += other.consistent;
        self.faults.extend(other.faults);
    }
}

impl Databases {
    /// Reads all subslices with up to `pieces` pieces, and compares the values of the positions in
    /// which neither side can capture with those of `own` tables. Where these have none, the values must
    /// be the known ones, and be consistent with each other: all values of up to four pieces, and a sample
    /// of the others or, if `whole` is true, all. Fails if a database is damaged.
    pub fn verify(
        &self,
        own: &OwnTables,
        pieces: usize,
        whole: bool,
        threads: usize,
        progress: Progress,
    ) -> Result<DatabaseCheck, TablebaseError> {
        let size = |database: &Arc<Database>| {
            wanted(database, pieces).iter().map(|slice| slice.slice.size() as usize).sum::<usize>()
        };
        progress(Step::Total(self.databases.iter().map(size).sum()));
        let cache = Cache::new(DATABASE_CACHE, size_of::<Block>())?;
        let (entries, known) = (AllEntries::new(own, self, &cache), known_values());
        let comparison = Comparison { databases: self, own, entries, known, whole, progress };
        let mut all = DatabaseCheck::default();
        for database in &self.databases {
            let slices = wanted(database, pieces);
            progress(Step::Slice(&database.path.display().to_string()));
            let found = Mutex::new(Ok(DatabaseCheck::default()));
            in_parallel(threads, slices.len(), |number| {
                let checked = comparison.compare(database, slices[number]);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                match (&mut *found, checked) {
                    (Ok(sum), Ok(one)) => sum.add(one),
                    (Ok(_), Err(error)) => *found = Err(error),
                    (Err(_), _) => {}
                }
            });
            let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
            let key = |fault: &Fault| (fault.slice.clone(), fault.entry);
            found.faults = found.faults.into_iter().min_by_key(key).into_iter().collect();
            all.add(found);
        }
        Ok(all)
    }
}

fn wanted(database: &Database, pieces: usize) -> Vec<&IndexedSlice> {
    database.slices().iter().filter(|slice| slice.slice.shape.pieces() <= pieces).collect()
}

/// What the values of databases are compared with.
struct Comparison<'a> {
    databases: &'a Databases,
    own: &'a OwnTables,
    entries: AllEntries<'a>,
    known: KnownValues,
    whole: bool,
    progress: Progress<'a>,
}

impl Comparison<'_> {
    fn compare(
        &self,
        database: &Database,
        indexed: &IndexedSlice,
    ) -> Result<DatabaseCheck, TablebaseError> {
        let slice = indexed.slice;
        let (size, pieces) = (slice.size(), slice.shape.pieces());
        let (is_own, is_small) = (pieces <= self.own.pieces(), pieces <= KNOWN_PIECES);
        let step = if self.whole || is_small { 1 } else { size.div_ceil(SAMPLE) };
        let mut check = DatabaseCheck::default();
        let mut first = None;
        let mut values = Values::default();
        let mut number = 0;
        // The number of the next position of the sample, at random so that no pattern hides a fault.
        let mut next = 0;
        database.values(indexed, |value| {
            let this = number;
            number += 1;
            // The last byte may have more positions.
            if this >= size {
                return;
            }
            if number % PROGRESS == 0 {
                (self.progress)(Step::Done(PROGRESS as usize));
            }
            let is_sampled = this == next;
            if is_sampled {
                next += 1 + mix(next) % (2 * step - 1);
            }
            check.unknown += u64::from(!is_own);
            if !is_own && !is_sampled {
                return;
            }
            let position = self.databases.numbering.placement(slice, this).position();
            let is_quiet = is_quiet(&position);
            if is_small {
                values.add(is_quiet.then_some(value));
            }
            if !is_quiet {
                return;
            }
            let (expected, origin) = if is_own {
                (self.own.value(&position), "own tables")
            } else {
                let entry = self.entries.by_successors(&position);
                (entry.map(|entry| entry.value()), "its successors")
            };
            match expected {
                Some(expected) if expected == value && is_own => check.equal += 1,
                Some(expected) if expected == value => check.consistent += 1,
                Some(expected) if first.is_none() => {
                    first =
                        Some((Some(this as usize), difference(&position, expected, origin, value)));
                }
                Some(_) => {}
                None => check.unknown += u64::from(is_own),
            }
        })?;
        (self.progress)(Step::Done((size % PROGRESS) as usize));
        let known = self.known.get(&slice.number());
        if known.is_some_and(|&known| known != values.hash()) {
            first = first.or(Some((None, NOT_KNOWN.to_string())));
        } else if is_small && !is_own {
            check.known = size;
        }
        check.faults.extend(first.map(|(entry, what)| Fault {
            slice: format!("{}, BASE{slice}", database.path.display()),
            entry,
            what,
        }));
        Ok(check)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    /// All positions of 4 men against 1 man are draws, where some of them are lost at once.
    #[test]
    fn values_are_checked_in_a_sample_or_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (index, data) = (folder.path().join("DB5.idx"), folder.path().join("DB5"));
        let ranks = || (0..7).flat_map(|own| (0..7).map(move |other| format!("{own}{other}")));
        let names =
            ranks().flat_map(|ranks| ["0014", "0041"].map(|name| format!("{name}.{ranks}")));
        let text: String = names.map(|name| format!("BASE{name} ==\n")).collect();
        fs::write(&index, text).unwrap();
        fs::write(&data, "").unwrap();
        let mut databases = Databases::default();
        databases.push(Arc::new(Database::open_if(&index, &data, |_| Ok(())).unwrap()));
        let nothing = OwnTables::open_all(&[]).unwrap();
        let [few, all] =
            [false, true].map(|whole| databases.verify(&nothing, 5, whole, 2, &|_| {}).unwrap());
        let [fault] = &all.faults[..] else { panic!("{all:?}") };
        assert!(fault.slice.starts_with(&format!("{}, BASE00", data.display())), "{fault}");
        assert!(0 < few.consistent && few.consistent < all.consistent, "{few:?} {all:?}");
        assert!((all.equal, all.known) == (0, 0) && all.unknown == few.unknown, "{all:?}");
        let none = databases.verify(&nothing, 4, true, 2, &|_| {}).unwrap();
        assert!(none.is_empty() && !all.is_empty(), "{none:?}");
    }
}
