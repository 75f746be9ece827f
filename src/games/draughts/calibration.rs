//! English draughts: what evaluations and levels of strength are worth.

use crate::game::{Calibration, Level, Worth, level};

/// Fitted to games of the engine against itself, each game counted alike, from three-move openings
/// and a few moves at random behind them: 2,000 at 1,500 nodes a move for the network, 1,191 at
/// 2,000 nodes for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: Worth { margin: 231.7, spread: 103.5 },
    handcrafted: Worth { margin: 117.4, spread: 69.0 },
    levels: LEVELS,
};

/// Each level against the one below it and the lowest against a player who makes any legal move,
/// 200 games each: every step is known to about 50 Elo.
const LEVELS: &[Level] = &[
    level(-80, 200, 3_000),
    level(10, 200, 1_600),
    level(190, 200, 800),
    level(520, 200, 400),
    level(880, 200, 200),
    level(1140, 200, 100),
    level(1280, 200, 0),
    level(1520, 600, 0),
    level(1730, 2_000, 0),
    level(1930, 6_000, 0),
    level(2110, 20_000, 0),
    level(2225, 60_000, 0),
];
