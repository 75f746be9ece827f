//! The signals to a running search, and its counters.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::platform::Instant;

/// The signals to a running search, and its counters.
pub struct Signals {
    created: Instant,
    stop: AtomicBool,
    done: AtomicBool,
    pondering: AtomicBool,
    /// The time of the ponder hit, in microseconds since `created`.
    ponder_hit_after: AtomicU64,
    /// The nodes visited by all threads.
    nodes: AtomicU64,
    /// The tablebase hits of all threads.
    tb_hits: AtomicU64,
    mutex: Mutex<()>,
    changed: Condvar,
    poll: Option<InputPoll>,
}

/// Called regularly during a search whose signals no other thread sends, to stop it for example.
/// Returns at once, except that it waits for input if the argument is true.
pub type InputPoll = Arc<dyn Fn(bool) + Send + Sync>;

impl Signals {
    /// The signals of a new search, which begins with pondering or not.
    pub fn new(pondering: bool) -> Self {
        Self {
            created: Instant::now(),
            stop: AtomicBool::new(false),
            done: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            ponder_hit_after: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
            mutex: Mutex::new(()),
            changed: Condvar::new(),
            poll: None,
        }
    }

    /// Sets the function that the search calls, if no other thread sends the signals.
    #[must_use]
    pub fn with_poll(mut self, poll: Option<InputPoll>) -> Self {
        self.poll = poll;
        self
    }

    /// Stops the search as soon as possible.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Relaxed));
    }

    /// Whether the search must stop. First calls the input poll, if there is one.
    pub fn is_stopped(&self) -> bool {
        if let Some(poll) = &self.poll {
            poll(false);
        }
        self.stop.load(Relaxed)
    }

    /// Signals a ponder hit: the opponent has made the expected move, and the time starts to count.
    pub fn ponder_hit(&self) {
        if !self.is_pondering() {
            return;
        }
        self.change(|| {
            self.ponder_hit_after.store(self.created.elapsed().as_micros() as u64, Relaxed);
            // A thread that reads the end of pondering also reads its time.
            self.pondering.store(false, Release);
        });
    }

    /// The time of the ponder hit, or that of the creation without one.
    pub fn ponder_hit_at(&self) -> Instant {
        self.created + Duration::from_micros(self.ponder_hit_after.load(Relaxed))
    }

    /// Whether the search is still pondering.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Marks the search as finished: it uses its resources no more, and reports at most its best move.
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// Resets the counts, for searches that follow one another under the same signals.
    pub fn reset_counts(&self) {
        self.nodes.store(0, Relaxed);
        self.tb_hits.store(0, Relaxed);
    }

    /// Adds to the node count and returns the new total.
    pub fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    pub fn add_tb_hit(&self) {
        self.tb_hits.fetch_add(1, Relaxed);
    }

    pub fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }

    /// Blocks while the search must not end by itself. An endless search waits until it is stopped.
    /// A pondering search waits until it is stopped or the opponent has moved.
    pub fn wait_until_end_allowed(&self, endless: bool) {
        if let Some(poll) = &self.poll {
            while !self.is_stopped() && (endless || self.is_pondering()) {
                poll(true);
            }
            return;
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (endless || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }
}
