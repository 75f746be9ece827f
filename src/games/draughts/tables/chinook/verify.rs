//! Verifies databases: their structure, and their values against those of own tables.

use std::sync::{Mutex, PoisonError};

use super::super::super::moves;
use super::super::files::{Fault, Progress, Step, TableError, Tables, in_parallel};
use super::super::value::Value;
use super::Databases;
use super::database::Database;
use super::index::IndexedSlice;
use super::numbering::Numbering;

/// What a verification of databases found.
#[derive(Debug, Default)]
pub struct DatabaseCheck {
    /// The number of positions whose value is that of own tables.
    pub equal: u64,
    /// The number of positions that own tables do not have.
    pub unknown: u64,
    /// The first difference in each database.
    pub faults: Vec<Fault>,
}

impl Databases {
    /// Reads all subslices with up to `pieces` pieces, and compares the values of the positions in
    /// which neither side can capture with those of `own` tables, where these have them. Fails if a
    /// database is damaged.
    pub fn verify(
        &self,
        own: &Tables,
        pieces: usize,
        threads: usize,
        progress: Progress,
    ) -> Result<DatabaseCheck, TableError> {
        let size = |database| {
            wanted(database, pieces).iter().map(|slice| slice.slice.size() as usize).sum::<usize>()
        };
        progress(Step::Total(self.databases.iter().map(size).sum()));
        let mut all = DatabaseCheck::default();
        for database in &self.databases {
            let slices = wanted(database, pieces);
            progress(Step::Slice(&database.path.display().to_string()));
            let found = Mutex::new(Ok(DatabaseCheck::default()));
            in_parallel(threads, slices.len(), |number| {
                let checked = compare(database, slices[number], own, &self.numbering);
                progress(Step::Done(slices[number].slice.size() as usize));
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                match (&mut *found, checked) {
                    (Ok(sum), Ok(one)) => {
                        sum.equal += one.equal;
                        sum.unknown += one.unknown;
                        sum.faults.extend(one.faults);
                    }
                    (Ok(_), Err(error)) => *found = Err(error),
                    (Err(_), _) => {}
                }
            });
            let found = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
            all.equal += found.equal;
            all.unknown += found.unknown;
            let key = |fault: &Fault| (fault.slice.clone(), fault.entry);
            all.faults.extend(found.faults.into_iter().min_by_key(key));
        }
        Ok(all)
    }
}

/// The subslices with up to `pieces` pieces.
fn wanted(database: &Database, pieces: usize) -> Vec<&IndexedSlice> {
    database.slices().iter().filter(|slice| slice.slice.shape.pieces() <= pieces).collect()
}

/// Compares a subslice.
fn compare(
    database: &Database,
    indexed: &IndexedSlice,
    own: &Tables,
    numbering: &Numbering,
) -> Result<DatabaseCheck, TableError> {
    let slice = indexed.slice;
    let is_known = slice.shape.pieces() <= own.pieces();
    let size = slice.size();
    let mut check = DatabaseCheck::default();
    let mut number = 0;
    database.values(indexed, |value| {
        let this = number;
        number += 1;
        // The last byte may have more positions.
        if this >= size {
            return;
        }
        if !is_known {
            check.unknown += 1;
            return;
        }
        let position = numbering.placement(slice, this).position();
        if [position.side, !position.side].iter().any(|&side| moves::can_capture(&position, side)) {
            return;
        }
        match own.value(&position) {
            Some(expected) if expected == value => check.equal += 1,
            None => check.unknown += 1,
            Some(expected) if check.faults.is_empty() => check.faults.push(Fault {
                slice: format!("{}, BASE{slice}", database.path.display()),
                entry: Some(this as usize),
                what: difference(expected, value),
            }),
            Some(_) => {}
        }
    })?;
    Ok(check)
}

fn difference(expected: Value, found: Value) -> String {
    let word = |value| match value {
        Value::Win => "won",
        Value::Draw => "drawn",
        Value::Loss => "lost",
    };
    format!("expected {} from own tables, found {}", word(expected), word(found))
}
