//! The index of a database: a text file with the places of the data of each subslice.
//!
//! ```text
//! BASE1101.05 -        kings and men of both sides, the ranks, and the value that is left out
//! S      0       0/983 the first position, and where its data begin: block and byte
//! .   3035       1     the first position of the next block
//! E   3720       1/22  the number of positions, and where the data end
//! BASE0013.06 --       two signs: all positions have this value, and no data follow
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::io::{self, BufRead};
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::super::entry::Value;
use super::super::shape::{MIN_PIECES, Shape};
use super::blocks::{BLOCK, DIGITS, PER_BYTE, PER_LITERAL};
use super::numbering::Subslice;
use crate::files::lines::next_line;

/// The maximum length of a line in bytes.
const LONGEST: usize = 100;
/// The maximum length of the data in bytes: 2^40 blocks.
const LONGEST_DATA: u64 = BLOCK << 40;

#[derive(Debug)]
pub(super) struct IndexedSlice {
    pub slice: Subslice,
    /// The value of all positions without data, and of those in runs.
    pub left_out: Value,
    /// `None` if all positions have one value.
    pub data: Option<DataRange>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DataRange {
    /// The offsets of the first byte, and of the byte after the last one.
    pub bytes: Range<u64>,
    /// The number of positions, a multiple of five.
    pub count: u64,
    /// The first position of each block after the one in which the data begin, as a range of
    /// [`DatabaseIndex::firsts`].
    pub firsts: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct DatabaseIndex {
    /// The subslices in the order of the file.
    pub slices: Vec<IndexedSlice>,
    /// The first positions of blocks: see [`DataRange::firsts`].
    pub firsts: Vec<u64>,
    /// The hash of the words: one space between two of them, and a line feed after each line.
    pub hash: Sha256,
}

impl DatabaseIndex {
    /// The length that the data must have at least, in bytes.
    pub fn data_length(&self) -> u64 {
        let data = self.slices.iter().rev().find_map(|slice| slice.data.as_ref());
        data.map_or(0, |data| data.bytes.end)
    }

    /// Checks that these are the parts of a database of up to `pieces` pieces, so that none of them has
    /// another name by mistake. All parts with the same numbers of pieces of both sides must be there, or
    /// none: published ones of seven and eight pieces are of 4 against 3 and of 4 against 4. Those of
    /// fewer pieces come first, as other programs read no further than they need. Returns what is wrong.
    pub fn check(&self, pieces: usize) -> Result<(), String> {
        let mut is_there = vec![false; Subslice::COUNT];
        let mut divisions = BTreeSet::new();
        let mut most = 0;
        for slice in self.slices.iter().map(|indexed| indexed.slice) {
            let of_slice = slice.shape.pieces();
            if of_slice > pieces {
                return Err(format!("BASE{slice} has more than {pieces} pieces"));
            }
            if of_slice < most {
                return Err(format!("BASE{slice} stands after parts of more pieces"));
            }
            most = of_slice;
            divisions.insert(slice.shape.division());
            if let Some(is_there) = is_there.get_mut(slice.number()) {
                *is_there = true;
            }
        }
        let is_missing = |slice: &Subslice| is_there.get(slice.number()) != Some(&true);
        let shapes = (MIN_PIECES..=most).flat_map(Shape::all);
        let wanted = shapes.filter(|shape| divisions.contains(&shape.division()));
        match wanted.flat_map(Subslice::all).find(is_missing) {
            Some(slice) => Err(format!("BASE{slice} is missing")),
            None if most < pieces => Err(format!("no parts of {pieces} pieces")),
            None => Ok(()),
        }
    }
}

#[derive(Debug)]
pub(super) enum IndexError {
    Io(io::Error),
    /// A line, counted from 1, is not as expected.
    Line {
        line: usize,
        expected: String,
        found: String,
    },
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

pub(super) fn read(input: impl BufRead) -> Result<DatabaseIndex, IndexError> {
    let (text, words, hash) = (String::new(), Vec::new(), Sha256::new());
    let mut reader = Reader { input, line: 0, text, words, hash };
    let mut index = DatabaseIndex::default();
    let mut known = vec![false; Subslice::COUNT];
    reader.next()?;
    while !reader.words.is_empty() || index.slices.is_empty() {
        let slice = reader.slice(index.data_length(), &mut index.firsts)?;
        match known.get_mut(slice.slice.number()) {
            Some(known) if !*known => *known = true,
            _ => return reader.fail("another subslice: there is one of this name"),
        }
        index.slices.push(slice);
        reader.next()?;
    }
    index.hash = reader.hash;
    Ok(index)
}

struct Reader<R> {
    input: R,
    line: usize,
    text: String,
    /// The words of the current line; empty at the end.
    words: Vec<String>,
    hash: Sha256,
}

impl<R: BufRead> Reader<R> {
    /// Reads the next line that is not empty.
    fn next(&mut self) -> Result<(), IndexError> {
        self.words.clear();
        self.text.clear();
        while self.words.is_empty() {
            self.line += 1;
            let Some(line) = next_line(&mut self.input, LONGEST)? else { break };
            match line {
                Ok(line) => self.text = String::from_utf8_lossy(&line).into_owned(),
                Err(long) => self.text = long.first_word,
            }
            self.words = self.text.split_whitespace().map(str::to_string).collect();
        }
        if !self.words.is_empty() {
            self.hash.update(self.words.join(" "));
            self.hash.update("\n");
        }
        Ok(())
    }

    fn fail<T>(&self, expected: &str) -> Result<T, IndexError> {
        let found =
            if self.words.is_empty() { "the end".into() } else { format!("'{}'", self.text) };
        Err(IndexError::Line { line: self.line, expected: expected.to_string(), found })
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// Reads a subslice, from its first line on, whose data follow those that end at `begin`.
    fn slice(&mut self, begin: u64, firsts: &mut Vec<u64>) -> Result<IndexedSlice, IndexError> {
        let words = self.words();
        let head = match words.as_slice() {
            [name, value] => name.strip_prefix("BASE").and_then(subslice).zip(values(value)),
            _ => None,
        };
        let Some((slice, (left_out, has_data))) = head else {
            return self.fail("'BASEabcd.rs' and one or two of the signs '=', '+' and '-'");
        };
        let data = if has_data { Some(self.data(slice, begin, firsts)?) } else { None };
        Ok(IndexedSlice { slice, left_out, data })
    }

    /// Reads the lines that follow the first one of a subslice.
    fn data(
        &mut self,
        slice: Subslice,
        begin: u64,
        firsts: &mut Vec<u64>,
    ) -> Result<DataRange, IndexError> {
        self.next()?;
        let start = match self.words().as_slice() {
            ["S", "0", place] => place_of(place),
            _ => None,
        };
        // The last block before may be filled up.
        let is_next = |&start: &u64| start == begin || start == begin.next_multiple_of(BLOCK);
        let Some(start) = start.filter(is_next) else {
            return self.fail("'S 0 block/byte', where the data before end");
        };
        let all = firsts.len();
        let count = slice.size().next_multiple_of(PER_LITERAL);
        let (mut first, mut at) = (0, start);
        loop {
            self.next()?;
            match self.words().as_slice() {
                [".", position, block] => {
                    let next = (at / BLOCK + 1) * BLOCK;
                    let is_begin = |&number: &u64| number <= count && number % PER_LITERAL == 0;
                    let number = position.parse().ok().filter(is_begin);
                    let is_next = block.parse().ok() == Some(next / BLOCK);
                    match number.filter(|&number| is_next && fits(at..next, first..number)) {
                        Some(number) => (first, at) = (number, next),
                        None => return self.fail("'. position block' of the next block"),
                    }
                    firsts.push(first);
                }
                ["E", number, place] => {
                    // The end of a block is also the begin of the next one.
                    let is_near = |end: &u64| (at..=(at / BLOCK + 1) * BLOCK).contains(end);
                    let end = place_of(place).filter(is_near);
                    let is_count = number.parse().ok() == Some(count);
                    match end.filter(|&end| is_count && fits(at..end, first..count)) {
                        Some(end) => {
                            return Ok(DataRange {
                                bytes: start..end,
                                count,
                                firsts: all..firsts.len(),
                            });
                        }
                        None => {
                            return self.fail(&format!("'E {count} block/byte', near the begin"));
                        }
                    }
                }
                _ => return self.fail("'. position block' or 'E count block/byte'"),
            }
        }
    }
}

/// The offset of `block/byte`.
fn place_of(text: &str) -> Option<u64> {
    let (block, byte) = text.split_once('/')?;
    let byte = byte.parse().ok().filter(|&byte: &u64| byte <= BLOCK)?;
    let offset = block.parse::<u64>().ok()?.checked_mul(BLOCK)?.checked_add(byte)?;
    (offset <= LONGEST_DATA).then_some(offset)
}

/// Whether so many bytes can hold so many positions.
fn fits(bytes: Range<u64>, positions: Range<u64>) -> bool {
    let (bytes, Some(positions)) =
        (bytes.end - bytes.start, positions.end.checked_sub(positions.start))
    else {
        return false;
    };
    (bytes * PER_LITERAL..=bytes * PER_BYTE).contains(&positions)
}

fn subslice(name: &str) -> Option<Subslice> {
    let digits: Vec<char> = name.chars().collect();
    let [a, b, c, d, '.', r, s] = *digits.as_slice() else { return None };
    let digit = |sign: char| sign.to_digit(10).map(|digit| digit as u8);
    let shape = Shape { own: [digit(c)?, digit(a)?], other: [digit(d)?, digit(b)?] };
    Subslice::new(shape, [digit(r)?.into(), digit(s)?.into()])
}

pub(super) fn sign(value: Value) -> char {
    match value {
        Value::Draw => '=',
        Value::Win => '+',
        Value::Loss => '-',
    }
}

fn values(signs: &str) -> Option<(Value, bool)> {
    let value = |found| DIGITS.into_iter().find(|&value| sign(value) == found);
    let signs: Vec<char> = signs.chars().collect();
    match *signs.as_slice() {
        [sign] => Some((value(sign)?, true)),
        [sign, same] if sign == same => Some((value(sign)?, false)),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        match read(text.as_bytes()).err() {
            Some(IndexError::Line { line, expected, found }) => {
                format!("line {line}: expected {expected}, found {found}")
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn subslices_have_their_data() {
        let text = "BASE1200.00 =\r\nS 0 0/0\n. 5120 1\nE 14880 1/75\n\nBASE0013.06 --\n";
        let index = read(text.as_bytes()).unwrap();
        assert_eq!(index.firsts, [5_120]);
        let (kings, men) = (index.slices.first().unwrap(), index.slices.last().unwrap());
        let data = DataRange { bytes: 0..1_099, count: 14_880, firsts: 0..1 };
        assert_eq!((kings.left_out, kings.data.clone()), (Value::Draw, Some(data)));
        assert_eq!((men.left_out, men.data.clone()), (Value::Loss, None));
        assert_eq!(men.slice.to_string(), "0013.06");
        assert_eq!(men.slice.shape, Shape { own: [1, 0], other: [3, 0] });
    }

    #[test]
    fn damaged_lines_are_reported() {
        let (base, large) = ("BASE1100.00 =\n", "BASE1200.00 =\nS 0 0/0\n");
        let rows = [
            ("", "line 1: expected 'BASEabcd.rs'"),
            ("\u{0}\u{1}", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1100.00", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1100.00 ?", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1100.00 =+", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1000.00 ==", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1100.10 ==", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1110.70 ==", "line 1: expected 'BASEabcd.rs'"),
            ("BASE9900.00 ==", "line 1: expected 'BASEabcd.rs'"),
            ("BASE5500.00 ==", "line 1: expected 'BASEabcd.rs'"),
            ("BASE1100.00 ==\nBASE1100.00 ==", "line 2: expected another subslice"),
            (base, "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 1099511627776/1\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 0/1025\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 99999999999999999999/1\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 18446744073709551615/1\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 0/0\n"), "line 3: expected '. position block' or"),
            (&format!("{base}S 0 0/0\nE 990 0/189\n"), "line 3: expected 'E 995 block/byte'"),
            (&format!("{base}S 0 0/0\nE 995 0/200\n"), "line 3: expected 'E 995 block/byte'"),
            (&format!("{base}S 0 0/0\nE 995 2/0\n"), "line 3: expected 'E 995 block/byte'"),
            (&format!("{base}S 0 0/1\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{base}S 0 1/0\n"), "line 2: expected 'S 0 block/byte'"),
            (&format!("{large}. 5115 1\n"), "line 3: expected '. position block' of"),
            (&format!("{large}. 5122 1\n"), "line 3: expected '. position block' of"),
            (&format!("{large}. 5120 2\n"), "line 3: expected '. position block' of"),
            (&format!("{large}. 14885 1\n"), "line 3: expected '. position block' of"),
            (&format!("{large}. 5120 1\nE 14880 0/9\n"), "line 4: expected 'E 14880 block/byte'"),
        ];
        for (text, expected) in rows {
            assert!(error(text).starts_with(expected), "{text}: {}", error(text));
        }
    }

    /// The data leave no gap, but may begin in a new block.
    #[test]
    fn data_follow_those_before() {
        let rows =
            [("0/189", true), ("1/0", true), ("0/188", false), ("0/190", false), ("2/0", false)];
        for (place, is_next) in rows {
            let text = format!("BASE1100.00 =\nS 0 0/0\nE 995 0/189\nBASE1200.00 =\nS 0 {place}\n");
            let line = if is_next { "line 6: " } else { "line 5: expected 'S 0 block/byte'" };
            assert!(error(&text).starts_with(line), "{place}: {}", error(&text));
        }
    }

    fn names(shapes: impl Iterator<Item = Shape>) -> Vec<String> {
        shapes.flat_map(Subslice::all).map(|slice| slice.to_string()).collect()
    }

    fn check(names: &[String], pieces: usize) -> Result<(), String> {
        let index: String = names.iter().map(|name| format!("BASE{name} ==\n")).collect();
        read(index.as_bytes()).map_err(|_| error(&index))?.check(pieces)
    }

    #[test]
    fn parts_are_there_by_numbers_of_pieces() {
        let of = |sides: [u8; 2]| {
            let shapes = Shape::all(usize::from(sides[0] + sides[1])).into_iter();
            names(shapes.filter(move |shape| shape.division() == sides))
        };
        let upto = |pieces| names((MIN_PIECES..=pieces).flat_map(Shape::all));
        let four = || upto(4);
        let changed = |change: &dyn Fn(&mut Vec<String>)| {
            let mut names = four();
            change(&mut names);
            names
        };
        let rows = [
            (four(), 4, ""),
            (upto(5), 5, ""),
            (of([2, 2]), 4, ""),
            (of([3, 4]), 7, ""),
            (of([4, 4]), 8, ""),
            ([upto(6), of([3, 4]), of([4, 4])].concat(), 8, ""),
            (four(), 3, "BASE1300.00 has more than 3 pieces"),
            (four(), 5, "no parts of 5 pieces"),
            (of([2, 2])[1..].to_vec(), 4, "BASE2200.00 is missing"),
            (changed(&|names| names.rotate_left(1)), 4, "BASE1100.00 stands after parts of more"),
            (changed(&|names| drop(names.remove(9))), 4, " is missing"),
            (
                changed(&|names| names[9] = names[8].clone()),
                4,
                "line 10: expected another subslice",
            ),
        ];
        for (number, (names, pieces, expected)) in rows.into_iter().enumerate() {
            match check(&names, pieces) {
                Ok(()) => assert_eq!("", expected, "row {number}"),
                Err(error) => assert!(
                    !expected.is_empty() && error.contains(expected),
                    "row {number}: {error}, expected {expected}"
                ),
            }
        }
    }

    /// With another digit a part has the name of another one, so that one is missing.
    #[test]
    fn no_changed_digit_of_a_name_is_believed() {
        for (pieces, step) in [(2, 1), (3, 7), (4, 997)] {
            let names = names((MIN_PIECES..=pieces).flat_map(Shape::all));
            assert_eq!(check(&names, pieces), Ok(()));
            let places = (0..names.len()).flat_map(|name| (0..7).map(move |digit| (name, digit)));
            let changes = places.flat_map(|place| ('0'..='9').map(move |sign| (place, sign)));
            for ((name, digit), sign) in changes.step_by(step) {
                let mut changed = names.clone();
                let old = names[name].chars().nth(digit);
                changed[name].replace_range(digit..=digit, &sign.to_string());
                if old != Some(sign) {
                    assert!(
                        check(&changed, pieces).is_err(),
                        "{} as {}",
                        names[name],
                        changed[name]
                    );
                }
            }
        }
    }
}
