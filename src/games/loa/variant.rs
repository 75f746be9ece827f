//! Lines of Action: the calibration of evaluations and strength levels.

use crate::game::{Calibration, EvalScale, StrengthLevel, level};

/// Fitted to self-play games with equal weight for each game: 2,500 at 1,500 nodes per move for the
/// network, 1,200 at 2,000 nodes for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 8.3, spread: 215.6 },
    handcrafted: EvalScale { margin: 3.6, spread: 93.3 },
    levels: LEVELS,
    named: [1500, 1610, 2200],
};

/// The strength levels. Each was measured in 400 games against the level below it, the lowest one
/// against a random mover.
///
/// Each step is accurate to about 40 Elo, the lowest one, won by 96 %, to 90. The highest level is
/// above the maximum of `UCI_Elo`; three quarters of its step were measured.
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
