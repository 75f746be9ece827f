//! The queue of queries, with a bounded size.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::prepare::{PreparedQuery, QueryDetails};
use super::reply::Stats;
use soucie::engine::EngineError;
use soucie::engine::session::GameSession;
use soucie::search::Signals;

/// The maximum number of queries that wait, and of the bytes of their lines.
const MOST_QUERIES: usize = 1024;
const MOST_BYTES: usize = 4 << 20;

/// The queue, shared by the reader and the workers.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Notified when there is work, and at the end.
    work: Condvar,
    /// Notified when there is room, and at the end.
    room: Condvar,
}

#[derive(Default)]
struct State {
    /// The queries, by priority and then by age.
    waiting: BTreeMap<(Reverse<i64>, u64), PreparedQuery>,
    /// The bytes of the lines of the waiting queries.
    bytes: usize,
    running: Vec<Arc<Job>>,
    next_query: u64,
    /// Whether no query follows.
    ended: bool,
    /// Whether the output is closed: nothing is needed any more.
    closed: bool,
    stats: Stats,
}

/// The game up to the position of a job.
pub type JobSession = Result<Box<dyn GameSession>, EngineError>;

/// One position of a query to search.
pub struct Job {
    pub details: Arc<QueryDetails>,
    /// The number of moves played before the position.
    pub turn: usize,
    pub signals: Arc<Signals>,
    terminated: AtomicBool,
}

impl Job {
    /// Whether an action or the end of the output has ended the job. Its search may also end earlier,
    /// by a condition of the query.
    pub fn is_terminated(&self) -> bool {
        self.terminated.load(Relaxed)
    }

    fn terminate(&self) {
        self.terminated.store(true, Relaxed);
        self.signals.stop();
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a query. Blocks while the queue is full, unless the output is closed.
    pub fn add(&self, query: PreparedQuery) {
        let mut state = self.state();
        while state.is_full(query.bytes) && !state.closed {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let key = (Reverse(query.details.query.priority), state.next_query);
        state.next_query += 1;
        state.bytes += query.bytes;
        state.stats.waiting += query.turns.len();
        state.waiting.insert(key, query);
        self.work.notify_all();
    }

    /// Takes the next position to search. Blocks until there is one; `None` at the end.
    pub fn take(&self) -> Option<(Arc<Job>, JobSession)> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(job) = state.take() {
                self.room.notify_all();
                return Some(job);
            }
            if state.ended {
                return None;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks a search as finished, with its number of nodes; `None` if it failed.
    pub fn finish(&self, job: &Arc<Job>, nodes: Option<u64>) {
        let mut state = self.state();
        state.running.retain(|running| !Arc::ptr_eq(running, job));
        state.stats.finished += 1;
        state.stats.nodes += nodes.unwrap_or(0);
        state.stats.errors += u64::from(nodes.is_none());
    }

    pub fn refuse(&self) {
        self.state().stats.errors += 1;
    }

    /// Ends the searches of the query `id`, or of all queries, at `turns`, or at all turns.
    ///
    /// Returns those that were waiting, and the number of those that were running. The latter
    /// end soon.
    pub fn terminate(
        &self,
        id: Option<&str>,
        turns: Option<&[usize]>,
    ) -> (Vec<(Arc<QueryDetails>, usize)>, usize) {
        let is_meant = |details: &QueryDetails| id.is_none_or(|id| id == details.query.id);
        let is_turn = |turn: usize| turns.is_none_or(|turns| turns.contains(&turn));
        let mut state = self.state();
        let mut removed = Vec::new();
        for waiting in state.waiting.values_mut().filter(|waiting| is_meant(&waiting.details)) {
            let details = &waiting.details;
            let ended = waiting.turns.iter().filter(|&&turn| is_turn(turn));
            removed.extend(ended.map(|&turn| (Arc::clone(details), turn)));
            waiting.turns.retain(|&turn| !is_turn(turn));
        }
        state.drop_finished();
        state.stats.waiting -= removed.len();
        state.stats.finished += removed.len() as u64;
        let running = state.running.iter();
        let ended = running.filter(|search| is_meant(&search.details) && is_turn(search.turn));
        let stopped = ended.inspect(|search| search.terminate()).count();
        self.room.notify_all();
        (removed, stopped)
    }

    pub fn stats(&self) -> Stats {
        let state = self.state();
        Stats { running: state.running.len(), ..state.stats }
    }

    /// Marks the end of the input. The workers end when the queue is empty.
    pub fn end(&self) {
        self.state().ended = true;
        self.work.notify_all();
    }

    /// Stops all searches and ends the workers.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.running.iter().for_each(|job| job.terminate());
        self.work.notify_all();
        self.room.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.state().closed
    }
}

impl State {
    /// Whether a query of so many bytes must wait. One query always fits.
    fn is_full(&self, bytes: usize) -> bool {
        let count = self.waiting.len();
        count >= MOST_QUERIES || count > 0 && self.bytes + bytes > MOST_BYTES
    }

    /// Drops the queries whose positions are all taken or terminated.
    fn drop_finished(&mut self) {
        let bytes = &mut self.bytes;
        self.waiting.retain(|_, waiting| {
            let is_waiting = !waiting.turns.is_empty();
            *bytes -= if is_waiting { 0 } else { waiting.bytes };
            is_waiting
        });
    }

    fn take(&mut self) -> Option<(Arc<Job>, JobSession)> {
        let mut first = self.waiting.first_entry()?;
        let waiting = first.get_mut();
        // A query without turns is not in the queue.
        let turn = waiting.turns.pop_front()?;
        let details = Arc::clone(&waiting.details);
        let mut session = if waiting.turns.is_empty() {
            let waiting = first.remove();
            self.bytes -= waiting.bytes;
            waiting.session
        } else {
            waiting.session.copy()
        };
        let session = session.take_back(details.query.moves.len() - turn).map(|()| session);
        self.stats.waiting -= 1;
        let (signals, terminated) = (Arc::new(Signals::new(false)), AtomicBool::new(false));
        let job = Arc::new(Job { details, turn, signals, terminated });
        self.running.push(Arc::clone(&job));
        Some((job, session))
    }
}
