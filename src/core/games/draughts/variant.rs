//! English draughts: the data of its variants, and the calibration.

use super::{Draughts, DraughtsMove, facts, openings, tablebase};
use crate::game::{
    Calibration, EvalScale, Fact, Game, Opening, RecordId, StrengthLevel, TablebaseOpener, Threat,
    Variant, chances, level, one_ply,
};

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

/// The benchmark positions: the start, three common openings, and endgames.
const BENCH: &[&str] = &[
    START,
    "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,13",
    "W:W17,19,22,25,26,27,28,30,31,32:B2,3,4,6,7,8,10,11,12,13",
    "B:W18,22,26,27,30,32:B3,7,8,12,13,20",
    "W:WK14,K15,18:BK1,K6,12",
];

impl Game for Draughts {
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "englishdraughts",
        title: "English draughts",
        aliases: &["draughts", "checkers", "english"],
        start: START,
        setup_signs: "mMkKpPbBwW:,",
        bench: BENCH,
        goal: "Jump over all your opponent's men, or leave them without a move.",
        rules: include_str!("rules.txt"),
        is_numbered: true,
        // Black moves first, and the squares are numbered from 1.
        record_id: RecordId::Pdn { game_type: "21,B,8,8,N1,0" },
        max_plies: 200,
    }];

    const TABLES: Option<TablebaseOpener> = Some(tablebase::OPENER);

    const PROBLEMS: &'static str = include_str!("problems.jsonl");
    const LESSONS: &'static str = include_str!("lessons.jsonl");

    fn openings(_: &Variant) -> Vec<Opening> {
        openings::openings()
    }

    fn threat(&self) -> Option<Threat<Self>> {
        facts::threat(self)
    }

    fn facts(&self, mv: DraughtsMove) -> Vec<Fact> {
        facts::facts(self, mv)
    }
}

/// Fitted to self-play games from three-move openings plus a few random moves: 999 at 100,000 nodes
/// a move for the network, ended by tables of five pieces, and 1,191 at 2,000 nodes for the
/// handcrafted evaluation.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 103.3, spread: 20.5 },
    handcrafted: EvalScale { margin: 117.4, spread: 69.0 },
    levels: LEVELS,
    named: [420, 880, 1275, 1700],
    // Of 550 games of each level: tests/external/strength/chances.py.
    chances: [
        chances(0.18, 429.0),
        chances(0.06, 237.0),
        chances(0.013, 413.0),
        chances(0.0, 96.0),
    ],
};

/// The strength levels. Each was measured in 400 games against the level below it, the lowest one
/// against a random mover: +187, +83, +154, +198, +402, +300, +165, +256, +211, +214, +160 and +113
/// Elo. Every level is within 70 Elo of its name.
///
/// The strength of 420 is for beginners. In 400 games each it scored 21.0 ± 2.6 % against minimax of
/// two plies (the level of 470: 25.8 ± 2.8 %) and 93.8 ± 1.8 % against a player who wins in one and
/// else moves at random. The level of 470 left a man to be taken in 6 % of its moves, where random
/// moves would in 31 %. A limit of nodes alone, at the same score, left one in 8 %.
const LEVELS: &[StrengthLevel] = &[
    one_ply(130, 3_000),
    one_ply(190, 1_600),
    one_ply(310, 800),
    one_ply(470, 450),
    level(840, 200, 200),
    level(1110, 200, 100),
    level(1275, 200, 0),
    level(1500, 600, 0),
    level(1700, 2_000, 0),
    level(1925, 6_000, 0),
    level(2155, 20_000, 0),
    level(2285, 60_000, 0),
];
