//! The search stack: the line from the start of the game to the current node.

use super::history::Continuation;
use super::score::{MAX_PLY, Score};
use crate::game::{Features, Heuristics, Position, drawn_if_repeated, occurrences_of};

/// The data of one ply of the current line.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    pub eval: Score,
    /// The packed killer moves of this ply, the latest first.
    pub killers: [u16; 2],
    /// The target square of the move played at this ply; `None` for a null move.
    pub target: Option<usize>,
}

/// The keys of the positions before the current node, and the data of each ply of the search.
pub(super) struct SearchStack<M> {
    /// The keys of all positions before the current node, those of the game first.
    pub keys: Vec<u64>,
    /// The keys of positions that draw if they are repeated, also after a null move, behind which
    /// [`Position::reversible_plies`] hides the earlier positions: proofs found there are stored.
    drawn_if_repeated: Vec<u64>,
    pub entries: Vec<StackEntry>,
    /// The principal variation from each ply on.
    pub pvs: Vec<Vec<M>>,
}

impl<M: Copy> SearchStack<M> {
    /// Creates the stack at the root, from the earlier positions of the game.
    pub fn new<P: Position>(root: &P, history: &[P]) -> Self {
        Self {
            keys: history.iter().map(Position::key).collect(),
            drawn_if_repeated: drawn_if_repeated(root, history).iter().map(P::key).collect(),
            entries: vec![StackEntry::default(); MAX_PLY + 2],
            pvs: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Whether the position is a draw by repetition. Within the search, one earlier occurrence with
    /// the same side to move is enough: the moves that were best then are best again.
    #[inline]
    pub fn is_repetition<P: Heuristics + Features>(&self, position: &P, ply: usize) -> bool {
        let Some(needed) = position.repetition_limit().checked_sub(1) else { return false };
        let occurrences = occurrences_of(position, self.keys.iter().rev().copied());
        has_repeated(occurrences, ply, needed) || self.drawn_if_repeated.contains(&position.key())
    }

    /// Returns the target squares of the last two moves before `ply`.
    #[inline]
    pub fn continuation(&self, ply: usize) -> Continuation {
        let target = |back: usize| self.entries[ply.checked_sub(back)?].target;
        [target(1), target(2)]
    }

    /// Stores the packed move of a beta cutoff as a killer.
    pub fn add_killer(&mut self, ply: usize, packed: u16) {
        let killers = &mut self.entries[ply].killers;
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
    }

    /// Sets the principal variation of `ply`: a move, then the variation of the next ply.
    pub fn extend_pv(&mut self, ply: usize, mv: M) {
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }
}

/// Whether a position at `ply` has occurred before, in the search or `needed` times in all, with
/// the plies since its occurrences.
#[inline]
fn has_repeated(occurrences: impl Iterator<Item = usize>, ply: usize, needed: usize) -> bool {
    let is_again = |plies: usize| plies <= ply && plies.is_multiple_of(2);
    (1..).zip(occurrences).any(|(count, plies)| is_again(plies) || count >= needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::occurrences;

    #[test]
    fn one_occurrence_in_the_search_or_two_in_the_game_repeat_a_position() {
        // The game, the plies of the search, the reversible plies and the step, which is 1 if either
        // side may be to move. The position with key 7 comes next.
        let rows: [([&[u64]; 2], usize, usize, bool); 12] = [
            ([&[1, 2], &[7, 3]], 99, 2, true),
            ([&[7, 3], &[4, 5]], 99, 2, false),
            ([&[7, 2, 7, 3], &[4, 5]], 99, 2, true),
            ([&[7, 2], &[7, 3]], 99, 2, true),
            ([&[7, 2, 7, 3], &[4, 5]], 5, 2, false),
            ([&[1, 2], &[7, 3]], 1, 2, false),
            ([&[1, 7], &[2, 3]], 99, 2, false),
            ([&[], &[]], 0, 2, false),
            ([&[1, 2], &[3, 7]], 99, 1, false),
            ([&[1, 2], &[7, 3]], 99, 1, true),
            ([&[1, 2], &[7, 3, 7]], 99, 1, true),
            ([&[7, 2], &[3, 7]], 99, 1, true),
        ];
        for (i, ([game, search], reversible_plies, step, expected)) in rows.into_iter().enumerate()
        {
            let earlier = game.iter().chain(search).rev().copied();
            let occurrences = occurrences(7, reversible_plies, step, earlier);
            assert_eq!(has_repeated(occurrences, search.len(), 2), expected, "row {i}");
        }
    }
}
