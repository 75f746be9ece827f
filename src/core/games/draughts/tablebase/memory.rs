//! Small tables that are in memory as a whole, from one file: little-endian numbers.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SOUCIE-M` |
//! | 4 | the version |
//! | 4 | the checksum of all following bytes: FNV-1a |
//! | | the entries of the slices with two to four pieces, one byte each |
//!
//! The slices are in the order of [`shapes`]. Of a slice and its turned slice only one is stored: the
//! values of the other are those of the positions that their moves lead to. This makes
//! the file half as long. It contains no compression: it is made to be compressed as a whole.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::any::Any;
use std::sync::Arc;

use super::super::Draughts;
use super::entry::Entry;
use super::index::Index;
use super::lookup::{self, Entries};
use super::shape::{MIN_PIECES, Placement, Shape};
use crate::game::{
    ErasedTablebase, Game, MoveList, Position, SharedTablebase, Tablebase, TablebaseError,
};

pub(super) const MAGIC: &[u8; 8] = b"SOUCIE-M";
pub(super) const VERSION: u32 = 1;
/// The number of bytes before the entries.
const HEAD: usize = 16;

/// The endgame tables of all positions with up to [`MemoryTables::PIECES`] pieces, with distances.
pub struct MemoryTables {
    bytes: Vec<u8>,
    /// Each stored slice, and where its entries begin, by the number of its shape.
    slices: Vec<Option<(Index, usize)>>,
}

impl MemoryTables {
    pub const PIECES: usize = 4;

    /// Reads the contents of a file that [`export`](super::export) has made.
    pub fn read(bytes: Vec<u8>) -> Result<Self, TablebaseError> {
        let failed = |why: &str| TablebaseError::Other(why.to_string());
        let damaged = || failed("the tables are damaged");
        let rest =
            bytes.strip_prefix(MAGIC).ok_or_else(|| failed("these are no endgame tables"))?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (sum, body) = rest.split_first_chunk().ok_or_else(damaged)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(failed(&format!(
                "found table version {found}, expected version {VERSION}"
            )));
        }
        let mut end = HEAD;
        let mut slices: Vec<_> = (0..Shape::COUNT).map(|_| None).collect();
        for shape in shapes() {
            let index = Index::new(shape);
            let begin = end;
            end += index.size();
            if let Some(slot) = slices.get_mut(shape.number()) {
                *slot = Some((index, begin));
            }
        }
        if bytes.len() != end || u32::from_le_bytes(*sum) != checksum(body) {
            return Err(damaged());
        }
        Ok(Self { bytes, slices })
    }
}

impl Entries for MemoryTables {
    fn pieces(&self) -> usize {
        Self::PIECES
    }

    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        let shape = placement.shape();
        if !is_stored(shape) {
            let position = placement.position();
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            return lookup::best_entry(&position, &moves, true, |next, _| {
                lookup::after_captures(next, self)
            });
        }
        let (index, begin) = self.slices.get(shape.number())?.as_ref()?;
        self.bytes.get(begin + index.number(placement)).map(|&code| Entry(code))
    }
}

impl ErasedTablebase for MemoryTables {
    fn game(&self) -> &'static str {
        Draughts::name()
    }

    fn own_pieces(&self) -> usize {
        Self::PIECES
    }

    fn slices(&self) -> usize {
        (MIN_PIECES..=Self::PIECES).map(|pieces| Shape::all(pieces).len()).sum()
    }

    fn with_limits(&self, _: usize, _: usize) -> Result<Option<SharedTablebase>, TablebaseError> {
        Ok(None)
    }

    fn named(&self, _: &str) -> Option<SharedTablebase> {
        None
    }

    fn tablebase(self: Arc<Self>) -> Box<dyn Any> {
        Box::new(self as Arc<dyn Tablebase<Draughts>>)
    }
}

/// The 32-bit FNV-1a hash. The tables of a CRC-32 would be a large part of a WebAssembly module.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(super) fn shapes() -> impl Iterator<Item = Shape> {
    (MIN_PIECES..=MemoryTables::PIECES).flat_map(Shape::all).filter(|&shape| is_stored(shape))
}

/// Whether the slice is stored, and not the turned one. The slices of the weaker side to move are
/// compressed best, and with equal numbers those of the side with more men.
fn is_stored(shape: Shape) -> bool {
    let strength = |[men, kings]: [u8; 2]| (men + kings, kings);
    strength(shape.own) <= strength(shape.other)
}
