//! Lines of Action: making moves, and the outcome.

use super::moves;
use super::position::{Loa, LoaMove, UNLIMITED, WHITE_TO_MOVE, is_connected};
use super::rules::NoMove;
use crate::game::{EndReason, MoveList, Outcome, Position, Side};

impl Loa {
    /// The outcome if the stones of a side are connected.
    #[inline]
    pub(super) fn connection(&self) -> Option<Outcome> {
        const CONNECTED: &EndReason =
            &EndReason { code: "connected", text: "all its stones are connected" };
        let mover = !self.side;
        match (is_connected(self.stones[mover]), is_connected(self.stones[self.side])) {
            (true, true) if self.rules.draws_simultaneous() => Some(Outcome::drawn(&EndReason {
                code: "both-connected",
                text: "one move has connected both sides",
            })),
            (true, true) => Some(Outcome::won(
                mover,
                &EndReason { code: "both-connected", text: "its move has connected both sides" },
            )),
            (true, false) => Some(Outcome::won(mover, CONNECTED)),
            (false, true) if !self.rules.ignores_opponent() => {
                Some(Outcome::won(self.side, CONNECTED))
            }
            (false, _) => None,
        }
    }
}

impl Position for Loa {
    type Move = LoaMove;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.rules.repeats_with_either_side() && self.side == Side::White {
            self.key ^ WHITE_TO_MOVE
        } else {
            self.key
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.connection().or_else(|| {
            if self.plies_left == 0 {
                return Some(Outcome::drawn(&EndReason {
                    code: "move-limit",
                    text: "the move limit is reached",
                }));
            }
            (self.plies_to_no_capture_draw() == Some(0)).then(|| {
                Outcome::drawn(&EndReason {
                    code: "no-capture",
                    text: "no capture for too many moves",
                })
            })
        })
    }

    fn is_drawn_by_counter(&self) -> bool {
        self.connection().is_none() && self.outcome().is_some()
    }

    fn moves(&self, out: &mut MoveList<LoaMove>) {
        moves::generate(self, moves::Wanted::All, out);
        if out.is_empty() && self.rules.no_move() == NoMove::Pass {
            out.push(LoaMove::PASS);
        }
    }

    fn count_moves(&self) -> usize {
        self.with_pass(moves::count(self))
    }

    fn no_moves_outcome(&self) -> Outcome {
        const REASON: &EndReason =
            &EndReason { code: "no-moves", text: "the side to move has no legal move" };
        match self.rules.no_move() {
            NoMove::Loss => Outcome::won(!self.side, REASON),
            NoMove::Pass | NoMove::Draw => Outcome::drawn(REASON),
        }
    }

    #[inline]
    fn play(&self, mv: LoaMove) -> Self {
        let mut next = *self;
        next.reversible = next.reversible.saturating_add(1);
        if mv != LoaMove::PASS {
            let (from, to) = (mv.from(), mv.to());
            next.toggle(self.side, from);
            next.toggle(self.side, to);
            if self.stones[!self.side] & to.bit() != 0 {
                next.toggle(!self.side, to);
                next.reversible = 0;
            }
        }
        if next.plies_left != UNLIMITED {
            next.plies_left = next.plies_left.saturating_sub(1);
        }
        next.pass_turn();
        next
    }

    fn repetition_limit(&self) -> usize {
        self.repetition.into()
    }

    #[inline]
    fn repetition_step(&self) -> usize {
        if self.rules.repeats_with_either_side() { 1 } else { 2 }
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.reversible.into()
    }
}
