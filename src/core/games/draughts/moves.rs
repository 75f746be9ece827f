//! Legal move generation for English draughts.

use std::ops::Range;

use super::position::{Draughts, DraughtsMove, HOME};
use crate::game::bitboard::{Bits, FILE_A, FILE_H, Square, squares};
use crate::game::{MoveList, Side};

/// The four diagonal directions, numbered as in a move's path: two upwards, two downwards.
const DIRECTIONS: [u32; 4] = [0, 1, 2, 3];

/// The result of `f` for each direction. [`array::map`] is not always inlined, which costs perft a
/// fifth of its speed.
#[inline(always)]
fn by_direction(f: impl Fn(u32) -> Bits) -> [Bits; 4] {
    [f(0), f(1), f(2), f(3)]
}

/// The directions in which a side's men move: down for Black, up for White.
const FORWARD: [[u32; 2]; 2] = [[2, 3], [0, 1]];

/// The square index offset of each direction.
const STEPS: [i8; 4] = [7, 9, -9, -7];

/// The set shifted by one step; squares that leave the board are dropped.
#[inline]
pub(super) const fn shift(set: Bits, direction: u32) -> Bits {
    match direction {
        0 => (set & !FILE_A) << 7,
        1 => (set & !FILE_H) << 9,
        2 => (set & !FILE_A) >> 9,
        _ => (set & !FILE_H) >> 7,
    }
}

#[inline]
pub(super) const fn back(direction: u32) -> u32 {
    3 - direction
}

/// A jump from one square: the bits of the jumped square and of the target square, both 0 where
/// the board ends before the target.
#[derive(Clone, Copy)]
struct Jump {
    over: Bits,
    to: Bits,
    landing: Square,
}

/// The jumps by origin square and direction.
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

/// The target square of a jump, which must stay on the board.
fn landing(from: Square, direction: u32) -> Square {
    JUMPS[from.index()][direction as usize & 3].landing
}

impl DraughtsMove {
    /// The squares of the path, including origin and target.
    pub(super) fn squares(self) -> impl Iterator<Item = Square> {
        let first = if self.jumps == 0 { Some(self.to) } else { None };
        let mut at = self.from;
        let landings = (0..self.jumps).map(move |jump| {
            at = landing(at, (self.path >> (2 * jump)) & 3);
            at
        });
        [self.from].into_iter().chain(first).chain(landings)
    }
}

/// The pieces of a side by direction, with the enemy pieces and the empty squares.
struct Pieces {
    /// The pieces that can move in each direction: kings in all of them, men only forward.
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

    /// The squares from which a jump is possible, by direction, whether or not a piece stands
    /// there.
    #[inline(always)]
    fn jumps(&self) -> [Bits; 4] {
        by_direction(|direction| {
            let over = shift(self.empty, back(direction)) & self.enemy;
            shift(over, back(direction))
        })
    }

    /// The pieces that can jump, by direction.
    #[inline(always)]
    fn jumpers(&self) -> [Bits; 4] {
        let jumps = self.jumps();
        by_direction(|direction| jumps[direction as usize] & self.movers[direction as usize])
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

    /// The pieces that can step, by direction.
    #[inline(always)]
    fn steppers(&self) -> [Bits; 4] {
        by_direction(|direction| {
            shift(self.empty, back(direction)) & self.movers[direction as usize]
        })
    }
}

#[inline(always)]
fn union([a, b, c, d]: [Bits; 4]) -> Bits {
    a | b | c | d
}

/// Whether `side` could capture if it were to move.
#[inline]
pub(super) fn can_capture(position: &Draughts, side: Side) -> bool {
    union(Pieces::of(position, side).jumpers()) != 0
}

#[inline]
pub(super) fn can_move(position: &Draughts) -> bool {
    let pieces = Pieces::of(position, position.side);
    union(pieces.steppers()) != 0 || union(pieces.jumpers()) != 0
}

/// The pieces of `side` with an empty square to step to.
#[inline]
pub(super) fn steppers(position: &Draughts, side: Side) -> Bits {
    union(Pieces::of(position, side).steppers())
}

/// Appends the legal moves: the captures, and the quiet moves if no capture is compulsory.
pub(super) fn generate(position: &Draughts, out: &mut MoveList<DraughtsMove>) {
    let pieces = Pieces::of(position, position.side);
    let jumpers = pieces.jumpers();
    if union(jumpers) != 0 {
        add_captures(position, &pieces, jumpers, out);
        if !position.has_optional_captures() {
            return;
        }
    }
    for (set, step) in pieces.steppers().into_iter().zip(STEPS) {
        for from in squares(set) {
            push(DraughtsMove::step(from, Square::new((from.index() as i8 + step) as u8)), out);
        }
    }
}

pub(super) fn count(position: &Draughts) -> usize {
    let pieces = Pieces::of(position, position.side);
    let jumpers = pieces.jumpers();
    let [a, b, c, d] = if union(jumpers) == 0 {
        pieces.steppers()
    } else if position.has_optional_captures() {
        let mut moves = MoveList::new();
        generate(position, &mut moves);
        return moves.len();
    } else if pieces.are_single(jumpers, position.side, position.kings) {
        jumpers
    } else {
        let mut moves = MoveList::new();
        captures(position, &mut moves);
        return moves.len();
    };
    // All pieces stand on dark squares. Rotating one set by a file moves it to light squares, so
    // that one `count_ones` counts two sets. No piece on the h-file moves right, so nothing wraps.
    ((a | b.rotate_left(1)).count_ones() + (c | d.rotate_left(1)).count_ones()) as usize
}

/// Appends all captures, each with its complete path: a single jump if captures are optional.
pub(super) fn captures(position: &Draughts, out: &mut MoveList<DraughtsMove>) {
    let pieces = Pieces::of(position, position.side);
    add_captures(position, &pieces, pieces.jumpers(), out);
}

/// Appends the captures of these pieces, by direction of the first jump.
fn add_captures(
    position: &Draughts,
    pieces: &Pieces,
    jumpers: [Bits; 4],
    out: &mut MoveList<DraughtsMove>,
) {
    if position.has_optional_captures() || pieces.are_single(jumpers, position.side, position.kings)
    {
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
            enemy: pieces.enemy,
            // The origin counts as empty: a circular capture may return to it.
            empty: pieces.empty | from.bit(),
            directions: if king { 0..4 } else { first..last + 1 },
            crowning: if king { 0 } else { HOME[!position.side] },
        };
        capture.go_on(DraughtsMove::step(from, from), out);
    }
}

/// The state shared by all captures of one piece.
struct Capture {
    enemy: Bits,
    empty: Bits,
    directions: Range<u32>,
    /// The squares on which a man is crowned, which ends the move.
    crowning: Bits,
}

impl Capture {
    /// Appends all continuations of the jumps of a move, or the move itself if there is none.
    fn go_on(&self, mv: DraughtsMove, out: &mut MoveList<DraughtsMove>) {
        let mut ended = true;
        for direction in self.directions.clone() {
            let jump = &JUMPS[mv.to.index()][direction as usize & 3];
            // A jumped piece stays on the board, as an obstacle, until the move ends.
            if jump.over & self.enemy & !mv.taken != 0 && jump.to & self.empty != 0 {
                ended = false;
                let next = DraughtsMove {
                    from: mv.from,
                    to: jump.landing,
                    jumps: mv.jumps + 1,
                    path: mv.path | direction << (2 * mv.jumps),
                    taken: mv.taken | jump.over,
                };
                if jump.to & self.crowning == 0 {
                    self.go_on(next, out);
                } else {
                    push(next, out);
                }
            }
        }
        if ended {
            push(mv, out);
        }
    }
}

/// Appends a move. The list cannot overflow: nine enemy pieces allow some thirty king paths, and
/// twelve pieces have at most 48 steps.
fn push(mv: DraughtsMove, out: &mut MoveList<DraughtsMove>) {
    let pushed = out.try_push(mv);
    debug_assert!(pushed.is_ok(), "more moves than a list holds");
}

/// The number of king steps to empty squares, summed over the kings of `side`.
pub(super) fn king_steps(position: &Draughts, side: Side) -> i32 {
    let empty = !(position.pieces[0] | position.pieces[1]);
    let kings = position.kings(side);
    if kings == 0 {
        return 0;
    }
    let steps = |direction| (shift(kings, direction) & empty).count_ones() as i32;
    DIRECTIONS.into_iter().map(steps).sum()
}
