//! The command `hint`: the best move with the reasons for it.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use serde::Deserialize;

use super::handler::Job;
use super::json::line;
use super::refusal::Refusal;
use crate::analysis::analyser::{Analyser, search_limits};
use crate::analysis::hint::Hint;
use crate::engine::session::GameSession;
use crate::options::Options;

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

/// The hint for the position of `session`.
pub(super) fn job(
    request: HintRequest,
    session: &dyn GameSession,
    options: &Options,
) -> Result<Job, Refusal> {
    if session.outcome().is_some() {
        return Err(Refusal::new("the game is over"));
    }
    let HintRequest { nodes, depth, movetime } = request;
    let (nodes, depth) = (nodes.map(NonZeroU64::get), depth.map(NonZeroUsize::get));
    let limits = search_limits(nodes, depth, movetime.map(Duration::from_millis));
    let (players, hash) = (options.players(), options.hash);
    let analyser = Analyser { limits, options: options.search, players, hash };
    let session = session.copy();
    Ok(Box::new(move |signals, _| line("hint", &Hint::find(&*session, &analyser, signals)?)))
}
