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
//! A slice holds the positions with the same material (`shape`), numbered without gaps (`index`), with an
//! `entry` each. `lookup` finds the value of a position, also of one with a capture, which has no entry
//! of its own. The entries come from the files of a directory ([`Tables`], in `files`), or from one file
//! that is in memory as a whole ([`MemoryTables`]). [`EndgameTables`] (`combined`) also have the databases
//! of other programs (`chinook`), without distances. `tablebase` gives the values to the search.

// Only `files` needs all that the modules beside it have.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

#[cfg(not(target_family = "wasm"))]
mod cache;
#[cfg(not(target_family = "wasm"))]
mod chinook;
#[cfg(not(target_family = "wasm"))]
mod combined;
mod entry;
#[cfg(not(target_family = "wasm"))]
mod files;
mod index;
mod lookup;
mod memory;
mod shape;
mod tablebase;
mod value;

use std::sync::Arc;

pub use crate::game::TableError;
use crate::game::TableOpener;
#[cfg(not(target_family = "wasm"))]
pub use chinook::{DATABASE_CACHE, DATABASE_PIECES, DatabaseCheck, Databases};
#[cfg(not(target_family = "wasm"))]
pub use combined::EndgameTables;
#[cfg(not(target_family = "wasm"))]
pub use files::*;
pub use memory::MemoryTables;
pub use shape::{DISTANCE_PIECES, MAX_PIECES, MIN_PIECES};
pub use value::{Counts, Value};

pub(super) const OPENER: TableOpener = TableOpener {
    #[cfg(not(target_family = "wasm"))]
    open: |path| {
        let (tables, refused) = EndgameTables::open(path)?;
        Ok((Arc::new(tables), refused))
    },
    read: |bytes| Ok(Arc::new(MemoryTables::read(bytes)?)),
};
