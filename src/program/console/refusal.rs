//! Why the console refuses a command.

use soucie::engine::EngineError;

/// Why a command is refused, in words for the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsoleRefusal(pub String);

impl ConsoleRefusal {
    pub fn new(text: &str) -> Self {
        Self(text.to_string())
    }
}

impl From<EngineError> for ConsoleRefusal {
    /// Without the position, which `dump` shows.
    fn from(error: EngineError) -> Self {
        Self(error.for_player())
    }
}
