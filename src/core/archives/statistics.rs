//! The moves that games have from a position, with their results.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::Side;
use crate::records::RecordResult;

/// The results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveStatistics {
    /// The numbers of games that each side has won.
    pub wins: [u64; 2],
    pub draws: u64,
    /// The number of games without a known result.
    pub unknown: u64,
    pub last_year: Option<u16>,
}

/// The results of games from the view of a side, as JSON has them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameResults {
    pub games: u64,
    /// The number of games that Black has won.
    pub black: u64,
    /// The number of games that White has won.
    pub white: u64,
    pub draws: u64,
    /// The points of the side in 100 games with a known result; `None` without such a game.
    pub percent: Option<f64>,
    /// The 95 % interval of the points.
    pub interval: Option<[f64; 2]>,
    /// The year of the latest game.
    pub year: Option<u16>,
}

impl MoveStatistics {
    pub fn add(&mut self, result: RecordResult, year: Option<u16>) {
        match result {
            RecordResult::Won(side) => self.wins[side] += 1,
            RecordResult::Drawn => self.draws += 1,
            RecordResult::Unknown => self.unknown += 1,
        }
        self.last_year = self.last_year.max(year);
    }

    pub fn games(&self) -> u64 {
        self.known() + self.unknown
    }

    fn known(&self) -> u64 {
        self.wins.iter().sum::<u64>() + self.draws
    }

    /// The results from the view of a side, in per cent with one decimal.
    pub fn results(&self, side: Side) -> GameResults {
        let [black, white] = self.wins;
        let percent = |points: f64| (1000.0 * points).round() / 10.0;
        let [score, low, high] = self.score(side).map(percent);
        let is_known = self.known() > 0;
        GameResults {
            games: self.games(),
            black,
            white,
            draws: self.draws,
            percent: is_known.then_some(score),
            interval: is_known.then_some([low, high]),
            year: self.last_year,
        }
    }

    /// The points per game of a side with the ends of their interval, in the games with a known result, of which there
    /// must be one. The interval is that of Wilson, for which a draw is half a win and half a loss, so with draws it is
    /// wider than it need be.
    fn score(&self, side: Side) -> [f64; 3] {
        const Z: f64 = 1.96;
        let games = self.known() as f64;
        let score = (self.wins[side] as f64 + self.draws as f64 / 2.0) / games;
        let weight = Z * Z / games;
        let middle = (score + weight / 2.0) / (1.0 + weight);
        let width = (weight * (score * (1.0 - score) + weight / 4.0)).sqrt() / (1.0 + weight);
        [score, middle - width, middle + width]
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
