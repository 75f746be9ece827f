//! Searches the positions of queries.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::prepare::QueryDetails;
use super::queue::{Job, JobSession};
use super::reply::{BestLine, ErrorReply, PositionReply, ReplyBody};
use soucie::analysis::analyser::Analysis;
use soucie::analysis::report::PositionHead;
use soucie::engine::EngineError;
use soucie::engine::session::GameSession;
use soucie::search::proof::ProofLimits;
use soucie::search::{OutOfMemory, SearchMemory};

/// The least number of nodes that counts as the effort after which the best move last changed.
const LEAST_EFFORT: f64 = 1_000.0;

/// A worker: one search at a time, with one transposition table.
#[derive(Default)]
pub struct SearchWorker {
    table: Option<Arc<SearchMemory>>,
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
        let table = self.table(details.analyser.hash).map_err(of_hash)?;
        let started = Instant::now();
        let (head, value) = (PositionHead::new(&*session), session.tablebase_value());
        let reply = |analysis: Analysis| PositionReply {
            best: analysis.best().map(|line| BestLine::new(line, head.side)),
            head: head.clone(),
            analysis: Analysis { table: value, ..analysis },
            proof: None,
            time: details.query.timing.then(|| started.elapsed().as_millis() as u64),
        };
        let partial = |analysis| report(ReplyBody::Position(Box::new(reply(analysis))));
        let analysis = searched(&*session, job, &table, &partial);
        let analysis = analysis.map_err(|error| (Some("searchmoves"), error))?;
        let mut proof = None;
        if let Some(expansions) = details.query.proof {
            let stop = |_| job.is_terminated();
            let limits = ProofLimits { expansions: expansions.get(), stop: &stop };
            let attempt = session.prove(&root_moves(details), details.analyser.hash, &limits);
            proof = attempt.map_err(|error| (HASH, error))?;
        }
        Ok(PositionReply { proof, ..reply(analysis) })
    }

    /// The cleared transposition table of this size.
    fn table(&mut self, mib: usize) -> Result<Arc<SearchMemory>, OutOfMemory> {
        match &self.table {
            Some(table) if table.mib() == mib => table.clear(),
            _ => {
                // The memory of the old table is free before the new one is allocated.
                self.table = None;
                self.table = Some(Arc::new(SearchMemory::new(mib)?));
            }
        }
        self.table.clone().ok_or(OutOfMemory { mib })
    }
}

/// The root moves of a query; empty for all.
fn root_moves(details: &QueryDetails) -> Vec<&str> {
    details.query.searchmoves.iter().map(String::as_str).collect()
}

/// Searches the position of a session. `partial` gets the analysis so far at the interval of the
/// query.
fn searched(
    session: &dyn GameSession,
    job: &Job,
    table: &Arc<SearchMemory>,
    partial: &(dyn Fn(Analysis) + Sync),
) -> Result<Analysis, EngineError> {
    let QueryDetails { query, analyser, .. } = &*job.details;
    let mut stability = query.until.map(UntilStable::new);
    let mut on_lines = |analysis: &Analysis| {
        if stability.as_mut().is_some_and(|stability| stability.is_reached(analysis)) {
            job.signals.stop();
        }
    };
    let search = |on_lines: &mut dyn FnMut(&Analysis)| {
        analyser.search(session, &root_moves(&job.details), table, &job.signals, on_lines)
    };
    let Some(interval) = query.report_every.map(Duration::from_secs_f64) else {
        return search(&mut on_lines);
    };
    let latest = Mutex::new(None);
    let latest = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    // Its end, also that of a search that panics, ends the reports.
    let (searching, ended) = mpsc::channel::<()>();
    let report = move || {
        while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            let analysis: Option<Analysis> = latest().clone();
            analysis.into_iter().for_each(partial);
        }
    };
    thread::scope(|scope| {
        // Without the thread there are no partial replies.
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, report) {
            log::warn!("no partial replies: {error}");
        }
        let _searching = searching;
        search(&mut |analysis| {
            *latest() = Some(analysis.clone());
            on_lines(analysis);
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
