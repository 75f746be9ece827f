//! A second computation of the facts about moves, from the board and the legal moves alone.

use std::collections::BTreeSet;

use soucie::game::{Game, GameHistory, Piece, Side, legal_moves, outcome, root_moves};

/// A square by its file and rank, from 0.
type At = (i32, i32);
type Expected = Vec<(&'static str, String)>;

const SIDES: [Side; 2] = [Side::Black, Side::White];

/// All facts about a legal move of a game with these rules, in no order; of another game those that every game
/// has.
pub fn expected_facts<P: Game>(game: &GameHistory<P>, rules: P::Rules, mv: P::Move) -> Expected {
    let position = game.position();
    let side = position.side();
    let moves = root_moves(position, &[]);
    let mut next = game.clone();
    next.play(mv);
    let mut facts = Vec::new();
    let mut add = |code, text: &str| facts.push((code, text.to_string()));
    if moves.len() == 1 {
        add("only-move", "is the only legal move");
    }
    match next.outcome() {
        Some(end) if end.winner == Some(side) => add("wins", "wins at once"),
        Some(end) if end.winner.is_some() => add("loses", "loses at once"),
        Some(end) => add("draws", &format!("ends the game in a draw: {}", end.reason.text)),
        None if can_win(next.position()) => add("allows-win", "lets the opponent win at once"),
        None => {
            let lost = |other: &&P::Move| {
                let mut other_game = game.clone();
                other_game.play(**other);
                match other_game.outcome() {
                    Some(end) => end.winner == Some(!side),
                    None => can_win(other_game.position()),
                }
            };
            let (lost, all) = (moves.iter().filter(lost).count(), moves.len());
            let is_loa = P::name() == "linesofaction";
            let is_threatened = is_loa && can_win(&passed(position, rules));
            if lost > 0 && lost == all - 1 {
                add("only-defence", "is the only move that stops a win in one");
            } else if lost > 0 && (2 * lost >= all || is_threatened) {
                add("stops-win", "stops a win in one");
            }
            if is_loa && can_win(&passed(next.position(), rules)) {
                add("threatens-win", "threatens to win with the next move");
            }
        }
    }
    facts.extend(match P::name() {
        "linesofaction" => of_lines_of_action(position, rules, mv),
        "englishdraughts" => of_draughts(position, rules, mv),
        _ => vec![],
    });
    facts
}

/// The same position with the other side to move, by its setup.
fn passed<P: Game>(position: &P, rules: P::Rules) -> P {
    let setup = position.write_setup();
    let [own, other] = match position.side() {
        Side::Black => ['b', 'w'],
        Side::White => ['w', 'b'],
    };
    let setup = match setup.split_once(&format!(" {own} ")) {
        Some((board, rest)) => format!("{board} {other} {rest}"),
        None => format!("{}{}", other.to_ascii_uppercase(), &setup[1..]),
    };
    P::read_setup(&setup, rules).unwrap()
}

fn can_win<P: Game>(position: &P) -> bool {
    let wins = |&mv: &P::Move| {
        outcome(&position.play(mv)).is_some_and(|end| end.winner == Some(position.side()))
    };
    legal_moves(position).iter().any(wins)
}

fn piece<P: Game>(position: &P, (file, rank): At) -> Option<Piece> {
    position.piece_on((8 * rank + file) as usize)
}

/// The squares of the pieces of a side.
fn squares<P: Game>(position: &P, side: Side) -> BTreeSet<At> {
    let all = (0..64).map(|index| (index % 8, index / 8));
    all.filter(|&at| piece(position, at).is_some_and(|piece| piece.side == side)).collect()
}

fn distance((a, b): At, (c, d): At) -> i32 {
    (a - c).abs().max((b - d).abs())
}

/// The moves of pieces: where each begins and ends, and the position after it.
fn all_moves<P: Game>(position: &P) -> Vec<(At, At, P)> {
    let at = |square: usize| ((square % 8) as i32, (square / 8) as i32);
    let steps = legal_moves(position).into_iter().filter_map(|mv| {
        let path = position.path(mv);
        Some((at(*path.first()?), at(*path.last()?), position.play(mv)))
    });
    steps.collect()
}

fn groups<P: Game>(position: &P, side: Side) -> Vec<BTreeSet<At>> {
    groups_of(squares(position, side))
}

/// The least number of groups of the side to move after a move of it.
fn fewest<P: Game>(position: &P) -> usize {
    let side = position.side();
    let after = all_moves(position).into_iter().map(|(_, _, next)| groups(&next, side).len());
    after.min().unwrap_or(usize::MAX)
}

fn of_lines_of_action<P: Game>(position: &P, rules: P::Rules, mv: P::Move) -> Expected {
    let (side, next) = (position.side(), position.play(mv));
    let path = position.path(mv);
    let (Some(from), Some(to)) = (path.first(), path.last()) else {
        return vec![("passes", "passes, because no stone can move".to_string())];
    };
    let [from, to] = [from, to].map(|square| ((square % 8) as i32, (square / 8) as i32));
    let mut facts = Vec::new();
    let mut add = |code, text: String| facts.push((code, text));
    let stones = |at: &P, side| squares(at, side).len();
    if stones(&next, !side) < stones(position, !side) {
        add("captures", "captures a stone".to_string());
    }
    let [[own, theirs], [own_after, theirs_after]] =
        [position, &next].map(|at| [side, !side].map(|side| groups(at, side)));
    if own_after.len() == 1 {
        add("connects", format!("connects all of {side}'s stones"));
    } else if own_after.len() < own.len() {
        add("joins", format!("joins {side}'s stones into {} groups", own_after.len()));
    }
    if theirs_after.len() > theirs.len() {
        add("splits", format!("splits the opponent into {} groups", theirs_after.len()));
    }
    if outcome(&next).is_some() {
        return facts;
    }
    let (waiting, again) = (passed(position, rules), passed(&next, rules));
    let (could, can) = (fewest(&waiting), fewest(&next));
    if (2..theirs.len()).contains(&could) && can > could {
        add("prevents", format!("keeps {} from joining into {could} groups", !side));
    }
    let (now, then) = (fewest(position), fewest(&again));
    if then > 1 && then < now {
        add("prepares", format!("threatens to join into {then} groups"));
    }
    let takes = |at: &P, square: At| all_moves(at).iter().any(|&(_, to, _)| to == square);
    if takes(&waiting, from) && !takes(&next, to) {
        add("escapes", "saves a stone from capture".to_string());
    }
    let sizes = [&own, &own_after].map(|groups| groups.iter().map(BTreeSet::len).max().unwrap());
    if sizes[1] > sizes[0] {
        add("largest-group", format!("brings {side}'s largest group to {} stones", sizes[1]));
    }
    let movable = |at: &P| all_moves(at).iter().map(|&(from, ..)| from).collect::<BTreeSet<At>>();
    let stuck = &(&movable(&waiting) & &squares(&next, !side)) - &movable(&next);
    let mut stuck: Vec<At> = stuck.into_iter().collect();
    stuck.sort_by_key(|&(file, rank)| 8 * rank + file);
    let names: Vec<String> = stuck
        .iter()
        .map(|&(file, rank)| format!("{}{}", (b'a' + file as u8) as char, rank + 1))
        .collect();
    if let Some((last, rest)) = names.split_last() {
        add(
            "blocks",
            match rest {
                [] => format!("blocks the stone on {last}"),
                _ => format!("blocks the stones on {} and {last}", rest.join(", ")),
            },
        );
    }
    let mut others = squares(position, side);
    others.remove(&from);
    let mut others = groups_of(others);
    others.sort_by_key(BTreeSet::len);
    let size = |back: usize| others.iter().rev().nth(back).map_or(0, BTreeSet::len);
    if size(0) >= 2 && size(0) > size(1) {
        let group = others.last().unwrap();
        let [old, new] =
            [from, to].map(|at| group.iter().map(|&other| distance(at, other)).min().unwrap());
        if 1 < new && new < old {
            add("nearer", format!("brings a stone nearer to {side}'s largest group"));
        }
    }
    let spread = |at: &P| {
        let stones = squares(at, side);
        let from = |a: &At| stones.iter().map(|&b| distance(*a, b)).sum::<i32>();
        stones.iter().map(from).sum::<i32>()
    };
    if spread(&next) < spread(position) {
        add("gathers", format!("brings {side}'s stones closer together"));
    }
    let (old, new) = (all_moves(&waiting).len(), all_moves(&next).len());
    if old >= new + 3 {
        add("restricts", format!("takes {} moves from {}", old - new, !side));
    }
    facts
}

fn groups_of(mut rest: BTreeSet<At>) -> Vec<BTreeSet<At>> {
    let mut groups = Vec::new();
    while let Some(first) = rest.pop_first() {
        let mut group = BTreeSet::from([first]);
        while let Some(&near) =
            rest.iter().find(|&&at| group.iter().any(|&other| distance(at, other) == 1))
        {
            rest.remove(&near);
            group.insert(near);
        }
        groups.push(group);
    }
    groups
}

/// The number of pieces of both sides.
fn count<P: Game>(position: &P) -> i32 {
    SIDES.map(|side| squares(position, side).len() as i32).iter().sum()
}

/// The pieces that the side to move wins while there are captures.
fn gain<P: Game>(position: &P) -> i32 {
    let captures =
        all_moves(position).into_iter().filter(|(.., next)| count(next) < count(position));
    captures.map(|(.., next)| count(position) - count(&next) - gain(&next)).max().unwrap_or(0)
}

fn can_capture<P: Game>(position: &P) -> bool {
    all_moves(position).iter().any(|(.., next)| count(next) < count(position))
}

fn in_words(number: i32, singular: &str, plural: &str) -> String {
    match number {
        1 => format!("a {singular}"),
        _ => format!("{} {plural}", ["two", "three", "four", "five", "six"][number as usize - 2]),
    }
}

fn of_draughts<P: Game>(position: &P, rules: P::Rules, mv: P::Move) -> Expected {
    let (side, next) = (position.side(), position.play(mv));
    let path = position.path(mv);
    let ends = [path[0], path[path.len() - 1]];
    let [from, to] = ends.map(|square| ((square % 8) as i32, (square / 8) as i32));
    let mut facts = Vec::new();
    let mut add = |code, text: String| facts.push((code, text));
    let of_kind = |at: &P, kind| {
        let all = squares(at, !side);
        all.iter().filter(|&&square| piece(at, square).unwrap().kind == kind).count() as i32
    };
    let taken = [0, 1].map(|kind| of_kind(position, kind) - of_kind(&next, kind));
    let texts: Vec<String> = [(taken[0], "man", "men"), (taken[1], "king", "kings")]
        .into_iter()
        .filter(|&(number, ..)| number > 0)
        .map(|(number, one, several)| in_words(number, one, several))
        .collect();
    let is_capture = !texts.is_empty();
    if is_capture {
        add("captures", format!("captures {}", texts.join(" and ")));
    }
    let is_man = piece(position, from).unwrap().kind == 0;
    let is_crowned = is_man && piece(&next, to).unwrap().kind == 1;
    if is_crowned {
        add("crowns", "crowns a man".to_string());
    }
    if outcome(&next).is_some() {
        return facts;
    }
    let balance = |next: &P| count(position) - count(next) - gain(next);
    let must_capture = can_capture(&next);
    if must_capture && !is_capture && balance(&next) > 0 {
        let pieces = in_words(balance(&next), "piece", "pieces");
        add("wins-pieces", format!("wins {pieces} in an exchange"));
    } else if must_capture {
        let all_back = all_moves(&next).iter().all(|(.., reply)| can_capture(reply));
        if all_back {
            add("exchange", "offers an exchange".to_string());
        } else {
            add("forces-capture", "makes the opponent capture".to_string());
        }
    }
    let moves = root_moves(position, &[]);
    let losing = moves.iter().filter(|&&other| balance(&position.play(other)) < 0).count();
    if losing > 0 && balance(&next) >= 0 {
        let text = match moves.len() - losing {
            1 => "is the only move that loses no piece at once".to_string(),
            rest if rest <= losing => format!("is one of {rest} moves that lose no piece at once"),
            _ => "loses no piece at once".to_string(),
        };
        add("avoids-loss", text);
    }
    if must_capture {
        return facts;
    }
    let (waiting, again) = (passed(position, rules), passed(&next, rules));
    let was_attacked = can_capture(&waiting);
    if was_attacked && !is_capture {
        add("saves", "leaves nothing to capture".to_string());
    }
    if can_capture(&again) {
        add("attacks", "threatens to jump".to_string());
    }
    let steppers = |at: &P| all_moves(at).iter().map(|&(from, ..)| from).collect::<BTreeSet<At>>();
    if !was_attacked {
        let stuck = &(&steppers(&waiting) & &squares(&next, !side)) - &steppers(&next);
        if !stuck.is_empty() {
            add("blocks", format!("blocks {}", in_words(stuck.len() as i32, "piece", "pieces")));
        }
    }
    let last = if side == Side::Black { 0 } else { 7 };
    let left = (to.1 - last).abs();
    if is_man && !is_crowned && left <= 3 {
        let steps = ["one step", "2 steps", "3 steps"][left as usize - 1];
        add("advances", format!("brings a man within {steps} of crowning"));
    }
    let is_central = |(file, rank): At| (2..6).contains(&file) && (3..5).contains(&rank);
    if is_central(to) && !is_central(from) {
        add("centre", "takes a square in the centre".to_string());
    }
    let forward = if side == Side::Black { -1 } else { 1 };
    let ahead = [-1, 1].map(|aside| (to.0 + aside, to.1 + forward));
    if !is_capture && is_man && ahead.iter().any(|at| squares(&next, side).contains(at)) {
        add("supports", "supports a piece in front of it".to_string());
    }
    let nearest =
        |at: At| squares(&next, !side).iter().map(|&other| distance(at, other)).min().unwrap();
    if !is_man && !is_capture && nearest(to) < nearest(from) {
        add("approaches", "brings a king nearer to the opponent's pieces".to_string());
    }
    let (old, new) = (all_moves(&waiting).len(), all_moves(&next).len());
    if !was_attacked && old >= new + 2 {
        add("restricts", format!("takes {} moves from {}", old - new, !side));
    }
    facts
}
