//! A gapless numbering of the placements of one shape, from 0.
//!
//! A set of squares s1 < s2 < ... has the rank C(s1, 1) + C(s2, 2) + ... (combinatorial number
//! system), where occupied squares are not counted. The order is: men of the side to move, men of
//! the opponent, kings of the side to move, kings of the opponent.

use super::shape::{Placement, Shape};
use crate::game::Side;
use crate::game::bitboard::{Bits, Square, squares};
use crate::games::draughts::position::HOME;

const SQUARES: usize = 32;
/// The number of squares on which a man can stand: all except its crowning rank.
const MAN_SQUARES: usize = 28;
/// The dark squares of the first rank, on which the opponent's men are crowned.
const FIRST_RANK: Bits = HOME[Side::White as usize] & 0x55;

/// Binomial coefficients by n and k, with k up to the maximum number of pieces of one sort.
const CHOOSE: [[u32; 8]; SQUARES + 1] = {
    let mut table = [[0; 8]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while k < 8 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The binomial coefficient of `n` and `k`, for `n` up to 32 and `k` up to 7.
pub(super) fn choose(n: usize, k: u8) -> usize {
    CHOOSE[n][usize::from(k)] as usize
}

/// The rank of a set among the sets of this size that avoid the taken squares.
#[inline]
pub(super) fn rank(set: Bits, taken: Bits) -> usize {
    let mut rank = 0;
    for (i, square) in squares(set).enumerate() {
        let below = (taken & (square.bit() - 1)).count_ones() as usize;
        rank += CHOOSE[square.index() / 2 - below][(i + 1) & 7];
    }
    rank as usize
}

#[inline]
pub(super) fn unrank(rank: usize, count: u8, taken: Bits) -> Bits {
    let mut rank = rank as u32;
    let mut free = SQUARES - taken.count_ones() as usize;
    let mut set = 0;
    for k in (1..=usize::from(count)).rev() {
        free -= 1;
        while CHOOSE[free][k] > rank {
            free -= 1;
        }
        rank -= CHOOSE[free][k];
        set |= free_square(free, taken).bit();
    }
    set
}

/// The free dark square with `below` free dark squares before it.
#[inline]
fn free_square(below: usize, taken: Bits) -> Square {
    let mut number = below;
    for square in squares(taken) {
        number += usize::from(square.index() / 2 <= number);
    }
    // On every second rank the dark squares begin on the b-file.
    Square::new((2 * number + ((number >> 2) & 1)) as u8)
}

/// The numbering of the placements of one shape.
pub(super) struct Index {
    shape: Shape,
    /// The prefix sums over the sets of own men: the number of ways to place the men of both sides
    /// with an earlier set; the last item is the total.
    firsts: Vec<u32>,
    /// The number of ways to place the kings of the side to move, and of its opponent.
    kings: [usize; 2],
}

impl Index {
    pub fn new(shape: Shape) -> Self {
        let [men, kings] = shape.own;
        let [other_men, other_kings] = shape.other;
        let mut firsts = vec![0];
        let mut sum = 0;
        for i in 0..choose(MAN_SQUARES, men) {
            let taken = unrank(i, men, 0) | FIRST_RANK;
            sum += choose(SQUARES - taken.count_ones() as usize, other_men) as u32;
            firsts.push(sum);
        }
        let free = SQUARES - usize::from(men + other_men);
        let kings = [choose(free, kings), choose(free.saturating_sub(kings.into()), other_kings)];
        Self { shape, firsts, kings }
    }

    pub fn size(&self) -> usize {
        let men = self.firsts.last().map_or(0, |&sum| sum as usize);
        men * self.kings[0] * self.kings[1]
    }

    #[inline]
    pub fn number(&self, placement: &Placement) -> usize {
        let ([men, kings], [other_men, other_kings]) = (placement.own, placement.other);
        let all_men = men | other_men;
        let first = self.firsts[rank(men, 0)] as usize;
        let number = first + rank(other_men, men | FIRST_RANK);
        let number = number * self.kings[0] + rank(kings, all_men);
        number * self.kings[1] + rank(other_kings, all_men | kings)
    }

    /// The placement with a number below [`Index::size`].
    #[inline]
    pub fn placement(&self, number: usize) -> Placement {
        let (number, last) = (number / self.kings[1], number % self.kings[1]);
        let (number, third) = (number / self.kings[0], number % self.kings[0]);
        let own = self.firsts.partition_point(|&first| first as usize <= number) - 1;
        let ([men_count, kings_count], [other_men_count, other_kings_count]) =
            (self.shape.own, self.shape.other);
        let men = unrank(own, men_count, 0);
        let second = number - self.firsts[own] as usize;
        let other_men = unrank(second, other_men_count, men | FIRST_RANK);
        let all_men = men | other_men;
        let kings = unrank(third, kings_count, all_men);
        let other_kings = unrank(last, other_kings_count, all_men | kings);
        Placement { own: [men, kings], other: [other_men, other_kings] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_reverses_placement() {
        for shape in (2..=4).flat_map(Shape::all) {
            let index = Index::new(shape);
            for number in (0..index.size()).step_by(if shape.pieces() < 4 { 1 } else { 101 }) {
                let placement = index.placement(number);
                assert_eq!(placement.shape(), shape);
                assert_eq!(index.number(&placement), number, "{shape}");
            }
        }
    }
}
