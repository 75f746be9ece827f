//! Lines of Action: move generation, and detection of moves that win at once.
//!
//! A stone moves as many squares as its line holds stones. All stones of a line therefore move the
//! same distance, and whole bitboards can be shifted instead of single stones. To treat the four
//! axes alike, the board is transformed until the lines of an axis are ranks.

use super::position::{Loa, LoaMove, group_of};
use crate::game::bitboard::{Bits, EDGE, FILE_A, Square, grown, neighbours, squares, transposed};
use crate::game::{MoveList, Outcome, Position, Side};

/// A bitboard for each axis: ranks, files, rising and falling diagonals.
///
/// Each is transformed so that the lines of its axis are ranks. In the diagonal boards a rank holds
/// two diagonals, which have eight squares together.
type Turned = [Bits; 4];

/// The squares of the first line in each rank of a transformed board.
const FIRST: Turned = [!0, !0, 0x0103_070f_1f3f_7fff, 0xff7f_3f1f_0f07_0301];

/// The squares of the second line in each rank, if there is one.
const SECOND: Turned = [!FIRST[0], !FIRST[1], !FIRST[2], !FIRST[3]];

/// Transforms a bitboard for each axis.
#[inline]
const fn turned(board: Bits) -> Turned {
    [board, transposed(board), sheared(board, 56), sheared(board, 8)]
}

/// Rotates each file by `by` more than the file to its left: 8 moves it one square up, 56 one
/// square down.
#[inline]
const fn sheared(mut board: Bits, by: u32) -> Bits {
    board ^= (board ^ board.rotate_left(by)) & 0xaaaa_aaaa_aaaa_aaaa;
    board ^= (board ^ board.rotate_left(2 * by)) & 0xcccc_cccc_cccc_cccc;
    board ^ (board ^ board.rotate_left(4 * by)) & 0xf0f0_f0f0_f0f0_f0f0
}

/// Computes a board for each axis.
///
/// The compiler vectorises such short loops as long as each does one operation for all axes. So the
/// steps below are separate calls, and functions of many steps are not inlined, as inlining would
/// mix the steps.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "an iterator makes no vector instructions")]
fn each(board: impl Fn(usize) -> Bits) -> Turned {
    let mut boards = [0; 4];
    for axis in 0..4 {
        boards[axis] = board(axis);
    }
    boards
}

/// The squares of transformed boards that can be entered from the previous square of the same line,
/// towards the a-file and towards the h-file.
const INSIDE: [Turned; 2] = {
    let mut inside = [[0; 4]; 2];
    let mut axis = 0;
    while axis < 4 {
        let starts = FILE_A | FIRST[axis] << 1 & SECOND[axis];
        // The square before the start of a line is the end of another line.
        inside[0][axis] = !starts.rotate_right(1);
        inside[1][axis] = !starts;
        axis += 1;
    }
    inside
};

/// Shifts a set along the ranks, towards the h-file if `up`.
#[inline(always)]
fn shift(up: bool, set: Bits, by: u32) -> Bits {
    if up { set << by } else { set >> by }
}

/// The input of move generation, for all axes.
struct Lines {
    stones: [Turned; 2],
    /// The binary digits of the distance that a stone moves, less one. After the first square, a
    /// stone moves 1, 2 and 4 more squares if the respective set contains its line.
    further: [Turned; 3],
}

impl Lines {
    #[inline(never)]
    fn new(stones: [Bits; 2]) -> Self {
        let stones = stones.map(turned);
        let occupied = each(|axis| stones[0][axis] | stones[1][axis]);
        let first = less_one(&each(|axis| occupied[axis] & FIRST[axis]));
        let second = less_one(&each(|axis| occupied[axis] & SECOND[axis]));
        let further = [0, 1, 2].map(|digit| {
            // Spreads the digit of a line, 0 or 1, to all bits of its byte.
            let first = each(|axis| (first[axis] >> digit & FILE_A).wrapping_mul(0xff));
            let second = each(|axis| (second[axis] >> digit & FILE_A).wrapping_mul(0xff));
            each(|axis| first[axis] & FIRST[axis] | second[axis] & SECOND[axis])
        });
        Self { stones, further }
    }

    /// The target squares of the moves of a side in one direction.
    #[inline(never)]
    fn targets<const UP: bool>(&self, side: Side) -> Turned {
        let inside = &INSIDE[UP as usize];
        let (own, enemy) = (&self.stones[side], &self.stones[!side]);
        // All steps but the last must avoid enemy stones. `path` holds the squares that end a run
        // of 1, 2 and 4 squares without them.
        let mut path = each(|axis| inside[axis] & !enemy[axis]);
        let mut at = *own;
        for digit in 0..3 {
            let going = each(|axis| at[axis] & self.further[digit][axis]);
            let gone = each(|axis| shift(UP, going[axis], 1 << digit) & path[axis]);
            at = each(|axis| at[axis] ^ going[axis] | gone[axis]);
            path = each(|axis| path[axis] & shift(UP, path[axis], 1 << digit));
        }
        each(|axis| shift(UP, at[axis], 1) & inside[axis] & !own[axis])
    }

    /// The origin squares of the moves to `targets`, in the same order: stones of a line move
    /// equally far and cannot overtake each other.
    #[inline(never)]
    fn origins<const UP: bool>(&self, targets: &Turned) -> Turned {
        let mut at = each(|axis| shift(!UP, targets[axis], 1));
        for digit in 0..3 {
            let going = each(|axis| at[axis] & self.further[digit][axis]);
            at = each(|axis| at[axis] ^ going[axis] | shift(!UP, going[axis], 1 << digit));
        }
        at
    }
}

/// The number of bits in each byte, less one, in its three lowest bits.
#[inline(always)]
fn less_one(set: &Turned) -> Turned {
    let n = fours_counted(set);
    each(|axis| ((n[axis] + (n[axis] >> 4)) & 0x0f0f_0f0f_0f0f_0f0f) + 7 * FILE_A)
}

/// The number of bits in each half byte.
#[inline(always)]
fn fours_counted(set: &Turned) -> Turned {
    let n = each(|axis| set[axis] - (set[axis] >> 1 & 0x5555_5555_5555_5555));
    each(|axis| (n[axis] & 0x3333_3333_3333_3333) + (n[axis] >> 2 & 0x3333_3333_3333_3333))
}

/// Adds the two half bytes of each byte.
#[inline(always)]
fn bytes_of_fours(fours: &Turned) -> Turned {
    const LOW: Bits = 0x0f0f_0f0f_0f0f_0f0f;
    each(|axis| (fours[axis] & LOW) + (fours[axis] >> 4 & LOW))
}

#[inline(always)]
fn sum_of_bytes(bytes: &Turned) -> i32 {
    let bytes: Bits = bytes.iter().sum();
    let pairs = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as i32
}

/// The move bits of each square of the transformed boards, as origin and as target.
static HALVES: [[[u16; 64]; 2]; 4] = {
    let mut table = [[[0; 64]; 2]; 4];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index);
        let squares = turned(square.bit());
        let mut axis = 0;
        while axis < 4 {
            let mapped = squares[axis].trailing_zeros() as usize;
            table[axis][0][mapped] = LoaMove::new(square, Square::new(0)).0;
            table[axis][1][mapped] = LoaMove::new(Square::new(0), square).0;
            axis += 1;
        }
        index += 1;
    }
    table
};

#[derive(Clone, Copy)]
pub(super) enum Wanted {
    All,
    Captures,
    /// Moves to one of these squares.
    To(Bits),
}

/// Appends the moves of the side to move, without a pass.
pub(super) fn generate(position: &Loa, wanted: Wanted, out: &mut MoveList<LoaMove>) {
    let side = position.side;
    let lines = Lines::new(position.stones);
    let wanted = match wanted {
        Wanted::All => [!0; 4],
        Wanted::Captures => lines.stones[!side],
        Wanted::To(squares) => turned(squares),
    };
    let mut list = Found { moves: [LoaMove::PASS; 128], len: 0 };
    let (up, down) = (lines.targets::<true>(side), lines.targets::<false>(side));
    let up = each(|axis| up[axis] & wanted[axis]);
    let down = each(|axis| down[axis] & wanted[axis]);
    let (from_up, from_down) = (lines.origins::<true>(&up), lines.origins::<false>(&down));
    for axis in 0..4 {
        list.add(axis, from_up[axis], up[axis]);
        list.add(axis, from_down[axis], down[axis]);
    }
    // Twelve stones have at most 96 moves, so the list never overflows.
    debug_assert!(list.len < 128, "more moves than a list holds");
    let extended = out.try_extend_from_slice(&list.moves[..list.len % 128]);
    debug_assert!(extended.is_ok(), "more moves than a list holds");
}

/// An array of generated moves.
struct Found {
    moves: [LoaMove; 128],
    len: usize,
}

impl Found {
    /// Adds the moves from the squares of one set to those of another, in order.
    #[inline(always)]
    fn add(&mut self, axis: usize, mut from: Bits, mut to: Bits) {
        let [start, end] = &HALVES[axis];
        // Setting the highest bit keeps the index in range for an empty set.
        let lowest = |set: Bits| (set | 1 << 63).trailing_zeros() as usize;
        // The loop count is hard to predict for the CPU. Each iteration writes two moves, and a
        // second one that does not exist is overwritten later. This halves the iterations and
        // reduces mispredictions.
        while to != 0 {
            for _ in 0..2 {
                self.moves[self.len % 128] = LoaMove(start[lowest(from)] | end[lowest(to)]);
                self.len += usize::from(to != 0);
                from &= from.wrapping_sub(1);
                to &= to.wrapping_sub(1);
            }
        }
    }
}

/// The number of moves of the side to move, counted without a move list.
pub(super) fn count(position: &Loa) -> usize {
    let lines = Lines::new(position.stones);
    count_targets(&lines.targets::<true>(position.side), &lines.targets::<false>(position.side))
}

/// The number of moves to these targets in both directions.
fn count_targets(up: &Turned, down: &Turned) -> usize {
    let (up, down) = (fours_counted(up), fours_counted(down));
    sum_of_bytes(&bytes_of_fours(&each(|axis| up[axis] + down[axis]))) as usize
}

/// Returns a move that wins at once, if there is one.
///
/// The target must touch every group of the side; a group that consists of the moving stone alone
/// does not count. Few squares qualify.
pub(super) fn winning(position: &Loa) -> Option<LoaMove> {
    let own = position.stones[position.side];
    let squares = touching_groups(own) & !own;
    if squares == 0 {
        return None;
    }
    let mut moves = MoveList::new();
    generate(position, Wanted::To(squares), &mut moves);
    moves.into_iter().find(|&mv| {
        let ending = position.play(mv).outcome();
        matches!(ending, Some(Outcome { winner, .. }) if winner == Some(position.side))
    })
}

/// The squares adjacent to all groups, or to all except one that is a single stone.
///
/// There are none with more than five groups: a square touches at most four, and the moving stone
/// may be one more.
fn touching_groups(stones: Bits) -> Bits {
    let (mut all, mut all_but_one) = (!0, !0);
    // Single stones come first: there are often too many of them, and they are found at once.
    let single = stones & !neighbours(stones);
    for square in squares(single) {
        let near = grown(square.bit());
        all_but_one = all_but_one & near | all;
        all &= near;
        if all_but_one == 0 {
            return 0;
        }
    }
    let mut rest = stones & !single;
    while rest != 0 {
        let group = group_of(rest & rest.wrapping_neg(), rest);
        all_but_one &= grown(group);
        if all_but_one == 0 {
            return 0;
        }
        rest &= !group;
    }
    all_but_one
}

/// The mobility of each side in half moves: captures count double, moves to the edge half.
pub(super) fn mobility(position: &Loa) -> [i32; 2] {
    let lines = Lines::new(position.stones);
    Side::BOTH.map(|side| {
        let (up, down) = (lines.targets::<true>(side), lines.targets::<false>(side));
        half_moves(&up, &down, &lines.stones[!side])
    })
}

pub(super) fn count_and_mobility(position: &Loa) -> (usize, [i32; 2]) {
    let lines = Lines::new(position.stones);
    let mut count = 0;
    let mobility = Side::BOTH.map(|side| {
        let (up, down) = (lines.targets::<true>(side), lines.targets::<false>(side));
        if side == position.side {
            count = count_targets(&up, &down);
        }
        half_moves(&up, &down, &lines.stones[!side])
    });
    (count, mobility)
}

/// The mobility in half moves for these targets in both directions.
fn half_moves(up: &Turned, down: &Turned, enemy: &Turned) -> i32 {
    let (up, down) = (halves(up, enemy), halves(down, enemy));
    sum_of_bytes(&each(|axis| up[axis] + down[axis]))
}

/// The half moves to the targets on each rank.
#[inline(never)]
fn halves(to: &Turned, enemy: &Turned) -> Turned {
    const INNER: Turned = turned(!EDGE);
    let inner = each(|axis| to[axis] & INNER[axis]);
    // A move counts once for each of these sets that contains its target. One of four adjacent
    // squares is on the edge, so the sum of four is at most 14 and fits four bits.
    let n = fours_counted(to);
    let add = |n: Turned, set: Turned| {
        let more = fours_counted(&set);
        each(|axis| n[axis] + more[axis])
    };
    let n = add(n, inner);
    let n = add(n, each(|axis| to[axis] & enemy[axis]));
    bytes_of_fours(&add(n, each(|axis| inner[axis] & enemy[axis])))
}
