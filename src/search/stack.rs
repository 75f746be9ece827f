//! The way from the start of the game to the position that the search looks at.

use super::move_picker::Continuation;
use super::score::{MAX_PLY, Score};
use crate::game::Position;

/// What is kept for each ply of the line that is looked at.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    pub eval: Score,
    /// Tags of moves that refuted positions on this ply, the latest first.
    pub killers: [u16; 2],
    /// The square to which the move that led on from here went; `None` for a null move.
    pub target: Option<usize>,
}

/// The positions before the one looked at, and what came of each ply of the search.
pub(super) struct SearchStack<M> {
    /// The keys of all positions before the one looked at, those of the game first.
    pub keys: Vec<u64>,
    pub entries: Vec<StackEntry>,
    /// The best line from each ply on.
    pub pvs: Vec<Vec<M>>,
}

impl<M: Copy> SearchStack<M> {
    /// The path to the root of a search, by the keys of the positions of the game before it.
    pub fn new(history: &[u64]) -> Self {
        Self {
            keys: history.to_vec(),
            entries: vec![StackEntry::default(); MAX_PLY + 2],
            pvs: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Whether the position has come before, so that the game is or may be drawn. Within the
    /// search once is enough: what was good then is good again.
    pub fn is_repetition<P: Position>(&self, position: &P, ply: usize) -> bool {
        let Some(needed) = position.repetitions().checked_sub(1) else { return false };
        let key = position.key();
        let past = self.keys.iter().rev().take(position.reversible_plies());
        let mut earlier = 0;
        for (i, _) in past.enumerate().skip(1).step_by(2).filter(|&(_, &old)| old == key) {
            earlier += 1;
            if i < ply || earlier >= needed {
                return true;
            }
        }
        false
    }

    /// Where the last two moves before `ply` went.
    pub fn continuation(&self, ply: usize) -> Continuation {
        let target = |back: usize| self.entries[ply.checked_sub(back)?].target;
        [target(1), target(2)]
    }

    /// Remembers the tag of a move that refuted a position.
    pub fn add_killer(&mut self, ply: usize, tag: u16) {
        let killers = &mut self.entries[ply].killers;
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }

    /// Puts a move before the best line of the next ply.
    pub fn extend_pv(&mut self, ply: usize, mv: M) {
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }
}
