//! English draughts: what a move takes, crowns and leaves to capture, and where it leads.

use super::moves;
use super::position::{Draughts, DraughtsMove, HOME, WHITE_TO_MOVE};
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{
    Fact, Heuristics, MoveList, Position, Side, Threat, distinct_moves, legal_moves,
};

/// The squares 14, 15, 18 and 19.
const CENTRE: Bits =
    Square::new(34).bit() | Square::new(36).bit() | Square::new(27).bit() | Square::new(29).bit();

/// From this number of steps to crowning on, an advance of a man is a fact.
const NEAR_CROWNING: u8 = 3;

/// The least number of moves by which a move must change what the opponent has to be a fact.
const MANY_MOVES: usize = 2;

/// The facts about a move, the weightiest first.
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
    facts.extend(exchange(position, mv, &next));
    // That few moves lose pieces matters less than what this one does.
    let (weighty, light) = avoids_loss(position, mv);
    facts.extend(weighty);
    if !next.is_forced() {
        facts.extend(quiet_facts(position, mv, &next));
    }
    facts.extend(light);
    facts
}

/// The facts about a move after which the opponent need not capture.
fn quiet_facts(position: &Draughts, mv: DraughtsMove, next: &Draughts) -> Vec<Fact> {
    let side = position.side;
    let mut facts = Vec::new();
    let is_man = position.kings & mv.from.bit() == 0;
    let waiting = with_turn_of(position, !side);
    if mv.taken == 0 && moves::can_capture(position, !side) && !moves::can_capture(next, !side) {
        facts.push(Fact::new("saves", "leaves nothing to capture"));
    }
    if moves::can_capture(next, side) {
        facts.push(Fact::new("attacks", "threatens to jump"));
    }
    let is_quiet = !moves::can_capture(&waiting, !side) && !moves::can_capture(next, !side);
    if is_quiet {
        let stuck =
            moves::steppers(&waiting, !side) & next.pieces[!side] & !moves::steppers(next, !side);
        let text = count((stuck.count_ones(), "piece", "pieces"));
        facts.extend(text.map(|pieces| Fact::new("blocks", format!("blocks {pieces}"))));
    }
    let left = mv.to.rank().abs_diff(if side == Side::Black { 0 } else { 7 });
    if is_man && left > 0 && left <= NEAR_CROWNING {
        let steps = if left == 1 { "one step".to_string() } else { format!("{left} steps") };
        facts.push(Fact::new("advances", format!("brings a man within {steps} of crowning")));
    }
    if CENTRE & mv.to.bit() != 0 && CENTRE & mv.from.bit() == 0 {
        facts.push(Fact::new("centre", "takes a square in the centre"));
    }
    let ahead = squares(next.pieces[side]).filter(|&at| is_ahead(side, mv.to, at));
    if mv.taken == 0 && is_man && ahead.count() > 0 {
        facts.push(Fact::new("supports", "supports a piece in front of it"));
    }
    let enemies = next.pieces[!side];
    let steps = |from: Square| squares(enemies).map(|to| distance(from, to)).min();
    if !is_man && mv.taken == 0 && steps(mv.to) < steps(mv.from) {
        facts.push(Fact::new("approaches", "brings a king nearer to the opponent's pieces"));
    }
    let (before, after) = (moves::count(&waiting), moves::count(next));
    if is_quiet && after + MANY_MOVES <= before {
        let text = format!("takes {} moves from {}", before - after, !side);
        facts.push(Fact::new("restricts", text));
    }
    facts
}

/// Whether the opponent of the side to move could jump if it were its turn. Where the side has to jump
/// itself, that comes first.
pub(super) fn threat(position: &Draughts) -> Option<Threat<Draughts>> {
    if position.is_forced() || !moves::can_capture(position, !position.side) {
        return None;
    }
    let waiting = with_turn_of(position, !position.side);
    let mut captures = MoveList::new();
    moves::captures(&waiting, &mut captures);
    let moves = distinct_moves(&waiting, captures).to_vec();
    Some(Threat { fact: Fact::new("jump", "threatens to jump"), waiting, moves })
}

/// What a move that makes the opponent capture wins, or that it begins an exchange.
fn exchange(position: &Draughts, mv: DraughtsMove, next: &Draughts) -> Option<Fact> {
    if !next.is_forced() {
        return None;
    }
    let won = u32::try_from(balance(position, mv)).unwrap_or(0);
    if let Some(pieces) = count((won, "piece", "pieces")).filter(|_| mv.taken == 0) {
        let text = format!("wins {pieces} in an exchange");
        return Some(Fact::new("wins-pieces", text));
    }
    let captures_back = |reply: &DraughtsMove| next.play(*reply).is_forced();
    Some(if legal_moves(next).iter().all(captures_back) {
        Fact::new("exchange", "offers an exchange")
    } else {
        Fact::new("forces-capture", "makes the opponent capture")
    })
}

/// Whether the captures that follow other moves lose pieces, and those that follow this one do not: a
/// fact in the first place if at least half of the moves lose some, otherwise in the second one.
fn avoids_loss(position: &Draughts, mv: DraughtsMove) -> (Option<Fact>, Option<Fact>) {
    if balance(position, mv) < 0 {
        return (None, None);
    }
    let moves = distinct_moves(position, legal_moves(position));
    let (losing, all) =
        (moves.iter().filter(|&&other| balance(position, other) < 0).count(), moves.len());
    let text = match losing {
        0 => return (None, None),
        _ if losing + 1 == all => "is the only move that loses no piece at once".to_string(),
        _ if 2 * losing >= all => {
            format!("is one of {} moves that lose no piece at once", all - losing)
        }
        _ => "loses no piece at once".to_string(),
    };
    let fact = Some(Fact::new("avoids-loss", text));
    if 2 * losing >= all { (fact, None) } else { (None, fact) }
}

/// The number of pieces that a move takes, less what the opponent gains in the captures that follow.
fn balance(position: &Draughts, mv: DraughtsMove) -> i32 {
    let next = position.play(mv);
    mv.taken.count_ones() as i32 - gain(&next)
}

/// The number of pieces that the side to move takes more than it loses, while there are captures. A side
/// whose captures are optional may stop.
fn gain(position: &Draughts) -> i32 {
    let mut captures = MoveList::new();
    if position.outcome().is_none() {
        moves::captures(position, &mut captures);
    }
    let best = captures.iter().map(|&mv| balance(position, mv)).max().unwrap_or(0);
    if position.has_optional_captures() { best.max(0) } else { best }
}

/// The position with this side to move.
fn with_turn_of(position: &Draughts, side: Side) -> Draughts {
    let turn = if side == position.side { 0 } else { WHITE_TO_MOVE };
    Draughts { side, key: position.key ^ turn, ..*position }
}

/// Whether a square is one step ahead of another, as men move.
fn is_ahead(side: Side, from: Square, to: Square) -> bool {
    let rank = if side == Side::Black { from.rank() - 1 } else { from.rank() + 1 };
    to.rank() == rank && from.file().abs_diff(to.file()) == 1
}

/// The number of steps of a king between two squares.
fn distance(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
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
