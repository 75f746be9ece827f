//! Lines of Action: the legal moves, and moves that win at once.
//!
//! A stone moves as many squares as its line holds stones. So all stones of a line move equally
//! far, and whole boards can be shifted at once instead of looking at each stone. To treat the
//! four axes alike the board is turned until the lines of an axis are ranks.

use super::handcrafted::EDGE;
use super::{Loa, LoaMove, group_of};
use crate::game::{MoveList, Outcome, Position, Side};
use crate::games::board::{Bits, FILE_A, Square, grown};

/// One board for each axis: ranks, files, rising and falling diagonals. Each is turned so that
/// the lines of its axis are ranks; there a rank holds the two diagonals that have eight squares
/// together.
type Turned = [Bits; 4];

/// The first line of each rank of a turned board.
const FIRST: Turned = [!0, !0, 0x0103_070f_1f3f_7fff, 0xff7f_3f1f_0f07_0301];

/// The second line of each rank, where there is one.
const SECOND: Turned = [!FIRST[0], !FIRST[1], !FIRST[2], !FIRST[3]];

/// Turns a board for each axis.
#[inline]
const fn turned(board: Bits) -> Turned {
    [board, flipped(board), sheared(board, 56), sheared(board, 8)]
}

/// Exchanges ranks and files.
#[inline]
const fn flipped(mut board: Bits) -> Bits {
    let swap = (board ^ board << 28) & 0x0f0f_0f0f_0000_0000;
    board ^= swap ^ swap >> 28;
    let swap = (board ^ board << 14) & 0x3333_0000_3333_0000;
    board ^= swap ^ swap >> 14;
    let swap = (board ^ board << 7) & 0x5500_5500_5500_5500;
    board ^ swap ^ swap >> 7
}

/// Rotates each file by `by` more than the one to its left: 8 moves it one square up, 56 one down.
#[inline]
const fn sheared(mut board: Bits, by: u32) -> Bits {
    board ^= (board ^ board.rotate_left(by)) & 0xaaaa_aaaa_aaaa_aaaa;
    board ^= (board ^ board.rotate_left(2 * by)) & 0xcccc_cccc_cccc_cccc;
    board ^ (board ^ board.rotate_left(4 * by)) & 0xf0f0_f0f0_f0f0_f0f0
}

/// A board made for each axis. Such short loops become vector instructions as long as each does
/// one step for all axes. So the steps below are written one by one, and what is made of many of
/// them is kept from being inlined, which would mix them up again.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "an iterator makes no vector instructions")]
fn each(board: impl Fn(usize) -> Bits) -> Turned {
    let mut boards = [0; 4];
    for axis in 0..4 {
        boards[axis] = board(axis);
    }
    boards
}

/// The squares of turned boards that can be entered from the one before on the same line, going
/// towards the a-file and towards the h-file.
const INSIDE: [Turned; 2] = {
    let mut inside = [[0; 4]; 2];
    let mut axis = 0;
    while axis < 4 {
        let starts = FILE_A | FIRST[axis] << 1 & SECOND[axis];
        // Before the start of a line is the end of another.
        inside[0][axis] = !starts.rotate_right(1);
        inside[1][axis] = !starts;
        axis += 1;
    }
    inside
};

/// Moves a set along the ranks, towards the h-file if `up`.
#[inline(always)]
fn shift(up: bool, set: Bits, by: u32) -> Bits {
    if up { set << by } else { set >> by }
}

/// What the moves of a position depend on.
struct Lines {
    stones: [Turned; 2],
    /// A stone moves one square and then 1, 2 and 4 more if these sets hold the squares of its
    /// line: the number of stones there, less one, in binary.
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
            // A byte of one, the digit of a line, becomes a byte of ones.
            let first = each(|axis| (first[axis] >> digit & FILE_A).wrapping_mul(0xff));
            let second = each(|axis| (second[axis] >> digit & FILE_A).wrapping_mul(0xff));
            each(|axis| first[axis] & FIRST[axis] | second[axis] & SECOND[axis])
        });
        Self { stones, further }
    }

    /// The squares to which stones of a side can move.
    #[inline(never)]
    fn targets<const UP: bool>(&self, side: Side) -> Turned {
        let inside = &INSIDE[UP as usize];
        let (own, enemy) = (&self.stones[side], &self.stones[!side]);
        // All but the last step goes over free squares. `path` has the squares that end a row of
        // 1, 2 and 4 of those.
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

    /// Where the stones that can move to `targets` stand, in the same order: stones of a line do
    /// not overtake each other.
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

/// The number of bits of each byte, less one, in its three lowest bits.
#[inline(always)]
fn less_one(set: &Turned) -> Turned {
    let n = fours_counted(set);
    each(|axis| ((n[axis] + (n[axis] >> 4)) & 0x0f0f_0f0f_0f0f_0f0f) + 7 * FILE_A)
}

/// The number of bits of each half byte, in its place.
#[inline(always)]
fn fours_counted(set: &Turned) -> Turned {
    let n = each(|axis| set[axis] - (set[axis] >> 1 & 0x5555_5555_5555_5555));
    each(|axis| (n[axis] & 0x3333_3333_3333_3333) + (n[axis] >> 2 & 0x3333_3333_3333_3333))
}

/// Adds up the two numbers of four bits in each byte.
#[inline(always)]
fn bytes_of_fours(fours: &Turned) -> Turned {
    const LOW: Bits = 0x0f0f_0f0f_0f0f_0f0f;
    each(|axis| (fours[axis] & LOW) + (fours[axis] >> 4 & LOW))
}

/// The sum of all bytes, of which none may be above 63.
#[inline(always)]
fn sum_of_bytes(bytes: &Turned) -> i32 {
    let bytes: Bits = bytes.iter().sum();
    let pairs = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as i32
}

/// The squares of turned boards as the two halves of a move, its start and its end.
static HALVES: [[[u16; 64]; 2]; 4] = {
    let mut table = [[[0; 64]; 2]; 4];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index);
        let places = turned(square.bit());
        let mut axis = 0;
        while axis < 4 {
            let place = places[axis].trailing_zeros() as usize;
            table[axis][0][place] = LoaMove::new(square, Square::new(0)).0;
            table[axis][1][place] = LoaMove::new(Square::new(0), square).0;
            axis += 1;
        }
        index += 1;
    }
    table
};

/// Which moves to generate.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    All,
    Captures,
    /// Those that end on one of these squares.
    To(Bits),
}

/// Appends the moves of the side to move.
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
    // Twelve stones have 96 moves, so that they always fit.
    debug_assert!(list.len < 128, "more moves than a list holds");
    let extended = out.try_extend_from_slice(&list.moves[..list.len % 128]);
    debug_assert!(extended.is_ok(), "more moves than a list holds");
}

/// Moves found so far.
struct Found {
    moves: [LoaMove; 128],
    len: usize,
}

impl Found {
    /// Adds the moves from the squares of one set to those of another.
    #[inline(always)]
    fn add(&mut self, axis: usize, mut from: Bits, mut to: Bits) {
        let [start, end] = &HALVES[axis];
        // The highest bit is there for an empty set.
        let lowest = |set: Bits| (set | 1 << 63).trailing_zeros() as usize;
        // How often a loop ends is hard to foretell. Of two moves a turn the second one is
        // written over where it was none, which makes for fewer turns and fewer wrong guesses.
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

/// The number of moves of the side to move, found without making a list.
pub(super) fn count(position: &Loa) -> usize {
    let lines = Lines::new(position.stones);
    count_targets(&lines.targets::<true>(position.side), &lines.targets::<false>(position.side))
}

/// The number of moves that end on these squares, going up and down.
fn count_targets(up: &Turned, down: &Turned) -> usize {
    let (up, down) = (fours_counted(up), fours_counted(down));
    sum_of_bytes(&bytes_of_fours(&each(|axis| up[axis] + down[axis]))) as usize
}

/// A move that wins at once.
///
/// The stone must land where it touches every group of its side; where it was a group by itself
/// it may leave that one out. Few squares do.
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

/// The squares next to all groups, or to all but one that is a single stone.
fn touching_groups(stones: Bits) -> Bits {
    // A square has eight neighbours, of which at most four lie apart from one another.
    const MOST: usize = 5;
    let mut rest = stones;
    let (mut all, mut all_but_one) = (!0, !0);
    for _ in 0..MOST {
        let seed = rest & rest.wrapping_neg();
        let group = group_of(seed, stones);
        let near = grown(group);
        all_but_one = if group == seed { (all_but_one & near) | all } else { all_but_one & near };
        all &= near;
        rest &= !group;
        if rest == 0 || all_but_one == 0 {
            return all_but_one;
        }
    }
    0
}

/// The number of moves of each side, captures counted twice and moves to the edge half, in half
/// moves.
pub(super) fn mobility(position: &Loa) -> [i32; 2] {
    let lines = Lines::new(position.stones);
    Side::BOTH.map(|side| {
        let (up, down) = (lines.targets::<true>(side), lines.targets::<false>(side));
        half_moves(&up, &down, &lines.stones[!side])
    })
}

/// What [`count`] and [`mobility`] find.
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

/// The half moves that end on these squares, going up and down.
fn half_moves(up: &Turned, down: &Turned, enemy: &Turned) -> i32 {
    let (up, down) = (halves(up, enemy), halves(down, enemy));
    sum_of_bytes(&each(|axis| up[axis] + down[axis]))
}

/// The half moves to the targets on each rank.
#[inline(never)]
fn halves(to: &Turned, enemy: &Turned) -> Turned {
    const INNER: Turned = turned(!EDGE);
    let inner = each(|axis| to[axis] & INNER[axis]);
    // A move counts once more for each of these sets that it is in. One of four squares side by
    // side is on the edge, so that they sum up to 14 at most, for which four bits are enough.
    let n = fours_counted(to);
    let add = |n: Turned, set: Turned| {
        let more = fours_counted(&set);
        each(|axis| n[axis] + more[axis])
    };
    let n = add(n, inner);
    let n = add(n, each(|axis| to[axis] & enemy[axis]));
    bytes_of_fours(&add(n, each(|axis| inner[axis] & enemy[axis])))
}
