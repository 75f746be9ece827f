//! Scores and windows.

use std::ops::{Add, Neg, Sub};

use crate::game::TablebaseValue;

/// The deepest ply that a search looks at.
pub const MAX_PLY: usize = 128;

/// What a position is worth to the side to move, in units of the evaluation, or a proved result.
///
/// A proved win is worth [`Score::WIN`] less the plies until it is on the board, a loss the
/// same with the other sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(i16);

impl Score {
    /// A win that is on the board.
    pub const WIN: Self = Self(31_000);
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// More than any score.
    pub const INFINITE: Self = Self(32_000);
    /// A position that is known to be won, though not in how many plies.
    pub const KNOWN_WIN: Self = Self(20_000);
    /// The least of the wins in a known number of plies, less one.
    const LONGEST_WIN: i16 = Self::WIN.0 - MAX_PLY as i16 - 1;
    /// The best that an evaluation may say: less than every win that is known.
    const MAX_EVAL: i16 = Self::KNOWN_WIN.0 - MAX_PLY as i16 - 1;

    /// A win that is on the board after `plies` more plies.
    pub const fn win_in(plies: usize) -> Self {
        Self(Self::WIN.0 - plies as i16)
    }

    /// A loss that is on the board after `plies` more plies.
    pub const fn loss_in(plies: usize) -> Self {
        Self(plies as i16 - Self::WIN.0)
    }

    /// What a certain value is worth `plies` after the root.
    pub fn from_tablebase(value: TablebaseValue, plies: usize) -> Self {
        let in_sight = |more: u16| plies + usize::from(more) <= MAX_PLY;
        match value {
            TablebaseValue::Drawn => Self::DRAW,
            TablebaseValue::Won(Some(more)) if in_sight(more) => {
                Self::win_in(plies + usize::from(more))
            }
            TablebaseValue::Won(_) => Self(Self::KNOWN_WIN.0 - plies as i16),
            TablebaseValue::Lost(Some(more)) if in_sight(more) => {
                Self::loss_in(plies + usize::from(more))
            }
            TablebaseValue::Lost(_) => Self(plies as i16 - Self::KNOWN_WIN.0),
        }
    }

    /// Whether this is no guess: a proved result, or one that is known without its length.
    pub const fn is_certain(self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Whether this is a win that is no guess.
    pub const fn is_won(self) -> bool {
        self.0 > Self::MAX_EVAL
    }

    /// Whether this is a loss that is no guess.
    pub const fn is_lost(self) -> bool {
        self.0 < -Self::MAX_EVAL
    }

    /// A guess, kept clear of the results that are known.
    pub fn eval(evaluation: i32) -> Self {
        let bound = i32::from(Self::MAX_EVAL);
        Self(evaluation.clamp(-bound, bound) as i16)
    }

    /// The number itself.
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// The score with this number.
    pub const fn from_raw(raw: i16) -> Self {
        Self(raw)
    }

    /// Whether this is a proved win.
    pub const fn is_win(self) -> bool {
        self.0 > Self::LONGEST_WIN
    }

    /// Whether this is a proved loss.
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::LONGEST_WIN
    }

    /// Whether this is a proved win or loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The plies until a proved result is on the board.
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_decided() { Some((Self::WIN.0 - self.0.abs()) as usize) } else { None }
    }

    /// The moves of the winner until the win is on the board, negative for the loser.
    ///
    /// The winner may be spared the last one: a move can lose by connecting the enemy.
    pub fn mate_in(self) -> Option<i32> {
        let plies = self.plies_to_end()? as i32;
        Some(if self.is_win() { ((plies + 1) / 2).max(1) } else { -(plies / 2).max(plies.min(1)) })
    }

    /// A score seen `plies` after the root, as seen from the position itself: as a table keeps it.
    pub fn from_root(self, plies: usize) -> Self {
        self.shift(-(plies as i16))
    }

    /// The reverse of [`Score::from_root`].
    pub fn to_root(self, plies: usize) -> Self {
        self.shift(plies as i16)
    }

    /// The score as seen `plies` earlier. It keeps its kind: a win that would be farther away
    /// than a search looks is only known to be one, and no win is nearer than one on the board.
    fn shift(self, plies: i16) -> Self {
        const FARTHEST: i16 = MAX_PLY as i16;
        if !self.is_certain() {
            return self;
        }
        let sign = self.0.signum();
        let (band, distance) = if self.is_decided() {
            (Self::WIN, Self::WIN.0 - self.0.abs() + plies)
        } else {
            (Self::KNOWN_WIN, Self::KNOWN_WIN.0 - self.0.abs() + plies)
        };
        let band = if distance > FARTHEST { Self::KNOWN_WIN } else { band };
        Self(sign * (band.0 - distance.clamp(0, FARTHEST)))
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    fn add(self, evaluation: i32) -> Self {
        let bound = i32::from(Self::INFINITE.0);
        Self((i32::from(self.0) + evaluation).clamp(-bound, bound) as i16)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    fn sub(self, evaluation: i32) -> Self {
        self + -evaluation
    }
}

/// The scores that matter: a score up to `alpha` or from `beta` on is as good as any such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Score,
    /// What the opponent will not allow.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window that asks only whether a score is above `alpha`.
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window that asks only whether a score reaches `beta`.
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// What a score found with this window is.
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether an exact score may come of it.
    pub fn is_open(self) -> bool {
        i32::from(self.beta.0) - i32::from(self.alpha.0) > 1
    }
}

impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is this or more.
    Lower,
    /// The true score is this or less.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_the_moves_of_the_winner() {
        let table = [
            (Score::loss_in(0), 0),
            (Score::win_in(0), 1),
            (Score::win_in(1), 1),
            (Score::win_in(2), 1),
            (Score::win_in(3), 2),
            (Score::win_in(5), 3),
            (Score::loss_in(1), -1),
            (Score::loss_in(2), -1),
            (Score::loss_in(4), -2),
        ];
        for (score, moves) in table {
            assert_eq!(score.mate_in(), Some(moves), "{score:?}");
        }
        assert_eq!(Score::DRAW.mate_in(), None);
    }

    #[test]
    fn a_guess_is_never_a_proof() {
        for evaluation in [i32::MIN / 2, -31_000, 0, 31_000, i32::MAX / 2] {
            assert!(!Score::eval(evaluation).is_certain());
        }
    }

    #[test]
    fn known_results_stand_between_proofs_and_guesses() {
        let table = [
            (TablebaseValue::Won(Some(5)), Score::win_in(8)),
            (TablebaseValue::Lost(Some(4)), Score::loss_in(7)),
            (TablebaseValue::Drawn, Score::DRAW),
            (TablebaseValue::Won(None), Score::KNOWN_WIN - 3),
            (TablebaseValue::Won(Some(500)), Score::KNOWN_WIN - 3),
            (TablebaseValue::Lost(None), -(Score::KNOWN_WIN - 3)),
        ];
        for (known, score) in table {
            assert_eq!(Score::from_tablebase(known, 3), score, "{known:?}");
        }
        assert!(Score::win_in(MAX_PLY) > Score::KNOWN_WIN && !Score::KNOWN_WIN.is_decided());
        assert!(
            Score::from_tablebase(TablebaseValue::Won(None), MAX_PLY) > Score::eval(i32::MAX / 2)
        );
    }

    #[test]
    fn distances_survive_the_table() {
        let known = Score::from_tablebase(TablebaseValue::Won(None), 9);
        for score in [Score::win_in(9), Score::loss_in(9), known, -known, Score::eval(77)] {
            assert_eq!(score.from_root(4).to_root(4), score);
        }
        assert_eq!(Score::win_in(9).from_root(4), Score::win_in(5));
    }

    #[test]
    fn stored_distances_stay_in_their_band() {
        let known = |plies| Score::from_tablebase(TablebaseValue::Won(None), plies);
        // A score from the table, and how far from the root it is read or where it was written.
        let table = [
            (Score::win_in(100).to_root(100), known(MAX_PLY)),
            (Score::loss_in(100).to_root(100), -known(MAX_PLY)),
            (Score::win_in(100).to_root(28), Score::win_in(128)),
            (known(100).to_root(100), known(MAX_PLY)),
            (-known(100).to_root(100), -known(MAX_PLY)),
            (Score::win_in(3).from_root(9), Score::win_in(0)),
            (known(3).from_root(9), known(0)),
            (Score::eval(40).to_root(100), Score::eval(40)),
        ];
        for (i, (score, expected)) in table.into_iter().enumerate() {
            assert_eq!(score, expected, "row {i}");
        }
    }
}
