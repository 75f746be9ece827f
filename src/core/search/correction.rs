//! Correction history: how far the evaluation was from the results of searches.

use super::params;
use super::score::Score;
use crate::game::{FeatureBits, Side};

const ENTRIES: usize = 1 << ENTRY_BITS;
const ENTRY_BITS: u32 = 14;

/// The largest absolute entry, which stands for the largest correction.
const BOUND: i32 = 8192;

/// The average difference between search results and evaluation, for positions in which one side has
/// the same pieces. Similar positions have similar errors.
/// See <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.
pub struct CorrectionHistory {
    /// For each side to move, a table by its own pieces and one by those of the opponent.
    tables: Box<[[i16; ENTRIES]]>,
}

impl CorrectionHistory {
    /// A history without errors.
    pub fn new() -> Self {
        Self { tables: vec![[0; ENTRIES]; 4].into_boxed_slice() }
    }

    /// Returns the evaluation of a position plus the average error of similar ones. `pieces` are the
    /// features from the view of `side`, which is to move.
    #[inline]
    pub fn correct(&self, side: Side, pieces: FeatureBits, eval: Score) -> Score {
        let [own, others] = entries(side, pieces).map(|[table, entry]| self.tables[table][entry]);
        let sum = i32::from(own) + i32::from(others);
        Score::eval(i32::from(eval.raw()) + sum * params::correction_largest() / BOUND)
    }

    /// Adds the error of an evaluation, which a search of `depth` plies has shown.
    pub fn update(&mut self, side: Side, pieces: FeatureBits, error: i32, depth: i32) {
        let limit = params::correction_max_change();
        let change = (params::correction_change() * error * depth).clamp(-limit, limit);
        for [table, entry] in entries(side, pieces) {
            let value = &mut self.tables[table][entry];
            let old = i32::from(*value);
            *value = (old + change - old * change.abs() / BOUND) as i16;
        }
    }
}

/// The two entries of a position, each with the number of its table.
#[inline]
fn entries(side: Side, pieces: FeatureBits) -> [[usize; 2]; 2] {
    // Fibonacci hashing: the high bits of a product with the golden ratio.
    let hash = |pieces: u64| pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - ENTRY_BITS);
    let [own, others] = pieces.map(|pieces| hash(pieces) as usize);
    let first = 2 * side as usize;
    [[first, own], [first + 1, others]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: FeatureBits = [0xff, 0xff00];

    /// The correction of an evaluation of 100.
    fn correction(history: &CorrectionHistory, side: Side, pieces: FeatureBits) -> i32 {
        let eval = history.correct(side, pieces, Score::eval(100));
        i32::from(eval.raw()) - 100
    }

    #[test]
    fn errors_correct_positions_with_the_same_pieces_of_either_side() {
        let mut history = CorrectionHistory::new();
        for _ in 0..50 {
            history.update(Side::Black, PIECES, -30, 6);
        }
        let [own, others] = PIECES;
        let both = correction(&history, Side::Black, PIECES);
        assert!(both < -20, "{both}");
        for (side, pieces, expected) in [
            (Side::Black, [own, 1], both / 2),
            (Side::Black, [1, others], both / 2),
            (Side::Black, [others, own], 0),
            (Side::White, PIECES, 0),
        ] {
            assert_eq!(correction(&history, side, pieces), expected, "{side:?} {pieces:?}");
        }
    }

    #[test]
    fn corrections_grow_with_error_and_depth_up_to_a_limit() {
        let after = |error, depth, updates| {
            let mut history = CorrectionHistory::new();
            (0..updates).for_each(|_| history.update(Side::White, PIECES, error, depth));
            correction(&history, Side::White, PIECES)
        };
        assert!(0 < after(30, 4, 3) && after(30, 4, 3) < after(60, 4, 3));
        assert!(after(30, 4, 3) < after(30, 12, 3));
        assert!(after(30_000, 99, 1_000) <= 2 * params::correction_largest());
        assert!(after(-30_000, 99, 1_000) >= -2 * params::correction_largest());
    }
}
