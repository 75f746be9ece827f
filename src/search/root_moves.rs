//! The root moves, and those that preserve the tablebase value.

use super::request::SearchRequest;
use super::score::{Bound, MAX_PLY, Score};
use super::searcher::SearchContext;
use crate::game::{
    Features, Heuristics, MoveList, TablebaseValue, is_repetition, legal_moves, occurrences_of,
    outcome,
};

/// A root move with the result of its search.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    pub(super) nodes: u64,
    pub(super) score: Score,
    /// Whether the score is exact. A score outside the aspiration window is only a bound.
    pub(super) bound: Bound,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> Self {
        Self { mv, nodes: 0, score: -Score::INFINITE, bound: Bound::Exact, pv: vec![mv] }
    }
}

/// Returns the requested moves that preserve the tablebase value of the root; all of them if it is
/// `None`.
pub(super) fn value_preserving_moves<P: Heuristics + Features>(
    context: &SearchContext<P>,
    value: Option<TablebaseValue>,
) -> MoveList<P::Move> {
    let request = context.request;
    let root = &request.root;
    let mut moves = legal_moves(root);
    if let Some(value) = value {
        let draw = request.draw_score(root.side());
        let preserves = |score: Score| match value {
            TablebaseValue::Won(_) => score.is_won(),
            TablebaseValue::Lost(_) => score.is_lost(),
            TablebaseValue::Drawn => score == draw,
        };
        let score_after = |mv: &P::Move| exact_score(request, root, *mv);
        // A move has no value where a rule that counts moves may end the game first. That can save
        // a lost position. In other positions, moves of known value are preferred.
        let surely_preserves = |mv: &P::Move| score_after(mv).is_some_and(preserves);
        let is_lost = matches!(value, TablebaseValue::Lost(_));
        if !is_lost && moves.iter().any(surely_preserves) {
            moves.retain(|mv| surely_preserves(mv));
        } else {
            moves.retain(|mv| score_after(mv).is_none_or(preserves));
        }
    }
    moves.retain(|mv| request.is_requested(mv));
    if value == Some(TablebaseValue::Won(None)) {
        drop_repetitions(context, &mut moves);
    }
    moves
}

/// Drops the moves that repeat a position of the game or let the opponent draw by repetition,
/// unless all moves do: repetitions bring no win nearer.
fn drop_repetitions<P: Heuristics + Features>(
    context: &SearchContext<P>,
    moves: &mut MoveList<P::Move>,
) {
    let request = context.request;
    let earlier = || [request.root.key()].into_iter().chain(request.history.iter().rev().copied());
    // A stored proof makes progress even through a position of the game.
    let is_proved_loss = |position: &P| {
        let entry = context.probe_tt(position);
        entry.is_some_and(|entry| entry.is_proof() && entry.score.is_mate_loss())
    };
    let makes_progress = |mv: &P::Move| {
        let next = request.root.play(*mv);
        let allows_draw = |reply| {
            let keys = [next.key()].into_iter().chain(earlier());
            is_repetition(&next.play(reply), keys)
        };
        let is_new = occurrences_of(&next, earlier()).next().is_none();
        (is_new || is_proved_loss(&next)) && !legal_moves(&next).into_iter().any(allows_draw)
    };
    if moves.iter().any(makes_progress) {
        moves.retain(|mv| makes_progress(mv));
    }
}

/// Returns the exact score of a move for the side that makes it, if the game or the tablebase
/// provides one.
fn exact_score<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    position: &P,
    mv: P::Move,
) -> Option<Score> {
    let next = position.play(mv);
    if let Some(outcome) = outcome(&next) {
        return Some(request.outcome_score(outcome, position.side(), 1));
    }
    let value = request.tablebase?.value(&next)?;
    Some(-request.tablebase_score(value, next.side(), 1))
}

/// Completes a line of decided score to the end of the game, with moves from the tablebase.
pub(super) fn complete_line<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    line: &mut Vec<P::Move>,
) {
    if request.tablebase.is_none() {
        return;
    }
    let mut position = line.iter().fold(request.root, |position, &mv| position.play(mv));
    while line.len() < MAX_PLY && outcome(&position).is_none() {
        let Some(mv) = tablebase_best_move(request, &position) else { break };
        line.push(mv);
        position = position.play(mv);
    }
}

/// Returns the move that wins soonest or loses latest; `None` if a length is unknown.
fn tablebase_best_move<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    position: &P,
) -> Option<P::Move> {
    let moves = legal_moves(position).into_iter();
    let scored: Option<Vec<_>> =
        moves.map(|mv| Some((exact_score(request, position, mv)?, mv))).collect();
    let (score, mv) = scored?.into_iter().max_by_key(|&(score, _)| score)?;
    score.is_mate().then_some(mv)
}
