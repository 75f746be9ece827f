//! Finds the values of all positions of one shape and its turned shape, between which quiet moves
//! go to and fro; all that captures and promotions lead to is known before.
//!
//! Every position begins as a draw that must be looked at. A look sets its entry to what its
//! successors make of it now; where that is news, all that a quiet move may have led there are
//! looked at again, until no news is left. Entries only get better known, from draw to decided and
//! to shorter distances, so that the order does not matter, and each thread takes what it finds.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::super::{Draughts, DraughtsMove};
use super::entry::Entry;
use super::index::Index;
use super::library::{Library, Slice, in_parallel, reserved};
use super::rules;
use super::shape::{Placement, Shape};
use super::{Counts, TableError};
use crate::game::{MoveList, Position};

/// The positions that a thread takes at a time, in words of 64.
const CHUNK: usize = 256;

/// One shape under work.
struct Field {
    shape: Shape,
    index: Index,
    entries: Vec<AtomicU8>,
    /// The positions to look at, one bit each.
    marks: Vec<AtomicU64>,
    /// The positions with a capture, one bit each: their entries are final after the first look.
    forced: Vec<AtomicU64>,
}

impl Field {
    fn new(shape: Shape) -> Result<Self, TableError> {
        let index = Index::new(shape);
        let size = index.size();
        let words = size.div_ceil(64);
        let mut entries = reserved(size)?;
        entries.resize_with(size, AtomicU8::default);
        let mut marks = reserved(words)?;
        marks.resize_with(words, || AtomicU64::new(!0));
        if !size.is_multiple_of(64)
            && let Some(last) = marks.last_mut()
        {
            *last.get_mut() = (1 << (size % 64)) - 1;
        }
        let mut forced = reserved(words)?;
        forced.resize_with(words, AtomicU64::default);
        Ok(Self { shape, index, entries, marks, forced })
    }

    fn get(&self, number: usize) -> Entry {
        Entry(self.entries[number].load(Ordering::Relaxed))
    }

    fn is_forced(&self, number: usize) -> bool {
        self.forced[number / 64].load(Ordering::Relaxed) & 1 << (number % 64) != 0
    }

    /// The entries as a table keeps them.
    fn into_slice(self) -> Result<Slice, TableError> {
        let mut entries = reserved(self.entries.len())?;
        let mut counts = Counts::default();
        let mut last = Entry::DRAWN;
        entries.extend((0..self.entries.len()).map(|number| {
            let entry = self.get(number);
            counts.add(entry.value());
            if !self.is_forced(number) {
                last = entry;
            }
            last
        }));
        Ok(Slice { shape: self.shape, index: self.index, counts, entries })
    }
}

/// The bytes that solving a shape takes, beside what is known before.
pub(super) fn memory(shape: Shape) -> usize {
    let sizes = pair(shape).into_iter().map(|shape| Index::new(shape).size());
    // The entries while they are found and as they are kept, and two bits of each.
    sizes.map(|size| 2 * size + size / 4).sum()
}

/// A shape and the turned one, if that is another.
pub(super) fn pair(shape: Shape) -> Vec<Shape> {
    let turned = shape.turned();
    if turned == shape { vec![shape] } else { vec![shape, turned] }
}

/// Solves a shape and its turned shape on so many threads; `progress` hears of positions done.
pub(super) fn solve(
    shape: Shape,
    known: &Library,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Slice>, TableError> {
    let fields = pair(shape).into_iter().map(Field::new).collect::<Result<Vec<_>, _>>()?;
    let solver = Solver { fields, known };
    solver.sweep(threads, progress)?;
    while solver.sweep(threads, &|_| {})? {}
    solver.fields.into_iter().map(Field::into_slice).collect()
}

struct Solver<'a> {
    fields: Vec<Field>,
    known: &'a Library,
}

impl Solver<'_> {
    /// Looks once at all that is marked. True, if anything was.
    fn sweep(&self, threads: usize, progress: &(dyn Fn(usize) + Sync)) -> Result<bool, TableError> {
        let any = AtomicBool::new(false);
        let missing = AtomicBool::new(false);
        for (i, field) in self.fields.iter().enumerate() {
            let chunks = field.marks.len().div_ceil(CHUNK);
            in_parallel(threads, chunks, |chunk| {
                let words = chunk * CHUNK..field.marks.len().min((chunk + 1) * CHUNK);
                progress(words.len() * 64);
                let looks = words.map(|word| self.look_at_marked(i, word));
                match looks.sum::<Option<usize>>() {
                    Some(0) => {}
                    Some(_) => any.store(true, Ordering::Relaxed),
                    None => missing.store(true, Ordering::Relaxed),
                }
            });
        }
        if missing.into_inner() {
            return Err(TableError::Missing { shape: self.fields[0].shape.to_string() });
        }
        Ok(any.into_inner())
    }

    /// Looks at the marked positions of a word, and says how many they were.
    fn look_at_marked(&self, i: usize, word: usize) -> Option<usize> {
        let marks = &self.fields[i].marks[word];
        if marks.load(Ordering::Relaxed) == 0 {
            return Some(0);
        }
        // Acquire: who sees a mark also sees the news that it tells of.
        let mut left = marks.swap(0, Ordering::Acquire);
        let mut looks = 0;
        while left != 0 {
            self.look(i, word * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            looks += 1;
        }
        Some(looks)
    }

    /// Looks at a position; nothing if a table that it needs is not there.
    fn look(&self, i: usize, number: usize) -> Option<()> {
        let field = &self.fields[i];
        let before = field.get(number);
        let placement = field.index.placement(number);
        let position = placement.position();
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.first().is_some_and(|mv| mv.taken != 0) {
            field.forced[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
        }
        let exact = field.shape.keeps_distance();
        let successor = |next: &Draughts, mv| self.successor(i, &position, next, mv);
        let entry = rules::judge(&position, &moves, exact, successor)?;
        if entry != before {
            field.entries[number].store(entry.0, Ordering::Relaxed);
            self.tell(i, &placement);
        }
        Some(())
    }

    /// What is known now of the position that a move leads to.
    fn successor(
        &self,
        i: usize,
        position: &Draughts,
        next: &Draughts,
        mv: DraughtsMove,
    ) -> Option<Entry> {
        if mv.taken != 0 || rules::crowns(position, mv) {
            return rules::settle(next, self.known);
        }
        let partner = &self.fields[(i + 1) % self.fields.len()];
        let number = partner.index.number(&Placement::of(next));
        Some(partner.get(number))
    }

    /// Marks all positions from which a quiet move may have led here.
    fn tell(&self, i: usize, placement: &Placement) {
        let partner = &self.fields[(i + 1) % self.fields.len()];
        let exact = partner.shape.keeps_distance();
        rules::predecessors(placement, |before| {
            let number = partner.index.number(before);
            // Without distances what is decided stays as it is.
            if (exact || partner.get(number) == Entry::DRAWN) && !partner.is_forced(number) {
                let bit = 1 << (number % 64);
                partner.marks[number / 64].fetch_or(bit, Ordering::Release);
            }
        });
    }
}
