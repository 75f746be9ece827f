//! Repetition: which earlier position occurs again.

use std::iter;

use super::Position;

/// Returns how many plies ago a position occurred before, for each occurrence, the latest first.
/// `earlier` are the keys of the positions before it, the latest first.
///
/// `key`, `reversible_plies` and `step`, which is the [`Position::repetition_step`], are those of
/// the position.
#[inline]
pub fn occurrences(
    key: u64,
    reversible_plies: usize,
    step: usize,
    mut earlier: impl Iterator<Item = u64>,
) -> impl Iterator<Item = usize> {
    // Not `step_by`, which divides.
    let mut plies = 0;
    let candidates = iter::from_fn(move || {
        plies += step;
        let is_reversible = plies <= reversible_plies;
        is_reversible.then(|| earlier.nth(step - 1)).flatten().map(|earlier| (plies, earlier))
    });
    candidates.filter(move |&(_, earlier)| earlier == key).map(|(plies, _)| plies)
}

/// As [`occurrences`], with the values of a position.
#[inline]
pub fn occurrences_of<P: Position>(
    position: &P,
    earlier: impl Iterator<Item = u64>,
) -> impl Iterator<Item = usize> {
    occurrences(position.key(), position.reversible_plies(), position.repetition_step(), earlier)
}

/// Whether a position, the last of a game, is a draw by repetition by the rules. `earlier` are the
/// keys of the positions before it, the latest first.
pub fn is_repetition<P: Position>(position: &P, earlier: impl Iterator<Item = u64>) -> bool {
    position
        .repetition_limit()
        .checked_sub(1)
        .is_some_and(|needed| occurrences_of(position, earlier).count() >= needed)
}

/// Returns the positions whose next occurrence is a draw by repetition. `earlier` are the
/// positions before `root`, the first one first.
pub fn drawn_if_repeated<P: Position>(root: &P, earlier: &[P]) -> Vec<P> {
    let Some(needed) = root.repetition_limit().checked_sub(1) else { return Vec::new() };
    let recent = earlier.iter().rev().take(root.reversible_plies());
    let mut positions: Vec<P> = recent.chain([root]).copied().collect();
    positions.sort_unstable_by_key(Position::key);
    let same = positions.chunk_by(|a, b| a.key() == b.key()).filter(|same| same.len() >= needed);
    same.filter_map(|same| same.first().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_since_the_last_irreversible_move() {
        /// The keys of the earlier positions, the latest first.
        const EARLIER: [u64; 9] = [9, 1, 1, 1, 9, 2, 9, 1, 9];
        // Key, reversible plies, step, plies since the occurrences.
        let rows: [(u64, usize, usize, &[usize]); 11] = [
            (1, 9, 2, &[2, 4, 8]),
            (1, 8, 2, &[2, 4, 8]),
            (1, 7, 2, &[2, 4]),
            (1, 3, 2, &[2]),
            (1, 1, 2, &[]),
            (9, 9, 2, &[]),
            (2, 9, 2, &[6]),
            (1, 9, 1, &[2, 3, 4, 8]),
            (1, 3, 1, &[2, 3]),
            (9, 9, 1, &[1, 5, 7, 9]),
            (9, 0, 1, &[]),
        ];
        for (key, reversible_plies, step, expected) in rows {
            let found = occurrences(key, reversible_plies, step, EARLIER.into_iter());
            let found: Vec<_> = found.collect();
            assert_eq!(found, expected, "{key} within {reversible_plies} plies, step {step}");
        }
    }
}
