//! An exhaustive solver that uses only the rules of a game: the reference for search and proofs.

use std::collections::HashMap;

use soucie::game::{Game, Side, legal_moves, outcome};

/// The length of the longest win that the solver can find, in plies.
pub const MAX_PLIES: u32 = 8;

/// The result of a position.
#[derive(Clone, Copy)]
struct SolvedNode<M> {
    /// The number of plies in which the winner can force a win, if one was found.
    won: Option<u32>,
    /// The number of plies in which the winner cannot force a win.
    not_won: u32,
    /// The last move that decided the result.
    best: Option<M>,
}

/// Searches for a forced win of one side by iterative deepening. It stores results by position,
/// because no shortest win repeats a position.
pub struct ExhaustiveSolver<P: Game> {
    winner: Side,
    solved: HashMap<u64, SolvedNode<P::Move>>,
    /// Killer moves by remaining plies.
    killers: [Option<P::Move>; MAX_PLIES as usize + 1],
    /// The number of nodes that may still be visited.
    nodes_left: u64,
}

impl<P: Game> ExhaustiveSolver<P> {
    /// Creates a solver that visits at most `nodes` nodes.
    pub fn new(winner: Side, nodes: u64) -> Self {
        let killers = [None; MAX_PLIES as usize + 1];
        Self { winner, solved: HashMap::new(), killers, nodes_left: nodes }
    }

    /// The length of the shortest win of at most `max_plies` plies, if there is one, and the number
    /// of plies that were searched completely.
    pub fn shortest(&mut self, position: &P, max_plies: u32) -> (Option<u32>, u32) {
        for plies in 1..=max_plies {
            match self.wins(position, plies) {
                Some(true) => return (Some(plies), plies),
                Some(false) => {}
                None => return (None, plies - 1),
            }
        }
        (None, max_plies)
    }

    /// Whether the winner can force a win in this many plies; `None` if the node limit is reached.
    pub fn wins(&mut self, position: &P, plies: u32) -> Option<bool> {
        if let Some(end) = outcome(position) {
            return Some(end.winner == Some(self.winner));
        }
        if plies == 0 {
            return Some(false);
        }
        let key = position.proof_key();
        let unsolved = SolvedNode { won: None, not_won: 0, best: None };
        let mut node = self.solved.get(&key).copied().unwrap_or(unsolved);
        if node.won.is_some_and(|won| won <= plies) || plies <= node.not_won {
            return Some(plies > node.not_won);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let winner_moves = position.side() == self.winner;
        let first = [node.best, self.killers[plies as usize]];
        let mut moves = legal_moves(position);
        moves.sort_by_key(|&mv| (first[0] != Some(mv), first[1] != Some(mv)));
        let mut won = !winner_moves;
        for mv in moves {
            if self.wins(&position.play(mv), plies - 1)? == winner_moves {
                won = winner_moves;
                (node.best, self.killers[plies as usize]) = (Some(mv), Some(mv));
                break;
            }
        }
        if won {
            node.won = Some(plies);
        } else {
            node.not_won = plies;
        }
        self.solved.insert(key, node);
        Some(won)
    }
}
