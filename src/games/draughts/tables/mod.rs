//! Endgame tables (tablebases): win, draw or loss of positions with few pieces and, for some of
//! them, the distance to the end of the game.
//!
//! ```no_run
//! use soucie::games::draughts::tables::{Tables, Value};
//! # use soucie::{game::Notation, games::draughts::Draughts};
//! let tables = Tables::open("/path/to/tables".as_ref())?;
//! let position = Draughts::read_setup("W:WK14,K15:BK1", Default::default())?;
//! assert_eq!(tables.value(&position), Some(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A slice holds the positions with the same material (`shape`), numbered without gaps (`index`).
//! `solve` computes their values from the slices that captures and promotions lead to. `build`
//! runs it slice by slice, and `file` compresses and stores the result.

mod build;
mod cache;
mod directory;
mod entry;
mod error;
mod file;
mod index;
mod library;
mod rules;
mod shape;
mod solve;
mod tablebase;
mod value;
mod verify;

pub use build::{Progress, Step, build, memory_needed};
pub use directory::{Tables, default_dir};
pub use error::TableError;
pub use shape::{DISTANCE_MEN, DISTANCE_PIECES, MAX_PIECES, MIN_PIECES};
pub use value::{Counts, Value};
pub use verify::{Fault, verify};
