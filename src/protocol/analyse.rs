//! The command `analyse`: the review of the game being played.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::export::GivenResult;
use super::json::line;
use crate::analysis::analyser::{Analyser, search_limits};
use crate::analysis::game::GameAnalysis;
use crate::analysis::report::{GameHead, GameReport, result_text};
use crate::analysis::review::MoveReview;
use crate::engine::event::{Event, Sink};
use crate::engine::session::GameSession;
use crate::engine::{EngineError, Signals};
use crate::files::printable::one_line;
use crate::options::Options;

/// The object after `analyse`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    /// The maximum number of nodes of each search.
    pub nodes: Option<NonZeroU64>,
    /// The maximum depth of each search, in plies.
    pub depth: Option<NonZeroUsize>,
    /// The time for each search, in milliseconds.
    pub movetime: Option<u64>,
    /// The number of best moves that each search compares.
    pub multipv: Option<NonZeroUsize>,
    /// The name of the Black player.
    pub black: Option<String>,
    /// The name of the White player.
    pub white: Option<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// The result.
    pub result: Option<GivenResult>,
}

/// Why a game cannot be analysed.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// There is nothing to review.
    #[error("the game has no moves")]
    NoMoves,
    /// The game cannot be replayed or searched.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The result cannot be formatted.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// An analysis to run between the searches.
pub struct AnalysisJob {
    game: GameAnalysis,
    analyser: Analyser,
}

impl AnalysisJob {
    /// The analysis of the game of `session`.
    pub fn new(
        request: AnalyseRequest,
        session: &dyn GameSession,
        options: &Options,
    ) -> Result<Self, AnalysisError> {
        let AnalyseRequest { nodes, depth, movetime, multipv, .. } = request;
        let movetime = movetime.map(Duration::from_millis);
        let mut search = options.search;
        search.multipv = multipv.map_or(1, NonZeroUsize::get);
        let analyser = Analyser {
            limits: search_limits(
                nodes.map(NonZeroU64::get),
                depth.map(NonZeroUsize::get),
                movetime,
            ),
            options: search,
            hash: options.hash,
        };
        let head = GameHead {
            black: request.black,
            white: request.white,
            event: request.event,
            date: request.date,
            result: request.result.and_then(|result| result_text(result.into())),
            ..GameHead::default()
        };
        let game = GameAnalysis::new(session, head)?;
        if game.plies() == 0 {
            return Err(AnalysisError::NoMoves);
        }
        Ok(Self { game, analyser })
    }

    /// Analyses the game and sends the answer, line by line.
    pub fn run(self, signals: &Arc<Signals>, sink: Sink) {
        let last = self.lines(signals, sink).unwrap_or_else(|error| {
            format!("info string error analyse: {}\nanalyse null", one_line(&error.to_string()))
        });
        // If the receiver is gone, the search thread ends.
        let _ = sink(Event::Line(last));
    }

    /// Sends all lines but the last, which is returned.
    fn lines(&self, signals: &Arc<Signals>, sink: Sink) -> Result<String, AnalysisError> {
        let plies = self.game.plies();
        let report = self.game.run(&self.analyser, signals, &mut |review| {
            let review = ReviewJson { ply: review.ply, plies, review };
            // The numbers and texts of a review can always be formatted.
            line("analyse", &review).map_or(Ok(()), |line| sink(Event::Line(line)))
        })?;
        let Some(report) = report else {
            return Ok(line("analyse", &StoppedJson { r#final: true, stopped: true })?);
        };
        let page = self.game.page(report.clone())?;
        Ok(line("analyse", &FinalJson { r#final: true, game: &report, page: &page })?)
    }
}

#[derive(Serialize)]
struct ReviewJson<'a> {
    ply: usize,
    plies: usize,
    review: &'a MoveReview,
}

#[derive(Serialize)]
struct StoppedJson {
    r#final: bool,
    stopped: bool,
}

#[derive(Serialize)]
struct FinalJson<'a> {
    r#final: bool,
    game: &'a GameReport,
    page: &'a str,
}
