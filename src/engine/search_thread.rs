//! The queue of jobs. They run one after the other, usually on a background thread, so that callers
//! never block.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::error::EngineError;
use super::event::{Disconnected, Event};
use super::session::SearchJob;
use crate::host::Instant;
use crate::search::STACK_SIZE;

/// The maximum number of queued jobs. More are rejected, because the caller must not block.
const QUEUE: usize = 1024;

/// The answers to searches rejected while a job was the last in the queue. They follow that job, so
/// that answers keep the order of the requests. It is `None` once the job and all these answers are
/// written.
///
/// The number of answers is bounded by [`QUEUE`]. The caller sends those beyond it at once.
struct Refusals(Mutex<Option<VecDeque<&'static str>>>);

impl Refusals {
    fn none() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(VecDeque::new()))))
    }

    /// Adds an answer; false if the job and all answers after it are already written, or too many wait.
    fn add(&self, answer: &'static str) -> bool {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = answers.as_mut().filter(|answers| answers.len() < QUEUE);
        open.map(|answers| answers.push_back(answer)).is_some()
    }

    /// Removes the first answer; `None` if none is left. After that none can be added.
    fn take(&self) -> Option<&'static str> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = answers.as_mut().and_then(VecDeque::pop_front);
        if first.is_none() {
            *answers = None;
        }
        first
    }
}

/// A job in the queue.
struct Queued {
    job: SearchJob,
    /// Whether the clock of the next search starts only when this job ends.
    is_search: bool,
    refusals: Arc<Refusals>,
}

/// The receiver of the events of all jobs.
type EventSink = Box<dyn FnMut(Event) -> Result<(), Disconnected> + Send>;

/// Runs the queued jobs on the thread of its owner.
pub struct SearchRunner {
    queue: Receiver<Queued>,
    sink: EventSink,
    /// The end of the last search.
    free_since: Instant,
    is_disconnected: bool,
}

impl SearchRunner {
    /// Runs the first job in the queue. Returns false if the queue is empty.
    pub fn run_next(&mut self) -> Result<bool, Disconnected> {
        let Ok(queued) = self.queue.try_recv() else { return Ok(false) };
        self.run(queued)?;
        Ok(true)
    }

    /// Runs the jobs until the queue is closed.
    fn run_all(mut self) {
        while let Ok(queued) = self.queue.recv() {
            if self.run(queued).is_err() {
                break;
            }
        }
    }

    /// Runs a job and sends the answers that follow it. An error means that the receiver of events
    /// is gone.
    fn run(&mut self, queued: Queued) -> Result<(), Disconnected> {
        let Queued { job, is_search, refusals } = queued;
        let mut send = |event| {
            let sent = (self.sink)(event);
            self.is_disconnected |= sent.is_err();
            sent
        };
        job(self.free_since, &mut send);
        while let Some(answer) = refusals.take() {
            if send(Event::Line(answer.to_string())).is_err() {
                break;
            }
        }
        if self.is_disconnected {
            return Err(Disconnected);
        }
        if is_search {
            self.free_since = Instant::now();
        }
        Ok(())
    }
}

/// The handle of the thread, if there is one, its queue included.
pub(super) struct SearchThread {
    jobs: Option<SyncSender<Queued>>,
    thread: Option<JoinHandle<()>>,
    /// The answers to rejected searches after the last queued job.
    refusals: Option<Arc<Refusals>>,
}

impl SearchThread {
    /// Starts the thread. `sink` receives the events of all jobs.
    pub(super) fn start<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (handle, runner) = Self::without_thread(sink);
        let thread = thread::Builder::new().name("search".into()).stack_size(STACK_SIZE);
        let thread = thread.spawn(move || runner.run_all()).map_err(EngineError::Thread)?;
        Ok(Self { thread: Some(thread), ..handle })
    }

    /// Creates a queue whose jobs the owner of the runner runs.
    pub(super) fn without_thread<S>(sink: S) -> (Self, SearchRunner)
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (jobs, queue) = sync_channel(QUEUE);
        let runner = SearchRunner {
            queue,
            sink: Box::new(sink),
            free_since: Instant::now(),
            is_disconnected: false,
        };
        (Self { jobs: Some(jobs), thread: None, refusals: None }, runner)
    }

    /// Queues a search.
    pub(super) fn run(&mut self, search: SearchJob) -> Result<(), EngineError> {
        self.queue(search, true)
    }

    /// Queues work between searches. The clock of a search queued after it does not wait for it:
    /// the time counts against that search.
    pub(super) fn run_between(
        &mut self,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), EngineError> {
        self.queue(Box::new(move |_, _| work()), false)
    }

    fn queue(&mut self, job: SearchJob, is_search: bool) -> Result<(), EngineError> {
        let jobs = self.jobs.as_ref().ok_or(EngineError::Died)?;
        let refusals = Refusals::none();
        let queued = Queued { job, is_search, refusals: Arc::clone(&refusals) };
        jobs.try_send(queued).map_err(|error| match error {
            TrySendError::Full(_) => EngineError::Busy { waiting: QUEUE },
            TrySendError::Disconnected(_) => EngineError::Died,
        })?;
        self.refusals = Some(refusals);
        Ok(())
    }

    /// Queues the answer to a rejected search after all jobs. Returns false if they are done or too many
    /// answers wait: the caller then sends the answer itself.
    pub(super) fn answer_refused(&self, answer: &'static str) -> bool {
        self.refusals.as_ref().is_some_and(|refusals| refusals.add(answer))
    }

    /// Accepts no more jobs. The thread ends after those in the queue.
    pub(super) fn close(&mut self) {
        self.jobs = None;
    }

    /// Whether the thread has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the thread to end. Detaches it after `timeout`.
    pub(super) fn join_timeout(&mut self, timeout: Duration) {
        const POLL_INTERVAL: Duration = Duration::from_millis(1);
        self.close();
        let started = Instant::now();
        while !self.has_ended() {
            if started.elapsed() >= timeout {
                self.thread = None;
                return;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits for all jobs and for the thread to end.
    pub(super) fn join(&mut self) -> Result<(), EngineError> {
        self.close();
        self.thread.take().map_or(Ok(()), |thread| thread.join().map_err(|_| EngineError::Died))
    }
}
