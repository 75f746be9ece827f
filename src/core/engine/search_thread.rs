//! Runs the queued jobs one after the other.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::event::{Disconnected, Event};
use super::session::SearchJob;
use crate::platform::Instant;

/// The maximum number of queued jobs. More are rejected, because the caller must not block.
pub(super) const QUEUE: usize = 1024;

/// The answers to searches rejected while a job was the last in the queue. They follow that job, so
/// that answers keep the order of the requests. It is `None` once the job and all these answers are
/// written.
///
/// The number of answers is bounded by [`QUEUE`]. The caller sends those beyond it at once.
pub(super) struct Refusals(Mutex<Option<VecDeque<&'static str>>>);

impl Refusals {
    pub(super) fn none() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(VecDeque::new()))))
    }

    /// Adds an answer; false if the job and all answers after it are already written, or too many wait.
    pub(super) fn add(&self, answer: &'static str) -> bool {
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

pub(super) struct Queued {
    pub(super) job: SearchJob,
    /// Whether the clock of the next search starts only when this job ends.
    pub(super) is_search: bool,
    pub(super) refusals: Arc<Refusals>,
}

pub(super) type EventSink = Box<dyn FnMut(Event) -> Result<(), Disconnected> + Send>;

/// Runs the queued jobs on the thread of its owner.
pub struct SearchRunner {
    queue: Receiver<Queued>,
    sink: EventSink,
    /// The end of the last search.
    free_since: Instant,
    is_disconnected: bool,
}

impl SearchRunner {
    pub(super) fn new(queue: Receiver<Queued>, sink: EventSink) -> Self {
        Self { queue, sink, free_since: Instant::now(), is_disconnected: false }
    }

    /// Runs the first job in the queue. Returns false if the queue is empty.
    pub fn run_next(&mut self) -> Result<bool, Disconnected> {
        let Ok(queued) = self.queue.try_recv() else { return Ok(false) };
        self.run(queued)?;
        Ok(true)
    }

    /// Runs the jobs until the queue is closed.
    pub(super) fn run_all(mut self) {
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
