//! Looks for positions that may be problems, by searches that prove nothing about most moves.

use std::iter;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::game::{
    Game, MoveList, Tablebase, TablebaseValue, distinct_moves, legal_moves, outcome,
};
use crate::nnue::Network;
use crate::problems::problem::Terms;
use crate::search::{self, Limits, OutOfMemory, Score, SearchMemory, SearchRequest, Signals};

const FIRST_NODES: u64 = 500;

/// The least score of the first search in centipawns.
const LEAST: i32 = -100;

/// The nodes of a search that looks for a unique win.
const NODES: u64 = 4_000;

/// The highest score of the other moves in centipawns: of a higher one, a proof would hardly show that it
/// does not win.
const MOST_OF_OTHERS: i32 = 1_500;

/// The most pieces of a position that is searched, where there are endgame tables: they must be near
/// enough to prove that other moves fail.
const MOST_PIECES: u32 = 8;

const MOVES: RangeInclusive<u8> = 2..=4;

/// The size of the table of each search in MiB.
const TABLE: usize = 1;

/// The fewest moves that a problem leaves to choose from.
const FEWEST_MOVES: usize = 3;

/// The depth of a search that finds only trivial keys.
const TRIVIAL_DEPTH: usize = 2;

/// A search result.
#[derive(Clone, Copy)]
pub struct CandidateMove<M> {
    pub best: M,
    pub score: Score,
}

/// Searches positions.
pub struct Scout<P: Game> {
    /// The network; without one the handcrafted evaluation is used.
    pub network: Option<Arc<Network>>,
    pub tablebase: Option<Arc<dyn Tablebase<P>>>,
}

impl<P: Game> Scout<P> {
    /// Searches a position in which the game is not over; `only` are the moves to search, or all if
    /// there is none.
    pub fn search(
        &self,
        position: &P,
        only: &[P::Move],
        limits: &Limits,
        tablebase: Option<&dyn Tablebase<P>>,
        table: &SearchMemory,
    ) -> Option<CandidateMove<P::Move>> {
        let signals = Signals::new(false);
        let request = SearchRequest {
            root_moves: only,
            tablebase,
            network: self.network.as_deref(),
            ..SearchRequest::new(*position, limits, table, &signals)
        };
        best(&request)
    }

    /// A position, and where the endgame tables know it, those that one move leads to.
    pub fn near(&self, position: &P) -> Vec<P> {
        let is_known =
            self.tablebase.as_ref().is_some_and(|tables| tables.value(position).is_some());
        let after = if is_known { legal_moves(position) } else { MoveList::new() };
        let after = after.into_iter().map(|mv| position.play(mv));
        iter::once(*position).chain(after).collect()
    }

    /// The move that seems to be the only one to reach the terms, which it comes with.
    pub fn key(&self, position: &P, table: &SearchMemory) -> Option<(P::Move, Terms)> {
        if outcome(position).is_some() || position.winning_move().is_some() {
            return None;
        }
        let moves = distinct_moves(position, legal_moves(position));
        if moves.len() < FEWEST_MOVES {
            return None;
        }
        match &self.tablebase {
            Some(tables) if tables.value(position).is_some() => {
                let is_won = |mv: &P::Move| is_lost(&position.play(*mv), tables.as_ref());
                let mut winning = moves.iter().copied().filter(is_won);
                winning.next().filter(|_| winning.next().is_none()).map(|mv| (mv, Terms::Win))
            }
            _ => self.searched(position, &moves, table),
        }
    }

    /// Whether a move is seen at a glance.
    pub fn is_trivial(&self, position: &P, key: P::Move) -> Result<bool, OutOfMemory> {
        let depth = Limits { depth: Some(TRIVIAL_DEPTH), ..Limits::default() };
        let glance = self.search(position, &[], &depth, None, &new_table()?);
        Ok(glance.is_none_or(|glance| glance.best == key))
    }

    /// The move that is the only one to win by a search, and the terms.
    fn searched(
        &self,
        position: &P,
        moves: &[P::Move],
        table: &SearchMemory,
    ) -> Option<(P::Move, Terms)> {
        let pieces: u32 = position.piece_counts().iter().sum();
        if self.tablebase.is_some() && pieces > MOST_PIECES {
            return None;
        }
        let search = |only: &[P::Move], limit| {
            self.search(position, only, &nodes(limit), self.tablebase.as_deref(), table)
        };
        let first = search(&[], FIRST_NODES)?;
        if self.centipawns(first.score) < LEAST {
            return None;
        }
        let found = search(&[], NODES)?;
        let terms = self.terms_of(found.score)?;
        let key = position.play(found.best);
        let others: Vec<P::Move> =
            moves.iter().copied().filter(|&mv| position.play(mv) != key).collect();
        let rest = search(&others, NODES)?;
        (self.centipawns(rest.score) <= MOST_OF_OTHERS).then_some((found.best, terms))
    }

    /// The terms that follow from a score. With endgame tables it can be proved that a move does not
    /// win at all, without them only that it does not win in time.
    fn terms_of(&self, score: Score) -> Option<Terms> {
        if self.tablebase.is_some() {
            return score.is_won().then_some(Terms::Win);
        }
        let moves = score.mate_in().and_then(|moves| u8::try_from(moves).ok());
        moves.filter(|moves| MOVES.contains(moves)).map(Terms::WinIn)
    }

    fn centipawns(&self, score: Score) -> i32 {
        P::CALIBRATION.scale(self.network.is_some()).centipawns(score.raw().into())
    }
}

/// The result of a search; `None` if there is no legal move.
pub fn best<P: Game>(request: &SearchRequest<P>) -> Option<CandidateMove<P::Move>> {
    let line = search::best_lines(request).into_iter().next()?;
    let best = *line.pv.first()?;
    Some(CandidateMove { best, score: line.score })
}

/// Whether the side to move has lost by the rules or the endgame tables.
fn is_lost<P: Game>(position: &P, tables: &dyn Tablebase<P>) -> bool {
    match outcome(position) {
        Some(end) => end.winner == Some(!position.side()),
        None => matches!(tables.value(position), Some(TablebaseValue::Lost(_))),
    }
}

pub fn new_table() -> Result<SearchMemory, OutOfMemory> {
    SearchMemory::new(TABLE)
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
