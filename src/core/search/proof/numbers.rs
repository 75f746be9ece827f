//! Proof and disproof numbers.

use zerocopy::FromZeros;

/// The number of a goal that cannot be reached.
pub(super) const INFINITE: u32 = u32::MAX;

/// The proof and disproof numbers of a position, relative to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromZeros)]
#[repr(C)]
pub(super) struct ProofNumbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// For a proof, an upper bound on the plies to the win. For a disproof, the index in the path,
    /// from 1, of the first position on which it depends; see [`PATH_INDEPENDENT`].
    pub(super) plies_or_index: u32,
}

/// The index of a disproof that does not depend on the path.
pub(super) const PATH_INDEPENDENT: u32 = u32::MAX;

/// The index of a position beyond the maximum path length, which is no real disproof.
pub(super) const TOO_DEEP: u32 = 0;

impl ProofNumbers {
    pub(super) fn proved(provers_turn: bool, plies: u32) -> Self {
        let (phi, delta) = if provers_turn { (0, INFINITE) } else { (INFINITE, 0) };
        Self { phi, delta, plies_or_index: plies }
    }

    pub(super) fn disproved(provers_turn: bool, depends_on: u32) -> Self {
        Self { plies_or_index: depends_on, ..Self::proved(!provers_turn, 0) }
    }

    pub(super) fn is_proved(self, provers_turn: bool) -> bool {
        (if provers_turn { self.phi } else { self.delta }) == 0
    }

    pub(super) fn is_disproved(self, provers_turn: bool) -> bool {
        self.is_proved(!provers_turn)
    }

    pub(super) fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// The initial disproof number, for a position with this many moves: it grows with the number of
/// moves and with the evaluation of the side to move.
pub(super) fn initial_disproof_number(moves: usize, evaluation: i32, spread: f64) -> u32 {
    /// The factor on the slope of the odds, below 1 because evaluations are unreliable in nearly
    /// decided positions.
    const SLOPE_FACTOR: f64 = 0.5;
    /// The maximum factor by which the evaluation scales the number of moves.
    const MAX_FACTOR: f64 = 20.0;
    let odds = (SLOPE_FACTOR * f64::from(evaluation) / spread).exp();
    (moves as f64 * odds.clamp(1.0 / MAX_FACTOR, MAX_FACTOR)).max(1.0) as u32
}
