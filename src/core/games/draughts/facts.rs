//! English draughts: what a move takes, crowns and leaves to capture.

use super::moves;
use super::position::{Draughts, DraughtsMove, HOME};
use crate::game::{Fact, Heuristics, Position, legal_moves};

pub(super) fn facts(position: &Draughts, mv: DraughtsMove) -> Vec<Fact> {
    let (side, next) = (position.side, position.play(mv));
    let mut facts = Vec::new();
    let kings = (mv.taken & position.kings).count_ones();
    let men = mv.taken.count_ones() - kings;
    let taken: Vec<String> =
        [(men, "man", "men"), (kings, "king", "kings")].into_iter().filter_map(count).collect();
    if !taken.is_empty() {
        facts.push(Fact::new("captures", format!("captures {}", taken.join(" and "))));
    }
    if position.kings & mv.from.bit() == 0 && HOME[!side] & mv.to.bit() != 0 {
        facts.push(Fact::new("crowns", "crowns a man"));
    }
    if next.outcome().is_some() {
        return facts;
    }
    if next.is_forced() {
        let captures_back = |reply: &DraughtsMove| next.play(*reply).is_forced();
        facts.push(if legal_moves(&next).iter().all(captures_back) {
            Fact::new("exchange", "makes the opponent capture, and allows a capture in return")
        } else {
            Fact::new("forces-capture", "makes the opponent capture")
        });
    } else if mv.taken == 0
        && moves::can_capture(position, !side)
        && !moves::can_capture(&next, !side)
    {
        facts.push(Fact::new("saves", "leaves nothing that the opponent could capture"));
    }
    facts
}

/// A number of pieces in words; `None` for none.
fn count((number, singular, plural): (u32, &str, &str)) -> Option<String> {
    const WORDS: [&str; 11] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    match number {
        0 => None,
        1 => Some(format!("a {singular}")),
        _ => WORDS.get(number as usize - 2).map(|word| format!("{word} {plural}")),
    }
}
