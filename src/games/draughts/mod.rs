//! English draughts: position, making moves, and end of the game.

mod features;
mod handcrafted;
mod heuristics;
mod moves;
mod notation;
mod rules;
pub mod tables;
mod variant;

use std::mem::size_of;

pub use notation::DraughtsError;
pub use rules::DraughtsRules;

use crate::game::{Move, MoveList, Outcome, Position, Side, mix};
use crate::games::board::{Bits, Square, keys, squares};

const NO_PIECES: &str = "the opponent has no pieces";

/// The first rank of each side, on which the opponent's men are crowned.
const HOME: [Bits; 2] = [0xff << 56, 0xff];

/// A move of a piece along its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraughtsMove {
    from: Square,
    to: Square,
    /// The number of jumps; 0 for a step.
    jumps: u8,
    /// The direction of each jump, two bits each, the first jump in the lowest bits.
    path: u32,
    /// The captured pieces.
    taken: Bits,
}

impl DraughtsMove {
    /// A step to an adjacent square.
    fn step(from: Square, to: Square) -> Self {
        Self { from, to, jumps: 0, path: 0, taken: 0 }
    }

    /// The squares of the path, including origin and target.
    fn squares(self) -> impl Iterator<Item = Square> {
        let first = if self.jumps == 0 { Some(self.to) } else { None };
        let mut at = self.from;
        let landings = (0..self.jumps).map(move |jump| {
            at = moves::landing(at, (self.path >> (2 * jump)) & 3);
            at
        });
        [self.from].into_iter().chain(first).chain(landings)
    }
}

impl Move for DraughtsMove {
    /// The origin, the target and a 4-bit digest of the path. The digest separates most captures
    /// with the same origin and target.
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
/// The Zobrist key of White to move.
const WHITE_TO_MOVE: u64 = keys::<1>(0x51df)[0];

/// A position of English draughts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draughts {
    pieces: [Bits; 2],
    kings: Bits,
    key: u64,
    side: Side,
    repetition: u8,
    /// Plies since a man last advanced or a piece was captured.
    quiet: u16,
    /// The number of quiet plies that draws the game; 0 for none.
    draw_after: u16,
}

const _: () = assert!(size_of::<Draughts>() == 40, "copied for every move");

impl Draughts {
    /// The position with these pieces, without any quiet plies.
    fn new(pieces: [Bits; 2], kings: Bits, side: Side, rules: DraughtsRules) -> Self {
        let mut position = Self {
            pieces: [0; 2],
            kings: 0,
            key: if side == Side::White { WHITE_TO_MOVE } else { 0 },
            side,
            repetition: rules.repetition,
            quiet: 0,
            draw_after: 2 * rules.draw_moves,
        };
        for owner in Side::BOTH {
            for square in squares(pieces[owner]) {
                position.toggle(owner, kings & square.bit() != 0, square);
            }
        }
        position
    }

    /// The men of one side.
    #[inline]
    pub fn men(&self, side: Side) -> Bits {
        self.pieces[side] & !self.kings
    }

    /// The kings of one side.
    #[inline]
    pub fn kings(&self, side: Side) -> Bits {
        self.pieces[side] & self.kings
    }

    /// Adds or removes a piece. All changes to the board go through this function, so that the
    /// Zobrist key always matches the board.
    #[inline]
    fn toggle(&mut self, side: Side, king: bool, square: Square) {
        self.pieces[side] ^= square.bit();
        self.kings ^= if king { square.bit() } else { 0 };
        self.key ^= PIECE_KEYS[side as usize * 128 + usize::from(king) * 64 + square.index()];
    }
}

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
        (self.draw_after != 0 && self.quiet >= self.draw_after)
            .then(|| Outcome::drawn("no capture and no advance of a man for too many moves"))
    }

    fn moves(&self, out: &mut MoveList<DraughtsMove>) {
        moves::captures(self, out);
        if out.is_empty() {
            moves::steps(self, out);
        }
    }

    fn count_moves(&self) -> usize {
        moves::count(self)
    }

    fn no_moves_outcome(&self) -> Outcome {
        let reason =
            if self.pieces[self.side] == 0 { NO_PIECES } else { "the opponent cannot move" };
        Outcome::won(!self.side, reason)
    }

    #[inline]
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
        next.side = !self.side;
        next.key ^= WHITE_TO_MOVE;
        next
    }

    fn repetitions(&self) -> usize {
        self.repetition.into()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.quiet.into()
    }
}
