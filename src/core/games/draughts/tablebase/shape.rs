//! The slices of the tables, by material.

use std::fmt::{self, Display};

use super::super::{Draughts, DraughtsRules};
use crate::game::Side;
use crate::game::bitboard::Bits;

/// The minimum number of pieces: one per side.
pub const MIN_PIECES: usize = 2;
pub const MAX_PIECES: usize = 6;
/// Tables with up to this many pieces also store distances.
pub const DISTANCE_PIECES: usize = 5;

/// The numbers of men and kings of each side: the material signature of a slice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) struct Shape {
    /// Men and kings of the side to move.
    pub own: [u8; 2],
    /// Men and kings of the opponent.
    pub other: [u8; 2],
}

impl Shape {
    pub fn of(position: &Draughts) -> Self {
        let counts =
            |side| [position.men(side), position.kings(side)].map(|set| set.count_ones() as u8);
        Self { own: counts(position.side), other: counts(!position.side) }
    }

    /// All shapes with `pieces` pieces and at least one per side. The shape after a promotion
    /// comes before the shape with the man.
    pub fn all(pieces: usize) -> Vec<Self> {
        let pieces = pieces as u8;
        let mut shapes = Vec::new();
        for all_men in 0..=pieces {
            for own in 1..pieces {
                let other = pieces - own;
                for men in all_men.saturating_sub(other)..=own.min(all_men) {
                    let other_men = all_men - men;
                    shapes.push(Self {
                        own: [men, own - men],
                        other: [other_men, other - other_men],
                    });
                }
            }
        }
        shapes
    }

    pub fn pieces(self) -> usize {
        self.own.into_iter().chain(self.other).map(usize::from).sum()
    }

    /// The numbers of pieces of both sides, the smaller one first.
    pub fn division(self) -> [u8; 2] {
        let mut counts = [self.own, self.other].map(|[men, kings]| men + kings);
        counts.sort_unstable();
        counts
    }

    /// Whether the table stores distances. If so, the tables after a capture or a promotion store
    /// them as well.
    pub fn keeps_distance(self) -> bool {
        self.pieces() <= DISTANCE_PIECES
    }

    /// The same material with the opponent to move: the shape after a quiet move.
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The shape after a promotion; `None` without men of the side to move.
    pub fn crowned(self) -> Option<Self> {
        let [men, kings] = self.own;
        Some(Self { own: self.other, other: [men.checked_sub(1)?, kings + 1] })
    }

    /// A unique number below [`Shape::COUNT`].
    pub fn number(self) -> usize {
        let digits = self.own.into_iter().chain(self.other);
        digits.fold(0, |number, digit| number * (MAX_PIECES + 1) + usize::from(digit))
    }

    /// The pieces in words, the side to move first: `1 man and 2 kings against 1 king`.
    pub fn in_words(self) -> String {
        let side = |pieces: [u8; 2]| {
            let words = [("man", "men"), ("king", "kings")];
            let counted = pieces.into_iter().zip(words).filter(|&(count, _)| count > 0);
            let counted = counted.map(|(count, (one, many))| {
                format!("{count} {}", if count == 1 { one } else { many })
            });
            counted.collect::<Vec<_>>().join(" and ")
        };
        format!("{} against {}", side(self.own), side(self.other))
    }

    /// An upper bound of [`Shape::number`], exclusive.
    pub const COUNT: usize = (MAX_PIECES + 1).pow(4);
}

impl Display for Shape {
    /// The name used in file names, the side to move first: `1m2k-0m1k`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ([men, kings], [other_men, other_kings]) = (self.own, self.other);
        write!(f, "{men}m{kings}k-{other_men}m{other_kings}k")
    }
}

/// The squares of the pieces from the point of view of the side to move: its men move upwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// Men and kings of the side to move.
    pub own: [Bits; 2],
    /// Men and kings of the opponent.
    pub other: [Bits; 2],
}

impl Placement {
    pub fn of(position: &Draughts) -> Self {
        let sets = |side| [position.men(side), position.kings(side)];
        let side = position.side;
        let placement = Self { own: sets(side), other: sets(!side) };
        if side == Side::White { placement } else { placement.rotated() }
    }

    /// The board rotated by 180 degrees.
    fn rotated(self) -> Self {
        let rotate = |sets: [Bits; 2]| sets.map(Bits::reverse_bits);
        Self { own: rotate(self.own), other: rotate(self.other) }
    }

    /// The same board with the opponent to move.
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }.rotated()
    }

    /// The position, with White to move.
    pub fn position(self) -> Draughts {
        let [men, kings] = self.own;
        let [other_men, other_kings] = self.other;
        let pieces = [other_men | other_kings, men | kings];
        Draughts::new(pieces, kings | other_kings, Side::White, DraughtsRules::default())
    }

    pub fn shape(self) -> Shape {
        let count = |sets: [Bits; 2]| sets.map(|set| set.count_ones() as u8);
        Shape { own: count(self.own), other: count(self.other) }
    }

    /// The occupied squares.
    pub fn all(self) -> Bits {
        self.own[0] | self.own[1] | self.other[0] | self.other[1]
    }
}
