//! A proof as a strategy: the winning move in every position that can arise.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::solver::{ProofLimits, ProofResult, ProofSolver};
use super::table::ProofEntry;
use crate::game::{Heuristics, Move, Tablebase, distinct_moves, legal_moves, outcome};

/// The move of the prover in one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofAnswer<P: Heuristics> {
    /// The position.
    pub position: P,
    /// The move.
    pub mv: P::Move,
    /// An upper bound on the plies to the end of the game, or to a position of the endgame tables.
    pub plies: u32,
}

impl<P: Heuristics> ProofAnswer<P> {
    /// Whether this answer, found for the same position with other move counters, wins before those
    /// of `position` draw the game: each leaves as many plies as there, or more than the win takes,
    /// if `is_whole`: if the plies are those to the end of the game and not to endgame tables.
    fn suits(&self, position: &P, is_whole: bool) -> bool {
        let [own, other] = [&self.position, position]
            .map(|position| position.move_counters().map(|left| left.map_or(u32::MAX, u32::from)));
        let suits = |(own, other)| other >= own || is_whole && other > self.plies;
        own.into_iter().zip(other).all(suits)
    }
}

/// Why a proved win has no complete strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoStrategy {
    /// The limits do not suffice to search positions again that are no longer in the table.
    Limits,
    /// A position needs different answers with different move counters.
    Counters,
}

/// A winning strategy of the prover: one move against each reply.
pub struct Strategy<P: Heuristics> {
    /// The answer at the root. If the search at the root was restricted to some moves, the root may
    /// occur again later and have a shorter answer then.
    first: ProofAnswer<P>,
    /// The answers at the root and at all positions that can arise, by position key. Each has fewer
    /// plies than its predecessors, so that every move makes progress.
    answers: HashMap<u64, ProofAnswer<P>>,
    tables: Option<Arc<dyn Tablebase<P>>>,
    /// Whether a line of play ends in the endgame tables.
    uses_tables: bool,
}

impl<P: Heuristics> Strategy<P> {
    /// The answers in descending order of plies.
    pub fn answers(&self) -> Vec<ProofAnswer<P>> {
        let mut answers: Vec<_> = self.answers.values().copied().collect();
        answers.sort_by_key(|answer| (Reverse(answer.plies), answer.position.key()));
        answers
    }

    /// The answers that can be needed after a position with the loser to move, in descending order of
    /// plies.
    pub fn answers_after(&self, start: &P) -> Vec<ProofAnswer<P>> {
        let mut needed: HashMap<u64, ProofAnswer<P>> = HashMap::new();
        let mut open = Followers::after(start, self.tables.as_deref()).open;
        while let Some(position) = open.pop() {
            let key = position.key();
            if let (Some(answer), false) = (self.answers.get(&key), needed.contains_key(&key)) {
                needed.insert(key, *answer);
                open.extend(self.followers(answer).open);
            }
        }
        let mut answers: Vec<_> = needed.into_values().collect();
        answers.sort_by_key(|answer| (Reverse(answer.plies), answer.position.key()));
        answers
    }

    /// Whether the win rests on the endgame tables.
    pub fn uses_tables(&self) -> bool {
        self.uses_tables
    }

    /// The length of the win in plies, or of the way into the endgame tables.
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

    /// The other replies along [`Self::line`] that resist as long, each with the answer to it, by the index
    /// of the reply that they replace.
    pub fn variations(&self) -> Vec<(usize, [P::Move; 2])> {
        let mut variations = Vec::new();
        let mut at = self.first.position;
        for (number, pair) in self.line().chunks_exact(2).enumerate() {
            let &[mv, reply] = pair else { break };
            let next = at.play(mv);
            at = next.play(reply);
            let Some(resisted) = self.answers.get(&at.key()) else { break };
            for other in distinct_moves(&next, legal_moves(&next)) {
                let after = next.play(other);
                if let Some(answer) = self.answers.get(&after.key())
                    && answer.plies == resisted.plies
                    && after.key() != at.key()
                {
                    variations.push((2 * number + 1, [other, answer.mv]));
                }
            }
        }
        variations
    }

    /// Removes unreachable positions and recomputes the plies of the others. Returns `None` if the
    /// answers allow a line of play that leads from a position back to it.
    fn pruned(mut self) -> Option<Self> {
        let mut finished = HashSet::new();
        let mut starts = self.followers(&self.first).open;
        starts.push(self.first.position);
        for start in starts {
            self.recompute_plies(&start, &mut finished)?;
        }
        self.answers.retain(|key, _| finished.contains(key));
        self.first.plies = self.plies_of(&self.first);
        Some(self)
    }

    /// Recomputes the plies of a position after those of all positions that can follow it. Returns
    /// `None` if one of these can follow itself.
    fn recompute_plies(&mut self, start: &P, finished: &mut HashSet<u64>) -> Option<()> {
        let mut on_line = HashSet::new();
        // The answers along a line of play, each with the followers that are still to be visited.
        let mut line: Vec<(ProofAnswer<P>, Vec<P>)> = Vec::new();
        let mut next = Some(*start);
        loop {
            if let Some(key) = next.map(|next| next.key()).filter(|key| !finished.contains(key)) {
                if !on_line.insert(key) {
                    return None;
                }
                let answer = *self.answers.get(&key)?;
                let followers = self.followers(&answer);
                self.uses_tables |= followers.in_tables;
                line.push((answer, followers.open));
            }
            let Some((answer, followers)) = line.last_mut() else { return Some(()) };
            next = followers.pop();
            if next.is_none() {
                let (key, plies) = (answer.position.key(), self.plies_of(answer));
                self.answers.get_mut(&key)?.plies = plies;
                finished.insert(key);
                line.pop();
            }
        }
    }

    /// The plies to the end of the game with this answer, computed from the answers that follow it.
    fn plies_of(&self, answer: &ProofAnswer<P>) -> u32 {
        let Followers { open, has_reply, .. } = self.followers(answer);
        let left = |after: &P| self.answers.get(&after.key()).map_or(0, |answer| answer.plies);
        let longest = open.iter().map(left).max().unwrap_or(0);
        if has_reply { 2 + longest } else { 1 }
    }

    fn followers(&self, answer: &ProofAnswer<P>) -> Followers<P> {
        Followers::of(answer, self.tables.as_deref())
    }
}

/// What can follow an answer.
struct Followers<P> {
    /// The positions after the answer and a reply that need an answer in their turn: neither the game
    /// is over, nor do the endgame tables have them.
    open: Vec<P>,
    /// Whether there is a reply, and need of one.
    has_reply: bool,
    /// Whether the endgame tables have the position after the answer, or after a reply.
    in_tables: bool,
}

impl<P: Heuristics> Followers<P> {
    fn of(answer: &ProofAnswer<P>, tables: Option<&dyn Tablebase<P>>) -> Self {
        Self::after(&answer.position.play(answer.mv), tables)
    }

    /// What can follow a position with the loser to move.
    fn after(next: &P, tables: Option<&dyn Tablebase<P>>) -> Self {
        let winner = !next.side();
        let known =
            |position: &P| tables.is_some_and(|tables| tables.can_win(position, winner).is_some());
        if outcome(next).is_none() && known(next) {
            return Self { open: Vec::new(), has_reply: false, in_tables: true };
        }
        let replies = legal_moves(next);
        let after = replies.iter().map(|&mv| next.play(mv));
        let going_on: Vec<P> = after.filter(|after| outcome(after).is_none()).collect();
        let (decided, open): (Vec<P>, _) = going_on.into_iter().partition(known);
        Self { open, has_reply: !replies.is_empty(), in_tables: !decided.is_empty() }
    }
}

impl<P: Heuristics> ProofSolver<P> {
    /// The complete strategy of a win that [`ProofSolver::solve`] has found, given its first move and
    /// its length in plies.
    ///
    /// Positions that are no longer in the table are searched again.
    pub fn strategy(
        &mut self,
        root: &P,
        (mv, plies): (P::Move, u32),
        limits: &ProofLimits,
    ) -> Result<Strategy<P>, NoStrategy> {
        let mut answers: HashMap<u64, ProofAnswer<P>> = HashMap::new();
        let mut open = vec![(*root, Some((mv, plies)), plies)];
        let is_whole = self.tables.is_none();
        // Each position is a proved win within a number of plies, which decreases with every move.
        // Only a longer answer that is kept for other counters may lead back to an earlier position.
        while let Some((mut position, found, max_plies)) = open.pop() {
            let earlier = answers.get(&position.key()).copied();
            let known = earlier.filter(|answer| answer.suits(&position, is_whole));
            if let Some(answer) = known {
                if answer.plies <= max_plies {
                    continue;
                }
                // The new answer must suit the position of this one too.
                position = answer.position;
            }
            let answer = found.or_else(|| self.answer(&position, max_plies, limits));
            let Some((mv, plies)) = answer else {
                if self.must_stop(limits) {
                    return Err(NoStrategy::Limits);
                }
                // With fewer plies left to a draw, there may be only a longer win.
                if known.is_some() {
                    continue;
                }
                return Err(NoStrategy::Counters);
            };
            let answer = ProofAnswer { position, mv, plies };
            if earlier.is_some_and(|earlier| !answer.suits(&earlier.position, is_whole)) {
                return Err(NoStrategy::Counters);
            }
            answers.insert(position.key(), answer);
            let followers = Followers::of(&answer, self.tables.as_deref());
            let followers = followers.open.into_iter();
            open.extend(followers.map(|after| (after, None, plies.saturating_sub(2))));
        }
        let first = ProofAnswer { position: *root, mv, plies };
        let tables = self.tables.clone();
        let strategy = Strategy { first, answers, tables, uses_tables: false };
        strategy.pruned().ok_or(NoStrategy::Counters)
    }

    /// A move that is proved to win in at most `max_plies` plies.
    fn answer(
        &mut self,
        position: &P,
        max_plies: u32,
        limits: &ProofLimits,
    ) -> Option<(P::Move, u32)> {
        if let Some(mv) = position.winning_move() {
            return Some((mv, 1));
        }
        if let Some(&ProofEntry { numbers, packed_move, .. }) = self.table.get(position.proof_key())
            && numbers.is_proved(true)
            && numbers.plies_or_index <= max_plies
        {
            let moves = legal_moves(position);
            let mut matching = moves.into_iter().filter(|mv| mv.packed() == packed_move);
            // Two moves may share a packed value.
            if let (Some(mv), None) = (matching.next(), matching.next()) {
                return Some((mv, numbers.plies_or_index));
            }
        }
        match self.solve(position, &[], Some(max_plies), limits) {
            ProofResult::Proved { mv, plies } => Some((mv, plies)),
            ProofResult::Disproved | ProofResult::Open => None,
        }
    }
}
