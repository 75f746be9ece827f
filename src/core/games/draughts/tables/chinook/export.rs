//! Writes own tables as a database.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::super::super::moves;
use super::super::files::{Progress, Slice, Step, in_parallel, unpacked};
use super::super::shape::{MIN_PIECES, Shape};
use super::super::value::Value;
use super::blocks::{BLOCK, DIGITS, FIRST_RUN, PER_BYTE, PER_LITERAL, RUNS, positions_in};
use super::index::sign;
use super::numbering::{Numbering, Subslice};
use crate::files::atomic_file::AtomicFile;

/// The path of the index of a database.
pub fn index_path(data: &Path) -> PathBuf {
    let mut path = data.as_os_str().to_os_string();
    path.push(".idx");
    path.into()
}

/// Writes the tables of `dir` with up to `pieces` pieces as a database: the data to `out`, the index to
/// [`index_path`].
pub fn export_database(
    dir: &Path,
    pieces: usize,
    out: &Path,
    threads: usize,
    progress: Progress,
) -> io::Result<()> {
    let mut data = AtomicFile::begin(out)?;
    let mut index = AtomicFile::begin(&index_path(out))?;
    let shapes = || (MIN_PIECES..=pieces).flat_map(Shape::all);
    let size = |shape| Subslice::all(shape).map(|slice| slice.size() as usize).sum::<usize>();
    progress(Step::Total(shapes().map(size).sum()));
    let numbering = Numbering::default();
    let mut offset = 0;
    for shape in shapes() {
        progress(Step::Slice(&shape.in_words()));
        let table = unpacked(dir, shape).map_err(io::Error::other)?;
        let slices: Vec<Subslice> = Subslice::all(shape).collect();
        let encoded: Vec<Mutex<Encoded>> = slices.iter().map(|_| Mutex::default()).collect();
        in_parallel(threads, slices.len(), |number| {
            let values = values(&table, slices[number], &numbering);
            progress(Step::Done(values.len()));
            *encoded[number].lock().unwrap_or_else(PoisonError::into_inner) = encode(values);
        });
        for (slice, slot) in slices.iter().zip(encoded) {
            let encoded = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            index.write_all(encoded.index_lines(*slice, offset).as_bytes())?;
            data.write_all(&encoded.bytes)?;
            offset += encoded.bytes.len() as u64;
        }
    }
    data.finish()?;
    index.finish()
}

/// The values of a subslice by number; `None` where either side can capture, so that the value has no
/// meaning.
fn values(table: &Slice, slice: Subslice, numbering: &Numbering) -> Vec<Option<Value>> {
    let value = |number| {
        let placement = numbering.placement(slice, number);
        let position = placement.position();
        let is_quiet = !moves::can_capture(&position, position.side)
            && !moves::can_capture(&position, !position.side);
        is_quiet.then(|| table.entries[table.index.number(&placement)].value())
    };
    (0..slice.size()).map(value).collect()
}

/// The data of a subslice.
struct Encoded {
    left_out: Value,
    /// No bytes if all positions have this value.
    bytes: Vec<u8>,
}

impl Default for Encoded {
    fn default() -> Self {
        Self { left_out: Value::Draw, bytes: Vec::new() }
    }
}

/// Compresses the values of a subslice. Those without a meaning get the value that is left out.
fn encode(values: Vec<Option<Value>>) -> Encoded {
    let count = |value| values.iter().filter(|&&other| other == Some(value)).count();
    let left_out = DIGITS.into_iter().max_by_key(|&value| count(value)).unwrap_or(Value::Draw);
    let is_left_out = |value: &Option<Value>| value.is_none_or(|value| value == left_out);
    let mut bytes = Vec::new();
    if values.iter().all(is_left_out) {
        return Encoded { left_out, bytes };
    }
    let mut rest = values.as_slice();
    while !rest.is_empty() {
        // After the last position follow as many without a meaning as a byte needs.
        let run = rest.iter().take(PER_BYTE as usize).take_while(|v| is_left_out(v)).count();
        let run = if run == rest.len() { run.next_multiple_of(PER_LITERAL as usize) } else { run };
        let longest = RUNS.iter().rposition(|&length| usize::from(length) <= run);
        let byte = match longest {
            Some(number) => FIRST_RUN + number as u8,
            None => (0..PER_LITERAL as usize).fold(0, |byte, i| {
                let value = rest.get(i).copied().flatten().unwrap_or(left_out);
                let digit = DIGITS.iter().position(|&digit| digit == value).unwrap_or_default();
                byte * DIGITS.len() as u8 + digit as u8
            }),
        };
        bytes.push(byte);
        rest = rest.get(positions_in(byte) as usize..).unwrap_or_default();
    }
    Encoded { left_out, bytes }
}

impl Encoded {
    /// The lines of the index for a subslice whose data begin at an offset.
    fn index_lines(&self, slice: Subslice, offset: u64) -> String {
        let sign = sign(self.left_out);
        if self.bytes.is_empty() {
            return format!("BASE{slice} {sign}{sign}\n");
        }
        let place = |offset| format!("{}/{}", offset / BLOCK, offset % BLOCK);
        let mut lines = format!("BASE{slice} {sign}\nS {:6} {:>11}\n", 0, place(offset));
        let mut position = 0;
        for (at, &byte) in (offset..).zip(&self.bytes) {
            if at % BLOCK == 0 && at > offset {
                // Writing to a string cannot fail.
                let _ = writeln!(lines, ". {position:6} {:7}", at / BLOCK);
            }
            position += positions_in(byte);
        }
        let end = place(offset + self.bytes.len() as u64);
        lines + &format!("E {position:6} {end:>11}\n")
    }
}
