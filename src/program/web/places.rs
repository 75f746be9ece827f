//! The places of connections.
//!
//! Any user of the computer can connect, but only a request shows whether its client has the
//! token. Until then a connection is a newcomer. When there are too many, the one that has waited
//! longest loses its place: the page sends a request as soon as it is connected. Newcomers take no
//! places of clients with the token.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

const MAX_NEWCOMERS: usize = 128;

/// The maximum number of connections with the token.
const MAX_ADMITTED: usize = 64;

/// The place of a connection.
pub struct Place {
    free: Arc<Semaphore>,
    /// One of the places of clients with the token.
    permit: OnceLock<OwnedSemaphorePermit>,
}

impl Place {
    /// Takes one of the places of clients with the token, and keeps it as long as `self`. Returns
    /// whether there was one.
    pub fn admit(&self) -> bool {
        let permit = Arc::clone(&self.free).try_acquire_owned();
        permit.is_ok_and(|permit| self.permit.set(permit).is_ok())
    }

    /// Whether the client has the token.
    pub fn is_admitted(&self) -> bool {
        self.permit.get().is_some()
    }
}

pub struct Places {
    free: Arc<Semaphore>,
    /// The newcomers and their tasks, the oldest one first.
    newcomers: VecDeque<(Weak<Place>, AbortHandle)>,
}

impl Places {
    /// All places are free.
    pub fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(MAX_ADMITTED)), newcomers: VecDeque::new() }
    }

    /// Serves a newcomer in a task, which keeps the place as long as its connection is open.
    pub fn serve<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        serve: impl FnOnce(Arc<Place>) -> F,
    ) {
        let is_newcomer =
            |place: &Weak<Place>| place.upgrade().is_some_and(|place| !place.is_admitted());
        self.newcomers.retain(|(place, _)| is_newcomer(place));
        if self.newcomers.len() >= MAX_NEWCOMERS
            && let Some((_, oldest)) = self.newcomers.pop_front()
        {
            oldest.abort();
        }
        let place = Arc::new(Place { free: Arc::clone(&self.free), permit: OnceLock::new() });
        let weak = Arc::downgrade(&place);
        let task = tokio::spawn(serve(place));
        self.newcomers.push_back((weak, task.abort_handle()));
    }
}
