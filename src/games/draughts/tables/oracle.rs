//! What tables tell a search.

use super::super::Draughts;
use super::{Tables, Value, count};
use crate::game::{Known, Oracle};

/// The tables know nothing of the moves that draw a game. Where a win might come too late for
/// these, the search has to see for itself.
impl Oracle<Draughts> for Tables {
    fn value(&self, position: &Draughts) -> Option<Known> {
        if count(position) > self.pieces {
            return None;
        }
        let entry = self.entry(position)?;
        let distance = Self::told(position, entry);
        let (quiet, draw_after) = (position.quiet, position.draw_after);
        let in_time = draw_after == 0
            || match distance {
                Some(plies) => quiet.saturating_add(plies) < draw_after,
                None => quiet < draw_after / 4 * 3,
            };
        match entry.value() {
            Value::Draw => Some(Known::Drawn),
            Value::Win => in_time.then_some(Known::Won(distance)),
            Value::Loss => in_time.then_some(Known::Lost(distance)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::draughts::tables::entry::Entry;

    #[test]
    fn values_alone_are_not_taken_for_distances() {
        let rows = [("W:WK14,K15,K18:BK1", Some(1)), ("W:WK14,K15,K18,K19:BK1", None)];
        for (setup, plies) in rows {
            let position = Draughts::read_setup(setup, Default::default()).unwrap();
            assert_eq!(Tables::told(&position, Entry::WON), plies, "{setup}");
        }
    }
}
