//! The data of a database, block by block.
//!
//! A byte below 243 holds five positions in base 3, the first one in the highest digit. A byte from
//! 243 on is a run of positions with the value that the index leaves out.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::super::entry::Value;

pub(super) const BLOCK: u64 = 1024;
/// The number of positions in a byte that is no run.
pub(super) const PER_LITERAL: u64 = 5;
/// The lengths of the runs, from byte [`FIRST_RUN`] on.
pub(super) const RUNS: [u16; 13] = [10, 15, 20, 25, 30, 40, 50, 60, 100, 200, 400, 800, 1600];
pub(super) const FIRST_RUN: u8 = 243;
pub(super) const PER_BYTE: u64 = 1600;
pub(super) const DIGITS: [Value; 3] = [Value::Draw, Value::Win, Value::Loss];

#[allow(clippy::indexing_slicing, reason = "the compiler checks constants")]
const POSITIONS: [u16; 256] = {
    let mut positions = [PER_LITERAL as u16; 256];
    let mut i = 0;
    while i < RUNS.len() {
        positions[FIRST_RUN as usize + i] = RUNS[i];
        i += 1;
    }
    positions
};

#[inline]
pub(super) fn positions_in(byte: u8) -> u32 {
    POSITIONS.get(usize::from(byte)).copied().unwrap_or_default().into()
}

const PART: usize = 64;
const PARTS: usize = BLOCK as usize / PART;

/// A block, with the number of positions before the end of each part.
pub(in super::super) struct Block {
    bytes: [u8; BLOCK as usize],
    sums: [u32; PARTS],
}

impl Block {
    pub(super) fn new(bytes: [u8; BLOCK as usize]) -> Self {
        let (mut sums, mut sum) = ([0; PARTS], 0);
        for (end, part) in sums.iter_mut().zip(bytes.chunks(PART)) {
            sum += part.iter().map(|&byte| positions_in(byte)).sum::<u32>();
            *end = sum;
        }
        Self { bytes, sums }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    fn sum(&self, part: usize) -> u32 {
        self.sums.get(part).copied().unwrap_or_default()
    }

    /// The number of positions before a byte, or before the end.
    fn positions_before(&self, at: usize) -> u32 {
        let part = at / PART;
        let sum = part.checked_sub(1).map_or(0, |before| self.sum(before));
        let here = self.bytes.get(part * PART..at).unwrap_or_default();
        sum + here.iter().map(|&byte| positions_in(byte)).sum::<u32>()
    }
}

/// The data of a subslice in one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub begin: usize,
    /// The byte after the last one.
    pub end: usize,
    pub positions: u64,
}

impl Segment {
    /// Whether the bytes have as many positions as the index demands.
    pub fn is_whole(self, block: &Block) -> bool {
        let before = |at| u64::from(block.positions_before(at));
        before(self.begin) + self.positions == before(self.end)
    }

    /// The value of a position of the segment, counted from 0; `None` if the block is damaged.
    #[inline]
    pub fn value(self, block: &Block, position: u64, left_out: Value) -> Option<Value> {
        if position >= self.positions || !self.is_whole(block) {
            return None;
        }
        let wanted = block.positions_before(self.begin) + position as u32;
        let part = (0..PARTS).find(|&part| wanted < block.sum(part))?;
        let mut at = part * PART;
        let mut before = block.positions_before(at);
        while at < self.end {
            let byte = block.byte(at);
            let next = before + positions_in(byte);
            if wanted < next {
                return Some(value_in(byte, (wanted - before) as usize, left_out));
            }
            (before, at) = (next, at + 1);
        }
        None
    }

    /// Calls `visit` with the value of each position, in order.
    pub fn values(self, block: &Block, left_out: Value, mut visit: impl FnMut(Value)) {
        for byte in (self.begin..self.end).map(|at| block.byte(at)) {
            for position in 0..positions_in(byte) {
                visit(value_in(byte, position as usize, left_out));
            }
        }
    }
}

fn value_in(byte: u8, position: usize, left_out: Value) -> Value {
    const POWERS: [u8; PER_LITERAL as usize] = [81, 27, 9, 3, 1];
    let power = POWERS.get(position).copied().unwrap_or(1);
    let digit = DIGITS.get(usize::from(byte / power % 3)).filter(|_| byte < FIRST_RUN);
    digit.copied().unwrap_or(left_out)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_position() {
        let mut bytes = [0; BLOCK as usize];
        // Draw, win, loss, draw, draw; a run of ten; then losses.
        bytes[100] = 27 + 2 * 9;
        bytes[101] = FIRST_RUN;
        bytes[102..].fill(FIRST_RUN - 1);
        let block = Block::new(bytes);
        let segment = Segment { begin: 100, end: 1_000, positions: 15 + 5 * 898 };
        assert!(segment.is_whole(&block));
        let mut all = Vec::new();
        segment.values(&block, Value::Win, |value| all.push(value));
        assert_eq!(all.len() as u64, segment.positions);
        for (position, &value) in all.iter().enumerate() {
            assert_eq!(segment.value(&block, position as u64, Value::Win), Some(value));
        }
        use Value::{Draw, Loss, Win};
        assert_eq!(all[..6], [Draw, Win, Loss, Draw, Draw, Win]);
        assert_eq!(all[14..17], [Win, Loss, Loss]);
        assert_eq!(segment.value(&block, segment.positions, Win), None);
        for positions in [segment.positions - 1, segment.positions + 1] {
            let segment = Segment { positions, ..segment };
            assert_eq!(segment.value(&block, 0, Win), None, "{positions} positions");
        }
    }
}
