//! The identity of the two engines of a match, independent of the side they play.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// One of the two engines of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineId {
    /// The first engine on the command line; scores are given from its point of view.
    First,
    /// The second engine.
    Second,
}

impl EngineId {
    /// Both engines, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the engine that plays `side` if this engine plays Black.
    pub fn playing(self, side: Side) -> Self {
        match side {
            Side::Black => self,
            Side::White => !self,
        }
    }

    /// Returns the side of `other` if this engine plays Black.
    pub fn side_of(self, other: Self) -> Side {
        if self == other { Side::Black } else { Side::White }
    }
}

impl Not for EngineId {
    type Output = Self;

    /// Returns the other engine.
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A pair of values, one for each engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PerEngine<T> {
    /// The value of the first engine.
    pub first: T,
    /// The value of the second engine.
    pub second: T,
}

impl<T> PerEngine<T> {
    /// Returns the value of one engine.
    pub fn of(&self, seat: EngineId) -> &T {
        match seat {
            EngineId::First => &self.first,
            EngineId::Second => &self.second,
        }
    }

    /// Returns the value of one engine for modification.
    pub fn of_mut(&mut self, seat: EngineId) -> &mut T {
        match seat {
            EngineId::First => &mut self.first,
            EngineId::Second => &mut self.second,
        }
    }
}
