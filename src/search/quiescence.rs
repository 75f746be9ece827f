//! Quiescence search: beyond the horizon only noisy moves are searched.

use super::move_picker::{Hints, MovePicker, MoveScores, score_moves};
use super::outcome_score;
use super::score::{MAX_PLY, Score, Window};
use super::searcher::{SearchResult, Searcher};
use crate::game::{Move, MoveList, Position};

impl<P: Position> Searcher<'_, P> {
    /// Returns the score of a position after a search of noisy moves, at most `left` plies unless
    /// forced.
    /// See <https://www.chessprogramming.org/Quiescence_Search>.
    pub(super) fn quiesce(
        &mut self,
        position: &P,
        mut window: Window,
        ply: usize,
        left: usize,
    ) -> SearchResult {
        self.tick(ply)?;
        self.stack.pvs[ply].clear();
        if let Some(score) = self.tablebase_score(position, ply) {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.stack.pvs[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }
        let forced = position.is_forced();
        let mut best = self.evaluate(position, ply);
        if ply >= MAX_PLY || !forced && (left == 0 || best >= window.beta) {
            return Ok(best);
        }
        if forced {
            best = -Score::INFINITE;
        }
        window.alpha = window.alpha.max(best);
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        let hints =
            Hints { hash_move: 0, killers: [0; 2], continuation: self.stack.continuation(ply) };
        let mut ranks = MoveScores::new();
        score_moves(position, &moves, &hints, &self.history, &mut ranks);
        for (mv, _) in MovePicker::new(&mut moves, &mut ranks) {
            self.stack.entries[ply].target = Some(mv.target());
            let next = position.play(mv);
            self.stack.pvs[ply + 1].clear();
            let score = match next.outcome() {
                Some(end) => -outcome_score(end, next.side(), ply + 1),
                None => -self.quiesce(&next, -window, ply + 1, left.saturating_sub(1))?,
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
