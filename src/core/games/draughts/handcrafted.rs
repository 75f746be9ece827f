//! The handcrafted evaluation of English draughts.
//!
//! The features are the classical ones: material, advancement, back rank, centre, king mobility,
//! trapped kings and the opposition ("the move"). See A. L. Samuel, "Some Studies in Machine
//! Learning Using the Game of Checkers", 1959, and J. Schaeffer, "One Jump Ahead", 1997.

use super::moves;
use super::position::{Draughts, HOME};
use crate::game::bitboard::{Bits, Square, squares};
use crate::game::{Side, Term};

/// The weights of the features, in hundredths of a man.
mod weights {
    pub const MAN: i32 = 100;
    pub const KING: i32 = 140;
    /// Per rank that a man has advanced.
    pub const ROW: i32 = 2;
    /// Per man on its own back rank while the opponent still has men.
    pub const GUARD: i32 = 7;
    /// Per piece on the eight centre squares.
    pub const CENTRE: i32 = 3;
    /// Per empty square that a king can step to.
    pub const KING_STEP: i32 = 3;
    /// Per king without a step.
    pub const TRAPPED: i32 = -30;
    /// For having the opposition, only with few pieces on the board.
    pub const OPPOSITION: i32 = 8;
    /// For the side to move.
    pub const TEMPO: i32 = 3;
    /// Per piece of material lead, times the number of captured pieces: favours trades when ahead.
    pub const LEAD: i32 = 4;
    /// Per king step of distance to the opponent's kings, for the side that is ahead.
    pub const HUNT: i32 = -4;
}

/// The divisor of the evaluation in drawish endings.
const DRAWISH: i32 = 4;

/// The opposition counts only with at most this many pieces on the board.
const FEW: u32 = 12;

/// The eight centre squares: 10, 11, 14, 15, 18, 19, 22 and 23.
const CENTRE: Bits = 0x0000_2814_2814_0000;

const FEATURES: [&str; 8] =
    ["men", "kings", "advancement", "back rank", "centre", "king mobility", "lead", "hunt"];

/// The evaluation from the point of view of the side to move.
pub(super) fn evaluate(position: &Draughts) -> i32 {
    let score = unscaled(position);
    if is_drawish(position) { score / DRAWISH } else { score }
}

fn unscaled(position: &Draughts) -> i32 {
    let sum = |side| features(position, side).iter().sum::<i32>();
    sum(position.side) - sum(!position.side) + opposition(position) + weights::TEMPO
}

/// The evaluation terms with their names, for display.
pub(super) fn terms(position: &Draughts) -> Vec<Term> {
    let value = Side::BOTH.map(|side| features(position, side));
    let mut terms: Vec<Term> = FEATURES
        .into_iter()
        .enumerate()
        .map(|(i, name)| Term { name, value: value.map(|side| side[i]) })
        .collect();
    let of_mover = [
        ("the move", opposition(position)),
        ("tempo", weights::TEMPO),
        ("drawish ending", evaluate(position) - unscaled(position)),
    ];
    for (name, of_mover) in of_mover {
        let mut value = [0; 2];
        value[position.side] = of_mover;
        terms.push(Term { name, value });
    }
    terms
}

/// The weighted features of one side, in the order of [`FEATURES`].
fn features(position: &Draughts, side: Side) -> [i32; 8] {
    let (men, kings) = (position.men(side), position.kings(side));
    let enemy = position.pieces[!side];
    let count = |set: Bits| set.count_ones() as i32;
    let guards = if position.men(!side) == 0 { 0 } else { count(men & HOME[side]) };
    let (own, other) = (count(position.pieces[side]), count(enemy));
    let gone = 24 - own - other;
    [
        weights::MAN * count(men),
        weights::KING * count(kings),
        weights::ROW * rows(men, side),
        weights::GUARD * guards,
        weights::CENTRE * count((men | kings) & CENTRE),
        weights::KING_STEP * moves::king_steps(position, side)
            + weights::TRAPPED * count(kings & !moves::steppers(position, side)),
        if own > other { weights::LEAD * (own - other) * gone } else { 0 },
        // Against kings only, the kings of the stronger side must approach them.
        if own > other && position.men(!side) == 0 {
            weights::HUNT * distances(kings, enemy) / count(kings).max(1)
        } else {
            0
        },
    ]
}

/// The sum of the ranks that the men have advanced.
fn rows(men: Bits, side: Side) -> i32 {
    let row = |rank: i8| i32::from(if side == Side::White { rank } else { 7 - rank });
    squares(men).map(|square| row(square.rank())).sum()
}

/// The sum of the distances in king steps, over all pairs of a hunter and a hunted piece.
fn distances(hunters: Bits, hunted: Bits) -> i32 {
    let steps = |a: Square, b: Square| {
        i32::from((a.rank() - b.rank()).abs().max((a.file() - b.file()).abs()))
    };
    squares(hunters).map(|a| squares(hunted).map(|b| steps(a, b)).sum::<i32>()).sum()
}

/// The opposition term ("the move") for the side to move: positive if it has the opposition.
///
/// Only positions with equal piece counts have one: there it predicts which side runs out of free
/// moves first. The side to move has the opposition if an odd number of pieces stands on the files
/// that begin with a dark square on its first rank.
fn opposition(position: &Draughts) -> i32 {
    let all = position.pieces[0] | position.pieces[1];
    let equal = position.pieces[0].count_ones() == position.pieces[1].count_ones();
    if !equal || all.count_ones() > FEW {
        return 0;
    }
    const FILES_ACEG: Bits = 0x5555_5555_5555_5555;
    let system = if position.side == Side::White { all & FILES_ACEG } else { all & !FILES_ACEG };
    if system.count_ones() % 2 == 1 { weights::OPPOSITION } else { -weights::OPPOSITION }
}

/// Whether both sides have the same number of kings and no men: such endings are rarely won.
fn is_drawish(position: &Draughts) -> bool {
    let [black, white] = position.pieces;
    (black | white) & !position.kings == 0 && black.count_ones() == white.count_ones()
}
