//! A game being played.

use super::{EndReason, Outcome, Position, is_repetition, outcome};

/// A position and the moves that led to it.
///
/// It decides draws by repetition, which a [`Position`] alone cannot.
#[derive(Clone, Debug)]
pub struct GameHistory<P: Position> {
    position: P,
    /// All earlier positions. There are more than `moves` in a [`GameHistory::fork`].
    earlier: Vec<P>,
    moves: Vec<P::Move>,
}

impl<P: Position> GameHistory<P> {
    /// A game without moves.
    pub fn new(start: P) -> Self {
        Self { position: start, earlier: Vec::new(), moves: Vec::new() }
    }

    /// The position before the first move.
    pub fn start(&self) -> &P {
        self.turns().next().map_or(&self.position, |(position, _)| position)
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The number of moves since the start.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The moves since the start, each with the position before it.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = (&P, P::Move)> {
        let before_start = self.earlier.len() - self.moves.len();
        self.earlier.iter().skip(before_start).zip(self.moves.iter().copied())
    }

    /// All earlier positions, the first one first. In a [`GameHistory::fork`] they include those
    /// before its start.
    pub fn earlier(&self) -> &[P] {
        &self.earlier
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: P::Move) {
        self.earlier.push(self.position);
        self.moves.push(mv);
        self.position = self.position.play(mv);
    }

    /// Takes back the last `plies` moves. Returns whether there were so many; if not, nothing
    /// changes.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(kept) = self.moves.len().checked_sub(plies) else { return false };
        self.moves.truncate(kept);
        let earlier = self.earlier.len() - plies;
        if let Some(&position) = self.earlier.get(earlier) {
            self.position = position;
        }
        self.earlier.truncate(earlier);
        true
    }

    /// The result of the game if it is over, by the board or by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        let earlier = self.earlier.iter().rev().map(Position::key);
        let repeated = || is_repetition(&self.position, earlier);
        outcome(&self.position).or_else(|| {
            repeated()
                .then(|| Outcome::drawn(&EndReason { code: "repetition", text: "repetition" }))
        })
    }

    /// The same game without its moves: it starts at the current position, and repetitions of
    /// earlier positions still count.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { moves: Vec::new(), ..self.clone() }
    }
}
