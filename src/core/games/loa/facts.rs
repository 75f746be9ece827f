//! Lines of Action: what a move does to the groups and the moves of both sides.

use std::cmp::Reverse;

use super::position::{Loa, LoaMove, group_of};
use super::{is_connected, moves};
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{Fact, Groups, Heuristics, MoveList, Position, Side, Threat};

/// The least number of moves by which a move must change what the opponent has to be a fact.
const MANY_MOVES: usize = 3;

/// The facts about a move, the weightiest first.
pub(super) fn facts(position: &Loa, mv: LoaMove) -> Vec<Fact> {
    if mv == LoaMove::PASS {
        return vec![Fact::new("passes", "passes, because no stone can move")];
    }
    let (side, next) = (position.side, position.play(mv));
    let (own, theirs) = (Change::of(position, &next, side), Change::of(position, &next, !side));
    let mut facts = Vec::new();
    let connects = is_connected(next.stones[side]);
    if connects {
        facts.push(Fact::new("connects", format!("connects all of {side}'s stones")));
    }
    if position.is_noisy(mv) {
        facts.push(Fact::new("captures", "captures a stone"));
    }
    if !connects && own.after.len() < own.before.len() {
        let text = format!("joins {side}'s stones into {} groups", own.after.len());
        facts.push(Fact::new("joins", text));
    }
    if theirs.after.len() > theirs.before.len() {
        let text = format!("splits the opponent into {} groups", theirs.after.len());
        facts.push(Fact::new("splits", text));
    }
    let Some(waiting) = position.null_move().filter(|_| next.outcome().is_none()) else {
        return facts;
    };
    facts.extend(prevents(&waiting, &next, theirs.before.len()));
    facts.extend(prepares(position, &next));
    if targets(&waiting) & mv.from().bit() != 0 && targets(&next) & mv.to().bit() == 0 {
        facts.push(Fact::new("escapes", "saves a stone from capture"));
    }
    let (before, after) = (largest(&own.before), largest(&own.after));
    if after > before {
        let text = format!("brings {side}'s largest group to {after} stones");
        facts.push(Fact::new("largest-group", text));
    }
    facts.extend(blocked(&waiting, &next));
    facts.extend(nearer(side, position.stones[side], mv));
    if spread(next.stones[side]) < spread(position.stones[side]) {
        facts.push(Fact::new("gathers", format!("brings {side}'s stones closer together")));
    }
    let (before, after) = (moves::count(&waiting), moves::count(&next));
    if after + MANY_MOVES <= before {
        let text = format!("takes {} moves from {}", before - after, !side);
        facts.push(Fact::new("restricts", text));
    }
    facts
}

/// Whether the opponent of the side to move could connect if it were its turn.
pub(super) fn threat(position: &Loa) -> Option<Threat<Loa>> {
    let waiting = position.null_move()?;
    let connects = |mv: &LoaMove| {
        waiting.play(*mv).outcome().is_some_and(|end| end.winner == Some(waiting.side))
    };
    let moves: Vec<LoaMove> = all_moves(&waiting).iter().copied().filter(connects).collect();
    let fact = Fact::new("connect", "threatens to connect");
    (!moves.is_empty()).then_some(Threat { fact, waiting, moves })
}

/// The groups of both sides.
pub(super) fn both_groups(position: &Loa) -> Groups {
    let [black, white] = Side::BOTH.map(|side| {
        let mut groups = groups(position.stones[side]);
        groups.sort_by_key(|group| Reverse(group.count_ones()));
        groups.into_iter().map(|group| squares(group).collect()).collect()
    });
    Groups { black, white }
}

/// The groups of a side before and after a move.
struct Change {
    before: Vec<Bits>,
    after: Vec<Bits>,
}

impl Change {
    fn of(position: &Loa, next: &Loa, side: Side) -> Self {
        let [before, after] = [position, next].map(|at| groups(at.stones[side]));
        Self { before, after }
    }
}

/// The size of the largest group.
fn largest(groups: &[Bits]) -> u32 {
    groups.iter().map(|group| group.count_ones()).max().unwrap_or(0)
}

/// Whether the opponent, who could have joined its stones into fewer than its `groups` if it were its
/// turn, can not join them into so few any more.
fn prevents(waiting: &Loa, next: &Loa, groups: usize) -> Option<Fact> {
    let fewest = fewest_groups(waiting)?;
    // One group is the end of the game, which is a fact in every game.
    let is_prevented = 1 < fewest && fewest < groups && fewest < fewest_groups(next)?;
    is_prevented.then(|| {
        let text = format!("keeps {} from joining into {fewest} groups", next.side);
        Fact::new("prevents", text)
    })
}

/// Whether the side could join its stones with its next move into fewer groups than with any move now.
fn prepares(position: &Loa, next: &Loa) -> Option<Fact> {
    let (now, then) = (fewest_groups(position)?, fewest_groups(&next.null_move()?)?);
    (1 < then && then < now)
        .then(|| Fact::new("prepares", format!("threatens to join into {then} groups")))
}

/// The least number of groups of the side to move after one of its moves; `None` without a move.
fn fewest_groups(position: &Loa) -> Option<usize> {
    let groups_after = |mv: &LoaMove| groups(position.play(*mv).stones[position.side]).len();
    all_moves(position).iter().map(groups_after).min()
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
    (1 < after && after < before)
        .then(|| Fact::new("nearer", format!("brings a stone nearer to {side}'s largest group")))
}

/// The sum of the distances between each two of these stones.
fn spread(stones: Bits) -> u32 {
    let from = |from| squares(stones).map(move |to| u32::from(distance(from, to)));
    squares(stones).flat_map(from).sum::<u32>() / 2
}

/// The number of steps of a king between two squares.
fn distance(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
}

/// The groups of these stones.
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
fn blocked(waiting: &Loa, next: &Loa) -> Option<Fact> {
    let enemy = next.stones[next.side];
    let stuck = movable(waiting) & enemy & !movable(next);
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
    all_moves(position).iter().fold(0, |set, mv| set | mv.from().bit())
}

/// The squares on which the side to move can capture.
fn targets(position: &Loa) -> Bits {
    let reached = all_moves(position).iter().fold(0, |set, mv| set | mv.to().bit());
    reached & position.stones[!position.side]
}

/// The moves of stones, without a pass.
fn all_moves(position: &Loa) -> MoveList<LoaMove> {
    let mut list = MoveList::new();
    moves::generate(position, moves::Wanted::All, &mut list);
    list
}
