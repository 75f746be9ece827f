//! English draughts: the handcrafted evaluation.
//!
//! Its features are the classical ones (A. L. Samuel, "Some Studies in Machine Learning Using
//! the Game of Checkers", 1959; J. Schaeffer, "One Jump Ahead", 1997): material, advancement, the
//! back rank, the centre, mobility of kings, kings that cannot leave, and the move.

use super::{Draughts, HOME, moves};
use crate::game::{Side, Term};
use crate::games::board::{Bits, squares};

/// The worth of things: a man is a hundred.
mod worth {
    pub const MAN: i32 = 100;
    pub const KING: i32 = 140;
    /// For each row that a man has left behind.
    pub const ROW: i32 = 2;
    /// For each man that still guards its first row while the enemy has men to crown.
    pub const GUARD: i32 = 7;
    /// For each piece on the eight squares in the middle.
    pub const CENTRE: i32 = 3;
    /// For each square that a king can step to.
    pub const KING_STEP: i32 = 3;
    /// For each king that can step nowhere.
    pub const TRAPPED: i32 = -30;
    /// For having the last word when few pieces are left.
    pub const OPPOSITION: i32 = 8;
    /// For being on the move.
    pub const TEMPO: i32 = 3;
    /// For each piece more than the enemy, by each piece that is gone: trade when ahead.
    pub const LEAD: i32 = 4;
    /// For each king step that hunters are away from a king that is alone.
    pub const HUNT: i32 = -4;
}

/// Where hardly anybody wins, advantages count for so many times less.
const DRAWISH: i32 = 4;

/// Below so many pieces it matters who has the last word.
const FEW: u32 = 12;

/// The eight squares in the middle: 10, 11, 14, 15, 18, 19, 22 and 23.
const CENTRE: Bits = 0x0000_2814_2814_0000;

const FEATURES: [&str; 8] =
    ["men", "kings", "advancement", "back rank", "centre", "king mobility", "lead", "hunt"];

/// The evaluation for the side to move.
pub(super) fn evaluate(position: &Draughts) -> i32 {
    let score = unscaled(position);
    if is_drawish(position) { score / DRAWISH } else { score }
}

fn unscaled(position: &Draughts) -> i32 {
    let sum = |side| features(position, side).iter().sum::<i32>();
    sum(position.side) - sum(!position.side) + last_word(position) + worth::TEMPO
}

/// The features by name.
pub(super) fn terms(position: &Draughts) -> Vec<Term> {
    let worth = Side::BOTH.map(|side| features(position, side));
    let mut terms: Vec<Term> = FEATURES
        .into_iter()
        .enumerate()
        .map(|(i, name)| Term { name, worth: worth.map(|side| side[i]) })
        .collect();
    let of_mover = [
        ("the move", last_word(position)),
        ("tempo", worth::TEMPO),
        ("drawish ending", evaluate(position) - unscaled(position)),
    ];
    for (name, value) in of_mover {
        let mut worth = [0; 2];
        worth[position.side] = value;
        terms.push(Term { name, worth });
    }
    terms
}

/// What each feature is worth for one side.
fn features(position: &Draughts, side: Side) -> [i32; 8] {
    let (men, kings) = (position.men(side), position.kings(side));
    let enemy = position.pieces[!side];
    let count = |set: Bits| set.count_ones() as i32;
    let guards = if position.men(!side) == 0 { 0 } else { count(men & HOME[side]) };
    let (own, other) = (count(position.pieces[side]), count(enemy));
    let gone = 24 - own - other;
    [
        worth::MAN * count(men),
        worth::KING * count(kings),
        worth::ROW * rows(men, side),
        worth::GUARD * guards,
        worth::CENTRE * count((men | kings) & CENTRE),
        worth::KING_STEP * moves::king_steps(position, side)
            + worth::TRAPPED * count(kings & !moves::steppers(position, side)),
        if own > other { worth::LEAD * (own - other) * gone } else { 0 },
        // Kings that are ahead must come near to what they hunt.
        if own > other && position.men(!side) == 0 {
            worth::HUNT * distances(kings, enemy) / count(kings).max(1)
        } else {
            0
        },
    ]
}

/// The rows that men have left behind them, all together.
fn rows(men: Bits, side: Side) -> i32 {
    let row = |rank: i8| i32::from(if side == Side::White { rank } else { 7 - rank });
    squares(men).map(|square| row(square.rank())).sum()
}

/// The sum of king steps from each hunter to each hunted piece.
fn distances(hunters: Bits, hunted: Bits) -> i32 {
    let steps = |a: crate::games::board::Square, b: crate::games::board::Square| {
        i32::from((a.rank() - b.rank()).abs().max((a.file() - b.file()).abs()))
    };
    squares(hunters).map(|a| squares(hunted).map(|b| steps(a, b)).sum::<i32>()).sum()
}

/// What it is worth to the side to move to have the move, or not: with equal pieces, who will
/// run out of free moves last. It is so if an odd number of pieces stands on the files that
/// begin with a dark square in its own first row.
fn last_word(position: &Draughts) -> i32 {
    let all = position.pieces[0] | position.pieces[1];
    let equal = position.pieces[0].count_ones() == position.pieces[1].count_ones();
    if !equal || all.count_ones() > FEW {
        return 0;
    }
    const FILES_ACEG: Bits = 0x5555_5555_5555_5555;
    let system = if position.side == Side::White { all & FILES_ACEG } else { all & !FILES_ACEG };
    if system.count_ones() % 2 == 1 { worth::OPPOSITION } else { -worth::OPPOSITION }
}

/// As many kings on both sides and nothing else: hardly ever won.
fn is_drawish(position: &Draughts) -> bool {
    let [black, white] = position.pieces;
    (black | white) & !position.kings == 0 && black.count_ones() == white.count_ones()
}
