//! Archives: games with a position, an opening, an ending, players or a result, and what was played in a position.
//!
//! A [`Query`] describes what a game must have. [`Query::matches_headers`] compares its headers, which is cheap;
//! [`Query::search`] also replays the moves of a [`Record`](crate::records::Record), as far as the query needs.
//! [`PositionStatistics`] count the moves that games have from a position. A [`GameList`] keeps the games of an archive in memory, to be searched again and again.
//!
//! Positions are compared by [`key_with_side`](crate::game::Heuristics::key_with_side), so a position counts however
//! it was reached.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod date;
mod game_list;
mod headers;
mod positions;
mod query;
mod replay;
mod statistics;

pub use date::Date;
pub use game_list::{Added, GameList, ListedGame};
pub use headers::{GameHeaders, TextPart, WantedResult};
pub use positions::{WantedEnding, WantedOpening, WantedPosition};
pub use query::{Query, QueryError};
pub use replay::{FoundPosition, Occurrence, QueryMatch, moves_hash};
pub use statistics::{GameResults, MoveStatistics, PositionStatistics};
