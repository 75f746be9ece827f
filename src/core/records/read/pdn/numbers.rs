//! Move numbers, and moves that are written as two numbers without a sign.

use super::super::super::error::LineColumn;
use super::super::super::pdn;
use super::super::super::tree::Turn;

/// A number and its location.
pub(super) struct Digits {
    pub(super) text: String,
    pub(super) location: LineColumn,
}

impl Digits {
    fn value(&self) -> Option<usize> {
        self.text.parse().ok()
    }
}

/// How a game numbers its moves.
#[derive(Default)]
pub(super) struct Numbering {
    /// The number of the first move, if a number has been read.
    first: Option<usize>,
    /// Whether the first number may be any one.
    is_open: bool,
    /// Whether the numbers have full stops, so that other numbers are squares.
    has_stops: bool,
}

/// The moves of a line of numbers, and the number of a move that is still to come.
type Split<'a> = (Vec<(Turn, LineColumn)>, Option<&'a Digits>);

impl Numbering {
    /// Whether any number has been read.
    pub(super) fn has_begun(&self) -> bool {
        self.first.is_some()
    }

    /// Lets the first number be any one, for a game that begins with a setup.
    pub(super) fn begin_anywhere(&mut self) {
        self.is_open = true;
    }

    /// Reads a number with a full stop, after this number of plies.
    pub(super) fn read(&mut self, number: &Digits, plies: usize) {
        self.has_stops = true;
        self.first = self.first.or(number.value().map(|number| number.saturating_sub(plies / 2)));
    }

    /// Whether this is the number of the move after this number of plies.
    pub(super) fn fits(&mut self, number: &Digits, plies: usize) -> bool {
        let Some(number) = number.value() else { return false };
        let first = if self.is_open && plies == 0 { number } else { 1 };
        let first = self.first.unwrap_or(first);
        // Games in which White begins may number White's move or Black's.
        let fits = number == first + plies / 2 || number == first + plies.div_ceil(2);
        self.first = self.first.or(fits.then_some(first));
        fits
    }

    /// The moves that numbers in a row are, after this number of plies.
    pub(super) fn split<'a>(&mut self, row: &'a [Digits], plies: usize) -> Option<Split<'a>> {
        let numbered = if self.has_stops { None } else { self.split_numbered(row, plies) };
        numbered.or_else(|| {
            let (pairs, rest) = row.as_chunks();
            let moves = pairs.iter().map(turn).collect::<Option<_>>()?;
            rest.is_empty().then_some((moves, None))
        })
    }

    /// As [`split`](Self::split), with a number before every second move: `1 11 15 22 18 2 15 22`.
    fn split_numbered<'a>(&mut self, row: &'a [Digits], plies: usize) -> Option<Split<'a>> {
        let first = self.first.unwrap_or(1);
        let (mut moves, mut number, mut rest) = (Vec::new(), None, row);
        while let [next, tail @ ..] = rest {
            let plies = plies + moves.len();
            if number.is_none() && plies.is_multiple_of(2) {
                number = Some(next).filter(|next| next.value() == Some(first + plies / 2));
                rest = tail;
                number?;
                continue;
            }
            let ([pair, ..], _) = rest.as_chunks() else { return None };
            moves.push(turn(pair)?);
            (number, rest) = (None, rest.get(2..)?);
        }
        self.first = Some(first);
        Some((moves, number))
    }
}

/// The move between two squares.
fn turn([from, to]: &[Digits; 2]) -> Option<(Turn, LineColumn)> {
    let distance = from.value()?.abs_diff(to.value()?);
    let sign = if (3..=5).contains(&distance) { '-' } else { 'x' };
    Some((pdn::turn(&format!("{}{sign}{}", from.text, to.text))?, from.location))
}
