//! The two engines of a match, whatever side they play.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// One of the two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineId {
    /// The one that was named first; scores are told from its side.
    First,
    /// The other.
    Second,
}

impl EngineId {
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

impl Not for EngineId {
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
pub struct PerEngine<T> {
    /// What the first engine has.
    pub first: T,
    /// What the second one has.
    pub second: T,
}

impl<T> PerEngine<T> {
    /// What one of them has.
    pub fn of(&self, seat: EngineId) -> &T {
        match seat {
            EngineId::First => &self.first,
            EngineId::Second => &self.second,
        }
    }

    /// What one of them has, to change it.
    pub fn of_mut(&mut self, seat: EngineId) -> &mut T {
        match seat {
            EngineId::First => &mut self.first,
            EngineId::Second => &mut self.second,
        }
    }
}
