//! Quiescence search: beyond the horizon only noisy moves are searched.

use super::move_picker::{Hints, MovePicker};
use super::params;
use super::score::{MAX_PLY, Score, Window};
use super::searcher::{SearchResult, Searcher};
use crate::game::{Features, Heuristics, MAX_MOVES, Move, MoveList, MoveScores};

impl<P: Heuristics + Features> Searcher<'_, P> {
    /// Returns the score of a position after a search of noisy moves, at most `depth` plies unless
    /// forced.
    /// See <https://www.chessprogramming.org/Quiescence_Search>.
    pub(super) fn quiesce(
        &mut self,
        position: &P,
        mut window: Window,
        ply: usize,
        depth: usize,
    ) -> SearchResult {
        self.tick(ply)?;
        self.stack.pvs[ply].clear();
        if let Some(score) = self.tablebase_score(position, ply) {
            return Ok(score);
        }
        // The first position may have been searched more deeply, the later ones hardly ever.
        let entry = (depth == params::quiescence_plies())
            .then(|| self.context.probe_tt(position))
            .flatten();
        if !window.is_open()
            && let Some(entry) = entry
            && let Some(score) = self.tt_score(&entry, window, 0, ply)
        {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.stack.pvs[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }
        let mut best = -Score::INFINITE;
        let forced = position.is_forced();
        // Where a noisy move is forced, the side to move cannot choose to stand pat.
        if !forced || ply >= MAX_PLY {
            let eval = entry.map_or_else(|| self.evaluate(position, ply), |entry| entry.eval);
            best = self.corrected(position, eval);
            if ply >= MAX_PLY || depth == 0 || best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        let hints =
            Hints { tt_move: 0, killers: [0; 2], continuation: self.stack.continuation(ply) };
        let mut scores = MoveScores::from([0; MAX_MOVES]);
        scores.truncate(moves.len());
        let side = position.side();
        let picker = MovePicker::new(side, &mut moves, &mut scores, &hints, &self.histories.moves);
        for (mv, _) in picker {
            self.stack.entries[ply].target = Some(mv.target());
            let next = position.play(mv);
            self.stack.pvs[ply + 1].clear();
            let score = match next.outcome() {
                Some(outcome) => self.context.request.outcome_score(outcome, side, ply + 1),
                None => -self.quiesce(&next, -window, ply + 1, depth.saturating_sub(1))?,
            };
            if score > best {
                best = score;
                if score > window.alpha {
                    self.stack.extend_pv(ply, mv);
                    window.alpha = score;
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }
}
