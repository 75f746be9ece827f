//! What an engine reports before its moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use soucie::engine::uci_score::UciScore;
use soucie::files::printable::excerpt;

/// Returns the start of a text from an engine, for a message.
pub fn quoted(text: &str) -> String {
    excerpt(text, 200).into()
}

/// Returns the error in the input of the engine that a line reports.
pub fn error_text(line: &str) -> Option<&str> {
    line.strip_prefix("info string error").map(str::trim)
}

/// The output of an engine from `go` to `bestmove`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// The best move; empty if `bestmove` has no argument.
    pub best: String,
    /// The expected reply (the ponder move).
    pub ponder: Option<String>,
    /// The time from writing `go` to reading `bestmove`.
    pub time: Duration,
    /// The values of the last principal variation.
    pub reported: ReportedScore,
    /// The last line before `bestmove`; empty if there is none.
    pub last_line: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReportedScore {
    /// The score for the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<UciScore>,
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl ReportedScore {
    /// Reads an `info` line; `None` if it has no principal variation. Other lines of a multi-PV
    /// search are about other moves than the best one.
    pub fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["info", words @ ..] = words.as_slice() else { return None };
        let after = |name| words.iter().skip_while(move |&&word| word != name).skip(1);
        let number = |name| after(name).next()?.parse::<u64>().ok();
        let is_variation = words.contains(&"score") && after("pv").next().is_some();
        if words.first() == Some(&"string") || !is_variation || number("multipv") > Some(1) {
            return None;
        }
        let mut score = after("score");
        let score = match (score.next(), score.next().and_then(|value| value.parse().ok())) {
            (Some(&"cp"), Some(centipawns)) => Some(UciScore::Centipawns(centipawns)),
            (Some(&"mate"), Some(moves)) => Some(UciScore::Mate(moves)),
            _ => None,
        };
        Some(Self { score, depth: number("depth"), nodes: number("nodes") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_a_principal_variation_are_read() {
        let found = |score, depth, nodes| Some(ReportedScore { score, depth, nodes });
        let cp = |cp| Some(UciScore::Centipawns(cp));
        let mate = |moves| Some(UciScore::Mate(moves));
        for (line, expected) in [
            ("info depth 2 score cp -35 nodes 7 pv a", found(cp(-35), Some(2), Some(7))),
            ("info multipv 1 score mate -3 pv a", found(mate(-3), None, None)),
            ("info score mate 2 lowerbound pv a", found(mate(2), None, None)),
            ("info depth x score cp much pv a", found(None, None, None)),
            ("info string score cp 1 pv a", None),
            ("info multipv 2 score cp 1 depth 4 pv b", None),
            ("info depth 1 score cp 5 pv", None),
            ("info depth 3 nodes 5", None),
            ("bestmove a", None),
        ] {
            assert_eq!(ReportedScore::read(line), expected, "{line}");
        }
    }
}
