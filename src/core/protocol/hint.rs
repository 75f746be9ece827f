//! The command `hint`: the best move with the reasons for it.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::json::line;
use crate::analysis::analyser::{Analyser, search_limits};
use crate::analysis::hint::Hint;
use crate::engine::EngineError;
use crate::engine::event::{Event, Sink};
use crate::engine::session::GameSession;
use crate::files::printable::one_line;
use crate::options::Options;
use crate::search::Signals;

/// The object after `hint`: the limits of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    pub nodes: Option<NonZeroU64>,
    /// The maximum depth, in plies.
    pub depth: Option<NonZeroUsize>,
    /// The time in milliseconds.
    pub movetime: Option<u64>,
}

/// A hint to find between the searches.
pub struct HintJob {
    session: Box<dyn GameSession>,
    analyser: Analyser,
}

impl HintJob {
    /// The hint for the position of `session`; `None` if the game is over.
    pub fn new(request: HintRequest, session: &dyn GameSession, options: &Options) -> Option<Self> {
        let HintRequest { nodes, depth, movetime } = request;
        let (nodes, depth) = (nodes.map(NonZeroU64::get), depth.map(NonZeroUsize::get));
        let limits = search_limits(nodes, depth, movetime.map(Duration::from_millis));
        let (players, hash) = (options.players(), options.hash);
        let analyser = Analyser { limits, options: options.search, players, hash };
        let is_over = session.outcome().is_some();
        (!is_over).then(|| Self { session: session.copy(), analyser })
    }

    /// Searches, and sends the answer.
    pub fn run(self, signals: &Arc<Signals>, sink: Sink) {
        let failed = |error: &dyn ToString| {
            format!("info string error hint: {}\nhint null", one_line(&error.to_string()))
        };
        let found: Result<Option<Hint>, EngineError> =
            Hint::find(&*self.session, &self.analyser, signals);
        let answer = match found {
            Ok(hint) => line("hint", &hint).unwrap_or_else(|error| failed(&error)),
            Err(error) => failed(&error),
        };
        // If the receiver is gone, the search thread ends.
        let _ = sink(Event::Line(answer));
    }
}
