//! The lines of a game: the main line and its variations.

use serde::{Deserialize, Serialize};

/// A variation: moves in place of those of an earlier line, from one ply on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation<M> {
    /// The earlier line: 0 is the main line, N the Nth variation.
    pub line: usize,
    /// The ply of the first move, from 1. The earlier line has another move there, or ends before it.
    pub ply: usize,
    /// The moves of the variation, the first one at `ply`.
    pub moves: Vec<M>,
}

/// A value after each ply of a main line and of its variations, such as the position.
pub struct GameLines<T> {
    /// The main line from ply 0 on, then the variations.
    lines: Vec<Variation<T>>,
}

impl<T> GameLines<T> {
    /// The value before the first move, and those after each move of the main line.
    pub fn new(main_line: impl Iterator<Item = T>) -> Self {
        Self { lines: vec![Variation { line: 0, ply: 0, moves: main_line.collect() }] }
    }

    /// Begins a variation. Returns the value before its first move; `None` if the earlier line does not
    /// reach it.
    pub fn begin(&mut self, line: usize, ply: usize) -> Option<&T> {
        let before = ply.checked_sub(1).filter(|&before| self.after(line, before).is_some());
        // A line that leaves none stays empty. It must not refer to itself or to a later one.
        let line = if before.is_some() { line } else { 0 };
        self.lines.push(Variation { line, ply, moves: Vec::new() });
        self.after(line, before?)
    }

    /// Adds the value after the next move of the last line.
    pub fn push(&mut self, value: T) {
        if let Some(last) = self.lines.last_mut() {
            last.moves.push(value);
        }
    }

    /// The value after a ply of a line; `None` beyond its end.
    pub fn after(&self, line: usize, ply: usize) -> Option<&T> {
        let mut line = self.lines.get(line)?;
        // A line begins as the one it leaves.
        while ply < line.ply {
            line = self.lines.get(line.line)?;
        }
        line.moves.get(ply - line.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_as_the_one_it_leaves() {
        let mut lines = GameLines::new(["start", "a1", "a2", "a3"].into_iter());
        assert_eq!(lines.begin(0, 2), Some(&"a1"));
        lines.push("b2");
        lines.push("b3");
        assert_eq!(lines.begin(1, 3), Some(&"b2"));
        lines.push("c3");
        assert_eq!(lines.begin(2, 1), Some(&"start"));
        lines.push("d1");
        for (line, expected) in [
            (0, ["start", "a1", "a2", "a3"]),
            (1, ["start", "a1", "b2", "b3"]),
            (2, ["start", "a1", "b2", "c3"]),
        ] {
            let values = (0..5).map(|ply| lines.after(line, ply).copied());
            assert!(values.eq(expected.map(Some).into_iter().chain([None])), "line {line}");
        }
        let last = [0, 1, 2].map(|ply| lines.after(3, ply).copied());
        assert_eq!(last, [Some("start"), Some("d1"), None]);
    }

    #[test]
    fn a_variation_leaves_an_earlier_line() {
        let mut lines = GameLines::new(["start", "a1", "a2"].into_iter());
        for (line, ply) in [(0, 0), (0, 4), (1, 3), (9, 1), (5, 1), (0, usize::MAX)] {
            assert_eq!(lines.begin(line, ply), None, "line {line}, ply {ply}");
        }
        assert_eq!(lines.begin(0, 1), Some(&"start"));
        assert_eq!(lines.begin(0, 3), Some(&"a2"));
    }
}
