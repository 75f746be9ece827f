//! Verifies tables: each entry against its successors.

use std::fmt::{self, Display};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::super::entry::{Counts, Entry};
use super::super::index::Index;
use super::super::lookup;
use super::super::shape::{MAX_PIECES, MIN_PIECES, Shape};
use super::build::{Progress, Step, load, missing, pairs, unpacked};
use super::file;
use super::library::{Library, Slice, in_parallel};
use crate::game::{MoveList, Notation, Position, TablebaseError};
use crate::games::draughts::Draughts;

/// The size of a thread's work item, in positions.
const CHUNK: usize = 1 << 14;

/// An inconsistency in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub slice: String,
    /// The number of the entry; `None` if the counts in the file header are wrong.
    pub entry: Option<usize>,
    pub what: String,
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(f, "{}, entry {entry}: {}", self.slice, self.what),
            None => write!(f, "{}: {}", self.slice, self.what),
        }
    }
}

/// Verifies the tables of a directory with up to `pieces` pieces, or all existing ones for `None`.
///
/// Returns the first inconsistency.
pub fn verify(
    dir: &Path,
    pieces: Option<usize>,
    threads: usize,
    progress: Progress,
) -> Result<Option<Fault>, TablebaseError> {
    let mut library = Library::new();
    let is_there = |shape| file::path(dir, shape).exists();
    let most = (MIN_PIECES..=MAX_PIECES).rev().find(|&n| Shape::all(n).into_iter().any(is_there));
    let pieces = pieces.or(most).unwrap_or(MIN_PIECES);
    let shapes = (MIN_PIECES..=pieces).flat_map(Shape::all);
    progress(Step::Total(shapes.map(|shape| Index::new(shape).size()).sum()));
    for pieces in MIN_PIECES..=pieces {
        for pair in pairs(pieces) {
            load(dir, &mut library, &pair)?;
            for &shape in &pair {
                library.add(unpacked(dir, shape)?);
            }
            for &shape in &pair {
                progress(Step::Slice(&shape.in_words()));
                let Some(slice) = library.get(shape) else { continue };
                let fault = check(slice, &library, threads, progress)?;
                if fault.is_some() {
                    return Ok(fault);
                }
            }
        }
    }
    Ok(None)
}

#[derive(Default)]
struct Findings {
    counts: Counts,
    is_missing: bool,
    /// The first inconsistency: the number of the entry, and a description.
    fault: Option<(usize, String)>,
}

impl Findings {
    fn add(&mut self, other: Self) {
        self.counts.won += other.counts.won;
        self.counts.lost += other.counts.lost;
        self.counts.drawn += other.counts.drawn;
        self.is_missing |= other.is_missing;
        let faults = [self.fault.take(), other.fault];
        self.fault = faults.into_iter().flatten().min();
    }
}

fn check(
    slice: &Slice,
    library: &Library,
    threads: usize,
    progress: Progress,
) -> Result<Option<Fault>, TablebaseError> {
    let findings = Mutex::new(Findings::default());
    in_parallel(threads, slice.entries.len().div_ceil(CHUNK), |chunk| {
        let numbers = chunk * CHUNK..slice.entries.len().min((chunk + 1) * CHUNK);
        progress(Step::Done(numbers.len()));
        let found = check_entries(slice, library, numbers);
        findings.lock().unwrap_or_else(PoisonError::into_inner).add(found);
    });
    let Findings { counts, is_missing, fault } =
        findings.into_inner().unwrap_or_else(PoisonError::into_inner);
    if is_missing {
        return Err(missing(slice.shape));
    }
    let name = slice.shape.to_string();
    if let Some((entry, what)) = fault {
        return Ok(Some(Fault { slice: name, entry: Some(entry), what }));
    }
    let is_wrong = counts != slice.counts;
    let what = "the sums of won, lost and drawn positions are wrong".to_string();
    Ok(is_wrong.then_some(Fault { slice: name, entry: None, what }))
}

fn check_entries(slice: &Slice, library: &Library, numbers: Range<usize>) -> Findings {
    let mut findings = Findings::default();
    let exact = slice.shape.keeps_distance();
    for number in numbers {
        let position = slice.index.placement(number).position();
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        let successor = |next: &Draughts, _| lookup::after_captures(next, library);
        let Some(value) = lookup::best_entry(&position, &moves, exact, successor) else {
            findings.is_missing = true;
            return findings;
        };
        findings.counts.add(value.value());
        let stored = slice.entries[number];
        let is_capture = moves.first().is_some_and(|mv| mv.taken != 0);
        let before = || number.checked_sub(1).map_or(Entry::DRAWN, |i| slice.entries[i]);
        let right = if is_capture { before() } else { value };
        if stored != right && findings.fault.is_none() {
            let origin = if is_capture { "the entry before" } else { "its successors" };
            let setup = position.write_setup();
            findings.fault =
                Some((number, format!("{setup}: expected {right} from {origin}, found {stored}")));
        }
    }
    findings
}
