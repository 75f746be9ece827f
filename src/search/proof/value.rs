//! Proof and disproof numbers.

use zerocopy::FromZeros;

/// The number of a goal that cannot be reached.
pub(super) const INFINITE: u32 = u32::MAX;

/// The proof and disproof numbers of a position, relative to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromZeros)]
#[repr(C)]
pub(super) struct Value {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// For a proof, an upper bound on the plies to the win. For a disproof, the index in the path,
    /// from 1, of the first position on which it depends; see [`FREE`].
    pub(super) note: u32,
}

/// The note of a disproof that does not depend on the path.
pub(super) const FREE: u32 = u32::MAX;

/// The note of a position beyond the maximum path length, which is no real disproof.
pub(super) const NO_END: u32 = 0;

impl Value {
    /// A win of the prover.
    pub(super) fn proved(provers_turn: bool, plies: u32) -> Self {
        let (phi, delta) = if provers_turn { (0, INFINITE) } else { (INFINITE, 0) };
        Self { phi, delta, note: plies }
    }

    /// No win of the prover.
    pub(super) fn disproved(provers_turn: bool, rests_on: u32) -> Self {
        Self { note: rests_on, ..Self::proved(!provers_turn, 0) }
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
pub(super) fn resistance(moves: usize, evaluation: i32, spread: f64) -> u32 {
    /// The factor on the slope of the odds, below 1 because evaluations are unreliable in nearly
    /// decided positions.
    const PART: f64 = 0.5;
    /// The maximum factor by which the evaluation scales the number of moves.
    const MOST: f64 = 20.0;
    let odds = (PART * f64::from(evaluation) / spread).exp();
    (moves as f64 * odds.clamp(1.0 / MOST, MOST)).max(1.0) as u32
}
