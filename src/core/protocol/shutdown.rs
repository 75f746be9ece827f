//! The end of the protocol, which does not wait for ever for a client that reads nothing.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
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

impl Reason {
    /// The longest time for which a line may be blocked after such a request.
    fn patience(self) -> Duration {
        match self {
            Self::Quit => DRAIN_TIMEOUT,
            Self::EndOfInput => LONGEST_PAUSE,
        }
    }
}

/// The request to end, which is known as soon as it is read: the main loop may be blocked by output
/// that is not read. Also the result of the main loop.
#[derive(Clone, Default)]
pub(super) struct EndRequest(Arc<EndState>);

#[derive(Default)]
struct EndState {
    end: Mutex<End>,
    changed: Condvar,
}

#[derive(Default)]
struct End {
    requested: Option<Reason>,
    result: Option<io::Result<()>>,
}

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
        self.change(|end| end.requested = end.requested.max(Some(reason)));
    }

    /// Runs the main loop and notes its result, also that of a panic.
    pub(super) fn run(&self, main_loop: impl FnOnce() -> io::Result<()>) {
        let guard = FailureGuard(self);
        let result = main_loop();
        guard.0.change(|end| end.result = Some(result));
    }

    fn change(&self, change: impl FnOnce(&mut End)) {
        change(&mut self.0.end.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_all();
    }

    /// Waits for the result of the main loop. After a request to end, it is not waited for while a line
    /// has been blocked for too long.
    pub(super) fn wait(&self, blocked_for: impl Fn() -> Duration) -> io::Result<()> {
        let EndState { end, changed } = &*self.0;
        let mut end = end.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = end.result.take() {
                return result;
            }
            let Some(reason) = end.requested else {
                end = changed.wait(end).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = reason.patience().saturating_sub(blocked_for());
            match (left, reason) {
                (Duration::ZERO, Reason::Quit) => return Ok(()),
                (Duration::ZERO, Reason::EndOfInput) => {
                    return Err(io::Error::new(ErrorKind::TimedOut, "standard output is not read"));
                }
                _ => {
                    end = changed.wait_timeout(end, left).unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }
}

/// Notes that the main loop has failed, if it has noted no result before.
struct FailureGuard<'a>(&'a EndRequest);

impl Drop for FailureGuard<'_> {
    fn drop(&mut self) {
        self.0.change(|end| {
            let failed = || Err(io::Error::other("the main loop has failed"));
            let _ = end.result.get_or_insert_with(failed);
        });
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
