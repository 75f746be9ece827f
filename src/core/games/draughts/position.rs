//! English draughts: a position and a move as values.

use std::mem::size_of;

use super::rules::{Captures, DraughtsRules};
use crate::game::bitboard::{Bits, Square, keys, squares};
use crate::game::{Move, Side, mix};

/// The first rank of each side, on which the opponent's men are crowned.
pub(super) const HOME: [Bits; 2] = [0xff << 56, 0xff];

/// A move of a piece along its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraughtsMove {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) jumps: u8,
    /// The direction of each jump, two bits each, the first jump in the lowest bits.
    pub(super) path: u32,
    pub(super) taken: Bits,
}

impl DraughtsMove {
    pub(super) fn step(from: Square, to: Square) -> Self {
        Self { from, to, jumps: 0, path: 0, taken: 0 }
    }
}

impl Move for DraughtsMove {
    /// The origin, the target and a 4-bit digest of the path. The digest separates most captures
    /// with the same origin and target.
    #[inline]
    fn packed(self) -> u16 {
        let digest = if self.jumps == 0 { 0 } else { mix(self.path.into()) % 15 + 1 };
        (self.from.index() | self.to.index() << 6) as u16 | (digest as u16) << 12
    }

    fn origin(self) -> usize {
        self.from.index()
    }

    fn target(self) -> usize {
        self.to.index()
    }
}

/// Zobrist keys by side, rank of piece (man or king) and square.
const PIECE_KEYS: [u64; 256] = keys(0xd4a);
pub(super) const WHITE_TO_MOVE: u64 = keys::<1>(0x51df)[0];

/// The bit of the rules under which captures are optional and have one jump.
pub(super) const OPTIONAL_CAPTURES: u8 = 1 << 7;

/// A position of English draughts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draughts {
    pub(super) pieces: [Bits; 2],
    pub(super) kings: Bits,
    pub(super) key: u64,
    pub(super) side: Side,
    /// The number of occurrences of a position that draws the game, and [`OPTIONAL_CAPTURES`].
    pub(super) rules: u8,
    /// Plies since a man last advanced or a piece was captured.
    pub(super) quiet: u16,
    /// The number of quiet plies that draws the game; 0 for none.
    pub(super) draw_after: u16,
    pub(super) since_capture: u8,
    /// The number of plies without a capture that draws the game; 0 for none.
    pub(super) no_capture: u8,
}

const _: () = assert!(size_of::<Draughts>() == 40, "copied for every move");

impl Draughts {
    /// The position with these pieces of Black and of White, without any quiet plies. `kings` are those of
    /// both sides.
    pub fn new(pieces: [Bits; 2], kings: Bits, side: Side, rules: DraughtsRules) -> Self {
        let mut position = Self {
            pieces: [0; 2],
            kings: 0,
            key: if side == Side::White { WHITE_TO_MOVE } else { 0 },
            side,
            rules: rules.repetition & !OPTIONAL_CAPTURES
                | if rules.captures == Captures::Optional { OPTIONAL_CAPTURES } else { 0 },
            quiet: 0,
            draw_after: rules.draw_moves.saturating_mul(2),
            since_capture: 0,
            no_capture: rules.no_capture.saturating_mul(2),
        };
        for owner in Side::BOTH {
            for square in squares(pieces[owner]) {
                position.toggle(owner, kings & square.bit() != 0, square);
            }
        }
        position
    }

    #[inline]
    pub(super) fn has_optional_captures(&self) -> bool {
        self.rules & OPTIONAL_CAPTURES != 0
    }

    #[inline]
    pub fn men(&self, side: Side) -> Bits {
        self.pieces[side] & !self.kings
    }

    #[inline]
    pub fn kings(&self, side: Side) -> Bits {
        self.pieces[side] & self.kings
    }

    /// Adds or removes a piece. All changes to the board go through this function, so that the
    /// Zobrist key always matches the board.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, king: bool, square: Square) {
        self.pieces[side] ^= square.bit();
        self.kings ^= if king { square.bit() } else { 0 };
        self.key ^= PIECE_KEYS[side as usize * 128 + usize::from(king) * 64 + square.index()];
    }
}
