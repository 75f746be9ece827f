//! Searches the positions of queries.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::prepare::QueryDetails;
use super::proof::prove;
use super::queue::{Job, JobSession};
use super::reply::{BestLine, ErrorReply, PositionReply, ReplyBody};
use crate::analysis::analyser::{Analysis, search};
use crate::analysis::report::ending;
use crate::engine::EngineError;
use crate::engine::session::{GameSession, PositionView, SearchSettings};
use crate::game::TablebaseValue;
use crate::search::{OutOfMemory, TranspositionTable};

/// The least number of nodes that counts as the effort after which the best move last changed.
const LEAST_EFFORT: f64 = 1_000.0;

/// A worker: one search at a time, with one transposition table.
#[derive(Default)]
pub struct SearchWorker {
    table: Option<Arc<TranspositionTable>>,
}

impl SearchWorker {
    /// Searches a position and returns the content of its last reply. `report` gets the partial
    /// ones.
    ///
    /// The transposition table is cleared before each search, and its size depends on the query
    /// alone. So does the result if the search has one thread and a limit on the nodes or the
    /// depth.
    pub fn answer(
        &mut self,
        job: &Job,
        session: JobSession,
        report: &(dyn Fn(ReplyBody) + Sync),
    ) -> ReplyBody {
        match self.position(job, session, report) {
            Ok(position) => ReplyBody::Position(Box::new(position)),
            Err((field, error)) => {
                let field = field.map(str::to_string);
                ReplyBody::Error(ErrorReply { error: error.to_string(), field, line: None })
            }
        }
    }

    fn position(
        &mut self,
        job: &Job,
        session: JobSession,
        report: &(dyn Fn(ReplyBody) + Sync),
    ) -> Result<PositionReply, (Option<&'static str>, EngineError)> {
        const HASH: Option<&str> = Some("options.Hash");
        let of_hash = |error: OutOfMemory| (HASH, error.into());
        let details = &*job.details;
        let session = session.map_err(|error| (None, error))?;
        let table = self.table(details).map_err(of_hash)?;
        let started = Instant::now();
        let position = SearchedPosition {
            variant: session.variant().name,
            view: session.view(),
            table: session.tablebase_value(),
        };
        let time = || details.timing.then(|| started.elapsed().as_millis() as u64);
        let settings = SearchSettings {
            options: details.options.search,
            show_wdl: true,
            ..SearchSettings::new(details.limits.clone(), table, Arc::clone(&job.signals))
        };
        let partial = |analysis| {
            let reply = position.reply(analysis, time());
            report(ReplyBody::Position(Box::new(reply)));
        };
        let analysis = searched(&*session, details, settings, &partial);
        let analysis = analysis.map_err(|error| (Some("searchmoves"), error))?;
        let mut proof = None;
        if let Some(expansions) = details.proof {
            let attempt = prove(details, job.turn, expansions, &|| job.is_terminated());
            proof = attempt.map_err(of_hash)?;
        }
        Ok(PositionReply { proof, ..position.reply(analysis, time()) })
    }

    /// The cleared transposition table for a search of this query.
    fn table(&mut self, details: &QueryDetails) -> Result<Arc<TranspositionTable>, OutOfMemory> {
        let mib = details.options.hash;
        match &self.table {
            Some(table) if table.mib() == mib => table.clear(),
            _ => {
                // The memory of the old table is free before the new one is allocated.
                self.table = None;
                self.table = Some(Arc::new(TranspositionTable::new(mib)?));
            }
        }
        self.table.clone().ok_or(OutOfMemory { mib })
    }
}

/// A position that is searched.
struct SearchedPosition {
    variant: &'static str,
    view: PositionView,
    table: Option<TablebaseValue>,
}

impl SearchedPosition {
    /// The reply with this analysis.
    fn reply(&self, analysis: Analysis, time: Option<u64>) -> PositionReply {
        let Self { variant, view, table } = self;
        let (ending, ending_code) = ending(view).unzip();
        PositionReply {
            variant,
            side: view.side.name(),
            setup: view.setup.clone(),
            ending,
            ending_code,
            best: analysis.best().map(|line| BestLine::new(line, view.side)),
            analysis: Analysis { table: *table, ..analysis },
            proof: None,
            time,
        }
    }
}

/// Searches the position of a session. `partial` gets the analysis so far at the interval of the
/// query.
fn searched(
    session: &dyn GameSession,
    details: &QueryDetails,
    settings: SearchSettings,
    partial: &(dyn Fn(Analysis) + Sync),
) -> Result<Analysis, EngineError> {
    let root_moves: Vec<&str> = details.root_moves.iter().map(String::as_str).collect();
    let signals = Arc::clone(&settings.signals);
    let mut stability = details.until.map(UntilStable::new);
    let mut on_line = |analysis: &Analysis| {
        if stability.as_mut().is_some_and(|stability| stability.is_reached(analysis)) {
            signals.stop();
        }
    };
    let Some(interval) = details.report_every else {
        return search(session, &root_moves, settings, &mut on_line);
    };
    let latest = Latest::default();
    thread::scope(|scope| {
        // Without the thread there are no partial replies.
        let reporting = thread::Builder::new();
        if let Err(error) = reporting.spawn_scoped(scope, || latest.report(interval, partial)) {
            log::warn!("no partial replies: {error}");
        }
        let _guard = EndOnDrop(&latest);
        search(session, &root_moves, settings, &mut |analysis| {
            latest.set(analysis);
            on_line(analysis);
        })
    })
}

/// Decides when the best move has not changed for long enough.
struct UntilStable {
    factor: f64,
    best: Option<String>,
    /// The number of nodes when the best move last changed.
    changed_at: f64,
}

impl UntilStable {
    fn new(factor: f64) -> Self {
        Self { factor, best: None, changed_at: 0.0 }
    }

    fn is_reached(&mut self, analysis: &Analysis) -> bool {
        let nodes = analysis.nodes as f64;
        if self.best.as_deref() == analysis.best_move() {
            return nodes >= self.factor * self.changed_at.max(LEAST_EFFORT);
        }
        self.best = analysis.best_move().map(str::to_string);
        self.changed_at = nodes;
        false
    }
}

/// The latest state of a search, for its partial replies.
#[derive(Default)]
struct Latest {
    state: Mutex<(Option<Analysis>, bool)>,
    ended: Condvar,
}

/// Ends the reports also if the search panics, because the scope waits for their thread.
struct EndOnDrop<'a>(&'a Latest);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Latest {
    fn set(&self, analysis: &Analysis) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(analysis.clone());
    }

    fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.ended.notify_all();
    }

    /// Calls `partial` at this interval until the search ends.
    fn report(&self, interval: Duration, partial: &(dyn Fn(Analysis) + Sync)) {
        let mut next = Instant::now() + interval;
        loop {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = next.saturating_duration_since(Instant::now());
            let waited = self.ended.wait_timeout_while(state, wait, |(_, ended)| !*ended);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (latest, ended) = state.clone();
            drop(state);
            if ended {
                return;
            }
            latest.into_iter().for_each(partial);
            next = Instant::now() + interval;
        }
    }
}
