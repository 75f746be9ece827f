//! A finished game: its moves, how it ended, and what there is to know of the engines.
//!
//! This is what the journal of a match keeps and what scripts get, so times are whole
//! microseconds: they come back from a file as they were.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine_id::{EngineId, PerEngine};
use super::opening::Opening;
use crate::game::Side;
use crate::tools::analyse::analyser::Score;

/// What loses a game besides its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// The move came too late.
    Time,
    /// The move is not legal.
    Illegal,
    /// The engine has ended.
    Crash,
    /// The engine does not answer.
    Stall,
}

impl Failure {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Time, Self::Illegal, Self::Crash, Self::Stall];

    /// One of them and several of them, in words.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("time loss", "time losses"),
            Self::Illegal => ("illegal move", "illegal moves"),
            Self::Crash => ("crash", "crashes"),
            Self::Stall => ("stall", "stalls"),
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// Who has won; nobody, if the game is drawn.
    pub winner: Option<EngineId>,
    /// Why, in words.
    pub reason: String,
    /// What the loser did, if it did not just lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// A move that an engine made, and what it said of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, by the squares.
    #[serde(rename = "move")]
    pub text: String,
    /// Who made it.
    pub by: EngineId,
    /// What it is worth to the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The positions that the engine says to have visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time it took, in JSON as milliseconds.
    #[serde(rename = "ms", with = "millis")]
    pub time: Duration,
}

/// How an engine has behaved.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineStats {
    /// What it said and should not have, each with the position; of many such lines the first.
    pub bad_lines: Vec<String>,
    /// How many more there were.
    #[serde(default)]
    pub more_bad_lines: u64,
    /// The wins that it announced and did not bring home, each with the position.
    #[serde(default)]
    pub broken_promises: Vec<String>,
    /// The longest that a reply took beyond its time, in JSON as milliseconds.
    #[serde(rename = "overshoot_ms", with = "millis")]
    pub overshoot: Duration,
}

/// So many bad lines of a game are kept: an engine that says nothing else fills no memory.
const BAD_LINES_KEPT: usize = 20;

impl EngineStats {
    /// Keeps a bad line, or counts it only.
    pub fn add_bad_line(&mut self, line: String) {
        if self.bad_lines.len() < BAD_LINES_KEPT {
            self.bad_lines.push(line);
        } else {
            self.more_bad_lines += 1;
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1.
    #[serde(rename = "game")]
    pub number: usize,
    /// Who played Black.
    pub black: EngineId,
    /// How it ended.
    #[serde(flatten)]
    pub end: End,
    /// How it began.
    pub opening: Opening,
    /// The moves that the engines made after that.
    pub moves: Vec<MoveRecord>,
    /// How the engines behaved.
    pub conduct: PerEngine<EngineStats>,
}

impl GameRecord {
    /// Twice the points of the first engine: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.end.winner {
            Some(EngineId::First) => 2,
            Some(EngineId::Second) => 0,
            None => 1,
        }
    }

    /// The side that has won; none, if the game is drawn.
    pub fn winner(&self) -> Option<Side> {
        self.end.winner.map(|seat| self.black.side_of(seat))
    }

    /// The result as it is written in the field; 1-0 means that Black, who moves first, has won.
    pub fn result(&self) -> &'static str {
        match self.winner() {
            Some(Side::Black) => "1-0",
            Some(Side::White) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Every move, those of the opening too.
    pub fn plies(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }
}

/// A time without the parts of a microsecond.
pub fn whole_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1_000)
}

/// Times as milliseconds with three decimals.
mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_micros() as f64 / 1e3)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        // The cast keeps to the bounds, whatever the file says.
        f64::deserialize(deserializer).map(|ms| Duration::from_micros((ms * 1e3).round() as u64))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_game_comes_back_from_json_as_it_was() {
        for (failure, setup) in [(None, None), (Some(Failure::Stall), Some("W:W31:B1"))] {
            let turn = |score, micros: u64| MoveRecord {
                text: "b8b6".to_string(),
                by: EngineId::Second,
                score,
                depth: Some(7),
                nodes: None,
                time: whole_micros(Duration::from_nanos(micros * 1_000 + 999)),
            };
            let opening =
                Opening { setup: setup.map(str::to_string), moves: vec!["d1b3".to_string()] };
            let moves = vec![
                turn(Some(Score::Cp(-3)), 0),
                turn(Some(Score::Mate(-2)), 1),
                turn(None, 123_456_789_017),
            ];
            let conduct = EngineStats {
                bad_lines: vec!["\"[".to_string()],
                more_bad_lines: 3,
                broken_promises: vec!["mate 2".to_string()],
                overshoot: Duration::from_micros(20_007),
            };
            let conduct = PerEngine { first: EngineStats::default(), second: conduct };
            let reason = "it does not answer".to_string();
            let end = End { winner: Some(EngineId::First), reason, failure };
            let record =
                GameRecord { number: 3, black: EngineId::Second, end, opening, moves, conduct };
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record, "{text}");
            assert_eq!((record.result(), record.half_points(), record.plies()), ("0-1", 2, 4));
        }
    }
}
