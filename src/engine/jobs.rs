//! The queue of searches and other jobs, and the signals that stop them.

use std::sync::Arc;
use std::time::Duration;

use super::error::EngineError;
use super::search_thread::SearchThread;
use super::session::SearchJob;
use crate::search::{InputPoll, Signals};

/// The searches and other jobs that were requested. They run one after the other.
pub(super) struct JobQueue {
    thread: SearchThread,
    /// How the searches read input, if no other thread can.
    poll: Option<InputPoll>,
    /// The jobs that may still be running, in the order of the requests.
    running: Vec<RunningJob>,
}

struct RunningJob {
    signals: Arc<Signals>,
    /// Whether only a signal ends it.
    endless: bool,
}

impl JobQueue {
    pub(super) fn new(thread: SearchThread, poll: Option<InputPoll>) -> Self {
        Self { thread, poll, running: Vec::new() }
    }

    /// The signals of a new job.
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
        self.running.retain(|job| !job.signals.is_done());
        self.stop_endless();
        let reached = Arc::clone(&signals);
        self.thread.run(Box::new(move |free_since, sink| {
            job(free_since, sink);
            signals.finish();
        }))?;
        self.running.push(RunningJob { signals: reached, endless });
        Ok(())
    }

    /// Runs `task` after the jobs requested so far.
    pub(super) fn run_between(
        &mut self,
        task: impl FnOnce() + Send + 'static,
    ) -> Result<(), EngineError> {
        self.thread.run_between(task)
    }

    /// See [`Engine::answer_refused`](super::Engine::answer_refused).
    pub(super) fn answer_refused(&mut self, answer: &'static str) -> bool {
        self.stop_endless();
        self.thread.answer_refused(answer)
    }

    /// Stops all jobs requested so far.
    pub(super) fn stop(&self) {
        self.running.iter().for_each(|job| job.signals.stop());
    }

    fn stop_endless(&self) {
        let is_endless = |job: &&RunningJob| job.endless || job.signals.is_pondering();
        self.running.iter().filter(is_endless).for_each(|job| job.signals.stop());
    }

    /// Ends pondering in all searches.
    pub(super) fn ponder_hit(&self) {
        self.running.iter().for_each(|job| job.signals.ponder_hit());
    }

    /// Stops infinite and pondering searches and accepts no more jobs.
    pub(super) fn close(&mut self) {
        self.stop_endless();
        self.thread.close();
    }

    /// Whether the search thread has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.has_ended()
    }

    /// Waits for all jobs to end.
    pub(super) fn join(&mut self) -> Result<(), EngineError> {
        self.thread.join()
    }

    /// Waits for all jobs to end, but at most for `timeout`.
    pub(super) fn join_timeout(&mut self, timeout: Duration) {
        self.thread.join_timeout(timeout);
    }
}
