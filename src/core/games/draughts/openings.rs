//! English draughts: the three-move openings.

use crate::game::Opening;

/// The openings, one a line: the number, the moves, the status, the deck, the name and the setup.
pub const BALLOTS: &str = include_str!("ballots.txt");

/// The 174 three-move openings, of which the 156 that are not barred are ballots.
pub(super) fn openings() -> Vec<Opening> {
    let lines = BALLOTS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(read).collect()
}

fn read(line: &'static str) -> Option<Opening> {
    let mut fields = line.split(';').skip(1);
    let (moves, status) = (fields.next()?, fields.next()?);
    let name = fields.nth(1).filter(|name| !name.is_empty());
    Some(Opening { moves, setup: fields.next()?, name, is_ballot: status != "barred" })
}
