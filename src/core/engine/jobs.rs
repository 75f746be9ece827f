//! The queue of searches and other jobs, and the signals that stop them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::error::EngineError;
use super::event::{Disconnected, Event};
use super::search_thread::{QUEUE, Queued, Refusals, SearchRunner};
use super::session::SearchJob;
use crate::search::{InputPoll, STACK_SIZE, Signals};

/// The searches and other jobs that were requested. They run one after the other, usually on a
/// background thread, so that callers never block.
pub(super) struct JobQueue {
    /// The queue; `None` once it is closed.
    queue: Option<SyncSender<Queued>>,
    thread: Option<JobThread>,
    /// The answers to rejected searches after the last queued job.
    refusals: Option<Arc<Refusals>>,
    /// How the searches read input, if no other thread can.
    poll: Option<InputPoll>,
    /// The jobs that may still be running, in the order of the requests.
    running: Vec<RunningJob>,
}

struct JobThread {
    handle: JoinHandle<()>,
    /// Nothing is sent. The sender is dropped when the thread ends.
    end: Receiver<()>,
}

struct RunningJob {
    signals: Arc<Signals>,
    /// Whether only a signal ends it.
    endless: bool,
}

impl JobQueue {
    /// Starts the thread. `sink` receives the events of all jobs.
    pub(super) fn start<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (queue, runner) = Self::without_thread(sink, None);
        let thread = thread::Builder::new().name("search".into()).stack_size(STACK_SIZE);
        let (ends_with_thread, end) = sync_channel(0);
        let run = move || {
            let _ends_with_thread = ends_with_thread;
            runner.run_all();
        };
        let handle = thread.spawn(run).map_err(EngineError::Thread)?;
        Ok(Self { thread: Some(JobThread { handle, end }), ..queue })
    }

    /// Creates a queue whose jobs the owner of the runner runs.
    pub(super) fn without_thread<S>(sink: S, poll: Option<InputPoll>) -> (Self, SearchRunner)
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (sender, queue) = sync_channel(QUEUE);
        let runner = SearchRunner::new(queue, Box::new(sink));
        let (thread, refusals, running) = (None, None, Vec::new());
        (Self { queue: Some(sender), thread, refusals, poll, running }, runner)
    }

    pub(super) fn signals(&self, pondering: bool) -> Arc<Signals> {
        Arc::new(Signals::new(pondering).with_poll(self.poll.clone()))
    }

    /// Queues a job and stops infinite and pondering searches before it.
    pub(super) fn run(
        &mut self,
        job: SearchJob,
        signals: Arc<Signals>,
        endless: bool,
    ) -> Result<(), EngineError> {
        self.stop_endless();
        self.queue(job, RunningJob { signals, endless }, true)
    }

    /// Runs short work between searches: at once if no job is running, else behind those requested so
    /// far. The clock of a search queued after it does not wait for it: the time counts against that
    /// search.
    pub(super) fn run_between(
        &mut self,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), EngineError> {
        if self.is_idle() {
            work();
            return Ok(());
        }
        let running = RunningJob { signals: self.signals(false), endless: false };
        self.queue(Box::new(move |_, _| work()), running, false)
    }

    /// Whether a thread of its own runs the jobs.
    pub(super) fn has_thread(&self) -> bool {
        self.thread.is_some()
    }

    pub(super) fn is_idle(&mut self) -> bool {
        self.running.retain(|job| !job.signals.is_done());
        self.running.is_empty()
    }

    fn queue(
        &mut self,
        job: SearchJob,
        running: RunningJob,
        is_search: bool,
    ) -> Result<(), EngineError> {
        self.running.retain(|job| !job.signals.is_done());
        let signals = Arc::clone(&running.signals);
        let job: SearchJob = Box::new(move |free_since, sink| {
            job(free_since, &mut |event| {
                // A client may send its next commands as soon as it has the move.
                if matches!(event, Event::Best { .. }) {
                    signals.finish();
                }
                sink(event)
            });
            signals.finish();
        });
        let queue = self.queue.as_ref().ok_or(EngineError::Died)?;
        let refusals = Refusals::none();
        let queued = Queued { job, is_search, refusals: Arc::clone(&refusals) };
        queue.try_send(queued).map_err(|error| match error {
            TrySendError::Full(_) => EngineError::Busy { waiting: QUEUE },
            TrySendError::Disconnected(_) => EngineError::Died,
        })?;
        self.refusals = Some(refusals);
        self.running.push(running);
        Ok(())
    }

    /// See [`Engine::answer_refused`](super::Engine::answer_refused).
    pub(super) fn answer_refused(&mut self, answer: &'static str) -> bool {
        self.stop_endless();
        self.refusals.as_ref().is_some_and(|refusals| refusals.add(answer))
    }

    /// The nodes that the last job has visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.running.last().map_or(0, |job| job.signals.nodes())
    }

    /// Stops all jobs requested so far.
    pub(super) fn stop(&self) {
        self.running.iter().for_each(|job| job.signals.stop());
    }

    fn stop_endless(&self) {
        let is_endless = |job: &&RunningJob| job.endless || job.signals.is_pondering();
        self.running.iter().filter(is_endless).for_each(|job| job.signals.stop());
    }

    pub(super) fn ponder_hit(&self) {
        self.running.iter().for_each(|job| job.signals.ponder_hit());
    }

    /// Stops infinite and pondering searches and accepts no more jobs. The thread ends after those
    /// in the queue.
    pub(super) fn close(&mut self) {
        self.stop_endless();
        self.queue = None;
    }

    /// Waits for the thread to end. Detaches it after `timeout`.
    pub(super) fn join_timeout(&mut self, timeout: Duration) {
        self.queue = None;
        if let Some(thread) = &self.thread
            && thread.end.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout)
        {
            self.thread = None;
        }
    }

    /// Waits for all jobs and for the thread to end.
    pub(super) fn join(&mut self) -> Result<(), EngineError> {
        self.queue = None;
        let joined = self.thread.take().map_or(Ok(()), |thread| thread.handle.join());
        joined.map_err(|_| EngineError::Died)
    }
}
