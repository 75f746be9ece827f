//! Lines of Action: what evaluations and levels of strength are worth.

use crate::game::{Calibration, EvalScale, StrengthLevel, level};

/// Fitted to games of the engine against itself, each game counted alike: 2,500 at 1,500 nodes a
/// move for the network, 1,200 at 2,000 nodes for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 8.3, spread: 215.6 },
    handcrafted: EvalScale { margin: 3.6, spread: 93.3 },
    levels: LEVELS,
    named: [1500, 1610, 2200],
};

/// Each level against the one below it and the lowest against a player who makes any legal move,
/// 400 games each: every step is known to about 40 Elo, the lowest one, won by 96 %, to 90. The
/// highest level lies beyond what can be asked for: three quarters of its step were measured.
const LEVELS: &[StrengthLevel] = &[
    level(565, 200, 3_000),
    level(680, 200, 1_600),
    level(845, 200, 800),
    level(1075, 200, 400),
    level(1325, 200, 200),
    level(1505, 200, 100),
    level(1645, 200, 0),
    level(1905, 600, 0),
    level(2200, 2_000, 0),
    level(2470, 6_000, 0),
    level(2685, 20_000, 0),
    level(2855, 60_000, 0),
];
