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
        let distance = entry.distance();
        let (quiet, draw_after) = (position.quiet, position.draw_after);
        let in_time = draw_after == 0
            || match distance {
                Some(plies) => quiet.saturating_add(plies) < draw_after,
                None => quiet < draw_after / 2,
            };
        match entry.value() {
            Value::Draw => Some(Known::Drawn),
            Value::Win => in_time.then_some(Known::Won(distance)),
            Value::Loss => in_time.then_some(Known::Lost(distance)),
        }
    }
}
