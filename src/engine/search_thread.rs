//! The thread that does the work, one job after the other, so that nobody has to wait for it.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::EngineError;
use super::event::{Disconnected, Event};
use super::session::SearchJob;

/// So many jobs may wait; more are refused, since whoever brings one must not wait.
const QUEUE: usize = 1024;

/// The stack of the thread: a search goes deep.
const STACK: usize = 32 << 20;

/// The searches that were refused while a job was the last one in the queue. Each is answered
/// behind that job, so that the answers keep the order of the requests.
struct Refusals(Mutex<Option<u64>>);

impl Refusals {
    fn none() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(0))))
    }

    /// Counts one more; false if the job and all answers behind it are written.
    fn add(&self) -> bool {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        count.as_mut().map(|count| *count += 1).is_some()
    }

    /// Takes one; false if none is left, and from then on none can be added.
    fn take(&self) -> bool {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.and_then(|count| count.checked_sub(1));
        count.is_some()
    }
}

/// A job in the queue.
struct Queued {
    job: SearchJob,
    /// Whether the clock of the next search waits for its end.
    is_search: bool,
    refusals: Arc<Refusals>,
}

/// The thread and the way to it.
pub(super) struct SearchThread {
    jobs: Option<SyncSender<Queued>>,
    thread: Option<JoinHandle<()>>,
    /// Those of the last job.
    refusals: Option<Arc<Refusals>>,
}

impl SearchThread {
    /// Starts the thread; `sink` hears what the jobs have to say.
    pub(super) fn start<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (jobs, queue) = sync_channel(QUEUE);
        let thread = thread::Builder::new().name("search".into()).stack_size(STACK);
        let thread = thread.spawn(move || work(&queue, sink)).map_err(EngineError::Thread)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), refusals: None })
    }

    /// Puts a search at the end of the queue.
    pub(super) fn run(&mut self, search: SearchJob) -> Result<(), EngineError> {
        self.queue(search, true)
    }

    /// Puts work between the searches at the end of the queue. It is no excuse for a search that
    /// comes after it: the clock of that runs already.
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

    /// Sends the empty answer to a refused search once all jobs are done; false if they are done
    /// already: the caller sends it.
    pub(super) fn answer_refused(&self) -> bool {
        self.refusals.as_ref().is_some_and(|refusals| refusals.add())
    }

    /// Takes no more jobs; the thread ends with the last one that waits.
    pub(super) fn close(&mut self) {
        self.jobs = None;
    }

    /// Whether the thread has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits until the thread has ended, but not longer than this; then it is left to itself.
    pub(super) fn leave(&mut self, patience: Duration) {
        const NAP: Duration = Duration::from_millis(1);
        self.close();
        let asked = Instant::now();
        while !self.has_ended() {
            if asked.elapsed() >= patience {
                self.thread = None;
                return;
            }
            thread::sleep(NAP);
        }
    }

    /// Waits until all jobs are done and the thread has ended.
    pub(super) fn finish(&mut self) -> Result<(), EngineError> {
        self.close();
        self.thread.take().map_or(Ok(()), |thread| thread.join().map_err(|_| EngineError::Died))
    }
}

fn work(queue: &Receiver<Queued>, mut sink: impl FnMut(Event) -> Result<(), Disconnected>) {
    let mut free_since = Instant::now();
    let mut gone = false;
    for Queued { job, is_search, refusals } in queue {
        let mut send = |event| {
            let sent = sink(event);
            gone |= sent.is_err();
            sent
        };
        job(free_since, &mut send);
        while refusals.take() {
            if send(Event::Best { best: None, ponder: None }).is_err() {
                break;
            }
        }
        if gone {
            break;
        }
        if is_search {
            free_since = Instant::now();
        }
    }
}
