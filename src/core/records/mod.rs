//! Reading and writing game records: SGF or PDN, whichever the game uses.
//!
//! The [`RecordId`](crate::game::RecordId) of a game selects the [`RecordFormat`] in which its records
//! are written. PGN as written by XBoard and plain move lists can be read as well; they are
//! converted to the format of their game.
//!
//! A [`RecordReader`] yields the games of a file one by one and keeps only one in memory. A [`Record`]
//! is a game with its variations, comments and headers. Unknown properties and tags are preserved,
//! so that reading and writing a record keeps the game intact. Reading checks only the syntax;
//! [`replay()`] and [`check`] play the moves.
//!
//! [`items`](mod@items) splits a text in any of these formats, or of setups and drawn boards.
//!
//! The parsers are written here because no crate fits: `sgf-parse` needs a whole collection in
//! memory and reports no positions of syntax errors, and there is no crate for PDN.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod error;
mod headers;
pub mod items;
mod legality;
mod lines;
mod move_data;
mod pdn;
mod read;
mod record;
mod replay;
mod results;
mod rule_header;
pub mod setups;
mod sgf;
mod tree;
mod values;

pub use error::{LineColumn, RecordError, RecordFault};
pub use items::RecordReader;
pub use lines::{Annotation, LineError, RecordMove};
pub use move_data::{BySide, MoveData};
pub use read::{RawGame, begins_like_games, begins_like_records};
pub use record::Record;
pub use replay::{ReplayError, ReplayedMove, check, record_game, replay, replayed_moves};
pub use tree::Turn;
pub use values::{HeaderField, MoveMark, RecordFormat, RecordResult, WinReason};
