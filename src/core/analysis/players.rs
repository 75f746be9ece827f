//! The report on players: how well each one played in the games of an archive, by phase.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::GameReport;
use super::review::{MoveReview, PlayStats};
use crate::game::Side;

/// The last plies of the opening and of the middlegame.
const OPENING_END: usize = 20;
const MIDDLEGAME_END: usize = 50;

/// The play of one player in one variant.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerReport {
    pub player: String,
    pub variant: &'static str,
    pub games: u32,
    pub mistakes: u32,
    pub blunders: u32,
    pub missed_wins: u32,
    #[serde(flatten)]
    pub all: MoveLoss,
    /// The moves up to ply 20.
    pub opening: MoveLoss,
    /// The moves from ply 21 to ply 50.
    pub middlegame: MoveLoss,
    pub endgame: MoveLoss,
}

/// The number of moves and what they lost.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct MoveLoss {
    pub moves: u32,
    /// The expected points lost per move, from 0 to 1; `None` without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_loss: Option<f64>,
}

impl From<&PlayStats> for MoveLoss {
    fn from(stats: &PlayStats) -> Self {
        // A loss has three decimals; more than four of an average are noise.
        let rounded = |average: f64| (average * 10_000.0).round() / 10_000.0;
        Self { moves: stats.moves, average_loss: stats.average_loss().map(rounded) }
    }
}

/// The players of the games so far.
#[derive(Clone, Debug, Default)]
pub struct Players(BTreeMap<(String, &'static str), PlayerStats>);

#[derive(Clone, Debug, Default)]
struct PlayerStats {
    games: u32,
    all: PlayStats,
    /// The opening, the middlegame and the endgame.
    phases: [PlayStats; 3],
}

impl PlayerStats {
    fn add(&mut self, review: &MoveReview) {
        self.all.add(review);
        let [opening, middlegame, endgame] = &mut self.phases;
        let phase = match review.ply {
            ply if ply <= OPENING_END => opening,
            ply if ply <= MIDDLEGAME_END => middlegame,
            _ => endgame,
        };
        phase.add(review);
    }
}

impl Players {
    /// Adds a game. A side without a name is not counted. Returns whether a side has a name.
    pub fn add(&mut self, report: &GameReport) -> bool {
        let mut has_name = false;
        for (side, name) in [(Side::Black, &report.head.black), (Side::White, &report.head.white)] {
            let Some(name) = name else { continue };
            has_name = true;
            let player = self.0.entry((name.clone(), report.head.variant)).or_default();
            player.games += 1;
            let moves = report.moves.iter().filter(|review| review.side == side);
            moves.for_each(|review| player.add(review));
        }
        has_name
    }

    /// The reports, by name.
    pub fn reports(&self) -> impl Iterator<Item = PlayerReport> {
        self.0.iter().map(|((player, variant), stats)| {
            let PlayStats { mistakes, blunders, missed_wins, .. } = stats.all;
            let [opening, middlegame, endgame] = stats.phases.each_ref().map(MoveLoss::from);
            PlayerReport {
                player: player.clone(),
                variant,
                games: stats.games,
                mistakes,
                blunders,
                missed_wins,
                all: MoveLoss::from(&stats.all),
                opening,
                middlegame,
                endgame,
            }
        })
    }
}
