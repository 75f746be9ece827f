//! What the main loop waits for.

use std::io;

use crate::engine::event::Event;
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
    /// An event of a search, for a client that reacts to it.
    Event(Event),
    /// The search thread has ended. Wakes the main loop.
    SearchThreadEnded,
}
