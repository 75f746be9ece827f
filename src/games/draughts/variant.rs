//! English draughts: what evaluations and levels of strength are worth.

use crate::game::{Calibration, EvalScale, StrengthLevel, level};

/// Fitted to games of the engine against itself, each game counted alike, from three-move openings
/// and a few moves at random behind them: 2,000 at 1,500 nodes a move for the network, ended where
/// the endgame tables know the result, 1,191 at 2,000 nodes for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 136.5, spread: 78.8 },
    handcrafted: EvalScale { margin: 117.4, spread: 69.0 },
    levels: LEVELS,
    named: [880, 1275, 1700],
};

/// Each level against the one below it, 200 games each, and the lowest against a player who makes
/// any legal move, 400 games: the steps up to 840 are known to about 70 Elo, the others to
/// 30 or 50.
const LEVELS: &[StrengthLevel] = &[
    level(115, 200, 800),
    level(450, 200, 400),
    level(840, 200, 200),
    level(1110, 200, 100),
    level(1275, 200, 0),
    level(1500, 600, 0),
    level(1700, 2_000, 0),
    level(1925, 6_000, 0),
    level(2155, 20_000, 0),
    level(2285, 60_000, 0),
];
