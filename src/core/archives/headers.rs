//! The headers that a query compares.

use std::borrow::Cow;

use crate::game::Side;
use crate::records::{HeaderField, Record, RecordResult};

/// The headers of a game: those of a record, or of a list that the caller keeps.
pub trait GameHeaders {
    /// The text of a header; `None` if it is missing.
    fn header(&self, field: HeaderField) -> Option<Cow<'_, str>>;

    fn result(&self) -> RecordResult;
}

impl GameHeaders for Record {
    fn header(&self, field: HeaderField) -> Option<Cow<'_, str>> {
        self.info(field).map(Cow::Owned)
    }

    fn result(&self) -> RecordResult {
        self.outcome()
    }
}

/// A part of a text, in any case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextPart(String);

impl TextPart {
    pub fn new(text: &str) -> Self {
        Self(text.to_lowercase())
    }

    pub fn is_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.0)
    }
}

/// The result that a game must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedResult {
    Is(RecordResult),
    /// A win of the player that the query names.
    Won,
    /// A loss of the player that the query names.
    Lost,
}

impl WantedResult {
    /// Reads `black`, `white`, `draw`, `unknown`, `won` or `lost`.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text {
            "black" => Self::Is(RecordResult::Won(Side::Black)),
            "white" => Self::Is(RecordResult::Won(Side::White)),
            "draw" => Self::Is(RecordResult::Drawn),
            "unknown" => Self::Is(RecordResult::Unknown),
            "won" => Self::Won,
            "lost" => Self::Lost,
            _ => return None,
        })
    }

    /// Whether a game with this result has it, in which the player that the query names has one of these sides.
    pub(super) fn is(self, result: RecordResult, named: &[Side]) -> bool {
        let won = |side: Side| result == RecordResult::Won(side);
        match self {
            Self::Is(wanted) => wanted == result,
            Self::Won => named.iter().any(|side| won(*side)),
            Self::Lost => named.iter().any(|side| won(!*side)),
        }
    }
}
