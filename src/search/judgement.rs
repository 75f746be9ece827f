//! What is known of a position without a search below it.

use super::score::{Bound, MAX_PLY, Score, Window};
use super::tree::Tree;
use super::tt::Entry;
use super::value_of;
use crate::game::{Game, Known};

impl<G: Game> Tree<'_, G> {
    /// The score of a position below which nothing is to be searched.
    pub(super) fn final_score(&mut self, position: &G, ply: usize) -> Option<Score> {
        if let Some(end) = position.ending() {
            return Some(value_of(end, position.side(), ply));
        }
        if self.path.is_repetition(position, ply) {
            return Some(Score::DRAW);
        }
        self.known_score(position, ply)
            .or_else(|| (ply >= MAX_PLY).then(|| self.evaluate(position, ply)))
    }

    /// What the table knows of a position, if that is enough to know.
    pub(super) fn remembered_score(
        &self,
        entry: &Entry,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let score = entry.score.to_root(ply);
        let without_length = score.is_certain() && !score.is_decided();
        let is_enough = !(self.needs_progress && without_length);
        (is_enough && settles(entry, score, window, depth)).then_some(score)
    }

    /// The score of a position that is known for certain.
    pub(super) fn known_score(&self, position: &G, ply: usize) -> Option<Score> {
        let known = self.task.oracle?.value(position)?;
        // To know that it is won is not enough to win it: where the root is of that kind, what
        // leads to a win is searched.
        if self.needs_progress && matches!(known, Known::Won(None) | Known::Lost(None)) {
            return None;
        }
        self.task.signals.add_hit();
        Some(Score::known(known, ply))
    }

    /// The static evaluation of a position, as the task wants it judged.
    pub(super) fn evaluate(&mut self, position: &G, ply: usize) -> Score {
        let worth = match &mut self.accumulators {
            Some(accumulators) => accumulators.evaluate(position, ply),
            None => position.evaluate(),
        };
        if let Some(network) = self.task.network {
            debug_assert_eq!(worth, network.evaluate(position), "at ply {ply}");
        }
        let error = self.task.misjudgement.of(position.key());
        Score::guess(worth + error + self.promise(position))
    }

    /// Where a way to win is looked for, whoever is known to win is ahead however it looks: or to
    /// repeat a position would seem better.
    fn promise(&self, position: &G) -> i32 {
        /// More than evaluations of few pieces amount to.
        const AHEAD: i32 = 10_000;
        let Some(oracle) = self.task.oracle.filter(|_| self.needs_progress) else { return 0 };
        match oracle.value(position) {
            Some(Known::Won(_)) => AHEAD,
            Some(Known::Lost(_)) => -AHEAD,
            Some(Known::Drawn) | None => 0,
        }
    }
}

/// Whether what the table knows is deep enough and on the right side of the window. A certain
/// result holds at every depth.
fn settles(entry: &Entry, score: Score, window: Window, depth: i32) -> bool {
    let deep = i32::from(entry.depth) >= depth;
    match entry.bound {
        Bound::Exact => {
            deep || score.is_won() && score >= window.beta
                || score.is_lost() && score <= window.alpha
        }
        Bound::Lower => score >= window.beta && (deep || score.is_won()),
        Bound::Upper => score <= window.alpha && (deep || score.is_lost()),
    }
}
