//! Replays games as far as a query needs.

use std::iter;

use serde::Serialize;

use super::query::Query;
use crate::game::{Game, MoveFormat, Side, listed_move, mix, rules_from, values_of};
use crate::records::{Record, ReplayError, replayed_moves};
use crate::with_game;

/// What the positions of a game up to here mean for a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// A later position may be wanted.
    Open,
    /// The game has all that is wanted.
    Found,
    /// No later position can be wanted.
    Impossible,
}

/// Compares the positions of a game, one after the other, with a query.
struct Matcher<'a> {
    query: &'a Query,
    ply: usize,
    /// The plies after which the position, the ending and the opening are reached.
    position: Option<usize>,
    ending: Option<usize>,
    opening: Option<usize>,
}

impl<'a> Matcher<'a> {
    /// A game without positions so far.
    fn new(query: &'a Query) -> Self {
        Self { query, ply: 0, position: None, ending: None, opening: None }
    }

    /// Adds the next position of the game, the first one first. The game must be one that the query
    /// [may find](Query::matches_game).
    fn add<P: Game>(&mut self, position: &P) -> Progress {
        let (query, ply) = (self.query, self.ply);
        self.ply += 1;
        let (key, counts) = (position.key_with_side(), position.piece_counts());
        let mut progress = Progress::Found;
        if let Some(wanted) = query.position.as_ref().filter(|_| self.position.is_none()) {
            if key == wanted.key {
                self.position = Some(ply);
            } else {
                progress = progress.and(can_lead_to(counts, wanted.pieces));
            }
        }
        if let Some(wanted) = query.opening.as_ref().filter(|_| self.opening.is_none()) {
            if wanted.positions.iter().any(|position| position.key == key) {
                self.opening = Some(ply);
            } else {
                progress = progress.and(ply < wanted.plies);
            }
        }
        if let Some(wanted) = query.ending.as_ref().filter(|_| self.ending.is_none()) {
            if wanted.is_in(position, counts) {
                self.ending = Some(ply);
            } else {
                progress = progress.and(can_lead_to(counts, wanted.totals()));
            }
        }
        progress
    }

    /// The number of plies after which the game has what the query looks for: the position or, if none is wanted, the
    /// ending or the opening.
    fn ply(&self) -> Option<usize> {
        self.position.or(self.ending).or(self.opening)
    }
}

impl Progress {
    /// The progress if something else is not found yet, and may be.
    fn and(self, is_possible: bool) -> Self {
        if is_possible && self != Self::Impossible { Self::Open } else { Self::Impossible }
    }
}

/// Whether moves can lead from so many pieces to as many: they only disappear.
fn can_lead_to(counts: [u32; 2], wanted: [u32; 2]) -> bool {
    counts.iter().zip(wanted).all(|(count, wanted)| *count >= wanted)
}

/// Where a game has what a query looks for.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<P: Game> {
    /// The number of plies before it.
    pub ply: usize,
    pub position: P,
    /// The move that was played; `None` at the end of the game.
    pub mv: Option<P::Move>,
}

/// Looks for what a query wants in the positions of a game, each with the move that was played or the error in it.
/// Returns where it is, and the error at which the replay ends. The replay ends with all that is wanted, or where it
/// cannot follow any more.
pub(super) fn occurrence<P: Game, E>(
    query: &Query,
    turns: impl Iterator<Item = (P, Option<Result<P::Move, E>>)>,
) -> (Option<Occurrence<P>>, Option<E>) {
    let mut matcher = Matcher::new(query);
    let mut found: Option<Occurrence<P>> = None;
    for (position, played) in turns {
        let progress = matcher.add(&position);
        let (mv, error) = match played.transpose() {
            Ok(mv) => (mv, None),
            Err(error) => (None, Some(error)),
        };
        if let Some(ply) = matcher.ply().filter(|ply| found.is_none_or(|found| found.ply != *ply)) {
            found = Some(Occurrence { ply, position, mv });
        }
        match progress {
            Progress::Found => return (found, error),
            Progress::Impossible => break,
            Progress::Open if error.is_some() => return (None, error),
            Progress::Open => {}
        }
    }
    (None, None)
}

/// An [`Occurrence`] as it is printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FoundPosition {
    /// The number of plies before the position.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The number of its move, from 1.
    pub number: usize,
    /// The move that was played, in the standard notation of the game; `None` at the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What a query has found in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct QueryMatch {
    pub is_found: bool,
    /// Where; `None` if the query has only headers.
    pub position: Option<FoundPosition>,
    /// The first illegal move, as far as the moves were replayed.
    pub error: Option<ReplayError>,
}

impl Query {
    /// Searches a game: first its headers, then its moves, up to the move behind the position that is found or up to
    /// where it cannot be found any more.
    pub fn search(&self, record: &Record) -> QueryMatch {
        let name = with_game!(record.variant(), |P, _variant| P::name()).unwrap_or_default();
        if !self.matches_game(name) || !self.matches_headers(record) {
            return QueryMatch::default();
        }
        if !self.needs_moves() {
            return QueryMatch { is_found: true, ..QueryMatch::default() };
        }
        with_game!(record.variant(), |P, _variant| self.replay::<P>(record)).unwrap_or_default()
    }

    fn replay<P: Game>(&self, record: &Record) -> QueryMatch {
        let (start, mut moves) = match replayed_moves::<P>(record, rules::<P>(record)) {
            Ok(replayed) => replayed,
            Err(error) => return QueryMatch { error: Some(error), ..QueryMatch::default() },
        };
        let mut next = Some(start);
        let turns = iter::from_fn(|| {
            let position = next.take()?;
            let played = moves.next().map(|played| {
                let (mv, after) = played?;
                next = Some(after);
                Ok(mv)
            });
            Some((position, played))
        });
        let (found, error) = occurrence(self, turns);
        let is_white_first = start.side() == Side::White;
        let position = found.map(|Occurrence { ply, position, mv }| FoundPosition {
            ply,
            side: position.side(),
            number: (ply + usize::from(is_white_first)) / 2 + 1,
            next: mv
                .map(|mv| position.write_move(listed_move(&position, mv), MoveFormat::Standard)),
        });
        QueryMatch { is_found: position.is_some(), position, error }
    }
}

fn rules<P: Game>(record: &Record) -> P::Rules {
    rules_from(&values_of(&record.rules()))
}

/// A hash of the first position and the moves of a game, which is the same for the same moves in any notation. `None`
/// without a move.
pub fn moves_hash(record: &Record) -> Result<Option<u64>, ReplayError> {
    fn hash<P: Game>(record: &Record) -> Result<Option<u64>, ReplayError> {
        let (start, moves) = replayed_moves::<P>(record, rules::<P>(record))?;
        let mut hash = mix(start.key_with_side());
        let mut has_moves = false;
        for played in moves {
            // Not the keys alone: between two positions they differ only by the move.
            hash = mix(hash ^ played?.1.key_with_side());
            has_moves = true;
        }
        Ok(has_moves.then_some(hash))
    }
    with_game!(record.variant(), |P, _variant| hash::<P>(record)).unwrap_or(Ok(None))
}
