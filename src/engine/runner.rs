//! The thread that does the work, one job after the other, so that nobody has to wait for it.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::EngineError;
use super::event::{Event, Gone};
use super::session::Job;

/// So many jobs may wait; more are refused, since whoever brings one must not wait.
const QUEUE: usize = 1024;

/// The stack of the thread: a search goes deep.
const STACK: usize = 32 << 20;

/// The thread and the way to it.
pub(super) struct Runner {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    /// Starts the thread; `sink` hears what the jobs have to say.
    pub(super) fn start<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Gone> + Send + 'static,
    {
        let (jobs, queue) = sync_channel(QUEUE);
        let thread = thread::Builder::new().name("search".into()).stack_size(STACK);
        let thread = thread.spawn(move || work(&queue, sink)).map_err(EngineError::Thread)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Puts a job at the end of the queue.
    pub(super) fn run(&self, job: Job) -> Result<(), EngineError> {
        let jobs = self.jobs.as_ref().ok_or(EngineError::Died)?;
        jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => EngineError::Busy { waiting: QUEUE },
            TrySendError::Disconnected(_) => EngineError::Died,
        })
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

fn work(queue: &Receiver<Job>, mut sink: impl FnMut(Event) -> Result<(), Gone>) {
    let mut free_since = Instant::now();
    let mut gone = false;
    for job in queue {
        job(free_since, &mut |event| {
            let heard = sink(event);
            gone |= heard.is_err();
            heard
        });
        if gone {
            break;
        }
        free_since = Instant::now();
    }
}
