//! Lines of Action: the data of its variants, and the calibration.

use super::{Loa, LoaMove, facts, lines};
use crate::game::{
    BoardLine, Calibration, EvalScale, Fact, Game, Groups, RecordId, StrengthLevel, Threat,
    Variant, chances, level, one_ply,
};

/// Benchmark positions from games between strong programs, from the opening to the endgame.
const BENCH: &[&str] = &[
    "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1",
    "1l4l1/L3ll1L/2L3lL/3LL3/7L/3L2ll/L1l4L/1lL3l1 w - - 0 1",
    "8/1l3L2/2lL1L2/1L1lLl2/2l1Ll2/2L1l3/1l2L3/4l1L1 w - - 0 1",
    "l1l1l3/1L1l2L1/2l1L3/L1lL2l1/3LlL2/1L1L1l2/4lL2/2l2L2 w - - 0 1",
];

/// The letters of stones in setups: L and l are written, all are read.
const SETUP_SIGNS: &str = "lLpPwWbBxXoO";

impl Game for Loa {
    const VARIANTS: &'static [Variant] = &[
        Variant {
            name: "linesofaction",
            title: "Lines of Action",
            aliases: &["loa"],
            start: "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1",
            setup_signs: SETUP_SIGNS,
            bench: BENCH,
            goal: "Bring all your stones together into one group before your opponent does.",
            rules: include_str!("rules.txt"),
            is_numbered: false,
            record_id: RecordId::Sgf { game: 9, starts: &["Standard", "LOA"] },
            max_plies: 160,
        },
        Variant {
            name: "scrambledeggs",
            title: "Lines of Action, scrambled eggs",
            aliases: &[],
            start: "1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1",
            setup_signs: SETUP_SIGNS,
            bench: &[],
            goal: "From a start where the colours alternate, bring all your stones together into one group.",
            rules: include_str!("scrambled.txt"),
            is_numbered: false,
            record_id: RecordId::Sgf { game: 9, starts: &["Scrambled-eggs"] },
            max_plies: 160,
        },
    ];

    const PROBLEMS: &'static str = include_str!("problems.jsonl");
    const LESSONS: &'static str = include_str!("lessons.jsonl");

    fn lines(&self) -> Vec<BoardLine> {
        lines::lines(self)
    }

    fn groups(&self) -> Option<Groups> {
        Some(facts::both_groups(self))
    }

    fn threat(&self) -> Option<Threat<Self>> {
        facts::threat(self)
    }

    fn facts(&self, mv: LoaMove) -> Vec<Fact> {
        facts::facts(self, mv)
    }
}

/// Fitted to self-play games: 1,000 at 100,000 nodes a move for the network, 1,200 at 2,000 nodes
/// for the handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 25.6, spread: 87.3 },
    handcrafted: EvalScale { margin: 3.6, spread: 93.3 },
    levels: LEVELS,
    named: [1200, 1500, 1610, 2200],
    // Of 550 games of each level: tests/external/strength/chances.py.
    chances: [
        chances(0.229, 824.0),
        chances(0.076, 761.0),
        chances(0.076, 587.0),
        chances(0.002, 476.0),
    ],
};

/// The strength levels. Each was measured in 400 games against the level below it, the lowest one
/// against a random mover.
///
/// Each step is accurate to about 40 Elo, those up to 1040 to 100. The highest level is above the
/// maximum of `UCI_Elo`; three quarters of its step were measured.
///
/// The level of 1200 is for beginners. In 400 games each it scored 17.5 ± 3.1 % against minimax of two
/// plies and 100 % against a player who wins in one and else moves at random. It won whenever it
/// could win in one, and overlooked such a win of the opponent in 0.7 % of the positions with one.
const LEVELS: &[StrengthLevel] = &[
    one_ply(285, 3_000),
    one_ply(400, 1_600),
    one_ply(620, 800),
    one_ply(1040, 400),
    one_ply(1200, 280),
    level(1325, 200, 200),
    level(1505, 200, 100),
    level(1645, 200, 0),
    level(1905, 600, 0),
    level(2200, 2_000, 0),
    level(2470, 6_000, 0),
    level(2685, 20_000, 0),
    level(2855, 60_000, 0),
];
