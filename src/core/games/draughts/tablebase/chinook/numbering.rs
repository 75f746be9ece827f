//! The numbering of the positions of a subslice, as the databases have it.
//!
//! The order is: men of the side to move, men of the opponent, kings of the side to move, kings of
//! the opponent. Sets of squares are ordered as in [`index`](super::super::index), those of the
//! opponent's men as the opponent sees the board. A square that is occupied by an earlier sort of
//! pieces is not counted.

use std::fmt::{self, Display};
use std::sync::OnceLock;

use super::super::index::{choose, rank, unrank};
use super::super::shape::{Placement, Shape};
use crate::game::bitboard::Bits;

pub const DATABASE_PIECES: usize = 8;
/// The number of ranks on which a man can stand.
const RANKS: usize = 7;
/// The number of dark squares of a rank.
const WIDTH: usize = 4;
const SQUARES: usize = 8 * WIDTH;

/// The positions of a shape whose most advanced men stand on the same ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Subslice {
    pub shape: Shape,
    /// The rank of the most advanced man of each side as that side sees the board, from 0, the side
    /// to move first; 0 for a side without men.
    pub ranks: [usize; 2],
}

impl Subslice {
    /// An upper bound of [`Subslice::number`], exclusive.
    pub const COUNT: usize = DATABASE_PIECES.pow(4) * RANKS * RANKS;

    /// The subslice with this material and these ranks; `None` if no database can have it.
    pub fn new(shape: Shape, ranks: [usize; 2]) -> Option<Self> {
        let sides = [shape.own, shape.other];
        let has_pieces = |[men, kings]: [u8; 2]| men > 0 || kings > 0;
        let is_known = sides.into_iter().all(has_pieces) && shape.pieces() <= DATABASE_PIECES;
        let is_rank = |([men, _], rank): ([u8; 2], usize)| rank < if men > 0 { RANKS } else { 1 };
        (is_known && sides.into_iter().zip(ranks).all(is_rank)).then_some(Self { shape, ranks })
    }

    #[inline]
    pub fn of(placement: &Placement) -> Self {
        let rank = |men: Bits| (men | 1).ilog2() as usize / 8;
        let ranks = [rank(placement.own[0]), rank(placement.other[0].reverse_bits())];
        Self { shape: placement.shape(), ranks }
    }

    /// The subslices of a shape that have positions.
    pub fn all(shape: Shape) -> impl Iterator<Item = Self> {
        let pairs = (0..RANKS).flat_map(|own| (0..RANKS).map(move |other| [own, other]));
        pairs.filter_map(move |ranks| Self::new(shape, ranks)).filter(|slice| slice.size() > 0)
    }

    /// A unique number below [`Subslice::COUNT`].
    #[inline]
    pub fn number(self) -> usize {
        let digits = self.shape.own.into_iter().chain(self.shape.other);
        let shape = digits.fold(0, |number, digit| number * DATABASE_PIECES + usize::from(digit));
        (shape * RANKS + self.ranks[0]) * RANKS + self.ranks[1]
    }

    pub fn size(self) -> u64 {
        let [men, _] = self.shape.own;
        let [rank, other_rank] = self.ranks;
        // The places of the opponent's men depend only on how many own men stand on the rank of the
        // most advanced one (`beside`), and on the ranks before it (`before`).
        let sets_within = |ranks: usize, before: u8, beside: u8| {
            let reached = (ranks + other_rank).saturating_sub(RANKS);
            let squares = [WIDTH * reached.saturating_sub(1), WIDTH * reached.min(1)];
            let others = WIDTH * ranks - squares[0] - squares[1];
            let parts =
                [(squares[0], before), (squares[1], beside), (others, men - before - beside)];
            parts.into_iter().map(|(squares, men)| choose(squares, men) as u64).product::<u64>()
        };
        let mut sum = 0;
        for before in 0..=men {
            for beside in 0..=men - before {
                let fewer = if men > 0 { sets_within(rank, before, beside) } else { 0 };
                let sets = sets_within(rank + 1, before, beside) - fewer;
                if sets > 0 {
                    sum += sets * u64::from(self.places([before, before + beside]));
                }
            }
        }
        let [kings, other_kings] = self.kings();
        sum * kings * other_kings
    }

    /// The number of ways to place the opponent's men, where own men stand on `taken` of the squares
    /// below the rank of the most advanced one, and up to it.
    fn places(self, taken: [u8; 2]) -> u32 {
        let [men, _] = self.shape.other;
        if men == 0 {
            return 1;
        }
        let rank = self.ranks[1];
        (choose(WIDTH * (rank + 1) - usize::from(taken[1]), men) - self.skipped(taken[0])) as u32
    }

    /// The number of sets of the opponent's men that come before those of this subslice, where own
    /// men stand on `taken` of the squares below the rank of the most advanced one.
    fn skipped(self, taken: u8) -> usize {
        let [men, _] = self.shape.other;
        if men == 0 { 0 } else { choose(WIDTH * self.ranks[1] - usize::from(taken), men) }
    }

    /// How many of these own men stand below the rank of the opponent's most advanced man as the
    /// opponent sees the board, and how many up to it.
    #[inline]
    fn taken(self, men: Bits) -> [u8; 2] {
        let turned = men.reverse_bits();
        let within = |ranks: usize| (turned & ((1 << (8 * ranks)) - 1)).count_ones() as u8;
        [within(self.ranks[1]), within(self.ranks[1] + 1)]
    }

    /// The number of the first set of own men, and the number of these sets.
    fn own_sets(self) -> [usize; 2] {
        let [men, _] = self.shape.own;
        let within = |ranks: usize| choose(WIDTH * ranks, men);
        let first = if men == 0 { 0 } else { within(self.ranks[0]) };
        [first, within(self.ranks[0] + 1) - first]
    }

    /// The number of ways to place the kings of the side to move, and of its opponent.
    fn kings(self) -> [u64; 2] {
        let Shape { own: [men, kings], other: [other_men, other_kings] } = self.shape;
        let free = SQUARES - usize::from(men + other_men);
        let ways = [choose(free, kings), choose(free - usize::from(kings), other_kings)];
        ways.map(|ways| ways as u64)
    }

    /// The prefix sums over the sets of own men: the number of ways to place the men of both sides
    /// with an earlier set; the last item is the total.
    fn firsts(self) -> Vec<u32> {
        let [first, count] = self.own_sets();
        let [men, _] = self.shape.own;
        let mut sum = 0;
        let mut firsts = vec![0];
        firsts.extend((first..first + count).map(|set| {
            sum += self.places(self.taken(unrank(set, men, 0)));
            sum
        }));
        firsts
    }
}

impl Display for Subslice {
    /// The name in an index: kings and men of the side to move and of its opponent, and the ranks.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shape { own: [men, kings], other: [other_men, other_kings] } = self.shape;
        let [rank, other_rank] = self.ranks;
        write!(f, "{kings}{other_kings}{men}{other_men}.{rank}{other_rank}")
    }
}

/// The numbering of all subslices. What it needs of one is computed when it is first used.
pub(super) struct Numbering {
    /// The prefix sums by the numbers of men and the ranks: see [`Subslice::firsts`].
    firsts: Vec<OnceLock<Vec<u32>>>,
}

impl Default for Numbering {
    fn default() -> Self {
        let count = DATABASE_PIECES.pow(2) * RANKS * RANKS;
        Self { firsts: (0..count).map(|_| OnceLock::new()).collect() }
    }
}

impl Numbering {
    #[inline]
    fn firsts(&self, slice: Subslice) -> &[u32] {
        let ([men, _], [other_men, _]) = (slice.shape.own, slice.shape.other);
        let [rank, other_rank] = slice.ranks;
        let men = usize::from(men) * DATABASE_PIECES + usize::from(other_men);
        self.firsts[(men * RANKS + rank) * RANKS + other_rank].get_or_init(|| slice.firsts())
    }

    #[inline]
    pub fn number(&self, slice: Subslice, placement: &Placement) -> u64 {
        let ([men, kings], [other_men, other_kings]) = (placement.own, placement.other);
        let all_men = men | other_men;
        let [first, _] = slice.own_sets();
        let [taken, _] = slice.taken(men);
        let own = self.firsts(slice)[rank(men, 0) - first];
        let other = rank(other_men.reverse_bits(), men.reverse_bits()) - slice.skipped(taken);
        let [own_kings, opposing_kings] = slice.kings();
        let number = (u64::from(own) + other as u64) * own_kings + rank(kings, all_men) as u64;
        number * opposing_kings + rank(other_kings, all_men | kings) as u64
    }

    pub fn placement(&self, slice: Subslice, number: u64) -> Placement {
        let ([men_count, kings_count], [other_men_count, other_kings_count]) =
            (slice.shape.own, slice.shape.other);
        let [own_kings, opposing_kings] = slice.kings();
        let (number, last) = (number / opposing_kings, (number % opposing_kings) as usize);
        let (number, third) = (number / own_kings, (number % own_kings) as usize);
        let firsts = self.firsts(slice);
        let own = firsts.partition_point(|&first| u64::from(first) <= number) - 1;
        let [first, _] = slice.own_sets();
        let men = unrank(first + own, men_count, 0);
        let [taken, _] = slice.taken(men);
        let second = (number - u64::from(firsts[own])) as usize + slice.skipped(taken);
        let other_men = unrank(second, other_men_count, men.reverse_bits()).reverse_bits();
        let all_men = men | other_men;
        let kings = unrank(third, kings_count, all_men);
        let other_kings = unrank(last, other_kings_count, all_men | kings);
        Placement { own: [men, kings], other: [other_men, other_kings] }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::super::index::Index;
    use super::*;

    #[test]
    fn number_reverses_placement() {
        let numbering = Numbering::default();
        for shape in (2..=5).flat_map(Shape::all) {
            let mut sum = 0;
            for slice in Subslice::all(shape) {
                sum += slice.size();
                let last = slice.size() - 1;
                let step = if shape.pieces() < 4 { 1 } else { 9_973 };
                for number in (0..last).step_by(step).chain([last]) {
                    let placement = numbering.placement(slice, number);
                    assert_eq!(Subslice::of(&placement), slice, "{slice}: {number}");
                    assert_eq!(numbering.number(slice, &placement), number, "{slice}");
                }
            }
            assert_eq!(sum, Index::new(shape).size() as u64, "{shape}");
        }
    }

    #[test]
    fn number_reverses_placement_of_many_pieces() {
        let numbering = Numbering::default();
        let rows = [
            ([3, 1], [2, 0], [2, 3]),
            ([3, 1], [3, 1], [6, 6]),
            ([4, 0], [4, 0], [3, 4]),
            ([6, 1], [1, 0], [2, 6]),
            ([0, 7], [0, 1], [0, 0]),
            ([0, 4], [4, 0], [0, 6]),
        ];
        for (own, other, ranks) in rows {
            let slice = Subslice::new(Shape { own, other }, ranks).unwrap();
            for i in 0..=1_000 {
                let number = u128::from(slice.size() - 1) * i / 1_000;
                let placement = numbering.placement(slice, number as u64);
                assert_eq!(Subslice::of(&placement), slice);
                assert_eq!(numbering.number(slice, &placement), number as u64, "{slice}");
            }
        }
    }

    /// The numbers are those of the reader in `tests/external/witness/databases.py`.
    #[test]
    fn numbers_of_many_pieces_are_those_of_another_reader() {
        // The name of a subslice, the squares of the own men and kings and of those of the opponent, counted
        // from 0, and the number.
        type Squares<'a> = &'a [u32];
        let rows: [(&str, [Squares; 4], u64); 21] = [
            ("1122.14", [&[1, 6], &[23], &[14, 16], &[18]], 553_163),
            ("1122.14", [&[3, 4], &[2], &[13, 17], &[23]], 194_364),
            ("1122.14", [&[4, 5], &[7], &[12, 18], &[22]], 471_896),
            ("1133.12", [&[4, 5, 7], &[25], &[22, 23, 31], &[27]], 4_833_921),
            ("1133.12", [&[4, 5, 6], &[10], &[21, 23, 29], &[27]], 3_259_296),
            ("1133.12", [&[0, 4, 5], &[12], &[21, 24, 29], &[20]], 1_335_991),
            ("0044.23", [&[4, 5, 8, 9], &[], &[18, 22, 27, 29], &[]], 167_262),
            ("0044.23", [&[5, 6, 8, 9], &[], &[18, 25, 30, 31], &[]], 175_140),
            ("0044.23", [&[3, 6, 7, 9], &[], &[17, 20, 21, 25], &[]], 145_147),
            ("2132.13", [&[1, 3, 4], &[24, 26], &[16, 17], &[19]], 2_366_214),
            ("2132.13", [&[4, 5, 7], &[14, 26], &[16, 23], &[28]], 21_741_221),
            ("2132.13", [&[1, 4, 6], &[3, 13], &[16, 22], &[26]], 11_320_944),
            ("1016.11", [&[7], &[23], &[24, 26, 27, 29, 30, 31], &[]], 2_347),
            ("1016.11", [&[4], &[18], &[26, 27, 28, 29, 30, 31], &[]], 17),
            ("1016.11", [&[7], &[17], &[24, 26, 27, 29, 30, 31], &[]], 2_341),
            ("0350.20", [&[0, 2, 6, 8, 11], &[], &[], &[18, 26, 30]], 1_456_248),
            ("0350.20", [&[3, 4, 5, 6, 10], &[], &[], &[16, 24, 27]], 674_472),
            ("0350.20", [&[2, 4, 5, 6, 11], &[], &[], &[18, 25, 30]], 1_286_578),
            ("2103.02", [&[], &[6, 18], &[20, 25, 28], &[24]], 1_396_488),
            ("2103.02", [&[], &[15, 30], &[20, 23, 31], &[22]], 1_512_425),
            ("2103.02", [&[], &[9, 15], &[20, 25, 26], &[31]], 1_417_202),
        ];
        let set = |squares: Squares| {
            squares.iter().fold(0, |set: Bits, &square| {
                let rank = square / 4;
                set | 1 << (8 * rank + 2 * (square % 4) + rank % 2)
            })
        };
        let numbering = Numbering::default();
        for (name, squares, number) in rows {
            let [men, kings, other_men, other_kings] = squares.map(set);
            let placement = Placement { own: [men, kings], other: [other_men, other_kings] };
            let slice = Subslice::of(&placement);
            assert_eq!(
                (slice.to_string().as_str(), numbering.number(slice, &placement)),
                (name, number)
            );
        }
    }

    #[test]
    fn sizes_of_eight_pieces_exceed_32_bits() {
        let shape = Shape { own: [2, 2], other: [2, 2] };
        let size: u64 = Subslice::all(shape).map(Subslice::size).sum();
        assert_eq!(size, Index::new(shape).size() as u64);
        assert!(size > u64::from(u32::MAX));
    }
}
