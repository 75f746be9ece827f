//! Exact values of positions.

/// An exact value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseValue {
    /// A win, with the plies to the end under best play if known.
    Won(Option<u16>),
    /// A loss, with the plies to the end under best play if known.
    Lost(Option<u16>),
    /// A draw.
    Drawn,
}

/// A source of exact values, such as endgame tables.
pub trait Tablebase<P>: Send + Sync {
    /// The value of a position, if known. The game must not be over.
    fn value(&self, position: &P) -> Option<TablebaseValue>;
}
