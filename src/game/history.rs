//! A game being played.

use super::{Outcome, Position, is_repetition, outcome};

/// A position and the moves that led to it.
///
/// It decides draws by repetition, which a [`Position`] alone cannot.
#[derive(Clone, Debug)]
pub struct GameHistory<P: Position> {
    position: P,
    /// The moves since the start, each with the position before it.
    turns: Vec<(P, P::Move)>,
    /// The keys of all earlier positions. It is longer than `turns` in a [`GameHistory::fork`].
    keys: Vec<u64>,
}

impl<P: Position> GameHistory<P> {
    /// A game without moves.
    pub fn new(start: P) -> Self {
        Self { position: start, turns: Vec::new(), keys: Vec::new() }
    }

    /// The position before the first move.
    pub fn start(&self) -> &P {
        self.turns.first().map_or(&self.position, |(position, _)| position)
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The number of moves since the start.
    pub fn plies(&self) -> usize {
        self.turns.len()
    }

    /// The moves since the start, each with the position before it.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = (&P, P::Move)> {
        self.turns.iter().map(|(position, mv)| (position, *mv))
    }

    /// The keys of all earlier positions, the first one first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: P::Move) {
        self.turns.push((self.position, mv));
        self.keys.push(self.position.key());
        self.position = self.position.play(mv);
    }

    /// Takes back the last `plies` moves. Returns whether there were so many; if not, nothing
    /// changes.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(kept) = self.turns.len().checked_sub(plies) else { return false };
        if let Some(&(position, _)) = self.turns.get(kept) {
            self.position = position;
        }
        self.turns.truncate(kept);
        self.keys.truncate(self.keys.len() - plies);
        true
    }

    /// The result of the game if it is over, by the board or by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        let earlier = self.keys.iter().rev().copied();
        let repeated = || is_repetition(&self.position, earlier);
        outcome(&self.position).or_else(|| repeated().then(|| Outcome::drawn("repetition")))
    }

    /// The same game without its moves: it starts at the current position, and repetitions of
    /// earlier positions still count.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { position: self.position, turns: Vec::new(), keys: self.keys.clone() }
    }
}
