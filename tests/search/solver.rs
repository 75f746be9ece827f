//! An exhaustive solver that uses only the rules of a game: the reference for search and proofs.

use std::collections::HashMap;

use soucie::game::{Heuristics, Side, drawn_if_repeated, is_repetition, legal_moves, mix, outcome};

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
/// because no shortest win repeats a position with the same side to move.
pub struct ExhaustiveSolver<P: Heuristics> {
    winner: Side,
    /// The keys of the positions whose next occurrence draws the game.
    drawn_if_repeated: Vec<u64>,
    /// The keys of all positions before the current one, where the rules compare positions with
    /// either side to move. A shortest win may repeat such a position.
    path: Option<Vec<u64>>,
    solved: HashMap<u64, SolvedNode<P::Move>>,
    /// Killer moves by remaining plies.
    killers: Vec<Option<P::Move>>,
    /// The number of nodes that may still be visited.
    nodes_left: u64,
}

impl<P: Heuristics> ExhaustiveSolver<P> {
    /// Creates a solver that visits at most `nodes` nodes.
    pub fn new(winner: Side, nodes: u64) -> Self {
        Self {
            winner,
            drawn_if_repeated: Vec::new(),
            path: None,
            solved: HashMap::new(),
            killers: Vec::new(),
            nodes_left: nodes,
        }
    }

    /// Sets the game before the positions to solve: `last` is its last position, after `earlier`.
    #[must_use]
    pub fn after(mut self, last: &P, earlier: &[P]) -> Self {
        self.drawn_if_repeated = drawn_if_repeated(last, earlier).iter().map(P::key).collect();
        let repeats_either = last.repetition_limit() > 0 && last.repetition_step() == 1;
        self.path = repeats_either.then(|| earlier.iter().chain([last]).map(P::key).collect());
        self
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
        if plies == 0 || self.is_drawn_by_repetition(position) {
            return Some(false);
        }
        let key = self.node_key(position, plies);
        let unsolved = SolvedNode { won: None, not_won: 0, best: None };
        let mut node = self.solved.get(&key).copied().unwrap_or(unsolved);
        if node.won.is_some_and(|won| won <= plies) || plies <= node.not_won {
            return Some(plies > node.not_won);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let depth = plies as usize;
        self.killers.resize(self.killers.len().max(depth + 1), None);
        let winner_moves = position.side() == self.winner;
        let first = [node.best, self.killers[depth]];
        let mut moves = legal_moves(position);
        moves.sort_by_key(|&mv| (first[0] != Some(mv), first[1] != Some(mv)));
        let mut won = !winner_moves;
        for mv in moves {
            if let Some(path) = &mut self.path {
                path.push(position.key());
            }
            let result = self.wins(&position.play(mv), plies - 1);
            if let Some(path) = &mut self.path {
                path.pop();
            }
            if result? == winner_moves {
                won = winner_moves;
                (node.best, self.killers[depth]) = (Some(mv), Some(mv));
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

    fn is_drawn_by_repetition(&self, position: &P) -> bool {
        match &self.path {
            Some(path) => is_repetition(position, path.iter().rev().copied()),
            None => self.drawn_if_repeated.contains(&position.key()),
        }
    }

    /// The key of a position with all that its result within `plies` depends on.
    fn node_key(&self, position: &P, plies: u32) -> u64 {
        let counters = position.move_counters().into_iter().zip(1..);
        let near = counters.filter_map(|(left, number)| {
            left.filter(|&left| u32::from(left) <= plies).map(|left| (number, left))
        });
        let key = near.fold(position.key_with_side(), |key, (number, left)| {
            mix(key ^ (number << 32 | u64::from(left)))
        });
        let path = self.path.iter().flatten();
        path.fold(key, |key, &earlier| key.wrapping_add(mix(earlier)))
    }
}
