//! Lines of Action: what a move does to the groups and the moves of both sides.

use std::cmp::Reverse;

use super::position::{Loa, LoaMove, group_of};
use super::{is_connected, moves};
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{Fact, Heuristics, MoveList, Position, Side};

pub(super) fn facts(position: &Loa, mv: LoaMove) -> Vec<Fact> {
    if mv == LoaMove::PASS {
        return vec![Fact::new("passes", "passes, because no stone can move")];
    }
    let (side, next) = (position.side, position.play(mv));
    let mut facts = Vec::new();
    if position.is_noisy(mv) {
        facts.push(Fact::new("captures", "captures a stone"));
    }
    own_groups(side, position.stones[side], next.stones[side], &mut facts);
    let [before, after] = [position, &next].map(|at| groups(at.stones[!side]).len());
    if after > before {
        facts.push(Fact::new("splits", format!("splits the opponent into {after} groups")));
    }
    if next.outcome().is_none() {
        facts.extend(blocked(position, &next));
        facts.extend(nearer(side, position.stones[side], mv));
    }
    facts
}

/// What a move does to the groups of the side that makes it.
fn own_groups(side: Side, before: Bits, after: Bits, facts: &mut Vec<Fact>) {
    if is_connected(after) {
        facts.push(Fact::new("connects", format!("connects all of {side}'s stones")));
        return;
    }
    let (before, after) = (groups(before), groups(after));
    if after.len() < before.len() {
        let (new, old) = (after.len(), before.len());
        let text = format!("joins {side}'s stones into {new} groups instead of {old}");
        facts.push(Fact::new("joins", text));
    }
    let largest = |groups: &[Bits]| groups.iter().map(|group| group.count_ones()).max();
    let (before, after) = (largest(&before).unwrap_or(0), largest(&after).unwrap_or(0));
    if after > before {
        let text = format!("enlarges {side}'s largest group from {before} to {after} stones");
        facts.push(Fact::new("largest-group", text));
    }
}

/// Whether the stone comes nearer to the largest group of the other stones without touching it.
fn nearer(side: Side, stones: Bits, mv: LoaMove) -> Option<Fact> {
    let mut groups = groups(stones & !mv.from().bit());
    groups.sort_by_key(|group| Reverse(group.count_ones()));
    let size = |index: usize| groups.get(index).map_or(0, |group| group.count_ones());
    // A stone alone is no group to come to, and of two groups of the same size neither is the largest.
    if size(0) < 2 || size(0) == size(1) {
        return None;
    }
    let largest = *groups.first()?;
    let steps = |from: Square| squares(largest).map(|to| distance(from, to)).min();
    let (before, after) = (steps(mv.from())?, steps(mv.to())?);
    (1 < after && after < before).then(|| {
        let text = format!(
            "brings a stone nearer to {side}'s largest group: {after} squares away instead of {before}"
        );
        Fact::new("nearer", text)
    })
}

/// The number of steps of a king between two squares.
fn distance(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
}

fn groups(mut stones: Bits) -> Vec<Bits> {
    let mut groups = Vec::new();
    while stones != 0 {
        let group = group_of(stones & stones.wrapping_neg(), stones);
        groups.push(group);
        stones &= !group;
    }
    groups
}

/// The stones of the opponent that could move if it were his turn, and cannot move any more.
fn blocked(position: &Loa, next: &Loa) -> Option<Fact> {
    let enemy = next.stones[next.side];
    let stuck = movable(&position.null_move()?) & enemy & !movable(next);
    let names: Vec<String> = squares(stuck).map(|square| square.to_string()).collect();
    let text = match names.as_slice() {
        [] => return None,
        [one] => format!("blocks the stone on {one}"),
        [rest @ .., last] => format!("blocks the stones on {} and {last}", rest.join(", ")),
    };
    Some(Fact::new("blocks", text))
}

/// The squares of the stones of the side to move that can move.
fn movable(position: &Loa) -> Bits {
    let mut list = MoveList::new();
    moves::generate(position, moves::Wanted::All, &mut list);
    list.iter().fold(0, |set, mv| set | mv.from().bit())
}
