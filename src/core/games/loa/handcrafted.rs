//! Lines of Action: the handcrafted evaluation.
//!
//! Its features are those with the highest weights in MIA (M. H. M. Winands, "Informed Search in
//! Complex Games", 2004): concentration, quads, mobility and centralisation. All are averages per
//! stone. A sum would reward material, and the engine would capture without reason.

use super::{Loa, moves};
use crate::game::bitboard::{Bits, FILE_A, FILE_H, Square, squares};
use crate::game::{Side, Term};

const FEATURES: [&str; 4] = ["concentration", "centralisation", "quads", "mobility"];

/// The value of one unit of each feature, per stone on average.
const WEIGHTS: [i32; 4] = [-360, 2, 120, 24];

/// The bonus for the side to move.
const TEMPO: i32 = 20;

/// Piece-square values: negative on the edge and lowest in the corners (Winands 2004).
const CENTRALITY: [i32; 64] = {
    const EDGE_IN: [[i32; 4]; 4] =
        [[-80, -25, -20, -20], [-25, 10, 10, 10], [-20, 10, 25, 25], [-20, 10, 25, 50]];
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (x, y) = (i % 8, i / 8);
        let x = if x < 4 { x } else { 7 - x };
        let y = if y < 4 { y } else { 7 - y };
        table[i] = EDGE_IN[y][x];
        i += 1;
    }
    table
};

/// The evaluation for the side to move, given the mobility of both sides.
pub(super) fn evaluate(position: &Loa, mobility: [i32; 2]) -> i32 {
    let value = features(position, mobility).map(|features| features.iter().sum::<i32>());
    value[position.side] - value[!position.side] + TEMPO
}

pub(super) fn terms(position: &Loa) -> Vec<Term> {
    let value = features(position, moves::mobility(position));
    let mut terms: Vec<Term> = FEATURES
        .into_iter()
        .enumerate()
        .map(|(i, name)| Term { name, value: value.map(|side| side[i]) })
        .collect();
    let mut tempo = [0; 2];
    tempo[position.side] = TEMPO;
    terms.push(Term { name: "tempo", value: tempo });
    terms
}

fn features(position: &Loa, mobility: [i32; 2]) -> [[i32; 4]; 2] {
    Side::BOTH.map(|side| {
        let stones = position.stones(side);
        let count = stones.count_ones() as i32;
        let centre = Centre::of(stones, count);
        let (mut distance, mut centrality) = (0, 0);
        for square in squares(stones) {
            distance += centre.distance(square);
            centrality += CENTRALITY[square.index()];
        }
        let [concentration, centralisation, by_quads, by_mobility] = WEIGHTS;
        [
            // Distances are multiples of 1 / count squares.
            (distance - least_distance(count) * count) * concentration / (count * count),
            centrality * centralisation / count,
            quads(stones & centre.near(3)) * by_quads / count,
            mobility[side] * by_mobility / count,
        ]
    })
}

/// The centre of mass of a set of stones. It is not rounded to a square, so that the evaluation is
/// symmetric.
struct Centre {
    count: i32,
    x: i32,
    y: i32,
}

impl Centre {
    fn of(stones: Bits, count: i32) -> Self {
        let sums = squares(stones).fold((0, 0), |(x, y), square| {
            (x + i32::from(square.file()), y + i32::from(square.rank()))
        });
        Self { count, x: sums.0, y: sums.1 }
    }

    /// The distance to a square in king steps, times the number of stones.
    fn distance(&self, square: Square) -> i32 {
        let x = i32::from(square.file()) * self.count - self.x;
        let y = i32::from(square.rank()) * self.count - self.y;
        x.abs().max(y.abs())
    }

    /// The squares at a distance of at most `steps` king steps.
    fn near(&self, steps: i32) -> Bits {
        let within = |sum: i32| {
            let first = (sum + self.count - 1) / self.count - steps;
            let last = sum / self.count + steps;
            (first.max(0), last.min(7))
        };
        let ((left, right), (low, high)) = (within(self.x), within(self.y));
        let files = ((0xff << left) & (0xff >> (7 - right))) as u64 * FILE_A;
        files & (!0 << (8 * low)) & (!0 >> (8 * (7 - high)))
    }
}

/// The minimum sum of distances from the centre for this many stones: one stone in the centre,
/// eight around it, sixteen around those.
fn least_distance(count: i32) -> i32 {
    if count <= 9 { count - 1 } else { 8 + 2 * (count - 9) }
}

/// The number of 2x2 blocks with three or four of the stones. Such groups are hard to break.
fn quads(stones: Bits) -> i32 {
    let right = stones >> 1 & !FILE_H;
    let (both, either) = (stones & right, stones | right);
    let (both_above, either_above) = (both >> 8, either >> 8);
    (both & either_above | both_above & either).count_ones() as i32
}
