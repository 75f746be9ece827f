//! An exhaustive search with draws by repetition and by counts of moves, which uses only the rules of a game.

use std::collections::HashMap;
use std::marker::PhantomData;

use soucie::game::{Game, Side, legal_moves, outcome};

/// The most nodes of the exhaustive search for each question.
const NODES: u64 = 3_000_000;

/// The plies of a win whose length is not limited.
pub const UNLIMITED: u32 = u32::MAX;

/// The plies within which a win is looked for first.
const SHORT: [u32; 4] = [1, 3, 5, 7];

/// What is left to the attacker: the plies, and those of the two move counters. A win that is possible
/// with it is possible with more.
type Budget = [u32; 3];

fn is_within(budget: &Budget, other: &Budget) -> bool {
    budget.iter().zip(other).all(|(own, other)| own <= other)
}

/// What is known of a position.
#[derive(Default)]
struct Known {
    won: Vec<Budget>,
    not_won: Vec<Budget>,
}

/// An exhaustive search for wins of one side after a game.
///
/// A side that wins in some plies never needs to repeat a position: the shortest win from its later
/// occurrence is one from the earlier one too, which leaves more plies to each counter. So only positions of
/// the game before count as repeated.
pub struct Exhaustive<P: Game> {
    attacker: Side,
    /// The keys of the positions whose next occurrence draws the game.
    drawn: Vec<u64>,
    known: HashMap<u64, Known>,
    nodes_left: u64,
    position: PhantomData<P>,
}

impl<P: Game> Exhaustive<P> {
    /// A search after the positions of a game, its last one included.
    pub fn after(game: &[P], attacker: Side) -> Self {
        let limit = game[0].repetition_limit();
        let count =
            |position: &&P| game.iter().filter(|other| other.key() == position.key()).count();
        let drawn = game.iter().filter(|position| limit > 0 && count(position) + 1 >= limit);
        let drawn = drawn.map(P::key).collect();
        let (known, position) = (HashMap::new(), PhantomData);
        Self { attacker, drawn, known, nodes_left: 0, position }
    }

    /// Whether the attacker wins within so many plies; `None` if the limit of nodes is reached.
    pub fn can_win(&mut self, position: &P, plies: u32) -> Option<bool> {
        self.nodes_left = NODES;
        let short = SHORT.into_iter().filter(|&short| short < plies);
        for plies in short.chain([plies]) {
            if self.wins(position, plies)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn wins(&mut self, position: &P, plies: u32) -> Option<bool> {
        if let Some(end) = outcome(position) {
            return Some(end.winner == Some(self.attacker));
        }
        if plies == 0 || self.drawn.contains(&position.key()) {
            return Some(false);
        }
        let [first, second] =
            position.move_counters().map(|left| left.map_or(UNLIMITED, u32::from));
        let budget = [plies, first, second];
        let known = self.known.entry(position.key_with_side()).or_default();
        if known.won.iter().any(|won| is_within(won, &budget)) {
            return Some(true);
        }
        if known.not_won.iter().any(|not_won| is_within(&budget, not_won)) {
            return Some(false);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let is_attack = position.side() == self.attacker;
        let left = if plies == UNLIMITED { UNLIMITED } else { plies - 1 };
        let mut children: Vec<P> =
            legal_moves(position).into_iter().map(|mv| position.play(mv)).collect();
        children.sort_by_cached_key(|child| match outcome(child) {
            Some(end) => usize::from(end.winner.is_none()),
            None => 2 + child.count_moves(),
        });
        let mut is_won = !is_attack;
        for child in children {
            if self.wins(&child, left)? == is_attack {
                is_won = is_attack;
                break;
            }
        }
        let known = self.known.entry(position.key_with_side()).or_default();
        if is_won {
            known.won.retain(|won| !is_within(&budget, won));
            known.won.push(budget);
        } else {
            known.not_won.retain(|not_won| !is_within(not_won, &budget));
            known.not_won.push(budget);
        }
        Some(is_won)
    }
}
