//! The entries of own tables, and of databases for what these do not have.

use super::super::super::moves;
use super::super::cache::Cache;
use super::super::entry::Entry;
use super::super::lookup::{self, Entries};
use super::super::own::OwnTables;
use super::super::shape::{Placement, Shape};
use super::{Block, Databases};
use crate::game::{MoveList, Position};
use crate::games::draughts::Draughts;

/// How many times in a line of play a position in which only the opponent can capture is replaced by
/// those after its moves. Without that, most moves that threaten a capture would have no value, and
/// threats are what brings a win nearer.
const THREATS: usize = 2;

/// The entries of tables and databases, where a number of threats in a line of play may be played out.
#[derive(Clone, Copy)]
pub(in super::super) struct AllEntries<'a> {
    own: &'a OwnTables,
    databases: &'a Databases,
    cache: &'a Cache<Block>,
    threats: usize,
}

impl<'a> AllEntries<'a> {
    pub fn new(own: &'a OwnTables, databases: &'a Databases, cache: &'a Cache<Block>) -> Self {
        Self { own, databases, cache, threats: THREATS }
    }

    /// The entry of a position by those of its successors, without a distance; `None` if a successor
    /// has no entry and could change the result.
    pub fn by_successors(&self, position: &Draughts) -> Option<Entry> {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        let successor = |next: &Draughts, _| lookup::after_captures(next, self);
        lookup::best_entry(position, &moves, false, successor)
    }
}

impl Entries for AllEntries<'_> {
    fn pieces(&self) -> usize {
        self.own.pieces().max(self.databases.pieces())
    }

    fn quiet(&self, placement: &Placement) -> Option<Entry> {
        if placement.shape().pieces() <= self.own.pieces() {
            return self.own.quiet(placement);
        }
        let position = placement.position();
        if !moves::can_capture(&position, !position.side) {
            return self.databases.value(placement, self.cache).map(Entry::of);
        }
        let threats = self.threats.checked_sub(1)?;
        Self { threats, ..*self }.by_successors(&position)
    }

    fn keep_distance(&self, shape: Shape) -> bool {
        shape.pieces() <= self.own.pieces() && shape.keeps_distance()
    }
}
