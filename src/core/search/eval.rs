//! Scores of a single position without a search below it: outcome, repetition, tablebase,
//! evaluation.

use super::score::{Bound, MAX_PLY, Score, Window};
use super::searcher::Searcher;
use super::tt::TtEntry;
use crate::game::{Features, Heuristics, TablebaseValue};

impl<P: Heuristics + Features> Searcher<'_, P> {
    /// Returns the score of a leaf: the game is over, the position repeats, the tablebase has it,
    /// or the ply limit is reached.
    pub(super) fn final_score(&mut self, position: &P, ply: usize) -> Option<Score> {
        let request = self.context.request;
        if let Some(outcome) = position.outcome() {
            return Some(request.outcome_score(outcome, position.side(), ply));
        }
        if self.stack.is_repetition(position, ply) {
            return Some(Score::DRAW);
        }
        self.tablebase_score(position, ply)
            .or_else(|| (ply >= MAX_PLY).then(|| self.evaluate(position, ply)))
    }

    /// Returns the score of a transposition table entry if it allows a cutoff here.
    #[inline]
    pub(super) fn tt_score(
        &self,
        entry: &TtEntry,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let score = entry.score.to_root(ply);
        let without_length = score.is_decided() && !score.is_mate();
        let is_enough = !(self.needs_progress && without_length);
        (is_enough && causes_cutoff(entry, score, window, depth)).then_some(score)
    }

    #[inline]
    pub(super) fn tablebase_score(&self, position: &P, ply: usize) -> Option<Score> {
        let request = self.context.request;
        let value = self.context.tablebase.as_ref()?.value(position, ply)?;
        // A win of unknown length at the root needs a way to make progress. Positions of that kind
        // are therefore searched, not cut off.
        if self.needs_progress
            && matches!(value, TablebaseValue::Won(None) | TablebaseValue::Lost(None))
        {
            return None;
        }
        // With best play all moves of a drawn root draw. They differ in what the opponent may
        // overlook, which the evaluation estimates.
        if self.is_drawn && value == TablebaseValue::Drawn {
            return None;
        }
        request.signals.add_tb_hit();
        Some(request.tablebase_score(value, ply))
    }

    /// Returns the static evaluation of a position, with the requested
    /// [`EvalNoise`](super::request::EvalNoise).
    #[inline]
    pub(super) fn evaluate(&mut self, position: &P, ply: usize) -> Score {
        let eval = match &mut self.accumulators {
            Some(accumulators) => accumulators.evaluate(position, ply),
            None => position.evaluate(),
        };
        if let Some(network) = self.context.request.network {
            debug_assert_eq!(eval, network.evaluate(position), "at ply {ply}");
        }
        let error = self.context.request.eval_noise.error(position.key());
        Score::eval(eval + error + self.expectation(position))
    }

    /// Returns an evaluation with the correction that searches of similar positions suggest.
    #[inline]
    pub(super) fn corrected(&self, position: &P, eval: Score) -> Score {
        let side = position.side();
        self.histories.corrections.correct(side, position.features(side), eval)
    }

    /// Returns a bonus for the side that the tablebase expects to win, where the search must find the
    /// way: without it, a draw could score better. It is smaller where a move counter may end the
    /// game first.
    fn expectation(&self, position: &P) -> i32 {
        /// More than the evaluation of a position with few pieces.
        const BONUS: i32 = 10_000;
        let Some(tablebase) = self.context.tablebase.filter(|_| !self.is_drawn) else { return 0 };
        let sign = |value| match value {
            TablebaseValue::Won(_) => 1,
            TablebaseValue::Lost(_) => -1,
            TablebaseValue::Drawn => 0,
        };
        tablebase.expected_value(position).map_or(0, |(value, is_in_time)| {
            let bonus = if is_in_time { BONUS } else { BONUS / 2 };
            sign(value) * bonus
        })
    }
}

/// Whether an entry allows a cutoff: deep enough and on the right side of the window. A certain
/// result holds at every depth.
fn causes_cutoff(entry: &TtEntry, score: Score, window: Window, depth: i32) -> bool {
    let is_deep = i32::from(entry.depth) >= depth;
    match entry.bound {
        Bound::Exact => {
            is_deep
                || score.is_won() && score >= window.beta
                || score.is_lost() && score <= window.alpha
        }
        Bound::Lower => score >= window.beta && (is_deep || score.is_won()),
        Bound::Upper => score <= window.alpha && (is_deep || score.is_lost()),
    }
}
