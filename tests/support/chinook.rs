//! Writes endgame tables as a database in the format of Chinook. Nothing here is shared with the reader of
//! the library: the positions of a part are listed in the order of their numbers, which are never computed.

#![allow(dead_code, reason = "each test program uses a part")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, thread};

use soucie::game::bitboard::Bits;
use soucie::game::{Heuristics, Side};
use soucie::games::draughts::tablebase::{OwnTables, Value};
use soucie::games::draughts::{Draughts, DraughtsRules};

use crate::programs;

/// The lengths of the runs of the value that is left out, from byte 243 on.
const RUNS: [usize; 13] = [10, 15, 20, 25, 30, 40, 50, 60, 100, 200, 400, 800, 1600];

/// The number of positions in a byte that is no run.
const PER_BYTE: usize = 5;

/// The size of a block in bytes.
const BLOCK: usize = 1024;

/// The values by their digits, and their signs in the index.
const VALUES: [(Value, char); 3] = [(Value::Draw, '='), (Value::Win, '+'), (Value::Loss, '-')];

/// A set of dark squares, from 0 to 31, as the side to move sees the board.
type Set = u32;

/// The positions with the same kings and men and the same ranks of the most advanced men, the side to move
/// first.
#[derive(Clone, Copy)]
struct Part {
    kings: [u32; 2],
    men: [u32; 2],
    ranks: [u32; 2],
}

/// The path of the index of a database.
pub fn index_path(data: &Path) -> PathBuf {
    let mut path = data.as_os_str().to_os_string();
    path.push(".idx");
    path.into()
}

/// The folder of a database `DBn` of tables of up to `pieces` pieces, which all tests share.
pub fn database(tables: &Path, pieces: usize) -> PathBuf {
    let writer = programs::project().join("tests/support/chinook.rs");
    // One test at a time writes.
    static WRITES: Mutex<()> = Mutex::new(());
    let _guard = WRITES.lock().unwrap();
    programs::kept(&format!("database-of-{pieces}"), &[tables, &writer], |folder| {
        let is_wanted = |[own, other]: [u32; 2]| own + other <= pieces as u32;
        write(tables, &folder.join(format!("DB{pieces}")), is_wanted);
    })
}

/// Writes the tables of a folder: the data to `out`, the index beside it. `is_wanted` selects parts by the
/// numbers of pieces of the side to move and of its opponent.
pub fn write(folder: &Path, out: &Path, is_wanted: impl Fn([u32; 2]) -> bool) {
    let tables = OwnTables::open(folder).unwrap();
    let mut parts: Vec<Part> = (2..=tables.pieces() as u32).flat_map(parts).collect();
    parts.retain(|Part { men, kings, .. }| is_wanted([0, 1].map(|side| men[side] + kings[side])));
    // Large and small parts alternate, so that both threads have about the same work.
    let encode = |first: usize| {
        let own = parts.iter().skip(first).step_by(2);
        own.map(|part| encode(&part.values(&tables))).collect::<Vec<_>>()
    };
    let [even, odd] = thread::scope(|scope| {
        let workers = [0, 1].map(|first| scope.spawn(move || encode(first)));
        workers.map(|worker| worker.join().unwrap())
    });
    let mut encoded = [even.into_iter(), odd.into_iter()];
    let (mut index, mut data) = (String::new(), Vec::new());
    for (number, part) in parts.iter().enumerate() {
        let Some((sign, bytes)) = encoded[number % 2].next().unwrap() else { continue };
        part.write(sign, &bytes, data.len(), &mut index);
        data.extend(bytes);
    }
    fs::write(out, data).unwrap();
    fs::write(index_path(out), index).unwrap();
}

/// All parts with so many pieces, some of which may have no position.
fn parts(pieces: u32) -> Vec<Part> {
    let ranks = |men| 0..if men > 0 { 7 } else { 1 };
    let mut parts = Vec::new();
    for own in 1..pieces {
        for (men, other_men) in pairs(0..own + 1, 0..pieces - own + 1) {
            for (rank, other_rank) in pairs(ranks(men), ranks(other_men)) {
                let kings = [own - men, pieces - own - other_men];
                parts.push(Part { kings, men: [men, other_men], ranks: [rank, other_rank] });
            }
        }
    }
    parts
}

fn pairs(one: std::ops::Range<u32>, other: std::ops::Range<u32>) -> Vec<(u32, u32)> {
    one.flat_map(|one| other.clone().map(move |other| (one, other))).collect()
}

impl Part {
    /// The values of the positions in the order of their numbers; `None` where either side can capture, so
    /// that the value has no meaning.
    fn values(&self, tables: &OwnTables) -> Vec<Option<Value>> {
        let mut values = Vec::new();
        let [rank, other_rank] = self.ranks;
        for men in sets(!0, self.men[0], Some(rank)) {
            // The opponent's men are ordered as the opponent sees the board.
            for turned in sets(!men.reverse_bits(), self.men[1], Some(other_rank)) {
                let all_men = men | turned.reverse_bits();
                for kings in sets(!all_men, self.kings[0], None) {
                    for other_kings in sets(!(all_men | kings), self.kings[1], None) {
                        let other = turned.reverse_bits() | other_kings;
                        let placed = [other, men | kings, kings | other_kings];
                        values.push(value(placed.map(on_board), tables));
                    }
                }
            }
        }
        values
    }

    /// Appends the lines of the index for a part whose bytes begin at an offset.
    fn write(&self, sign: char, bytes: &[u8], offset: usize, index: &mut String) {
        let Self { kings: [own, other], men: [men, other_men], ranks: [rank, other_rank] } = self;
        let _ = write!(index, "BASE{own}{other}{men}{other_men}.{rank}{other_rank} {sign}");
        if bytes.is_empty() {
            let _ = writeln!(index, "{sign}");
            return;
        }
        let place = |offset| format!("{}/{}", offset / BLOCK, offset % BLOCK);
        let _ = writeln!(index, "\nS {:6} {:>11}", 0, place(offset));
        let mut position = 0;
        for (at, &byte) in (offset..).zip(bytes) {
            if at % BLOCK == 0 && at > offset {
                let _ = writeln!(index, ". {position:6} {:7}", at / BLOCK);
            }
            position += positions_in(byte);
        }
        let _ = writeln!(index, "E {position:6} {:>11}", place(offset + bytes.len()));
    }
}

/// The number of positions in a byte of the data.
fn positions_in(byte: u8) -> usize {
    usize::from(byte).checked_sub(243).map_or(PER_BYTE, |run| RUNS[run])
}

/// The sets of `count` free squares in the order of their highest squares, then of the second highest ones,
/// and so on. With a `rank`, the highest square of each stands on it.
fn sets(free: Set, count: u32, rank: Option<u32>) -> Vec<Set> {
    let Some(fewer) = count.checked_sub(1) else { return vec![0] };
    let highest = match rank {
        Some(rank) => 4 * rank..4 * rank + 4,
        None => 0..32,
    };
    let highest = highest.map(|square| 1 << square).filter(|square: &Set| free & square != 0);
    let below = |square: Set| {
        sets(free & (square - 1), fewer, None).into_iter().map(move |set| set | square)
    };
    highest.flat_map(below).collect()
}

/// The squares of a set on the board.
fn on_board(mut set: Set) -> Bits {
    let mut board = 0;
    while set != 0 {
        let square = set.trailing_zeros();
        let rank = square / 4;
        board |= 1 << (8 * rank + 2 * (square % 4) + rank % 2);
        set &= set - 1;
    }
    board
}

/// The value of a position with White, whose men move to higher squares, to move.
fn value([black, white, kings]: [Bits; 3], tables: &OwnTables) -> Option<Value> {
    let position = |side| Draughts::new([black, white], kings, side, DraughtsRules::default());
    let is_quiet = !position(Side::White).is_forced() && !position(Side::Black).is_forced();
    is_quiet.then(|| tables.value(&position(Side::White)).unwrap())
}

/// The sign of the value that is left out, and the bytes, none if all positions have that value; `None`
/// without a position.
fn encode(values: &[Option<Value>]) -> Option<(char, Vec<u8>)> {
    if values.is_empty() {
        return None;
    }
    let count = |wanted| values.iter().filter(|&&value| value == Some(wanted)).count();
    let (left_out, sign) = VALUES.into_iter().max_by_key(|&(value, _)| count(value)).unwrap();
    let is_left_out = |value: &Option<Value>| value.is_none_or(|value| value == left_out);
    let mut bytes = Vec::new();
    let mut rest = if values.iter().all(is_left_out) { &[] } else { values };
    while !rest.is_empty() {
        // After the last position follow as many without a meaning as a byte needs.
        let run = rest.iter().take(1_600).take_while(|value| is_left_out(value)).count();
        let run = if run == rest.len() { run.next_multiple_of(PER_BYTE) } else { run };
        let byte = match RUNS.iter().rposition(|&length| length <= run) {
            Some(number) => 243 + number as u8,
            None => (0..PER_BYTE).fold(0, |byte, i| {
                let value = rest.get(i).copied().flatten().unwrap_or(left_out);
                3 * byte + VALUES.iter().position(|&(known, _)| known == value).unwrap() as u8
            }),
        };
        bytes.push(byte);
        rest = rest.get(positions_in(byte)..).unwrap_or_default();
    }
    Some((sign, bytes))
}
