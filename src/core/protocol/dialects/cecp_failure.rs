//! Why a CECP command fails, and the line that reports it.

use std::io;

use super::cecp_command::{CecpError, shorten};
use crate::engine::EngineError;
use crate::files::printable::one_line;
use crate::protocol::handler::UciError;

/// Why a command fails.
pub(super) enum CecpFailure {
    Line(String),
    /// A reason, for the form `Error (REASON): COMMAND`.
    Reason(String),
    Output(io::Error),
}

impl From<io::Error> for CecpFailure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<CecpError> for CecpFailure {
    fn from(error: CecpError) -> Self {
        Self::Line(error.to_string())
    }
}

impl From<EngineError> for CecpFailure {
    fn from(error: EngineError) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<UciError> for CecpFailure {
    fn from(error: UciError) -> Self {
        match error {
            UciError::Output(error) => Self::Output(error),
            error => Self::Reason(error.to_string()),
        }
    }
}

impl CecpFailure {
    /// The line that reports the failure of the command `line`.
    pub(super) fn reply(self, line: &str) -> io::Result<String> {
        match self {
            Self::Line(text) => Ok(one_line(&text).to_string()),
            Self::Reason(reason) => {
                let line = shorten(line.trim());
                Ok(format!("Error ({}): {}", one_line(&reason), one_line(&line)))
            }
            Self::Output(error) => Err(error),
        }
    }
}
