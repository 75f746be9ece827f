//! The accumulators along the line of a search.

use super::accumulator::Accumulators;
use super::network::Network;
use super::simd::SimdLevel;
use crate::game::Features;

/// A stack with the accumulators of the last evaluated position at each ply.
///
/// It needs no information about moves: an accumulator is computed from that of a nearby position
/// and the features in which the two differ. The nearest position is usually the parent, one move
/// away. After a move that changes the symmetry or the input bucket of one side's view, the last
/// distant position with the same ones may be nearer.
pub struct AccumulatorStack<'a> {
    network: &'a Network,
    simd: SimdLevel,
    accumulators: Accumulators,
}

impl<'a> AccumulatorStack<'a> {
    /// A stack for positions of a game at up to `plies` plies.
    pub fn new<P: Features>(network: &'a Network, plies: usize) -> Self {
        let accumulators = Accumulators::new::<P>(network, plies);
        Self { network, simd: SimdLevel::fastest(), accumulators }
    }

    /// A stack that uses portable code only, without CPU-specific instructions.
    pub fn portable<P: Features>(network: &'a Network, plies: usize) -> Self {
        Self { simd: SimdLevel::PORTABLE, ..Self::new::<P>(network, plies) }
    }

    /// The evaluation of a position for its side to move, `ply` plies after the root.
    ///
    /// # Panics
    ///
    /// If the network is for another game: see [`Network::suits`]. It may panic, or evaluate wrongly
    /// from then on, if `ply` is not below the number of plies of the stack.
    #[inline]
    pub fn evaluate<P: Features>(&mut self, position: &P, ply: usize) -> i32 {
        self.simd.evaluate(self.network, &mut self.accumulators, ply, position)
    }
}

impl Network {
    /// The evaluation of a position for its side to move, in units of the evaluation.
    ///
    /// # Panics
    ///
    /// If the network is for another game: see [`Network::suits`].
    pub fn evaluate<P: Features>(&self, position: &P) -> i32 {
        AccumulatorStack::new::<P>(self, 1).evaluate(position, 0)
    }
}
