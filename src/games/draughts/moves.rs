//! English draughts: the legal moves.

use std::ops::Range;

use super::{Draughts, DraughtsMove, HOME};
use crate::game::{MoveList, Side};
use crate::games::board::{Bits, FILE_A, FILE_H, Square, squares};

/// The four diagonal directions by the number that a path keeps: two upwards, two downwards.
const DIRECTIONS: [u32; 4] = [0, 1, 2, 3];

/// The directions in which the men of a side move: Black's down, White's up.
const FORWARD: [[u32; 2]; 2] = [[2, 3], [0, 1]];

/// The numbers of squares from one to the next in each direction.
const STEPS: [i8; 4] = [7, 9, -9, -7];

/// All squares of a set moved one step; those that leave the board are gone.
#[inline]
pub(super) const fn shift(set: Bits, direction: u32) -> Bits {
    match direction {
        0 => (set & !FILE_A) << 7,
        1 => (set & !FILE_H) << 9,
        2 => (set & !FILE_A) >> 9,
        _ => (set & !FILE_H) >> 7,
    }
}

/// The opposite direction.
#[inline]
pub(super) const fn back(direction: u32) -> u32 {
    3 - direction
}

/// Where a jump from a square ends; the jump must stay on the board.
pub(super) fn landing(from: Square, direction: u32) -> Square {
    JUMPS[from.index()][direction as usize & 3].landing
}

/// A jump from one square: the square in between and the one where it ends, nothing where the
/// board ends before.
#[derive(Clone, Copy)]
struct Jump {
    over: Bits,
    to: Bits,
    landing: Square,
}

/// The jumps by square and direction.
static JUMPS: [[Jump; 4]; 64] = {
    let mut table = [[Jump { over: 0, to: 0, landing: Square::new(0) }; 4]; 64];
    let mut index = 0;
    while index < 64 {
        let mut direction = 0;
        while direction < 4 {
            let over = shift(1 << index, direction);
            let to = shift(over, direction);
            if to != 0 {
                let landing = Square::new(to.trailing_zeros() as u8);
                table[index][direction as usize] = Jump { over, to, landing };
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// The pieces of a side by direction, and what they move among.
struct Pieces {
    /// Those that move in each direction: the kings, and the men if it is forward.
    movers: [Bits; 4],
    enemy: Bits,
    empty: Bits,
}

impl Pieces {
    #[inline(always)]
    fn of(position: &Draughts, side: Side) -> Self {
        let (all, kings) = (position.pieces[side], position.kings(side));
        let (up, down) = if side == Side::White { (all, kings) } else { (kings, all) };
        Self {
            movers: [up, up, down, down],
            enemy: position.pieces[!side],
            empty: !(position.pieces[0] | position.pieces[1]),
        }
    }

    /// The squares from which a piece could jump, by direction.
    #[inline(always)]
    fn jumps(&self) -> [Bits; 4] {
        DIRECTIONS.map(|direction| {
            let over = shift(self.empty, back(direction)) & self.enemy;
            shift(over, back(direction))
        })
    }

    /// Those that can jump, by direction.
    #[inline(always)]
    fn jumpers(&self) -> [Bits; 4] {
        let jumps = self.jumps();
        DIRECTIONS.map(|direction| jumps[direction as usize] & self.movers[direction as usize])
    }

    /// Whether all these captures are single jumps of men, as in most positions.
    #[inline(always)]
    fn are_single(&self, jumpers: [Bits; 4], side: Side, kings: Bits) -> bool {
        let jumps = self.jumps();
        let go_on = FORWARD[side].map(|direction| jumps[direction as usize]);
        let landings = FORWARD[side]
            .map(|direction| shift(shift(jumpers[direction as usize], direction), direction));
        let going_on = (landings[0] | landings[1]) & !HOME[!side] & (go_on[0] | go_on[1]);
        going_on | union(jumpers) & kings == 0
    }

    /// Those that can step, by direction.
    #[inline(always)]
    fn steppers(&self) -> [Bits; 4] {
        DIRECTIONS
            .map(|direction| shift(self.empty, back(direction)) & self.movers[direction as usize])
    }
}

#[inline(always)]
fn union([a, b, c, d]: [Bits; 4]) -> Bits {
    a | b | c | d
}

/// Whether `side` could capture if it were its turn.
#[inline]
pub(super) fn can_capture(position: &Draughts, side: Side) -> bool {
    union(Pieces::of(position, side).jumpers()) != 0
}

/// Whether the side to move has a legal move.
#[inline]
pub(super) fn can_move(position: &Draughts) -> bool {
    let pieces = Pieces::of(position, position.side);
    union(pieces.steppers()) != 0 || union(pieces.jumpers()) != 0
}

/// The pieces of `side` that have an empty square to step to.
#[inline]
pub(super) fn steppers(position: &Draughts, side: Side) -> Bits {
    union(Pieces::of(position, side).steppers())
}

/// Appends the moves that capture nothing.
pub(super) fn steps(position: &Draughts, out: &mut MoveList<DraughtsMove>) {
    let steppers = Pieces::of(position, position.side).steppers();
    for (set, step) in steppers.into_iter().zip(STEPS) {
        for from in squares(set) {
            push(DraughtsMove::step(from, Square::new((from.index() as i8 + step) as u8)), out);
        }
    }
}

/// The number of legal moves.
pub(super) fn count(position: &Draughts) -> usize {
    let pieces = Pieces::of(position, position.side);
    let jumpers = pieces.jumpers();
    let [a, b, c, d] = if union(jumpers) == 0 {
        pieces.steppers()
    } else if pieces.are_single(jumpers, position.side, position.kings) {
        jumpers
    } else {
        let mut moves = MoveList::new();
        captures(position, &mut moves);
        return moves.len();
    };
    // All pieces stand on dark squares, so that two sets share one board if one is moved a file;
    // nothing moves to the right from the h-file.
    ((a | b.rotate_left(1)).count_ones() + (c | d.rotate_left(1)).count_ones()) as usize
}

/// Appends every way to capture, each path to its end.
pub(super) fn captures(position: &Draughts, out: &mut MoveList<DraughtsMove>) {
    let pieces = Pieces::of(position, position.side);
    let jumpers = pieces.jumpers();
    if pieces.are_single(jumpers, position.side, position.kings) {
        for (set, direction) in jumpers.into_iter().zip(DIRECTIONS) {
            for from in squares(set) {
                let jump = &JUMPS[from.index()][direction as usize & 3];
                let to = jump.landing;
                push(DraughtsMove { from, to, jumps: 1, path: direction, taken: jump.over }, out);
            }
        }
        return;
    }
    for from in squares(union(jumpers)) {
        let king = position.kings & from.bit() != 0;
        let [first, last] = FORWARD[position.side];
        let capture = Capture {
            from,
            enemy: pieces.enemy,
            // The piece has left its square, to which a circle may lead back.
            empty: pieces.empty | from.bit(),
            directions: if king { 0..4 } else { first..last + 1 },
            crowning: if king { 0 } else { HOME[!position.side] },
        };
        capture.go_on(from, 0, 0, 0, out);
    }
}

/// What stays the same while one piece captures.
struct Capture {
    from: Square,
    enemy: Bits,
    empty: Bits,
    directions: Range<u32>,
    /// Where a man is crowned, which ends its move.
    crowning: Bits,
}

impl Capture {
    /// Appends the captures that go on from a square after so many jumps; the capture itself if
    /// none does.
    fn go_on(
        &self,
        at: Square,
        jumps: u8,
        path: u32,
        taken: Bits,
        out: &mut MoveList<DraughtsMove>,
    ) {
        let mut ended = true;
        for direction in self.directions.clone() {
            let jump = &JUMPS[at.index()][direction as usize & 3];
            // A piece that was jumped stands in the way until the move ends.
            if jump.over & self.enemy & !taken != 0 && jump.to & self.empty != 0 {
                ended = false;
                let (jumps, taken) = (jumps + 1, taken | jump.over);
                let path = path | direction << (2 * (jumps - 1));
                if jump.to & self.crowning == 0 {
                    self.go_on(jump.landing, jumps, path, taken, out);
                } else {
                    push(
                        DraughtsMove { from: self.from, to: jump.landing, jumps, path, taken },
                        out,
                    );
                }
            }
        }
        if ended {
            push(DraughtsMove { from: self.from, to: at, jumps, path, taken }, out);
        }
    }
}

/// Nine enemies leave kings some thirty paths, and twelve pieces have 48 steps: all moves fit.
fn push(mv: DraughtsMove, out: &mut MoveList<DraughtsMove>) {
    let pushed = out.try_push(mv);
    debug_assert!(pushed.is_ok(), "more moves than a list holds");
}

/// The number of squares that the kings of `side` can step to.
pub(super) fn king_steps(position: &Draughts, side: Side) -> i32 {
    let empty = !(position.pieces[0] | position.pieces[1]);
    let kings = position.kings(side);
    if kings == 0 {
        return 0;
    }
    let steps = |direction| (shift(kings, direction) & empty).count_ones() as i32;
    DIRECTIONS.into_iter().map(steps).sum()
}
