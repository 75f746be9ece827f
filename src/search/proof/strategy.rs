//! A proof as a strategy: the winning move in every position that can come of it.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Effort, Entry, ProofResult, Solver};
use crate::game::{Move, Position, legal_moves, outcome};

/// What the prover plays in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<P: Position> {
    /// The position.
    pub position: P,
    /// The move.
    pub mv: P::Move,
    /// The plies until the win is on the board, at most.
    pub plies: u32,
}

/// A win of the prover against every reply.
pub struct Strategy<P: Position> {
    /// The answer at the root. Where only some moves were searched, the root may come once more
    /// and have a shorter answer then.
    first: Answer<P>,
    /// The root, and the positions that can come about, each with fewer plies than those from
    /// which it comes: so the win comes nearer with every move. By their keys.
    answers: HashMap<u64, Answer<P>>,
}

impl<P: Position> Strategy<P> {
    /// The answers, the longest ones first.
    pub fn answers(&self) -> Vec<Answer<P>> {
        let mut answers: Vec<_> = self.answers.values().copied().collect();
        answers.sort_by_key(|answer| (Reverse(answer.plies), answer.position.key()));
        answers
    }

    /// The plies until the win is on the board, at most.
    pub fn plies(&self) -> u32 {
        self.first.plies
    }

    /// The line of play in which the loser holds out longest.
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

    /// The positions with the prover to move that an answer can lead to, and whether there is a
    /// reply at all.
    fn followers(answer: &Answer<P>) -> (Vec<P>, bool) {
        let next = answer.position.play(answer.mv);
        let replies = legal_moves(&next);
        let after = replies.iter().map(|&mv| next.play(mv));
        (after.filter(|after| outcome(after).is_none()).collect(), !replies.is_empty())
    }

    /// Drops what does not come about, and counts plies as they are.
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
        // Whatever follows has fewer plies and so its final number before.
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

    /// The plies until the win by an answer, by those of the answers that follow.
    fn plies_of(&self, answer: &Answer<P>) -> u32 {
        let (followers, has_reply) = Self::followers(answer);
        let left = |after: &P| self.answers.get(&after.key()).map_or(0, |answer| answer.plies);
        let longest = followers.iter().map(left).max().unwrap_or(0);
        if has_reply { 2 + longest } else { 1 }
    }
}

impl<P: Position> Solver<P> {
    /// The whole of a win that [`Solver::solve`] has found, which began with this move and ends
    /// after so many plies. What the table has lost is searched again; nothing where that takes
    /// more than it may.
    pub fn strategy(
        &mut self,
        root: &P,
        (key, plies): (P::Move, u32),
        effort: &Effort,
    ) -> Option<Strategy<P>> {
        let mut answers: HashMap<u64, Answer<P>> = HashMap::new();
        let mut open = vec![(*root, Some((key, plies)), plies)];
        // Each is known to be won in so many plies. These get fewer with every move, so nothing
        // that is found now can lead back.
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

    /// A move that wins in at most so many plies, where there is one for sure.
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
            // Moves may share a tag.
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
