//! Values of positions, and how often each occurs.

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
