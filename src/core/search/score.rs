//! Scores and windows.

use std::ops::{Add, Neg, Sub};

use crate::nnue::BOUND;

/// The maximum ply of the search.
pub const MAX_PLY: usize = 128;

/// The score of a position for the side to move: an evaluation, or a decided result. Evaluations are in
/// units of the evaluation; [`EvalScale`](crate::game::EvalScale) converts them to centipawns.
///
/// A proved win scores [`Score::WIN`] less the plies to the end of the game. A loss is the same
/// with the opposite sign. As in UCI, a mate is a win or loss of known length. One of unknown length,
/// from a tablebase without distances, is only expected: a draw count may end the game before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(i16);

// The evaluations of a network need no clamping.
const _: () = assert!(BOUND <= Score::MAX_EVAL as i32);

impl Score {
    /// A win with the game over.
    pub const WIN: Self = Self(31_000);
    /// A draw, by the rules or by a tablebase.
    pub const DRAW: Self = Self(0);
    /// Larger than any score.
    pub const INFINITE: Self = Self(32_000);
    /// A win of unknown length, by a tablebase.
    pub const TABLEBASE_WIN: Self = Self(20_000);
    /// The lowest win of known length: by a move at the last ply.
    const LONGEST_WIN: Self = Self::win_in(MAX_PLY + 1);
    /// The largest evaluation: less than every win.
    const MAX_EVAL: i16 = Self::TABLEBASE_WIN.0 - MAX_PLY as i16 - 1;

    /// A win that ends the game after `plies` plies.
    pub const fn win_in(plies: usize) -> Self {
        Self(Self::WIN.0 - plies as i16)
    }

    /// A loss that ends the game after `plies` plies.
    pub const fn loss_in(plies: usize) -> Self {
        Self(plies as i16 - Self::WIN.0)
    }

    /// Returns the score of a tablebase win found at `ply`, `length` plies before the end of the
    /// game. Without a length in reach of the search it is a win of unknown length.
    pub fn tablebase_win(length: Option<u16>, ply: usize) -> Self {
        match length.map(|length| ply + usize::from(length)) {
            Some(plies) if plies <= MAX_PLY => Self::win_in(plies),
            _ => Self(Self::TABLEBASE_WIN.0 - ply as i16),
        }
    }

    /// Whether this is a win or loss, of known or unknown length, and not an evaluation.
    pub const fn is_decided(self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Whether this is a win, of known or unknown length.
    pub const fn is_won(self) -> bool {
        self.0 > Self::MAX_EVAL
    }

    /// Whether this is a loss, of known or unknown length.
    pub const fn is_lost(self) -> bool {
        self.0 < -Self::MAX_EVAL
    }

    /// Returns an evaluation as a score, clamped below the decided results.
    pub fn eval(evaluation: i32) -> Self {
        let bound = i32::from(Self::MAX_EVAL);
        Self(evaluation.clamp(-bound, bound) as i16)
    }

    /// The score as a number.
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// The score with this number.
    pub const fn from_raw(raw: i16) -> Self {
        Self(raw)
    }

    /// Whether this is a win of known length, `mate N`.
    pub const fn is_mate_win(self) -> bool {
        self.0 >= Self::LONGEST_WIN.0
    }

    /// Whether this is a loss of known length, `mate -N`.
    pub const fn is_mate_loss(self) -> bool {
        self.0 <= -Self::LONGEST_WIN.0
    }

    /// Whether this is a win or loss of known length.
    pub const fn is_mate(self) -> bool {
        self.is_mate_win() || self.is_mate_loss()
    }

    /// Returns the plies to the end of the game, for a win or loss of known length.
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_mate() { Some((Self::WIN.0 - self.0.abs()) as usize) } else { None }
    }

    /// Returns the winner's moves to the end of the game, negative if the side to move loses.
    ///
    /// The last ply may be the loser's: a move that connects the opponent's pieces loses.
    pub fn mate_in(self) -> Option<i32> {
        let plies = self.plies_to_end()? as i32;
        Some(if self.is_mate_win() {
            ((plies + 1) / 2).max(1)
        } else {
            -(plies / 2).max(plies.min(1))
        })
    }

    /// Converts a score relative to the root into one relative to a position `plies` after it, as
    /// stored in the transposition table.
    pub fn from_root(self, plies: usize) -> Self {
        self.shift(-(plies as i16))
    }

    /// The reverse of [`Score::from_root`].
    pub fn to_root(self, plies: usize) -> Self {
        self.shift(plies as i16)
    }

    /// Returns the score as seen `plies` earlier. Its kind stays: a win longer than [`MAX_PLY`]
    /// becomes a win of unknown length, and no distance falls below 0.
    #[inline]
    fn shift(self, plies: i16) -> Self {
        const FARTHEST: i16 = MAX_PLY as i16;
        if !self.is_decided() {
            return self;
        }
        let sign = self.0.signum();
        let (band, distance) = if self.is_mate() {
            (Self::WIN, Self::WIN.0 - self.0.abs() + plies)
        } else {
            (Self::TABLEBASE_WIN, Self::TABLEBASE_WIN.0 - self.0.abs() + plies)
        };
        let band = if distance > FARTHEST { Self::TABLEBASE_WIN } else { band };
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

/// A search window. Scores up to `alpha` are equivalent, as are scores from `beta` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The score that the side to move has secured.
    pub alpha: Score,
    /// The score from which the opponent avoids this position.
    pub beta: Score,
}

impl Window {
    /// The window that no score leaves.
    pub const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The null window that tests whether a score is above `alpha`.
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The null window that tests whether a score reaches `beta`.
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Returns the part of the window that scores at `ply` can reach: none is better than a win with
    /// the next move, or worse than a loss on the board. It can be empty.
    /// See <https://www.chessprogramming.org/Mate_Distance_Pruning>.
    pub fn within_mate_distance(self, ply: usize) -> Self {
        Self {
            alpha: self.alpha.max(Score::loss_in(ply)),
            beta: self.beta.min(Score::win_in(ply + 1)),
        }
    }

    /// Returns the kind of bound that a score found with this window is.
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether the window is wider than a null window, so that a search can return an exact score.
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

/// How a score relates to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_in_counts_the_moves_of_the_winner() {
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
    fn evaluations_are_below_every_win() {
        for evaluation in [i32::MIN / 2, -31_000, 0, 31_000, i32::MAX / 2] {
            assert!(!Score::eval(evaluation).is_decided());
        }
        assert!(Score::tablebase_win(None, MAX_PLY) > Score::eval(i32::MAX / 2));
    }

    #[test]
    fn tablebase_wins_have_a_length_or_are_below_wins_of_known_length() {
        let table = [
            (Some(5), Score::win_in(8)),
            (Some(MAX_PLY as u16 - 3), Score::win_in(MAX_PLY)),
            (Some(MAX_PLY as u16 - 2), Score::TABLEBASE_WIN - 3),
            (Some(500), Score::TABLEBASE_WIN - 3),
            (None, Score::TABLEBASE_WIN - 3),
        ];
        for (length, score) in table {
            assert_eq!(Score::tablebase_win(length, 3), score, "{length:?}");
        }
        assert!(Score::win_in(MAX_PLY) > Score::TABLEBASE_WIN && !Score::TABLEBASE_WIN.is_mate());
        assert!(
            Score::win_in(MAX_PLY + 1).is_mate_win() && Score::loss_in(MAX_PLY + 1).is_mate_loss()
        );
    }

    #[test]
    fn to_root_reverses_from_root() {
        let known = Score::tablebase_win(None, 9);
        for score in [Score::win_in(9), Score::loss_in(9), known, -known, Score::eval(77)] {
            assert_eq!(score.from_root(4).to_root(4), score);
        }
        assert_eq!(Score::win_in(9).from_root(4), Score::win_in(5));
    }

    #[test]
    fn stored_distances_are_limited_to_their_band() {
        let known = |plies| Score::tablebase_win(None, plies);
        // A score from the table, with the ply at which it is read or stored.
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
