//! The check of databases before their use.
//!
//! The values of up to four pieces are known, so all of these are compared. Those with more pieces are
//! checked in a sample: a value must be the best one that the moves lead to. This finds most damages, but
//! values that are consistent need not be right.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::super::super::moves;
use super::super::cache::Cache;
use super::super::entry::Value;
use super::super::own::{OwnTables, in_parallel};
use super::super::shape::{MIN_PIECES, Placement, Shape};
use super::blocks::{Block, DIGITS};
use super::database::Database;
use super::entries::AllEntries;
use super::index::IndexedSlice;
use super::numbering::{Numbering, Subslice};
use super::{DATABASE_CACHE, Databases};
use crate::game::{Notation, TablebaseError, mix};
use crate::games::draughts::Draughts;

/// The maximum number of pieces of the positions whose values are known.
pub(super) const KNOWN_PIECES: usize = 4;
/// The hash of the values of each subslice with up to [`KNOWN_PIECES`] pieces: see [`Values`]. They are
/// those of the published database and of own tables.
const KNOWN: &[u8] = include_bytes!("known.bin");
pub(super) const NOT_KNOWN: &str = "not the known values of these positions";
const HASH: usize = 8;

/// How long samples may take.
const SAMPLE_TIME: Duration = Duration::from_secs(3);
/// The number of positions of each subslice in a round of the sample.
const SAMPLE: u64 = 8;
/// The number of rounds: where reading takes long, all subslices get some of the time.
const ROUNDS: u64 = 4;
/// How many positions are tried for one in which neither side can capture.
const TRIES: u64 = 100;

pub(super) type KnownValues = HashMap<usize, [u8; HASH]>;

pub(super) fn known_values() -> KnownValues {
    let (hashes, _) = KNOWN.as_chunks();
    known_slices().map(Subslice::number).zip(hashes.iter().copied()).collect()
}

fn known_slices() -> impl Iterator<Item = Subslice> {
    (MIN_PIECES..=KNOWN_PIECES).flat_map(Shape::all).flat_map(Subslice::all)
}

/// The values of a subslice in the order of their numbers, one byte each.
#[derive(Default)]
pub(super) struct Values(Vec<u8>);

impl Values {
    /// Adds a value, or `None` where a side can capture, so that the value has no meaning.
    pub fn add(&mut self, value: Option<Value>) {
        let digit = DIGITS.iter().position(|&digit| Some(digit) == value);
        self.0.push(digit.unwrap_or(DIGITS.len()) as u8);
    }

    /// The first bytes of their SHA-256 hash.
    pub fn hash(&self) -> [u8; HASH] {
        Sha256::digest(&self.0).first_chunk().copied().unwrap_or_default()
    }
}

/// Whether neither side can capture.
pub(super) fn is_quiet(position: &Draughts) -> bool {
    [position.side, !position.side].into_iter().all(|side| !moves::can_capture(position, side))
}

/// The description of a value that is not consistent with others, or with own tables.
pub(super) fn difference(
    position: &Draughts,
    expected: Value,
    origin: &str,
    found: Value,
) -> String {
    let word = |value| match value {
        Value::Win => "won",
        Value::Draw => "drawn",
        Value::Loss => "lost",
    };
    let setup = position.write_setup();
    format!("{setup}: expected {} from {origin}, found {}", word(expected), word(found))
}

impl Databases {
    /// Closes the databases in which a check finds a wrong value. Returns an error for each of them. With
    /// the values of `own` tables more positions can be checked.
    pub fn close_wrong(&mut self, own: &OwnTables) -> Result<Vec<TablebaseError>, TablebaseError> {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let wrong = self.unknown_values(threads);
        let mut errors = self.close(wrong);
        let until = Instant::now() + SAMPLE_TIME;
        loop {
            let mut wrong = self.inconsistent(own, threads, until)?;
            let pieces = |number: &usize| Some(self.databases.get(*number)?.pieces());
            let Some(fewest) = wrong.keys().map(pieces).min() else { break };
            // Values of more pieces rest on those of fewer, which may be the wrong ones.
            wrong.retain(|number, _| pieces(number) == fewest);
            // Another database may have the subslices too.
            errors.extend(self.close(wrong));
        }
        // The sample needs the numbering of all subslices, which takes up much memory.
        self.numbering = Numbering::default();
        Ok(errors)
    }

    fn close(&mut self, mut wrong: BTreeMap<usize, TablebaseError>) -> Vec<TablebaseError> {
        let all = mem::take(&mut self.databases);
        self.places.clear();
        self.pieces = 0;
        let mut errors = Vec::new();
        for (number, database) in all.into_iter().enumerate() {
            match wrong.remove(&number) {
                Some(error) => errors.push(error),
                None => self.push(database),
            }
        }
        errors
    }

    /// The first error of each database in the values of up to four pieces.
    fn unknown_values(&self, threads: usize) -> BTreeMap<usize, TablebaseError> {
        let known = known_values();
        let is_known = |slice: &Subslice| slice.shape.pieces() <= KNOWN_PIECES;
        let slices = self.all_slices().filter(|(_, indexed)| is_known(&indexed.slice)).collect();
        self.first_errors(slices, threads, |database, indexed| {
            let hash = values(database, indexed, &self.numbering)?.hash();
            let is_right = known.get(&indexed.slice.number()).is_none_or(|&known| known == hash);
            if is_right { Ok(()) } else { Err(database.wrong(indexed, NOT_KNOWN.to_string())) }
        })
    }

    /// The first error of each database in a sample of the values that may be looked up.
    fn inconsistent(
        &self,
        own: &OwnTables,
        threads: usize,
        until: Instant,
    ) -> Result<BTreeMap<usize, TablebaseError>, TablebaseError> {
        let known = own.pieces().max(KNOWN_PIECES);
        let is_used = |number: usize, slice: Subslice| {
            self.places.get(slice.number()).is_some_and(|&[user, _]| user as usize == number)
        };
        let is_wanted = |slice: Subslice| slice.shape.pieces() > known;
        let mut slices: Vec<_> = self
            .all_slices()
            .filter(|&(number, indexed)| is_wanted(indexed.slice) && is_used(number, indexed.slice))
            .collect();
        if slices.is_empty() {
            return Ok(BTreeMap::new());
        }
        slices.sort_by_key(|(number, indexed)| (*number, indexed.slice.shape.pieces()));
        let cache = Cache::new(DATABASE_CACHE, size_of::<Block>())?;
        let entries = AllEntries::new(own, self, &cache);
        for round in 0..ROUNDS {
            let wrong = self.first_errors(slices.clone(), threads, |database, indexed| {
                let slice = indexed.slice;
                let seed = mix(slice.number() as u64) ^ round;
                let placements = sample(slice, seed, &self.numbering).enumerate();
                for (number, placement) in placements {
                    // One of each subslice is checked, however slow the machine is.
                    if (round, number) != (0, 0) && Instant::now() >= until {
                        break;
                    }
                    let damaged = || TablebaseError::content(&database.path, " is damaged");
                    let found = self.value(&placement, &cache).ok_or_else(damaged)?;
                    let position = placement.position();
                    let expected = entries.by_successors(&position).map(|entry| entry.value());
                    if let Some(expected) = expected.filter(|&expected| expected != found) {
                        let what = difference(&position, expected, "its successors", found);
                        return Err(database.wrong(indexed, what));
                    }
                }
                Ok(())
            });
            if !wrong.is_empty() {
                return Ok(wrong);
            }
        }
        Ok(BTreeMap::new())
    }

    fn all_slices(&self) -> impl Iterator<Item = (usize, &IndexedSlice)> {
        let numbered = self.databases.iter().enumerate();
        numbered.flat_map(|(number, database)| database.slices().iter().map(move |s| (number, s)))
    }

    /// Checks subslices on several threads. Returns the first error of each database, by its number.
    fn first_errors(
        &self,
        slices: Vec<(usize, &IndexedSlice)>,
        threads: usize,
        check: impl Fn(&Database, &IndexedSlice) -> Result<(), TablebaseError> + Sync,
    ) -> BTreeMap<usize, TablebaseError> {
        let found: Mutex<BTreeMap<usize, (usize, TablebaseError)>> = Mutex::default();
        let found_now = || found.lock().unwrap_or_else(PoisonError::into_inner);
        in_parallel(threads, slices.len(), |at| {
            let (number, indexed) = slices[at];
            let is_later = |first: &(usize, TablebaseError)| first.0 < at;
            if found_now().get(&number).is_some_and(is_later) {
                return;
            }
            if let Err(error) = check(&self.databases[number], indexed) {
                let mut found = found_now();
                if !found.get(&number).is_some_and(is_later) {
                    found.insert(number, (at, error));
                }
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.into_iter().map(|(number, (_, error))| (number, error)).collect()
    }
}

fn values(
    database: &Database,
    indexed: &IndexedSlice,
    numbering: &Numbering,
) -> Result<Values, TablebaseError> {
    let (slice, mut values, mut number) = (indexed.slice, Values::default(), 0);
    let size = slice.size();
    database.values(indexed, |value| {
        // The last byte may have more positions.
        if number < size {
            let position = numbering.placement(slice, number).position();
            values.add(is_quiet(&position).then_some(value));
        }
        number += 1;
    })?;
    Ok(values)
}

/// Some placements of a subslice in which neither side can capture.
fn sample(slice: Subslice, seed: u64, numbering: &Numbering) -> impl Iterator<Item = Placement> {
    let size = slice.size();
    (0..SAMPLE).filter_map(move |part| {
        let numbers = (part * TRIES..(part + 1) * TRIES)
            .filter_map(|number| mix(mix(seed) ^ number).checked_rem(size));
        let mut tried = numbers.map(|number| numbering.placement(slice, number));
        tried.find(|placement| is_quiet(&placement.position()))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::PathBuf;
    use std::{env, fs};

    use super::*;

    #[test]
    fn known_values_are_those_of_the_published_database() {
        let Some(folder) = env::var_os("SOUCIE_CHINOOK").map(PathBuf::from) else {
            eprintln!("skipped: SOUCIE_CHINOOK names no folder of databases");
            return;
        };
        let (databases, _) = Databases::open(&[folder]).unwrap();
        let mut found = Vec::new();
        for slice in known_slices() {
            let [database, place] = databases.places[slice.number()];
            let database = &databases.databases[database as usize];
            let indexed = &database.slices()[place as usize];
            found.extend(values(database, indexed, &databases.numbering).unwrap().hash());
        }
        if found != KNOWN {
            let file = env::temp_dir().join("known.bin");
            fs::write(&file, found).unwrap();
            panic!("{} has the values of the published database", file.display());
        }
    }
}
