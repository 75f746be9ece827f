//! The root moves, and those that preserve the tablebase value.

use super::score::{Bound, MAX_PLY, Score};
use super::searcher::SearchContext;
use crate::game::{
    Features, Heuristics, MoveList, TablebaseValue, is_repetition, legal_moves, occurrences_of,
    outcome, root_moves,
};

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
    let mut moves = root_moves(root, request.root_moves);
    if let Some(value) = value {
        let draw = Score::DRAW;
        let preserves = |score: Score| match value {
            TablebaseValue::Won(_) => score.is_won(),
            TablebaseValue::Lost(_) => score.is_lost(),
            TablebaseValue::Drawn => score == draw,
        };
        let score_after = |mv: &P::Move| exact_score(context, root, *mv, 1);
        // A move has no value where a rule that counts moves may end the game first. That can save
        // a lost position. In other positions, moves of known value are preferred.
        let surely_preserves = |mv: &P::Move| score_after(mv).is_some_and(preserves);
        let is_lost = matches!(value, TablebaseValue::Lost(_));
        if !is_lost && legal_moves(root).iter().any(surely_preserves) {
            moves.retain(|mv| surely_preserves(mv));
        } else {
            moves.retain(|mv| score_after(mv).is_none_or(preserves));
        }
    }
    if value == Some(TablebaseValue::Won(None)) {
        drop_repetitions(context, &mut moves);
    }
    // A node limit may end the first iteration early, so the best move comes first.
    if let Some(best) = tablebase_best_move(context, root, &moves, 0)
        && let Some(index) = moves.iter().position(|mv| *mv == best)
    {
        moves.swap(0, index);
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
    let earlier = || [&request.root].into_iter().chain(request.history.iter().rev()).map(P::key);
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
/// provides one. The move leads to `ply`.
fn exact_score<P: Heuristics + Features>(
    context: &SearchContext<P>,
    position: &P,
    mv: P::Move,
    ply: usize,
) -> Option<Score> {
    let request = context.request;
    let next = position.play(mv);
    if let Some(outcome) = outcome(&next) {
        return Some(request.outcome_score(outcome, position.side(), ply));
    }
    let value = context.tablebase?.value(&next, ply)?;
    Some(-request.tablebase_score(value, ply))
}

/// Completes a line of decided score to the end of the game, with moves from the tablebase.
pub(super) fn complete_pv<P: Heuristics + Features>(
    context: &SearchContext<P>,
    line: &mut Vec<P::Move>,
) {
    let mut position = line.iter().fold(context.request.root, |position, &mv| position.play(mv));
    while line.len() < MAX_PLY && outcome(&position).is_none() {
        let moves = legal_moves(&position);
        let Some(mv) = tablebase_best_move(context, &position, &moves, line.len()) else { break };
        line.push(mv);
        position = position.play(mv);
    }
}

/// Returns the one of the moves that wins soonest or loses latest from a position at `ply`; `None`
/// if the tablebase has no certain win or loss of known length.
fn tablebase_best_move<P: Heuristics + Features>(
    context: &SearchContext<P>,
    position: &P,
    moves: &MoveList<P::Move>,
    ply: usize,
) -> Option<P::Move> {
    let value = context.tablebase?.value(position, ply)?;
    let (TablebaseValue::Won(Some(_)) | TablebaseValue::Lost(Some(_))) = value else { return None };
    let score = |mv| exact_score(context, position, mv, ply + 1);
    let scored = moves.iter().filter_map(|&mv| Some((score(mv)?, mv)));
    let (score, mv) = scored.max_by_key(|&(score, _)| score)?;
    score.is_mate().then_some(mv)
}
