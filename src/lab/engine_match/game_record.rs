//! The record of a finished game: moves, result, and statistics of the two engines.
//!
//! The journal of a match and the JSON output contain these records. Times are whole microseconds,
//! so that reading a record returns the same values that were written.

use std::ops::Not;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine_output::ReportedScore;
use crate::openings::ListedOpening;
use soucie::game::Side;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineId {
    /// The first engine on the command line; scores are given from its point of view.
    First,
    Second,
}

impl EngineId {
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the engine that plays `side` if this engine plays Black.
    pub fn playing(self, side: Side) -> Self {
        match side {
            Side::Black => self,
            Side::White => !self,
        }
    }

    /// Returns the side of `other` if this engine plays Black.
    pub fn side_of(self, other: Self) -> Side {
        if self == other { Side::Black } else { Side::White }
    }
}

impl Not for EngineId {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PerEngine<T> {
    pub first: T,
    pub second: T,
}

impl<T> PerEngine<T> {
    pub fn each(value: impl Fn(EngineId) -> T) -> Self {
        Self { first: value(EngineId::First), second: value(EngineId::Second) }
    }

    pub fn get(&self, id: EngineId) -> &T {
        match id {
            EngineId::First => &self.first,
            EngineId::Second => &self.second,
        }
    }

    pub fn get_mut(&mut self, id: EngineId) -> &mut T {
        match id {
            EngineId::First => &mut self.first,
            EngineId::Second => &mut self.second,
        }
    }
}

/// A failure by which an engine loses a game regardless of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineFailure {
    /// The move came too late.
    Time,
    /// The move is not legal.
    Illegal,
    /// The engine process ended.
    Crash,
    /// The engine did not answer.
    Stall,
}

impl EngineFailure {
    /// All failures, in the order of the report.
    pub const ALL: [Self; 4] = [Self::Time, Self::Illegal, Self::Crash, Self::Stall];

    /// Returns the singular and the plural of the failure's name.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("time loss", "time losses"),
            Self::Illegal => ("illegal move", "illegal moves"),
            Self::Crash => ("crash", "crashes"),
            Self::Stall => ("stall", "stalls"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// The winner; `None` for a draw.
    pub winner: Option<EngineId>,
    pub reason: String,
    /// The failure of the loser, unless the game ended by its rules or adjudication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<EngineFailure>,
}

/// A move of an engine, with the values that it reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, in coordinate notation.
    #[serde(rename = "move")]
    pub text: String,
    pub by: EngineId,
    #[serde(flatten)]
    pub reported: ReportedScore,
    /// The time used; milliseconds in JSON.
    #[serde(rename = "ms", with = "millis")]
    pub time: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineStats {
    /// The longest time by which an answer exceeded its limit; milliseconds in JSON.
    #[serde(rename = "overshoot_ms", with = "millis")]
    pub overshoot: Duration,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game in the match, from 1.
    #[serde(rename = "game")]
    pub number: usize,
    pub black: EngineId,
    #[serde(flatten)]
    pub end: GameResult,
    pub opening: ListedOpening,
    /// The moves of the engines after the opening.
    pub moves: Vec<MoveRecord>,
    pub stats: PerEngine<EngineStats>,
}

impl GameRecord {
    /// Returns twice the points of the first engine: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self) -> usize {
        match self.end.winner {
            Some(EngineId::First) => 2,
            Some(EngineId::Second) => 0,
            None => 1,
        }
    }

    /// Returns the side that won, or `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        self.end.winner.map(|id| self.black.side_of(id))
    }

    /// Returns the result as written in game records. 1-0 means a win of Black, who moves first.
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Side::Black) => "1-0",
            Some(Side::White) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Returns the length of the game in plies, including the opening.
    pub fn plies(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }
}

/// Returns the time rounded down to whole microseconds.
pub fn whole_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1_000)
}

/// Serialises times as milliseconds with three decimals.
mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_micros() as f64 / 1e3)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        // The cast saturates, whatever number the file contains.
        f64::deserialize(deserializer).map(|ms| Duration::from_micros((ms * 1e3).round() as u64))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use soucie::engine::uci_score::UciScore;

    #[test]
    fn a_game_record_is_read_back_from_json_unchanged() {
        for (failure, setup) in [(None, None), (Some(EngineFailure::Stall), Some("W:W31:B1"))] {
            let turn = |score, micros: u64| MoveRecord {
                text: "b8b6".to_string(),
                by: EngineId::Second,
                reported: ReportedScore { score, depth: Some(7), nodes: None },
                time: whole_micros(Duration::from_nanos(micros * 1_000 + 999)),
            };
            let opening =
                ListedOpening { setup: setup.map(str::to_string), moves: vec!["d1b3".to_string()] };
            let moves = vec![
                turn(Some(UciScore::Centipawns(-3)), 0),
                turn(Some(UciScore::Mate(-2)), 1),
                turn(None, 123_456_789_017),
            ];
            let stats = EngineStats { overshoot: Duration::from_micros(20_007) };
            let stats = PerEngine { first: EngineStats::default(), second: stats };
            let reason = "no answer".to_string();
            let end = GameResult { winner: Some(EngineId::First), reason, failure };
            let record =
                GameRecord { number: 3, black: EngineId::Second, end, opening, moves, stats };
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record, "{text}");
            assert_eq!((record.result(), record.half_points(), record.plies()), ("0-1", 2, 4));
        }
    }
}
