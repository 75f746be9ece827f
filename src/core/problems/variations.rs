//! The variations of a solution: other defences that are as good as that of the solution.

use crate::game::Game;

/// The most variations after one move of the winner.
const MOST_OF_MOVE: usize = 4;

const MOST: usize = 20;

/// A line of play, with its variations if it is that of a proved win.
pub struct ProvedLine<P: Game> {
    pub moves: Vec<P::Move>,
    /// Other replies of the loser, each with a move after which the win is proved, by the index of the
    /// reply that they replace.
    pub variations: Vec<(usize, [P::Move; 2])>,
}

impl<P: Game> ProvedLine<P> {
    pub fn of(moves: Vec<P::Move>) -> Self {
        Self { moves, variations: Vec::new() }
    }

    /// Keeps the variations that are printed: after each move of the winner first those with an answer
    /// that is not among the earlier ones, then others.
    pub fn limit_variations(&mut self) {
        let mut kept = Vec::new();
        for of_move in self.variations.chunk_by(|(ply, _), (other, _)| ply == other) {
            let in_line = of_move.first().and_then(|(ply, _)| self.moves.get(ply + 1));
            let mut answers: Vec<P::Move> = in_line.copied().into_iter().collect();
            let is_new = |&(_, [_, answer]): &(usize, [P::Move; 2])| {
                let is_new = !answers.contains(&answer);
                answers.push(answer);
                is_new
            };
            let (new, same): (Vec<_>, Vec<_>) = of_move.iter().copied().partition(is_new);
            kept.extend(new.into_iter().chain(same).take(MOST_OF_MOVE));
        }
        kept.truncate(MOST);
        self.variations = kept;
    }
}
