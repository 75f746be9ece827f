//! The end of the protocol, which does not wait for ever for a client that reads nothing.

use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::input::{Input, InputSender};

/// The longest time that `quit` waits for the client to read the remaining output.
pub(super) const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest time for which a line may wait to be read after the end of input. It is longer than
/// after `quit`, because scripts and pagers read the whole answer later.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How the end was requested. The last one is the most urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    EndOfInput,
    Quit,
}

/// The request to end, which is known as soon as it is read: the main loop may be blocked by output
/// that is not read.
#[derive(Clone, Default)]
pub(super) struct EndRequest(Arc<Mutex<Option<Reason>>>);

impl EndRequest {
    /// Notes `quit`, which ends all dialects.
    pub(super) fn note(&self, input: &Input) {
        let reason = match input {
            Input::Line(line) if line.split_whitespace().next() == Some("quit") => Reason::Quit,
            Input::End | Input::Failed(_) => Reason::EndOfInput,
            _ => return,
        };
        self.set(reason);
    }

    fn set(&self, reason: Reason) {
        let mut requested = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *requested = (*requested).max(Some(reason));
    }

    /// Waits for the result of the main loop. After a request to end, it is not waited for while a line
    /// has been blocked for too long.
    pub(super) fn wait(
        &self,
        result: &Receiver<io::Result<()>>,
        blocked_for: impl Fn() -> Duration,
    ) -> io::Result<()> {
        const POLL_INTERVAL: Duration = Duration::from_millis(20);
        loop {
            match result.recv_timeout(POLL_INTERVAL) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the main loop has failed"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let requested = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match requested {
                Some(Reason::Quit) if blocked_for() >= DRAIN_TIMEOUT => return Ok(()),
                Some(Reason::EndOfInput) if blocked_for() >= LONGEST_PAUSE => {
                    return Err(io::Error::new(ErrorKind::TimedOut, "standard output is not read"));
                }
                _ => {}
            }
        }
    }
}

/// Ends the main loop as `quit` does.
#[derive(Clone)]
pub struct ShutdownHandle {
    pub(super) sender: InputSender,
    pub(super) request: EndRequest,
}

impl ShutdownHandle {
    /// Requests the shutdown. As a `quit` on the input, it takes effect after the commands already
    /// in the queue.
    pub fn quit(&self) {
        self.request.set(Reason::Quit);
        // An error means that the loop has ended already.
        let _ = self.sender.send(Input::Quit);
    }
}
