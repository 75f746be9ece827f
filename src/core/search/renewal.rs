//! Proofs of an announced win in a game that has used up positions since.
//!
//! Entries of the transposition table are found only by searches in which the same positions draw. The
//! first move of an announced win may exhaust the position after it, so its proofs are checked and stored
//! again: otherwise the next search would have to find the win anew.

use super::request::SearchRequest;
use super::score::{Bound, Score};
use super::time::TimeManager;
use super::tt::{TtEntry, TtView};
use crate::game::{Features, Heuristics, Move, Position, drawn_if_repeated, legal_moves, outcome};

/// The largest number of positions to check.
const MOST_POSITIONS: usize = 10_000;

/// The number of positions between checks of the time.
const CHECK_EVERY: usize = 16;

/// The part of a time limit that the check may take.
const PART: f64 = 0.1;

/// The plies of a loss that is looked for without an entry.
const SHORT: usize = 2;

/// Stores the proofs of the win that the last search announced for this search, those that lead to no
/// position that draws.
pub(super) fn renew_win<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    tt: TtView,
    time: &TimeManager,
) {
    let Some(win) = request.last_win().filter(|_| request.kept_win().is_none()) else { return };
    let drawn = drawn_if_repeated(&request.root, request.history);
    let drawn = drawn.iter().map(Position::key).collect();
    let (old, new) = (win.path_key, request.path_key());
    let mut renewal = Renewal { tt, time, old, new, drawn, left: MOST_POSITIONS };
    renewal.win(&request.root, usize::MAX);
}

/// The check of the proofs of one win. Distances fall with every move, so it ends, and no shortest proof
/// repeats a position.
struct Renewal<'a> {
    tt: TtView<'a>,
    time: &'a TimeManager<'a>,
    /// The path keys of the search that announced the win and of this one.
    old: u64,
    new: u64,
    /// The keys of the positions that draw if they are repeated.
    drawn: Vec<u64>,
    /// The number of positions that may still be checked.
    left: usize,
}

impl Renewal<'_> {
    /// Returns the plies in which the side to move wins, at most `most`; `None` without a proof.
    fn win<P: Heuristics>(&mut self, position: &P, most: usize) -> Option<usize> {
        if position.winning_move().is_some() {
            return Some(1).filter(|&plies| plies <= most);
        }
        if let Some((_, plies)) = self.entry(position, self.new, Score::is_mate_win, most) {
            return Some(plies);
        }
        let own = self.entry(position, self.old, Score::is_mate_win, most);
        let most = most.checked_sub(1)?;
        // A node that a move's entry has cut off has no entry of its own.
        let claimed = |mv: &P::Move| {
            let of_move = self.entry(&position.play(*mv), self.old, Score::is_mate_loss, most);
            let of_node = own.filter(|(entry, _)| entry.packed_move == mv.packed());
            let plies = of_move.map(|(_, plies)| plies).or(of_node.map(|(_, plies)| plies - 1))?;
            Some((plies, *mv))
        };
        let moves = legal_moves(position);
        let mut known: Vec<_> = moves.iter().filter_map(claimed).collect();
        known.sort_by_key(|&(plies, _)| plies);
        // Short wins need not be in the table.
        let short = moves.iter().map(|&mv| (most.min(SHORT), mv));
        let mut tried = known.into_iter().chain(short);
        let (plies, mv) =
            tried.find_map(|(plies, mv)| Some((1 + self.loss(&position.play(mv), plies)?, mv)))?;
        if let Some((entry, _)) = own {
            let (score, packed_move) = (Score::win_in(plies), mv.packed());
            let renewed = TtEntry { packed_move, score, bound: Bound::Lower, ..entry };
            self.tt.store(position.tt_key() ^ self.new, renewed);
        }
        Some(plies)
    }

    /// Returns the plies in which the side to move loses, at most `most`; `None` without a proof.
    fn loss<P: Heuristics>(&mut self, position: &P, most: usize) -> Option<usize> {
        if let Some(outcome) = outcome(position) {
            return (outcome.winner == Some(!position.side())).then_some(0);
        }
        if self.drawn.contains(&position.key()) {
            return None;
        }
        if let Some((_, plies)) = self.entry(position, self.new, Score::is_mate_loss, most) {
            return Some(plies);
        }
        self.left = self.left.checked_sub(1)?;
        if self.left.is_multiple_of(CHECK_EVERY) && self.is_over() {
            self.left = 0;
            return None;
        }
        let mut longest = 0;
        for &mv in &legal_moves(position) {
            let next = position.play(mv);
            let plies = match outcome(&next) {
                Some(outcome) => (outcome.winner == Some(next.side())).then_some(0),
                None if self.drawn.contains(&next.key()) => None,
                None => self.win(&next, most.checked_sub(1)?),
            };
            longest = longest.max(1 + plies?);
        }
        if let Some(entry) = self.tt.probe(position.tt_key() ^ self.old) {
            let renewed = TtEntry { score: Score::loss_in(longest), bound: Bound::Upper, ..entry };
            self.tt.store(position.tt_key() ^ self.new, renewed);
        }
        Some(longest)
    }

    /// Whether the search must stop, or should begin.
    fn is_over(&self) -> bool {
        let limit = self.time.hard_limit().map(|limit| limit.mul_f64(PART));
        self.time.is_over(0) || limit.is_some_and(|limit| self.time.elapsed() >= limit)
    }

    /// Returns the entry with this path key that proves such a result, and its plies, at most `most`.
    fn entry<P: Heuristics>(
        &self,
        position: &P,
        path_key: u64,
        is_result: fn(Score) -> bool,
        most: usize,
    ) -> Option<(TtEntry, usize)> {
        let entry = self.tt.probe(position.tt_key() ^ path_key)?;
        let plies = entry.proved().filter(|&score| is_result(score))?.plies_to_end()?;
        // The key does not include a counter that is far from a draw.
        let most = position.far_counter().map_or(most, |left| most.min(left.into()));
        (plies <= most).then_some((entry, plies))
    }
}
