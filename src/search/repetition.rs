//! Repetition at the root of a search.

use crate::game::Position;

/// Returns the keys of the exhausted positions: their next occurrence is a draw by repetition.
/// `history` are the keys of the positions before `root`, the first one first.
pub(super) fn exhausted_positions<P: Position>(root: &P, history: &[u64]) -> Vec<u64> {
    let Some(needed) = root.repetitions().checked_sub(1) else { return Vec::new() };
    let recent = history.iter().rev().take(root.reversible_plies());
    let mut keys: Vec<u64> = recent.copied().chain([root.key()]).collect();
    keys.sort_unstable();
    let same = keys.chunk_by(|a, b| a == b).filter(|same| same.len() >= needed);
    same.filter_map(|same| same.first().copied()).collect()
}
