//! The two engines of a match, whatever side they play.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// One of the two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The one that was named first; scores are told from its side.
    First,
    /// The other.
    Second,
}

impl Seat {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Who plays `side` if this engine plays Black.
    pub fn playing(self, side: Side) -> Self {
        match side {
            Side::Black => self,
            Side::White => !self,
        }
    }

    /// The side of `other` if this engine plays Black.
    pub fn side_of(self, other: Self) -> Side {
        if self == other { Side::Black } else { Side::White }
    }
}

impl Not for Seat {
    type Output = Self;

    /// The other engine.
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Something that each engine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Both<T> {
    /// What the first engine has.
    pub first: T,
    /// What the second one has.
    pub second: T,
}

impl<T> Both<T> {
    /// What one of them has.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }

    /// What one of them has, to change it.
    pub fn of_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}
