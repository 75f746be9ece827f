//! Lines of Action: a position and a move as values.

use std::mem::size_of;

use super::rules::{
    LoaRules, MAX_MOVE_LIMIT, NoMove, OpponentConnection, RepetitionSide, Simultaneous,
};
use crate::game::bitboard::{Bits, Square, grown, keys, neighbours, squares};
use crate::game::{Move, Side};

/// A move of a stone, or a pass. Bits 0 to 5 are the origin square, bits 6 to 11 the target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaMove(pub(super) u16);

impl LoaMove {
    /// The pass of a side that has no legal move.
    pub const PASS: Self = Self(63 | 63 << 6);

    /// A move of a stone.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0 as u8)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as u8)
    }
}

impl Move for LoaMove {
    #[inline]
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

/// The value of `plies_left` without a move limit.
pub(super) const UNLIMITED: u16 = u16::MAX;

/// The rules without a number, as bits, so that a position stays small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleBits(u8);

impl RuleBits {
    const SIMULTANEOUS_DRAW: u8 = 1;
    const OPPONENT_IGNORED: u8 = 1 << 1;
    const EITHER_SIDE: u8 = 1 << 2;
    const NO_MOVE_LOSS: u8 = 1 << 3;
    const NO_MOVE_DRAW: u8 = 1 << 4;

    fn new(rules: LoaRules) -> Self {
        let bits = [
            (rules.simultaneous == Simultaneous::Draw, Self::SIMULTANEOUS_DRAW),
            (rules.opponent == OpponentConnection::Ignored, Self::OPPONENT_IGNORED),
            (rules.repetition_side == RepetitionSide::Either, Self::EITHER_SIDE),
            (rules.no_move == NoMove::Loss, Self::NO_MOVE_LOSS),
            (rules.no_move == NoMove::Draw, Self::NO_MOVE_DRAW),
        ];
        Self(bits.into_iter().map(|(is_set, bit)| u8::from(is_set) * bit).sum())
    }

    /// Whether a move that connects both sides draws the game.
    #[inline]
    pub(super) fn draws_simultaneous(self) -> bool {
        self.0 & Self::SIMULTANEOUS_DRAW != 0
    }

    /// Whether the game goes on if a move connects only the opponent.
    #[inline]
    pub(super) fn ignores_opponent(self) -> bool {
        self.0 & Self::OPPONENT_IGNORED != 0
    }

    /// Whether positions with either side to move are repetitions of each other.
    #[inline]
    pub(super) fn repeats_with_either_side(self) -> bool {
        self.0 & Self::EITHER_SIDE != 0
    }

    /// The rule for a side without a legal move.
    #[inline]
    pub(super) fn no_move(self) -> NoMove {
        match self.0 & (Self::NO_MOVE_LOSS | Self::NO_MOVE_DRAW) {
            Self::NO_MOVE_LOSS => NoMove::Loss,
            Self::NO_MOVE_DRAW => NoMove::Draw,
            _ => NoMove::Pass,
        }
    }
}

/// Zobrist keys by side and square.
const STONE_KEYS: [u64; 128] = keys(0x10a);
pub(super) const WHITE_TO_MOVE: u64 = keys::<1>(0x51de)[0];

/// A position of Lines of Action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loa {
    pub(super) stones: [Bits; 2],
    pub(super) key: u64,
    pub(super) side: Side,
    pub(super) rules: RuleBits,
    pub(super) repetition: u8,
    /// The number of moves of each side without a capture that draws the game; 0 for none.
    pub(super) no_capture: u8,
    pub(super) plies_left: u16,
    /// Plies since the last capture.
    pub(super) reversible: u16,
}

const _: () = assert!(size_of::<Loa>() == 32, "copied for every move");

impl Loa {
    /// A position with these stones and this side to move, before any move counts towards the
    /// limit.
    pub(super) fn new(stones: [Bits; 2], side: Side, rules: LoaRules) -> Self {
        let mut position = Self {
            stones: [0; 2],
            key: if side == Side::White { WHITE_TO_MOVE } else { 0 },
            side,
            rules: RuleBits::new(rules),
            repetition: rules.repetition,
            no_capture: rules.no_capture,
            plies_left: match rules.move_limit {
                0 => UNLIMITED,
                moves => 2 * moves.min(MAX_MOVE_LIMIT),
            },
            reversible: 0,
        };
        for owner in Side::BOTH {
            for square in squares(stones[owner]) {
                position.toggle(owner, square);
            }
        }
        position
    }

    #[inline]
    pub fn stones(&self, side: Side) -> Bits {
        self.stones[side]
    }

    /// Places or removes a stone. Only this function changes squares, so that the key always
    /// matches the board.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, square: Square) {
        self.stones[side] ^= square.bit();
        self.key ^= STONE_KEYS[side as usize * 64 + square.index()];
    }

    /// The number of legal moves, given the number of moves of stones: without any, a pass may
    /// count.
    pub(super) fn with_pass(&self, count: usize) -> usize {
        if count == 0 && self.rules.no_move() == NoMove::Pass { 1 } else { count }
    }

    /// The plies without a capture that are left before the game is drawn; `None` without that
    /// rule.
    #[inline]
    pub(super) fn plies_to_no_capture_draw(&self) -> Option<u16> {
        (self.no_capture != 0)
            .then(|| (2 * u16::from(self.no_capture)).saturating_sub(self.reversible))
    }

    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

/// Whether the stones form one group, in which stones are adjacent in eight directions. A single
/// stone is connected.
#[inline]
pub fn is_connected(stones: Bits) -> bool {
    if stones & stones.wrapping_sub(1) == 0 {
        return true;
    }
    // Fast path: in most positions some stone has no neighbour.
    if stones & !neighbours(stones) != 0 {
        return false;
    }
    group_of(stones & stones.wrapping_neg(), stones) == stones
}

#[inline]
pub(super) fn group_of(seed: Bits, stones: Bits) -> Bits {
    let mut group = seed;
    loop {
        let larger = grown(group) & stones;
        if larger == group {
            return group;
        }
        group = larger;
    }
}
