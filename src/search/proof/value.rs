//! What is left to show of a position, in numbers.

use zerocopy::FromZeros;

/// The number of what cannot be shown any more.
pub(super) const INFINITE: u32 = u32::MAX;

/// What is left to show of a position, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromZeros)]
#[repr(C)]
pub(super) struct Value {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// Of a win of the prover: the plies until it is on the board, at most. Of a disproof: the
    /// place on the way, from 1, of the first position on which it rests; see [`FREE`].
    pub(super) note: u32,
}

/// The note of a disproof that rests on nothing.
pub(super) const FREE: u32 = u32::MAX;

/// The note of a disproof that rests on the bound of the way, and so is none.
pub(super) const NO_END: u32 = 0;

impl Value {
    /// The prover wins.
    pub(super) fn proved(provers_turn: bool, plies: u32) -> Self {
        let (phi, delta) = if provers_turn { (0, INFINITE) } else { (INFINITE, 0) };
        Self { phi, delta, note: plies }
    }

    /// The prover does not win.
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

/// How much it takes to show that the side to move fails: it has so many moves, and more depends
/// on them the better it stands.
pub(super) fn resistance(moves: usize, evaluation: i32, spread: f64) -> u32 {
    /// Half the slope of the odds: evaluations say little of a fight that is nearly decided.
    const PART: f64 = 0.5;
    /// The most that an evaluation counts for.
    const MOST: f64 = 20.0;
    let odds = (PART * f64::from(evaluation) / spread).exp();
    (moves as f64 * odds.clamp(1.0 / MOST, MOST)).max(1.0) as u32
}
