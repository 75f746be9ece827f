//! Breakthrough: the position, making moves, and the outcome.

mod features;
mod handcrafted;
mod heuristics;
mod moves;
mod notation;
mod variant;

pub use notation::{BreakthroughError, BreakthroughRules};

use crate::game::{EndReason, Move, MoveList, Outcome, Position, Side};
use crate::game::bitboard::{Bits, Square, keys, squares};

/// A move of a pawn. Bits 0 to 5 are the origin square, bits 6 to 11 the target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreakthroughMove(u16);

impl BreakthroughMove {
    /// A move of a pawn.
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The origin square.
    pub const fn from(self) -> Square {
        Square::new(self.0 as u8)
    }

    /// The target square.
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as u8)
    }
}

impl Move for BreakthroughMove {
    fn packed(self) -> u16 {
        self.0
    }

    fn origin(self) -> usize {
        self.from().index()
    }

    fn target(self) -> usize {
        self.to().index()
    }
}

/// The last rank of each side, where its pawns win.
const GOAL: [Bits; 2] = [0xff, 0xff << 56];

/// Zobrist keys by side and square.
const PAWN_KEYS: [u64; 128] = keys(0xb4ea);
/// The Zobrist key of White to move.
const WHITE_TO_MOVE: u64 = keys::<1>(0x51de)[0];

/// A position of Breakthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakthrough {
    pawns: [Bits; 2],
    key: u64,
    side: Side,
}

impl Breakthrough {
    /// A position with these pawns and this side to move.
    fn new(pawns: [Bits; 2], side: Side) -> Self {
        let key = if side == Side::White { WHITE_TO_MOVE } else { 0 };
        let mut position = Self { pawns: [0; 2], key, side };
        for owner in Side::BOTH {
            for square in squares(pawns[owner]) {
                position.toggle(owner, square);
            }
        }
        position
    }

    /// Places or removes a pawn. Only this function changes squares, so that the key always matches
    /// the board.
    #[inline]
    fn toggle(&mut self, side: Side, square: Square) {
        self.pawns[side] ^= square.bit();
        self.key ^= PAWN_KEYS[side as usize * 64 + square.index()];
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

impl Position for Breakthrough {
    type Move = BreakthroughMove;

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
        // The side that has just moved comes first, should a setup satisfy both.
        [!self.side, self.side].into_iter().find_map(|side| {
            if self.pawns[side] & GOAL[side] != 0 {
                Some(Outcome::won(side, &EndReason { code: "last-rank", text: "a pawn is on the last rank" }))
            } else if self.pawns[!side] == 0 {
                Some(Outcome::won(side, &EndReason { code: "no-pawns", text: "the opponent has no pawns" }))
            } else {
                None
            }
        })
    }

    fn moves(&self, out: &mut MoveList<BreakthroughMove>) {
        moves::generate(self, !0, out);
    }

    fn count_moves(&self) -> usize {
        moves::count(self)
    }

    /// A loss. It does not occur: the foremost pawn of a side always has a diagonal move.
    fn no_moves_outcome(&self) -> Outcome {
        Outcome::won(!self.side, &EndReason { code: "no-moves", text: "the side to move has no legal move" })
    }

    #[inline]
    fn play(&self, mv: BreakthroughMove) -> Self {
        let mut next = *self;
        next.toggle(self.side, mv.from());
        next.toggle(self.side, mv.to());
        if self.pawns[!self.side] & mv.to().bit() != 0 {
            next.toggle(!self.side, mv.to());
        }
        next.pass_turn();
        next
    }

    /// 0: pawns only advance, so that no position occurs twice.
    fn repetition_limit(&self) -> usize {
        0
    }

    fn reversible_plies(&self) -> usize {
        0
    }
}
