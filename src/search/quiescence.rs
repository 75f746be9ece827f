//! Quiescence: beyond the horizon only the moves that upset a position are played out.

use super::order::{Hints, Picker, Ranks, rank};
use super::score::{MAX_PLY, Score, Window};
use super::tree::{Found, Tree};
use super::value_of;
use crate::game::{Game, MoveList, Ply};

impl<G: Game> Tree<'_, G> {
    /// The score of a position once the moves that upset it are played out.
    /// See <https://www.chessprogramming.org/Quiescence_Search>.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        mut window: Window,
        ply: usize,
        left: usize,
    ) -> Found {
        self.tick(ply)?;
        self.path.lines[ply].clear();
        if let Some(score) = self.known_score(position, ply) {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.path.lines[ply].push(mv);
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
        let hints = Hints { remembered: 0, killers: [0; 2], past: self.path.past(ply) };
        let mut ranks = Ranks::new();
        rank(position, &moves, &hints, &self.history, &mut ranks);
        for (mv, _) in Picker::new(&mut moves, &mut ranks) {
            self.path.frames[ply].target = Some(mv.target());
            let next = position.play(mv);
            self.path.lines[ply + 1].clear();
            let score = match next.ending() {
                Some(end) => -value_of(end, next.side(), ply + 1),
                None => -self.quiesce(&next, -window, ply + 1, left.saturating_sub(1))?,
            };
            if score > best {
                best = score;
                if score > window.alpha {
                    self.path.extend_line(ply, mv);
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
