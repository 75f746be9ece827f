//! The table entry of one position, and its value.

use std::fmt::{self, Display};

/// The value of a position for the side to move under perfect play, however long it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Loss,
    /// Neither side can win.
    Draw,
    Win,
}

/// The numbers of won, lost and drawn positions for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub won: u64,
    pub lost: u64,
    pub drawn: u64,
}

impl Counts {
    pub(super) fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.won += 1,
            Value::Loss => self.lost += 1,
            Value::Draw => self.drawn += 1,
        }
    }

    pub fn positions(self) -> u64 {
        self.won + self.lost + self.drawn
    }
}

/// The value of a position for the side to move, in one byte.
///
/// 0 is a draw. n + 1 means that the game is over after n plies: won for odd n, lost for even n.
/// Tables without distances use only `LOST` and `WON`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry(pub u8);

impl Entry {
    pub const DRAWN: Self = Self(0);
    /// The side to move has lost.
    pub const LOST: Self = Self(1);
    /// The side to move wins with its next move.
    pub const WON: Self = Self(2);
    /// The longest win that an entry can represent. Stored distances stay below it: the longest
    /// with five pieces is 162 plies.
    const LONGEST: Self = Self(254);

    /// The entry of a value without a distance.
    pub fn of(value: Value) -> Self {
        match value {
            Value::Loss => Self::LOST,
            Value::Draw => Self::DRAWN,
            Value::Win => Self::WON,
        }
    }

    pub fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            code if code % 2 == 1 => Value::Loss,
            _ => Value::Win,
        }
    }

    /// The number of plies until the game is over; `None` for a draw.
    pub fn distance(self) -> Option<u16> {
        self.0.checked_sub(1).map(u16::from)
    }

    /// The entry reduced to win, draw or loss.
    pub fn plain(self) -> Self {
        Self::of(self.value())
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.value(), self.distance().unwrap_or_default()) {
            (Value::Draw, _) => write!(f, "drawn"),
            (Value::Win, plies) => write!(f, "won ({plies})"),
            (Value::Loss, plies) => write!(f, "lost ({plies})"),
        }
    }
}

/// The best result over the successors of a position. With no successors the position is lost: a
/// side without a legal move loses.
#[derive(Default)]
pub(super) struct SuccessorBounds {
    /// The quickest loss of the opponent, as an entry.
    win: Option<u8>,
    /// The slowest win of the opponent, as an entry.
    loss: u8,
    draw: bool,
}

impl SuccessorBounds {
    pub fn add(&mut self, successor: Entry) {
        match successor.value() {
            Value::Loss => {
                self.win = Some(self.win.map_or(successor.0, |win| win.min(successor.0)))
            }
            Value::Draw => self.draw = true,
            Value::Win => self.loss = self.loss.max(successor.0),
        }
    }

    /// Whether a winning move has been added.
    pub fn is_won(&self) -> bool {
        self.win.is_some()
    }

    pub fn entry(&self) -> Entry {
        match self.win {
            Some(win) => Entry(win.saturating_add(1)).min(Entry::LONGEST),
            None if self.draw => Entry::DRAWN,
            None => Entry(self.loss + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_beyond_the_longest_distance_keep_their_value() {
        let mut entry = Entry::LOST;
        for plies in 1..600 {
            let mut bounds = SuccessorBounds::default();
            bounds.add(entry);
            entry = bounds.entry();
            let value = if plies % 2 == 1 { Value::Win } else { Value::Loss };
            assert_eq!(entry.value(), value, "after {plies} plies");
        }
    }
}
