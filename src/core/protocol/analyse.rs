//! The command `analyse`: the review of the game being played.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::handler::Job;
use super::json::line;
use super::refusal::Refusal;
use crate::analysis::analyser::{Analyser, Analysis, search_limits};
use crate::analysis::game::{AnalysisEvent, Reviewer, game_steps};
use crate::analysis::html;
use crate::analysis::report::{GameHead, GameReport, InputOrigin, result_text};
use crate::analysis::review::{self, MoveReview};
use crate::engine::MoveView;
use crate::engine::event::{Event, Sink};
use crate::engine::session::GameSession;
use crate::game::MoveFormat;
use crate::options::Options;
use crate::records::RecordResult;
use crate::search::Signals;

/// The object after `analyse`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    pub nodes: Option<NonZeroU64>,
    /// The maximum depth of each search, in plies.
    pub depth: Option<NonZeroUsize>,
    /// The time for each search, in milliseconds.
    pub movetime: Option<u64>,
    /// The number of best moves that each search compares.
    pub multipv: Option<NonZeroUsize>,
    /// Whether the reviews come from the last move to the first.
    #[serde(default)]
    pub last_first: bool,
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    pub date: Option<String>,
    /// The result according to the client, for the answer.
    #[serde(default)]
    pub result: RecordResult,
}

/// The review of the game of `session`.
pub(super) fn job(
    request: AnalyseRequest,
    session: &dyn GameSession,
    options: &Options,
) -> Result<Job, Refusal> {
    let AnalyseRequest { nodes, depth, movetime, multipv, .. } = request;
    let (nodes, depth) = (nodes.map(NonZeroU64::get), depth.map(NonZeroUsize::get));
    let mut search = options.search;
    search.multipv = multipv.map_or(1, NonZeroUsize::get);
    let analyser = Analyser {
        limits: search_limits(nodes, depth, movetime.map(Duration::from_millis)),
        options: search,
        players: options.players(),
        hash: options.hash,
    };
    let moves = session.history().into_iter().map(|played| played.mv.coordinate);
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() {
        return Err(Refusal::new("the game has no moves"));
    }
    let mut start = session.copy();
    start.take_back(moves.len())?;
    let (variant, setup) = (session.variant(), session.start());
    let head = GameHead {
        number: 1,
        origin: InputOrigin { line: 1, ..InputOrigin::default() },
        variant: variant.name,
        setup: (setup != variant.start).then_some(setup),
        black: request.black,
        white: request.white,
        event: request.event,
        date: request.date,
        result: result_text(request.result),
        ..GameHead::default()
    };
    // Moves that the rules of now forbid end the report, so it is made from the first one.
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let end = (request.last_first && start.with_moves(&texts).is_ok()).then(|| session.copy());
    let game = GameToReview { head, start, moves, end, analyser };
    Ok(Box::new(move |signals, sink| game.review(signals, sink)))
}

struct GameToReview {
    head: GameHead,
    start: Box<dyn GameSession>,
    moves: Vec<String>,
    /// The game at its end, if the reviews come from there.
    end: Option<Box<dyn GameSession>>,
    analyser: Analyser,
}

impl GameToReview {
    /// Sends all lines but the last, which is returned.
    fn review(self, signals: &Arc<Signals>, sink: Sink) -> Result<String, Refusal> {
        let Self { head, start, moves, end, analyser } = self;
        let annotator = &analyser.annotator();
        let plies = moves.len();
        let stopped = || line("analyse", &StoppedJson { r#final: true, stopped: true });
        let send = &mut |review: &MoveReview| {
            sink(Event::Line(line("analyse", &ReviewJson { ply: review.ply, plies, review })?))?;
            Ok::<_, Refusal>(())
        };
        let is_sent = end.is_some();
        let mut analyses = match end {
            Some(end) => from_the_end(end, plies, &analyser, signals, send)?,
            None => Vec::new(),
        };
        if signals.is_stopped() {
            return stopped();
        }
        let moves = moves.into_iter().map(|mv| (mv, String::new())).collect();
        let (mut reviewer, mut last) = (Reviewer::default(), String::new());
        for step in game_steps(head, None, start, moves) {
            let analysis = match step.position() {
                Some(_) if is_sent => analyses.pop().unwrap_or_default(),
                Some(position) => {
                    analyser.analyse(&*position.session, position.move_played(), signals)?
                }
                None => Analysis::default(),
            };
            if signals.is_stopped() {
                return stopped();
            }
            reviewer.add(step, analysis, &mut |event| {
                match event {
                    AnalysisEvent::Move(review) if !is_sent => send(review)?,
                    AnalysisEvent::Game(game) => {
                        let page = &html::page(game, annotator);
                        last =
                            line("analyse", &FinalJson { r#final: true, game, page, annotator })?;
                    }
                    _ => {}
                }
                Ok::<_, Refusal>(())
            })?;
        }
        Ok(last)
    }
}

/// Analyses the positions of a game from its end on, until stopped. Returns the analyses, that of the first
/// position last.
///
/// A review depends on the search of the move before, so it is sent after that. That move may have its line
/// from the search before it again, which can change the review once more: the reviews in the report count.
fn from_the_end(
    mut game: Box<dyn GameSession>,
    plies: usize,
    analyser: &Analyser,
    signals: &Arc<Signals>,
    send: &mut dyn FnMut(&MoveReview) -> Result<(), Refusal>,
) -> Result<Vec<Analysis>, Refusal> {
    game.set_format(MoveFormat::Coordinate);
    let mut analyses = Vec::with_capacity(plies);
    let mut next: Option<(Box<dyn GameSession>, MoveView)> = None;
    for ply in (1..=plies).rev() {
        let played = game.last_move().ok_or_else(|| Refusal::new("the game has no moves"))?;
        game.take_back(1)?;
        let analysis = analyser.analyse(&*game, Some(&played.mv.coordinate), signals)?;
        if signals.is_stopped() {
            break;
        }
        let this = review::review(ply, &*game, &played.mv, &analysis, None)?;
        if let Some((game, mv)) = &next
            && let Some(after) = analyses.last()
            && let Some(review) = review::review(ply + 1, &**game, mv, after, this.as_ref())?
        {
            send(&review)?;
        }
        if ply == 1
            && let Some(this) = &this
        {
            send(this)?;
        }
        next = Some((game.fork(), played.mv));
        analyses.push(analysis);
    }
    Ok(analyses)
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
    annotator: &'a str,
}
