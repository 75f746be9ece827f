//! The lines of output. Values that do not exist are left out.

use std::ops::Not;

use serde::Serialize;

use super::request::ActionName;
use soucie::analysis::analyser::{AnalysedLine, Analysis};
use soucie::analysis::report::PositionHead;
use soucie::engine::session::ProofReport;
use soucie::engine::uci_score::UciScore;
use soucie::game::Side;

#[derive(Serialize)]
pub struct Reply<'a> {
    /// The id of the query; `null` if it cannot be read.
    pub id: Option<&'a str>,
    /// The number of moves played before the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// Whether this is the last reply to this turn.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Whether an action ended the search, or removed it from the queue.
    #[serde(skip_serializing_if = "Not::not")]
    pub terminated: bool,
    /// The content; nothing if the search was ended before it began.
    #[serde(flatten)]
    pub body: Option<ReplyBody>,
    /// Fields and options of the query without effect.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub warnings: &'a [String],
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum ReplyBody {
    Position(Box<PositionReply>),
    /// Why the position cannot be searched.
    Error(ErrorReply),
}

#[derive(Serialize)]
pub struct ErrorReply {
    pub error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The line of the input from 1, if it has no id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

#[derive(Serialize)]
pub struct PositionReply {
    #[serde(flatten)]
    pub head: PositionHead,
    /// The best line, from both views.
    #[serde(flatten)]
    pub best: Option<BestLine>,
    #[serde(flatten)]
    pub analysis: Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The time since the start of the search, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
}

#[derive(Serialize)]
pub struct BestLine {
    /// From the view of the side to move.
    #[serde(flatten)]
    own: View,
    /// From Black's view.
    black: View,
}

/// A score from the view of one side.
#[derive(Clone, Serialize)]
struct View {
    score: UciScore,
    /// The expected points, from 0 to 1.
    expectation: f64,
    /// Wins, draws and losses per thousand games.
    wdl: [u32; 3],
}

impl BestLine {
    /// The score of a line for `side`.
    pub fn new(line: &AnalysedLine, side: Side) -> Self {
        let AnalysedLine { score, wdl: [wins, draws, losses], .. } = *line;
        let expectation = line.expectation();
        let own = View { score, expectation, wdl: [wins, draws, losses] };
        let black = match side {
            Side::Black => own.clone(),
            Side::White => {
                let expectation = (1000.0 - 1000.0 * expectation) / 1000.0;
                View { score: -score, expectation, wdl: [losses, draws, wins] }
            }
        };
        Self { own, black }
    }
}

#[derive(Serialize)]
pub struct ActionReply<'a> {
    pub id: &'a str,
    pub action: ActionName,
    /// Always true: an action has one reply.
    #[serde(rename = "final")]
    pub is_final: bool,
    #[serde(flatten)]
    pub body: ActionBody,
    /// Fields without effect.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub warnings: &'a [String],
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum ActionBody {
    /// The reply to `terminate` and `terminate_all`.
    Terminated {
        /// The number of searches that were waiting or running.
        terminated: usize,
    },
    Cleared {},
    Version {
        version: &'static str,
    },
    Stats(Stats),
}

/// The counts of the service since its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stats {
    pub waiting: usize,
    pub running: usize,
    pub finished: u64,
    /// The number of refused lines, and of searches that failed.
    pub errors: u64,
    /// The nodes of all finished searches.
    pub nodes: u64,
}
