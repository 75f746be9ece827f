//! Lines of Action: scores of moves for move ordering, by the board alone.
//!
//! A good move brings a stone from the outside to the other own stones, or beside stones of the
//! opponent, whose lines it blocks. The score of a move is the sum of those of its origin and its
//! target square. Sampled searches of all moves of a node gave the values: see the experiments of
//! the search.

use super::{Loa, LoaMove};
use crate::game::bitboard::Bits;
use crate::game::{MoveScore, MoveScores};

/// The scores of the origin of a move, of an empty target square and of one with a captured stone.
static SCORES: [SquareScores; 3] = [
    SquareScores::new(
        [3730, 3030, -60, -260, 560, -1000, -1720, -1400, -1010, -860],
        [2240, -480, -2540, -2930, -700, -2470, -1400, 0, 0],
        [-1090, 430, 1120, 860, 1360, -4630, 10440, 0, 0],
        [-11830, -7620, -7030, -5140, -2570, -160, 3550, 5720, 8370, 11940, 17650, 16800, 0, 0, 0],
    ),
    SquareScores::new(
        [-7600, -7650, -2750, -290, -2540, -790, -470, 400, 730, -130],
        [-4840, -3180, -880, 270, 970, 400, -3200, 0, 0],
        [-4680, -1860, -290, 1760, 3870, 3910, 2320, 0, 0],
        [
            9610, 7360, 6140, 4280, 2610, 250, -3300, -6820, -8820, -11630, -15110, -11390, -1620,
            0, 0,
        ],
    ),
    SquareScores::new(
        [-10790, -3920, -5240, -780, -580, 2230, 3650, 2930, 4040, 4910],
        [2560, 3690, 4840, 4440, 1550, -4010, -3510, 0, 0],
        [-1100, 2780, 5860, 6910, 6070, -4600, -7160, 0, 0],
        [7380, 4910, 6030, 4500, 3010, -520, -3850, -6160, -8450, -9670, -12560, -3750, 0, 0, 0],
    ),
];

const ORIGIN: usize = 0;
const TARGET: usize = 1;
const CAPTURE: usize = 2;

struct SquareScores {
    by_square: [i16; 64],
    /// By the numbers of stones around the square, as in [`stones_around`].
    by_stones: [i16; 256],
    /// By the distance to the centre of the own stones, in half squares.
    by_distance: [i16; 15],
}

impl SquareScores {
    /// The scores by place, for a1, b1, c1, d1, b2, c2, d2, c3, d3, d4 and the squares that
    /// symmetry maps to them; by the numbers of own and of other stones around; and by distance.
    const fn new(
        places: [i16; 10],
        own: [i16; 9],
        other: [i16; 9],
        by_distance: [i16; 15],
    ) -> Self {
        let mut by_square = [0; 64];
        let mut i = 0;
        while i < 64 {
            let (x, y) = (i % 8, i / 8);
            let x = if x < 4 { x } else { 7 - x };
            let y = if y < 4 { y } else { 7 - y };
            let (near, far) = if x < y { (x, y) } else { (y, x) };
            by_square[i] = places[[0, 4, 7, 9][near] + far - near];
            i += 1;
        }
        let mut by_stones = [0; 256];
        let mut i = 0;
        while i < 9 * 16 {
            if i % 16 < 9 {
                by_stones[i] = own[i % 16] + other[i / 16];
            }
            i += 1;
        }
        Self { by_square, by_stones, by_distance }
    }
}

pub(super) fn score_moves(position: &Loa, moves: &[LoaMove], scores: &mut MoveScores) {
    let own = position.stones[position.side];
    let other = position.stones[!position.side];
    let around = stones_around(own, other);
    let distances = distances(own);
    let score_of = |kind: usize, square: usize| {
        let SquareScores { by_square, by_stones, by_distance } = &SCORES[kind];
        let by_distance = by_distance[usize::from(distances[square / 8][square % 8])];
        [by_square[square], by_stones[usize::from(around[square / 8][square % 8])], by_distance]
            .map(MoveScore::from)
            .iter()
            .sum::<MoveScore>()
    };
    scores.extend(moves.iter().map(|mv| {
        let target = if other & mv.to().bit() == 0 { TARGET } else { CAPTURE };
        score_of(ORIGIN, mv.from().index()) + score_of(target, mv.to().index())
    }));
}

/// For each rank and file, the number of own stones on the squares around in the lower half of the
/// byte, that of the other stones in the higher half.
fn stones_around(own: Bits, other: Bits) -> [[u8; 8]; 8] {
    // An empty rank below and above the board.
    let mut ranks = [0; 10];
    for (rank, stones) in ranks[1..9].iter_mut().enumerate() {
        *stones = bytes_of_bits(own >> (8 * rank)) + (bytes_of_bits(other >> (8 * rank)) << 4);
    }
    let beside = |rank: usize| (ranks[rank] << 8) + (ranks[rank] >> 8);
    let row = |rank: usize| ranks[rank] + beside(rank);
    std::array::from_fn(|rank| (row(rank) + beside(rank + 1) + row(rank + 2)).to_le_bytes())
}

fn bytes_of_bits(bits: u64) -> u64 {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let separate = (bits & 0xff).wrapping_mul(LOWEST) & 0x8040_2010_0804_0201;
    (separate + 0x7f * LOWEST) >> 7 & LOWEST
}

/// For each rank and file, the distance to the centre of mass of some stones in half king steps.
fn distances(stones: Bits) -> [[u8; 8]; 8] {
    let count = stones.count_ones().max(1);
    // The sum of the files or ranks, from the stones whose number has bit 0, bit 1 or bit 2.
    let middle = |digits: [Bits; 3]| {
        let [ones, twos, fours] = digits.map(|digit| (stones & digit).count_ones());
        ((2 * (ones + 2 * twos + 4 * fours) + count / 2) / count) as u8
    };
    let file = middle([0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0]);
    let rank = middle([0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000]);
    let files: [u8; 8] = std::array::from_fn(|i| (2 * i as u8).abs_diff(file));
    let ranks: [u8; 8] = std::array::from_fn(|i| (2 * i as u8).abs_diff(rank));
    ranks.map(|rank| files.map(|file| file.max(rank)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::bitboard::{Square, neighbours};
    use crate::game::{MoveFormat, Notation, legal_moves};
    use crate::games::loa::LoaRules;

    #[test]
    fn stones_around_a_square_are_counted_by_side() {
        let rows =
            [(0, 0), (0x7e, 0x0081_8181_8181_8100), (0x8142_2418_1824_4281, 0x183c), (!1, 1)];
        for (own, other) in rows {
            let around = stones_around(own, other);
            for index in 0..64 {
                let near = neighbours(Square::new(index).bit());
                let [own, other] = [own, other].map(|stones| (stones & near).count_ones());
                let counted = u32::from(around.as_flattened()[usize::from(index)]);
                assert_eq!(counted, own + 16 * other, "square {index}");
            }
        }
    }

    #[test]
    fn distances_are_those_to_the_centre_of_mass() {
        // Stones, a square, and its distance in half squares.
        let rows = [
            (1, 63, 14),
            (1 | 1 << 63, 0, 7),
            (0b101 << 8, 9, 0),
            (0b11, 2, 3),
            (0b111, 64 - 8, 14),
        ];
        for (stones, square, distance) in rows {
            assert_eq!(distances(stones).as_flattened()[square], distance, "{stones:x}");
        }
    }

    #[test]
    fn the_move_that_joins_the_own_stones_scores_most() {
        for (setup, expected) in
            [("L6L/8/8/3ll3/3ll3/8/l7/8 b", "a2c4"), ("8/7L/8/3LL3/3LL3/8/8/l5l1 w", "h7f5")]
        {
            let position = Loa::read_setup(setup, LoaRules::default()).unwrap();
            let moves = legal_moves(&position);
            let mut scores = MoveScores::new();
            score_moves(&position, &moves, &mut scores);
            let (_, best) = scores.iter().zip(moves).max_by_key(|(score, _)| **score).unwrap();
            assert_eq!(position.write_move(best, MoveFormat::Coordinate), expected);
        }
    }
}
