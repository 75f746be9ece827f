//! Why a command is refused.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;

/// Why a command is refused, in words for the client: nothing else depends on the reason. It is no
/// [`Error`], so that `?` makes one of any error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The same reason, after the name of its command.
    pub(super) fn of(self, command: &str) -> Self {
        Self(format!("{command}: {self}"))
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl From<Refusal> for io::Error {
    fn from(Refusal(reason): Refusal) -> Self {
        Self::other(reason)
    }
}
