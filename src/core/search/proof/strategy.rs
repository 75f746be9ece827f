//! A proof as a strategy: the winning move in every position that can arise.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::solver::{ProofLimits, ProofResult, ProofSolver};
use crate::game::{Heuristics, Tablebase, distinct_moves, legal_moves, outcome};

/// The move of the prover in one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofAnswer<P: Heuristics> {
    /// A position in which the prover is to move.
    pub position: P,
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
    first: ProofAnswer<P>,
    /// The answers at all positions that can follow it, by position key. Each has fewer plies than its
    /// predecessors, so that every move makes progress. If the search at the root was restricted to some
    /// moves, the root may occur again and have a shorter answer then.
    answers: HashMap<u64, ProofAnswer<P>>,
    tables: Option<Arc<dyn Tablebase<P>>>,
    /// Whether a line of play ends in the endgame tables.
    uses_tables: bool,
}

/// What follows the answer of a position, with all move counters with which the position is reached.
#[derive(Default)]
struct Successors {
    /// The keys of the positions that need an answer in their turn.
    keys: Vec<u64>,
    /// Whether there is a reply, and need of one.
    has_reply: bool,
}

impl<P: Heuristics> Strategy<P> {
    /// The answers in descending order of plies.
    pub fn answers(&self) -> Vec<ProofAnswer<P>> {
        let mut answers = self.answers_after_first();
        answers.insert(0, self.first);
        answers
    }

    /// The answers after that at the root, in descending order of plies.
    pub fn answers_after_first(&self) -> Vec<ProofAnswer<P>> {
        let mut answers: Vec<_> = self.answers.values().copied().collect();
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

    /// The answer at a position after a reply; `None` if it needs none.
    fn answer_at(&self, position: &P) -> Option<&ProofAnswer<P>> {
        let is_known = || {
            let tables = self.tables.as_ref();
            tables.is_some_and(|tables| tables.can_win(position, position.side()).is_some())
        };
        self.answers.get(&position.key()).filter(|_| outcome(position).is_none() && !is_known())
    }

    /// The plies that are left after a reply.
    fn plies_at(&self, position: &P) -> u32 {
        self.answer_at(position).map_or(0, |answer| answer.plies)
    }

    /// The line of play with the longest resistance of the loser.
    pub fn line(&self) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut at = (self.first.position, Some(&self.first));
        while let (position, Some(answer)) = at {
            line.push(answer.mv);
            let next = position.play(answer.mv);
            let resistance = |&mv: &P::Move| self.plies_at(&next.play(mv));
            let Some(reply) = legal_moves(&next).into_iter().max_by_key(resistance) else { break };
            line.push(reply);
            let after = next.play(reply);
            at = (after, self.answer_at(&after));
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
            let Some(resisted) = self.answer_at(&at) else { break };
            for other in distinct_moves(&next, legal_moves(&next)) {
                let after = next.play(other);
                if let Some(answer) = self.answer_at(&after)
                    && answer.plies == resisted.plies
                    && after.key() != at.key()
                {
                    variations.push((2 * number + 1, [other, answer.mv]));
                }
            }
        }
        variations
    }

    /// Removes the answers that no line of play needs, and computes the plies of the others from those of
    /// all answers that can follow. Returns `None` if the answers allow a line of play that leads from a
    /// position back to it, or that does not win: they may be for positions with other move counters.
    fn pruned(mut self, is_restricted: bool) -> Option<Self> {
        let root = self.first.position;
        let mut successors: HashMap<u64, Successors> = HashMap::new();
        let mut seen = HashSet::new();
        let followers = self.followers(&root.play(self.first.mv));
        let mut first = Successors::default();
        self.uses_tables = followers.in_tables;
        let mut open = first.add(followers)?;
        while let Some(position) = open.pop() {
            if !seen.insert(position.proof_key()) {
                continue;
            }
            let key = position.key();
            if key == root.key() && !is_restricted {
                return None;
            }
            let followers = self.followers(&position.play(self.answers.get(&key)?.mv));
            self.uses_tables |= followers.in_tables;
            open.extend(successors.entry(key).or_default().add(followers)?);
        }
        let plies = plies_of(&successors, &first.keys)?;
        self.answers.retain(|key, answer| {
            let needed = plies.get(key);
            answer.plies = needed.copied().unwrap_or_default();
            needed.is_some()
        });
        self.first.plies = first.plies(&plies);
        Some(self)
    }

    fn followers(&self, next: &P) -> Followers<P> {
        Followers::after(next, self.tables.as_deref())
    }
}

impl Successors {
    /// Adds what can follow an answer, and returns the positions that need an answer in their turn; `None`
    /// if one is not won.
    fn add<P: Heuristics>(&mut self, followers: Followers<P>) -> Option<Vec<P>> {
        self.has_reply |= followers.has_reply;
        for key in followers.open.iter().map(P::key) {
            if !self.keys.contains(&key) {
                self.keys.push(key);
            }
        }
        followers.is_won.then_some(followers.open)
    }

    /// The plies to the end of the game, given those of the successors.
    fn plies(&self, plies: &HashMap<u64, u32>) -> u32 {
        let longest = self.keys.iter().filter_map(|key| plies.get(key)).max();
        if self.has_reply { 2 + longest.copied().unwrap_or_default() } else { 1 }
    }
}

/// The plies of all positions that can follow those with the keys `starts`. Returns `None` if one of them
/// can follow itself.
fn plies_of(successors: &HashMap<u64, Successors>, starts: &[u64]) -> Option<HashMap<u64, u32>> {
    let mut plies = HashMap::new();
    let mut on_line = HashSet::new();
    for &start in starts {
        // The positions of a line of play, each with the number of its successors that were visited.
        let mut line = vec![(start, 0)];
        while let Some((key, visited)) = line.last_mut() {
            if *visited == 0 && !plies.contains_key(key) && !on_line.insert(*key) {
                return None;
            }
            let all = successors.get(key)?;
            match all.keys.get(*visited).filter(|_| !plies.contains_key(key)) {
                Some(&next) => {
                    *visited += 1;
                    line.push((next, 0));
                }
                None => {
                    let own = all.plies(&plies);
                    plies.insert(*key, own);
                    line.pop();
                }
            }
        }
    }
    Some(plies)
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
    /// Whether all other positions are won, by the rules or the endgame tables.
    is_won: bool,
}

impl<P: Heuristics> Followers<P> {
    /// What can follow a position with the loser to move.
    fn after(next: &P, tables: Option<&dyn Tablebase<P>>) -> Self {
        let winner = !next.side();
        let known = |position: &P| tables?.can_win(position, winner);
        let ended =
            |is_won, in_tables| Self { open: Vec::new(), has_reply: false, in_tables, is_won };
        if let Some(end) = outcome(next) {
            return ended(end.winner == Some(winner), false);
        }
        if let Some(is_won) = known(next) {
            return ended(is_won, true);
        }
        let mut followers = ended(true, false);
        followers.has_reply = true;
        for after in legal_moves(next).into_iter().map(|mv| next.play(mv)) {
            if let Some(end) = outcome(&after) {
                followers.is_won &= end.winner == Some(winner);
            } else if let Some(is_won) = known(&after) {
                followers.in_tables = true;
                followers.is_won &= is_won;
            } else {
                followers.open.push(after);
            }
        }
        followers
    }
}

impl<P: Heuristics> ProofSolver<P> {
    /// The complete strategy of a win that [`ProofSolver::solve`] has found with the same root moves, given
    /// its first move and its length in plies.
    ///
    /// Positions that are no longer in the table are searched again.
    pub fn strategy(
        &mut self,
        root: &P,
        root_moves: &[P::Move],
        (mv, plies): (P::Move, u32),
        limits: &ProofLimits,
    ) -> Result<Strategy<P>, NoStrategy> {
        let is_restricted = !root_moves.is_empty();
        let mut first = ProofAnswer { position: *root, mv, plies };
        let after = |answer: &ProofAnswer<P>, tables: Option<&dyn Tablebase<P>>| {
            let followers = Followers::after(&answer.position.play(answer.mv), tables).open;
            let plies = answer.plies.saturating_sub(2);
            followers.into_iter().map(move |after| (after, None, plies)).collect::<Vec<_>>()
        };
        let mut answers: HashMap<u64, ProofAnswer<P>> = HashMap::new();
        let mut open = match is_restricted {
            true => after(&first, self.tables.as_deref()),
            false => vec![(*root, Some((mv, plies)), plies)],
        };
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
            open.extend(after(&answer, self.tables.as_deref()));
        }
        if !is_restricted && let Some(answer) = answers.remove(&root.key()) {
            // The root may have occurred again, and have a shorter win then.
            first = answer;
        }
        let tables = self.tables.clone();
        let strategy = Strategy { first, answers, tables, uses_tables: false };
        strategy.pruned(is_restricted).ok_or(NoStrategy::Counters)
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
        if let Some((numbers, mv)) = self.stored_move(position)
            && numbers.is_proved(true)
            && numbers.plies_or_index <= max_plies
        {
            return Some((mv, numbers.plies_or_index));
        }
        match self.solve(position, &[], Some(max_plies), limits) {
            ProofResult::Proved { mv, plies } => Some((mv, plies)),
            ProofResult::Disproved | ProofResult::Open => None,
        }
    }
}
