//! A disproof as a strategy: moves that prevent the win for ever.
//!
//! Such a strategy need not make progress, because endless play is no win. It is a set of positions
//! that the prover cannot leave: each move of the prover leads to a position of the set, and there a
//! move of the other side leads back. So it does not matter that disproofs of the search may depend
//! on the path: a position that is already in the set is an answer like any other.
//!
//! Against a win within a number of plies it is a set of positions with the plies that are left, and ends
//! with them.
//!
//! A position has one answer whatever its move counters are: that for the counters that leave the most
//! plies, as what prevents a win there prevents it with fewer. Where two counters leave more in turn there
//! may be none, so the strategy must be verified if the rules have such counters.

use std::collections::{HashMap, HashSet, VecDeque};

use super::numbers::TOO_DEEP;
use super::solver::{ProofLimits, ProofSolver};
use super::strategy::ProofAnswer;
use crate::game::{self, Heuristics, MoveList, legal_moves, outcome};

/// A strategy that prevents a win of the prover: the move of the other side in every position that can
/// arise.
pub struct Defence<P: Heuristics> {
    /// The positions with the other side to move, and the moves there. The plies are those that are left
    /// to the prover, this move included, or 0 without a limit.
    pub answers: Vec<ProofAnswer<P>>,
    /// Whether a line of play ends in the endgame tables.
    pub uses_tables: bool,
}

/// Whether each move counter of a position leaves as many plies as that of another one, or more.
fn leaves_as_much<P: Heuristics>(position: &P, other: &P) -> bool {
    let [own, other] = [position, other]
        .map(|position| position.move_counters().map(|left| left.unwrap_or(u16::MAX)));
    own.into_iter().zip(other).all(|(own, other)| own >= other)
}

/// What a position is without a search.
enum Known {
    Win,
    NoWin { by_tables: bool },
}

impl<P: Heuristics> ProofSolver<P> {
    /// The complete strategy against a win that [`ProofSolver::solve`] has excluded, with the same root
    /// moves.
    ///
    /// `None` if the limits do not suffice to search positions again that are no longer in the table.
    pub fn defence(
        &mut self,
        root: &P,
        root_moves: &[P::Move],
        limits: &ProofLimits,
    ) -> Option<Defence<P>> {
        let moves = game::root_moves(root, root_moves);
        // A root with only some of its moves is another position than the one that may occur later.
        let is_whole = root_moves.is_empty();
        if self.hold(root, &moves, is_whole, limits).is_none() {
            // Later disproofs in the table may rest on positions that were only taken to be held.
            self.forget();
            return None;
        }
        self.collect(root, moves)
    }

    /// The complete strategy against a win within `plies` plies that [`ProofSolver::solve`] has excluded,
    /// with the same root moves. It does not use the endgame tables.
    ///
    /// `None` if the limits do not suffice to search positions again that are no longer in the table, or
    /// if the tables alone exclude the win.
    pub fn defence_within(
        &mut self,
        root: &P,
        root_moves: &[P::Move],
        plies: u32,
        limits: &ProofLimits,
    ) -> Option<Defence<P>> {
        let mut answers = Vec::new();
        let mut seen = HashSet::new();
        // In the order of the plies that are left, so that the first answer in a position is the one that
        // holds for the most plies: it holds for fewer too.
        let mut open = VecDeque::from([(*root, game::root_moves(root, root_moves), plies)]);
        while let Some((position, moves, left)) = open.pop_front() {
            for next in moves.iter().map(|&mv| position.play(mv)) {
                let left = left.saturating_sub(1);
                match outcome(&next) {
                    Some(end) if end.winner == Some(self.prover) => return None,
                    Some(_) => continue,
                    None if left == 0 || self.draws_by_repetition(&next) => continue,
                    None if !seen.insert(next.key_with_side()) => continue,
                    None => {}
                }
                let (numbers, mv) = self.search(&next, &[], Some(left), limits)?;
                let mv = mv.filter(|_| numbers.is_disproved(false))?;
                answers.push(ProofAnswer { position: next, mv, plies: left });
                let after = next.play(mv);
                match outcome(&after) {
                    Some(end) if end.winner == Some(self.prover) => return None,
                    Some(_) => {}
                    None if left > 1 && !self.draws_by_repetition(&after) => {
                        open.push_back((after, legal_moves(&after), left - 1));
                    }
                    None => {}
                }
            }
        }
        Some(Defence { answers, uses_tables: false })
    }

    /// Finds an answer to each move of the prover, and so on.
    fn hold(
        &mut self,
        root: &P,
        moves: &MoveList<P::Move>,
        is_whole: bool,
        limits: &ProofLimits,
    ) -> Option<()> {
        if is_whole {
            self.add_held(root);
        }
        let mut open = vec![(*root, moves.clone())];
        while let Some((position, moves)) = open.pop() {
            for next in moves.iter().map(|&mv| position.play(mv)) {
                if self.held_answer(&next).is_some() {
                    continue;
                }
                match self.known(&next) {
                    Some(Known::Win) => return None,
                    Some(Known::NoWin { .. }) => continue,
                    None => {}
                }
                let mv = self.holding_move(&next, limits)?;
                self.answers.entry(next.key_with_side()).or_default().push((next, mv));
                let after = next.play(mv);
                match self.known(&after) {
                    Some(Known::Win) => return None,
                    Some(Known::NoWin { .. }) => {}
                    None if self.add_held(&after) => open.push((after, legal_moves(&after))),
                    None => {}
                }
            }
        }
        Some(())
    }

    /// Whether a position is taken to be no win.
    pub(super) fn is_held(&self, position: &P) -> bool {
        let held = self.held.get(&position.key_with_side());
        held.is_some_and(|held| held.iter().any(|held| leaves_as_much(held, position)))
    }

    /// Takes a position to be no win. Returns false if it already was.
    fn add_held(&mut self, position: &P) -> bool {
        let is_new = !self.is_held(position);
        if is_new {
            self.held.entry(position.key_with_side()).or_default().push(*position);
        }
        is_new
    }

    /// The answer that holds a position: the last one that was found leaves the most plies.
    fn held_answer(&self, position: &P) -> Option<P::Move> {
        let answers = self.answers.get(&position.key_with_side())?;
        let suits = |(held, _): &&(P, P::Move)| leaves_as_much(held, position);
        answers.iter().rev().find(suits).map(|&(_, mv)| mv)
    }

    /// The answers that can arise from a root that is held.
    fn collect(&self, root: &P, moves: MoveList<P::Move>) -> Option<Defence<P>> {
        let mut defence = Defence { answers: Vec::new(), uses_tables: false };
        let mut needed: HashMap<u64, P::Move> = HashMap::new();
        // The verifier follows the same answers with all move counters.
        let mut seen = HashSet::new();
        let mut open = vec![(*root, moves)];
        while let Some((position, moves)) = open.pop() {
            for next in moves.iter().map(|&mv| position.play(mv)) {
                if let Some(Known::NoWin { by_tables }) = self.known(&next) {
                    defence.uses_tables |= by_tables;
                } else if seen.insert(next.proof_key()) {
                    let mv = self.held_answer(&next)?;
                    match needed.insert(next.key_with_side(), mv) {
                        None => defence.answers.push(ProofAnswer { position: next, mv, plies: 0 }),
                        Some(other) if other != mv => return None,
                        Some(_) => {}
                    }
                    let after = next.play(mv);
                    if let Some(Known::NoWin { by_tables }) = self.known(&after) {
                        defence.uses_tables |= by_tables;
                    } else {
                        open.push((after, legal_moves(&after)));
                    }
                }
            }
        }
        Some(defence)
    }

    /// Whether the rules or the endgame tables decide a position.
    fn known(&self, position: &P) -> Option<Known> {
        let (is_win, by_tables) = match outcome(position) {
            Some(outcome) => (outcome.winner == Some(self.prover), false),
            None if self.draws_by_repetition(position) => (false, false),
            None => (self.tables.as_ref()?.can_win(position, self.prover)?, true),
        };
        Some(if is_win { Known::Win } else { Known::NoWin { by_tables } })
    }

    /// A move of the other side after which the prover cannot win: if possible one that ends the line
    /// of play, or that leads to a position of the strategy.
    fn holding_move(&mut self, position: &P, limits: &ProofLimits) -> Option<P::Move> {
        let moves = legal_moves(position);
        let ends = |&mv: &P::Move| {
            let next = position.play(mv);
            match self.known(&next) {
                Some(Known::NoWin { .. }) => true,
                Some(Known::Win) => false,
                None => self.is_held(&next),
            }
        };
        if let Some(mv) = moves.iter().copied().find(ends) {
            return Some(mv);
        }
        if let Some((numbers, mv)) = self.stored_move(position)
            && numbers.is_disproved(false)
        {
            return Some(mv);
        }
        let (numbers, mv) = self.search(position, &[], None, limits)?;
        mv.filter(|_| numbers.is_disproved(false) && numbers.plies_or_index != TOO_DEEP)
    }
}
