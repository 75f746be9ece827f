//! What the main loop waits for, and the queue in which it waits.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::engine::event::{Disconnected, Event};
use crate::files::lines::TooLong;

/// An event that the main loop waits for.
pub(super) enum Input {
    Line(String),
    TooLong(TooLong),
    End,
    /// The input cannot be read any further.
    Failed(io::Error),
    /// A request to shut down, from a `ShutdownHandle`.
    Quit,
    /// An event of a search, for a dialect that reacts to it.
    Event(Event),
    /// The search thread has ended. Wakes the main loop.
    SearchThreadEnded,
}

impl Input {
    /// The space that it takes in the queue, in bytes, roughly. The requests to end take none, so they
    /// never wait.
    fn size(&self) -> usize {
        match self {
            Self::Line(line) => 64 + line.len(),
            Self::Event(_) | Self::TooLong(_) => 1024,
            Self::End | Self::Failed(_) | Self::Quit | Self::SearchThreadEnded => 0,
        }
    }
}

/// The space for inputs that wait, in bytes. A `quit` is found behind so much input, even if the main
/// loop waits for its output to be read.
const SPACE: usize = 4 << 20;

pub(super) fn queue() -> (InputSender, InputReceiver) {
    let (sender, inputs) = channel();
    let space = Arc::new(Space { used: Mutex::new(Some(0)), changed: Condvar::new() });
    let receiver = InputReceiver { inputs, first: None, space: Arc::clone(&space) };
    (InputSender { sender, space }, receiver)
}

/// The used space of a queue; `None` if its receiver is gone.
struct Space {
    used: Mutex<Option<usize>>,
    changed: Condvar,
}

impl Space {
    fn lock(&self) -> MutexGuard<'_, Option<usize>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of the queue that takes inputs.
#[derive(Clone)]
pub(super) struct InputSender {
    sender: Sender<Input>,
    space: Arc<Space>,
}

impl InputSender {
    /// Adds an input, as soon as there is space for it. Fails if the receiver is gone.
    pub(super) fn send(&self, input: Input) -> Result<(), Disconnected> {
        let size = input.size();
        let is_full = |used: &mut Option<usize>| used.is_some_and(|used| used + size > SPACE);
        let used = self.space.changed.wait_while(self.space.lock(), is_full);
        let mut used = used.unwrap_or_else(PoisonError::into_inner);
        *used = Some(used.ok_or(Disconnected)? + size);
        self.sender.send(input).map_err(|_| Disconnected)
    }
}

pub(super) struct InputReceiver {
    inputs: Receiver<Input>,
    /// The first input, if it is already out of the queue.
    first: Option<Input>,
    space: Arc<Space>,
}

impl InputReceiver {
    /// The next input, as soon as it is there; `None` if no sender is left.
    pub(super) fn recv(&mut self) -> Option<Input> {
        let next = self.first.take().or_else(|| self.inputs.recv().ok());
        next.inspect(|input| self.free(input))
    }

    pub(super) fn is_waiting(&mut self) -> bool {
        self.first = self.first.take().or_else(|| self.inputs.try_recv().ok());
        self.first.is_some()
    }

    fn free(&self, input: &Input) {
        if let Some(used) = &mut *self.space.lock() {
            *used -= input.size();
        }
        self.space.changed.notify_all();
    }
}

impl Drop for InputReceiver {
    fn drop(&mut self) {
        *self.space.lock() = None;
        self.space.changed.notify_all();
    }
}
