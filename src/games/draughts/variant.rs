//! English draughts: calibration of evaluations and strength levels.

use crate::game::{Calibration, EvalScale, StrengthLevel, level};

/// The score calibration, fitted on self-play games from three-move openings plus a few random
/// moves, each game weighted equally.
///
/// Network: 2,000 games at 1,500 nodes a move, adjudicated by the endgame tables. Handcrafted
/// evaluation: 1,191 games at 2,000 nodes a move.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 136.5, spread: 78.8 },
    handcrafted: EvalScale { margin: 117.4, spread: 69.0 },
    levels: LEVELS,
    named: [880, 1275, 1700],
};

/// The strength levels. Each was measured against the level below it in 200 games, the lowest one
/// against a random mover in 400 games. The steps up to 840 are accurate to about 70 Elo, the
/// others to 30 or 50.
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
