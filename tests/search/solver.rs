//! A plain solver: it knows the rules and nothing else, and tries everything as deep as its effort
//! goes.

use std::collections::HashMap;

use soucie::game::{Game, Side, legal_moves, outcome};

/// The plies of the longest win that the solver looks for.
pub const MOST: u32 = 8;

/// What is known of a position: a win for the winner in so many plies or fewer, and none in so
/// many.
#[derive(Clone, Copy)]
struct Reach<M> {
    won: Option<u32>,
    not_won: u32,
    /// The move that decided it last.
    best: Option<M>,
}

/// Looks for a forced win of one side, a ply deeper each time. It remembers positions; no shortest
/// win repeats one.
pub struct ExhaustiveSolver<P: Game> {
    winner: Side,
    known: HashMap<u64, Reach<P::Move>>,
    /// The move that decided last so many plies before the end: it is tried first.
    decisive: [Option<P::Move>; MOST as usize + 1],
    /// The positions that it may still look at.
    effort: u64,
}

impl<P: Game> ExhaustiveSolver<P> {
    /// A solver that may look at so many positions.
    pub fn new(winner: Side, effort: u64) -> Self {
        Self { winner, known: HashMap::new(), decisive: [None; MOST as usize + 1], effort }
    }

    /// The plies of the shortest win, if there is one of at most `most`, and how many plies were
    /// tried to the end.
    pub fn shortest(&mut self, position: &P, most: u32) -> (Option<u32>, u32) {
        for plies in 1..=most {
            match self.wins(position, plies) {
                Some(true) => return (Some(plies), plies),
                Some(false) => {}
                None => return (None, plies - 1),
            }
        }
        (None, most)
    }

    /// Whether the winner can force a win in so many plies; nothing if that takes too long.
    pub fn wins(&mut self, position: &P, plies: u32) -> Option<bool> {
        if let Some(end) = outcome(position) {
            return Some(end.winner == Some(self.winner));
        }
        if plies == 0 {
            return Some(false);
        }
        let key = position.proof_key();
        let unknown = Reach { won: None, not_won: 0, best: None };
        let mut reach = self.known.get(&key).copied().unwrap_or(unknown);
        if reach.won.is_some_and(|won| won <= plies) || plies <= reach.not_won {
            return Some(plies > reach.not_won);
        }
        self.effort = self.effort.checked_sub(1)?;
        let wants = position.side() == self.winner;
        let first = [reach.best, self.decisive[plies as usize]];
        let mut moves = legal_moves(position);
        moves.sort_by_key(|&mv| (first[0] != Some(mv), first[1] != Some(mv)));
        let mut won = !wants;
        for mv in moves {
            if self.wins(&position.play(mv), plies - 1)? == wants {
                won = wants;
                (reach.best, self.decisive[plies as usize]) = (Some(mv), Some(mv));
                break;
            }
        }
        if won {
            reach.won = Some(plies);
        } else {
            reach.not_won = plies;
        }
        self.known.insert(key, reach);
        Some(won)
    }
}
