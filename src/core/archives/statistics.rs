//! The moves that games have from a position, with their results.

use std::collections::BTreeMap;

use crate::game::Side;
use crate::records::RecordResult;

/// The results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveStatistics {
    /// The numbers of games that each side has won.
    pub wins: [u64; 2],
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games without a known result.
    pub unknown: u64,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

/// A score and its 95 % confidence interval, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreInterval {
    /// The points per game.
    pub score: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl MoveStatistics {
    /// Adds a game.
    pub fn add(&mut self, result: RecordResult, year: Option<u16>) {
        match result {
            RecordResult::Won(side) => self.wins[side] += 1,
            RecordResult::Drawn => self.draws += 1,
            RecordResult::Unknown => self.unknown += 1,
        }
        self.last_year = self.last_year.max(year);
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.known() + self.unknown
    }

    fn known(&self) -> u64 {
        self.wins.iter().sum::<u64>() + self.draws
    }

    /// The points per game of a side, where a draw is half a point, in the games with a known result; `None` without
    /// such a game. The interval is that of Wilson, for which a draw is half a win and half a loss, so with draws it
    /// is wider than it need be.
    pub fn score(&self, side: Side) -> Option<ScoreInterval> {
        const Z: f64 = 1.96;
        let games = self.known() as f64;
        let score = (self.wins[side] as f64 + self.draws as f64 / 2.0) / games;
        let weight = Z * Z / games;
        let middle = (score + weight / 2.0) / (1.0 + weight);
        let width = (weight * (score * (1.0 - score) + weight / 4.0)).sqrt() / (1.0 + weight);
        (games > 0.0).then_some(ScoreInterval { score, low: middle - width, high: middle + width })
    }
}

/// The moves that games have from a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionStatistics {
    /// The games with each move, in the standard notation of the game. `None` is the end of a game.
    pub moves: BTreeMap<Option<String>, MoveStatistics>,
}

impl PositionStatistics {
    /// Adds a game with this move.
    pub fn add(&mut self, mv: Option<String>, result: RecordResult, year: Option<u16>) {
        self.moves.entry(mv).or_default().add(result, year);
    }

    /// The moves with the numbers of their games, the most frequent first.
    pub fn by_frequency(&self) -> Vec<(&str, &MoveStatistics)> {
        let moves = self.moves.iter().filter_map(|(mv, games)| Some((mv.as_deref()?, games)));
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_key(|(_, games)| std::cmp::Reverse(games.games()));
        moves
    }
}
