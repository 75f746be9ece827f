//! Breakthrough: the handcrafted evaluation.

use super::{Breakthrough, moves};
use crate::game::{Side, Term};
use crate::game::bitboard::Bits;

const FEATURES: [&str; 3] = ["pawns", "advancement", "protection"];

/// The value of a pawn.
const PAWN: i32 = 100;

/// The value of a pawn that has advanced this many ranks. Those at home guard the last rank.
const ADVANCED: [i32; 8] = [20, 0, 5, 15, 35, 70, 150, 0];

/// The value of a pawn that another one protects.
const PROTECTED: i32 = 10;

/// The bonus for the side to move.
const TEMPO: i32 = 20;

/// The evaluation for the side to move.
pub(super) fn evaluate(position: &Breakthrough) -> i32 {
    let value = |side| features(position, side).iter().sum::<i32>();
    value(position.side) - value(!position.side) + TEMPO
}

/// The terms of the evaluation with their names.
pub(super) fn terms(position: &Breakthrough) -> Vec<Term> {
    let value = Side::BOTH.map(|side| features(position, side));
    let mut terms: Vec<Term> = FEATURES
        .into_iter()
        .enumerate()
        .map(|(i, name)| Term { name, value: value.map(|side| side[i]) })
        .collect();
    let mut tempo = [0; 2];
    tempo[position.side] = TEMPO;
    terms.push(Term { name: "tempo", value: tempo });
    terms
}

/// The value of each feature of one side, in the order of [`FEATURES`].
fn features(position: &Breakthrough, side: Side) -> [i32; 3] {
    let pawns = position.pawns[side];
    let count = |set: Bits| set.count_ones() as i32;
    let upwards = if side == Side::White { pawns } else { pawns.swap_bytes() };
    let ranks = ADVANCED.iter().enumerate();
    [
        PAWN * count(pawns),
        ranks.map(|(rank, value)| value * count(upwards >> (8 * rank) & 0xff)).sum(),
        PROTECTED * count(pawns & moves::attacks(pawns, side)),
    ]
}
