//! Retrograde solver for all positions of one shape and its turned shape.
//!
//! Quiet moves lead from one of the two shapes to the other. The shapes that captures and
//! promotions lead to must be solved already.
//!
//! Every position starts as a draw, marked for evaluation. An evaluation computes the entry from
//! the current entries of the successors. If it changes, all predecessors by quiet moves are
//! marked again, until no marks are left. Entries only become more precise, from draw to decided
//! and to shorter distances. So the order does not matter, and the threads need no further
//! synchronisation.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::super::entry::{Counts, Entry};
use super::super::index::Index;
use super::super::lookup;
use super::super::shape::{Placement, Shape};
use super::build::missing;
use super::library::{Library, Slice, in_parallel, reserved};
use crate::game::bitboard::{Bits, squares};
use crate::game::{MoveList, Position, TablebaseError};
use crate::games::draughts::moves;
use crate::games::draughts::position::{Draughts, DraughtsMove, HOME};

/// The size of a thread's work item, in words of 64 positions.
const CHUNK: usize = 256;

/// The solver state of one shape.
struct Field {
    shape: Shape,
    index: Index,
    entries: Vec<AtomicU8>,
    marks: Vec<AtomicU64>,
    /// The positions with a capture, one bit each. Their entries are final after one evaluation.
    forced: Vec<AtomicU64>,
}

impl Field {
    fn new(shape: Shape) -> Result<Self, TablebaseError> {
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

    fn into_slice(self) -> Result<Slice, TablebaseError> {
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

/// The memory for solving a shape, in bytes, without the slices that are already solved.
pub(super) fn memory(shape: Shape) -> usize {
    let sizes = pair(shape).into_iter().map(|shape| Index::new(shape).size());
    // One byte per entry while solving, one in the finished slice, and two bits for the marks.
    sizes.map(|size| 2 * size + size / 4).sum()
}

/// A shape and its turned shape, if the two differ.
pub(super) fn pair(shape: Shape) -> Vec<Shape> {
    let turned = shape.turned();
    if turned == shape { vec![shape] } else { vec![shape, turned] }
}

/// Solves a shape and its turned shape on `threads` threads; `progress` receives the number of
/// processed positions.
pub(super) fn solve(
    shape: Shape,
    known: &Library,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Slice>, TablebaseError> {
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
    /// Evaluates all marked positions once. Returns whether there were any.
    fn sweep(
        &self,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<bool, TablebaseError> {
        let any = AtomicBool::new(false);
        let is_missing = AtomicBool::new(false);
        for (i, field) in self.fields.iter().enumerate() {
            let chunks = field.marks.len().div_ceil(CHUNK);
            in_parallel(threads, chunks, |chunk| {
                let words = chunk * CHUNK..field.marks.len().min((chunk + 1) * CHUNK);
                let end = field.entries.len().min(words.end * 64);
                progress(end.saturating_sub(words.start * 64));
                let evaluated = words.map(|word| self.evaluate_marked(i, word));
                match evaluated.sum::<Option<usize>>() {
                    Some(0) => {}
                    Some(_) => any.store(true, Ordering::Relaxed),
                    None => is_missing.store(true, Ordering::Relaxed),
                }
            });
        }
        if is_missing.into_inner() {
            return Err(missing(self.fields[0].shape));
        }
        Ok(any.into_inner())
    }

    /// Evaluates the marked positions of a word. Returns their number; `None` if a table is
    /// missing.
    fn evaluate_marked(&self, i: usize, word: usize) -> Option<usize> {
        let marks = &self.fields[i].marks[word];
        if marks.load(Ordering::Relaxed) == 0 {
            return Some(0);
        }
        // Acquire pairs with Release in `mark_predecessors`: a mark is visible only with the entry that caused
        // it.
        let mut left = marks.swap(0, Ordering::Acquire);
        let mut evaluated = 0;
        while left != 0 {
            self.evaluate(i, word * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            evaluated += 1;
        }
        Some(evaluated)
    }

    /// Evaluates a position; `None` if a table that it needs is missing.
    fn evaluate(&self, i: usize, number: usize) -> Option<()> {
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
        let entry = lookup::best_entry(&position, &moves, exact, successor)?;
        if entry != before {
            field.entries[number].store(entry.0, Ordering::Relaxed);
            self.mark_predecessors(i, &placement);
        }
        Some(())
    }

    /// The current entry of the successor after a move.
    fn successor(
        &self,
        i: usize,
        position: &Draughts,
        next: &Draughts,
        mv: DraughtsMove,
    ) -> Option<Entry> {
        if mv.taken != 0 || crowns(position, mv) {
            return lookup::after_captures(next, self.known);
        }
        let partner = &self.fields[(i + 1) % self.fields.len()];
        let number = partner.index.number(&Placement::of(next));
        Some(partner.get(number))
    }

    fn mark_predecessors(&self, i: usize, placement: &Placement) {
        let partner = &self.fields[(i + 1) % self.fields.len()];
        let exact = partner.shape.keeps_distance();
        predecessors(placement, |before| {
            let number = partner.index.number(before);
            // Without distances, a decided entry is final.
            if (exact || partner.get(number) == Entry::DRAWN) && !partner.is_forced(number) {
                let bit = 1 << (number % 64);
                partner.marks[number / 64].fetch_or(bit, Ordering::Release);
            }
        });
    }
}

/// Calls `visit` with every possible predecessor by a quiet move without promotion, from the point
/// of view of the side that made it.
#[inline]
fn predecessors(placement: &Placement, mut visit: impl FnMut(&Placement)) {
    let empty = !placement.all();
    // The opponent's men moved downwards, so their origins lie above.
    for direction in 0..4 {
        for sort in if direction < 2 { 0..2 } else { 1..2 } {
            let origins = moves::shift(placement.other[sort], direction) & empty;
            for from in squares(origins) {
                let to: Bits = moves::shift(from.bit(), moves::back(direction));
                let mut before = *placement;
                before.other[sort] ^= from.bit() | to;
                visit(&before.turned());
            }
        }
    }
}

#[inline]
fn crowns(position: &Draughts, mv: DraughtsMove) -> bool {
    let last_rank = HOME[!position.side];
    last_rank & mv.to.bit() != 0 && position.kings & mv.from.bit() == 0
}
