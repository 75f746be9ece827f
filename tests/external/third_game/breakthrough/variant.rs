//! Breakthrough: the data of the game, and the calibration.

use super::Breakthrough;
use crate::game::{Calibration, EvalScale, Game, RecordId, Variant, chances, level};

const START: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 1";

impl Game for Breakthrough {
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "breakthrough",
        title: "Breakthrough",
        aliases: &[],
        start: START,
        setup_signs: "pPbBwW",
        bench: &[START, "ppp1p2p/pp1p1p1p/3p3p/1PPpp3/2p2P1p/2PP1PP1/P2P2P1/1PPP2PP b - - 0 1"],
        goal: "Be the first whose pawn reaches the far row.",
        rules: include_str!("rules.txt"),
        is_numbered: false,
        // FF[4] assigns no number to Breakthrough: this one is far above those that it does.
        record_id: RecordId::Sgf { game: 200, starts: &["Breakthrough"] },
        // No game is longer: 32 pawns have at most six moves each that do not end it.
        max_plies: 200,
    }];
}

/// The evaluations are fitted to 100 games of self-play at 200 nodes a move. There are no draws, so
/// that the margin is 0. The levels and the chances are guesses.
pub(super) const CALIBRATION: Calibration = Calibration {
    network: EvalScale { margin: 0.0, spread: 540.0 },
    handcrafted: EvalScale { margin: 0.0, spread: 540.0 },
    levels: &[level(300, 200, 400), level(800, 200, 0), level(1500, 2_000, 0)],
    named: [300, 500, 800, 1500],
    chances: [chances(0.2, 600.0), chances(0.1, 500.0), chances(0.05, 400.0), chances(0.0, 200.0)],
};
