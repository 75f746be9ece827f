//! English draughts: making moves, and the outcome.

use super::moves;
use super::position::{Draughts, DraughtsMove, HOME, OPTIONAL_CAPTURES, WHITE_TO_MOVE};
use crate::game::bitboard::squares;
use crate::game::{EndReason, MoveList, Outcome, Position, Side};

const NO_MOVES: &EndReason = &EndReason { code: "no-moves", text: "the opponent cannot move" };
const NO_PIECES: &EndReason = &EndReason { code: "no-pieces", text: "the opponent has no pieces" };

impl Position for Draughts {
    type Move = DraughtsMove;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !moves::can_move(self) {
            return Some(self.no_moves_outcome());
        }
        // Only a setup can produce this: after a capture, the side without pieces is to move.
        if self.pieces[!self.side] == 0 {
            return Some(Outcome::won(self.side, NO_PIECES));
        }
        if self.draw_after != 0 && self.quiet >= self.draw_after {
            return Some(Outcome::drawn(&EndReason {
                code: "no-progress",
                text: "no capture and no advance of a man for too many moves",
            }));
        }
        (self.no_capture != 0 && self.since_capture >= self.no_capture).then(|| {
            Outcome::drawn(&EndReason { code: "no-capture", text: "no capture for too many moves" })
        })
    }

    fn is_drawn_by_counter(&self) -> bool {
        // Every draw is one.
        self.outcome().is_some_and(|end| end.winner.is_none())
    }

    fn moves(&self, out: &mut MoveList<DraughtsMove>) {
        moves::generate(self, out);
    }

    fn count_moves(&self) -> usize {
        moves::count(self)
    }

    fn no_moves_outcome(&self) -> Outcome {
        let reason = if self.pieces[self.side] == 0 { NO_PIECES } else { NO_MOVES };
        Outcome::won(!self.side, reason)
    }

    // Where only the key of the next position is used, the compiler then leaves out the rest.
    #[inline(always)]
    fn play(&self, mv: DraughtsMove) -> Self {
        let mut next = *self;
        let king = self.kings & mv.from.bit() != 0;
        next.toggle(self.side, king, mv.from);
        for square in squares(mv.taken) {
            next.toggle(!self.side, self.kings & square.bit() != 0, square);
        }
        let crowned = HOME[!self.side] & mv.to.bit() != 0;
        next.toggle(self.side, king || crowned, mv.to);
        next.quiet = if king && mv.taken == 0 { self.quiet.saturating_add(1) } else { 0 };
        next.since_capture = if mv.taken == 0 { self.since_capture.saturating_add(1) } else { 0 };
        next.side = !self.side;
        next.key ^= WHITE_TO_MOVE;
        next
    }

    fn repetition_limit(&self) -> usize {
        (self.rules & !OPTIONAL_CAPTURES).into()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.quiet.into()
    }
}
