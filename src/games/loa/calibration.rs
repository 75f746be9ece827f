//! Lines of Action: what evaluations and levels of strength are worth.

use crate::game::{Calibration, Level, Worth, level};

/// Fitted to games of the engine against itself, each game counted alike: 2,500 at 1,500 nodes a
/// move for the network, 1,200 at 2,000 nodes for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: Worth { margin: 6.0, spread: 178.6 },
    handcrafted: Worth { margin: 3.6, spread: 93.3 },
    levels: LEVELS,
};

/// Each level against the one below it and the lowest against a player who makes any legal move,
/// 200 games each: every step is known to about 50 Elo, the lowest one, won by 97.5 %, to 230.
const LEVELS: &[Level] = &[
    level(640, 200, 3_000),
    level(730, 200, 1_600),
    level(840, 200, 800),
    level(1090, 200, 400),
    level(1300, 200, 200),
    level(1500, 200, 100),
    level(1650, 200, 0),
    level(1870, 600, 0),
    level(2130, 2_000, 0),
    level(2400, 6_000, 0),
    level(2650, 20_000, 0),
    level(2850, 60_000, 0),
];
