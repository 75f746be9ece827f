//! A proof as a strategy: the winning move in every position that can arise.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Effort, Entry, ProofResult, Solver};
use crate::game::{Move, Position, legal_moves, outcome};

/// The move of the prover in one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<P: Position> {
    /// The position.
    pub position: P,
    /// The move.
    pub mv: P::Move,
    /// An upper bound on the plies to the end of the game.
    pub plies: u32,
}

/// A winning strategy of the prover: one move against each reply.
pub struct Strategy<P: Position> {
    /// The answer at the root. If the search at the root was restricted to some moves, the root may
    /// occur again later and have a shorter answer then.
    first: Answer<P>,
    /// The answers at the root and at all positions that can arise, by position key. Each has fewer
    /// plies than its predecessors, so that every move makes progress.
    answers: HashMap<u64, Answer<P>>,
}

impl<P: Position> Strategy<P> {
    /// The answers in descending order of plies.
    pub fn answers(&self) -> Vec<Answer<P>> {
        let mut answers: Vec<_> = self.answers.values().copied().collect();
        answers.sort_by_key(|answer| (Reverse(answer.plies), answer.position.key()));
        answers
    }

    /// The length of the win in plies.
    pub fn plies(&self) -> u32 {
        self.first.plies
    }

    /// The line of play with the longest resistance of the loser.
    pub fn line(&self) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut at = Some(&self.first);
        while let Some(answer) = at {
            line.push(answer.mv);
            let next = answer.position.play(answer.mv);
            let left = |after: &P| self.answers.get(&after.key());
            let plies = |mv| left(&next.play(mv)).map_or(0, |answer| answer.plies);
            let Some(reply) = legal_moves(&next).into_iter().max_by_key(|&mv| plies(mv)) else {
                break;
            };
            line.push(reply);
            at = left(&next.play(reply));
        }
        line
    }

    /// The positions after the answer and each reply, without finished games, and whether any reply
    /// exists.
    fn followers(answer: &Answer<P>) -> (Vec<P>, bool) {
        let next = answer.position.play(answer.mv);
        let replies = legal_moves(&next);
        let after = replies.iter().map(|&mv| next.play(mv));
        (after.filter(|after| outcome(after).is_none()).collect(), !replies.is_empty())
    }

    /// Removes unreachable positions and recomputes the exact plies of the others.
    fn tidy(&mut self) {
        let mut reached = HashMap::new();
        let mut open: Vec<u64> = Self::followers(&self.first).0.iter().map(P::key).collect();
        open.push(self.first.position.key());
        while let Some(key) = open.pop() {
            let Some(answer) = self.answers.get(&key) else { continue };
            if reached.insert(key, *answer).is_none() {
                open.extend(Self::followers(answer).0.iter().map(P::key));
            }
        }
        self.answers = reached;
        // Successors have fewer plies, so in ascending order their numbers are final first.
        let mut order: Vec<_> = self.answers().into_iter().collect();
        order.reverse();
        for answer in order {
            let plies = self.plies_of(&answer);
            if let Some(answer) = self.answers.get_mut(&answer.position.key()) {
                answer.plies = plies;
            }
        }
        self.first.plies = self.plies_of(&self.first);
    }

    /// The plies to the end of the game with this answer, computed from the answers that follow it.
    fn plies_of(&self, answer: &Answer<P>) -> u32 {
        let (followers, has_reply) = Self::followers(answer);
        let left = |after: &P| self.answers.get(&after.key()).map_or(0, |answer| answer.plies);
        let longest = followers.iter().map(left).max().unwrap_or(0);
        if has_reply { 2 + longest } else { 1 }
    }
}

impl<P: Position> Solver<P> {
    /// The complete strategy of a win that [`Solver::solve`] has found, given its first move and
    /// its length in plies.
    ///
    /// Positions that are no longer in the table are searched again. Returns `None` if the effort
    /// does not suffice for that.
    pub fn strategy(
        &mut self,
        root: &P,
        (key, plies): (P::Move, u32),
        effort: &Effort,
    ) -> Option<Strategy<P>> {
        let mut answers: HashMap<u64, Answer<P>> = HashMap::new();
        let mut open = vec![(*root, Some((key, plies)), plies)];
        // Each position is a proved win within a number of plies. The number decreases with every
        // move, so no answer found here can lead back to an earlier position.
        while let Some((position, found, most)) = open.pop() {
            if answers.get(&position.key()).is_some_and(|answer| answer.plies <= most) {
                continue;
            }
            let (mv, plies) = match found {
                Some(found) => found,
                None => self.answer(&position, most, effort)?,
            };
            let answer = Answer { position, mv, plies };
            answers.insert(position.key(), answer);
            let (followers, _) = Strategy::followers(&answer);
            open.extend(followers.into_iter().map(|after| (after, None, plies.saturating_sub(2))));
        }
        let first = Answer { position: *root, mv: key, plies };
        let mut strategy = Strategy { first, answers };
        strategy.tidy();
        Some(strategy)
    }

    /// A move that is proved to win in at most `most` plies.
    fn answer(&mut self, position: &P, most: u32, effort: &Effort) -> Option<(P::Move, u32)> {
        if let Some(mv) = position.winning_move() {
            return Some((mv, 1));
        }
        if let Some(&Entry { value, tag, .. }) = self.table.get(position.proof_key())
            && value.is_proved(true)
            && value.note <= most
        {
            let moves = legal_moves(position);
            let mut named = moves.into_iter().filter(|mv| mv.packed() == tag);
            // Two moves may share a packed value.
            if let (Some(mv), None) = (named.next(), named.next()) {
                return Some((mv, value.note));
            }
        }
        match self.solve(position, &[], Some(most), effort) {
            ProofResult::Proved { key, plies } => Some((key, plies)),
            ProofResult::Disproved | ProofResult::Open => None,
        }
    }
}
