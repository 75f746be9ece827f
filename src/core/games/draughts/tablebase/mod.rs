//! Endgame tables (tablebases): win, draw or loss of positions with few pieces and, for some of
//! them, the distance to the end of the game.
//!
//! ```no_run
//! use soucie::games::draughts::tablebase::{OwnTables, Value};
//! # use soucie::{game::Notation, games::draughts::Draughts};
//! let tables = OwnTables::open("/path/to/tables".as_ref())?;
//! let position = Draughts::read_setup("W:WK14,K15:BK1", Default::default())?;
//! assert_eq!(tables.value(&position), Some(Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A slice is the positions with the same material, from the view of the side to move.
//!
//! | file | what it has |
//! |---|---|
//! | `shape.rs` | the material of a slice, and the placement of its pieces |
//! | `index.rs` | numbers placements without gaps |
//! | `entry.rs` | what is stored of a position, and its value |
//! | `lookup.rs` | the value of any position: captures are played out, as no entry has them |
//! | `own` | own tables: solved, written to a folder, read ([`OwnTables`]), verified |
//! | `chinook` | the databases of other programs, without distances |
//! | `folders.rs` | [`FolderTables`]: both, as the engine uses them |
//! | `memory.rs` | [`MemoryTables`]: one file that is in memory as a whole |
//! | `search_values.rs` | values for the search, with care for move counters |
//! | `cache.rs` | the blocks of files that were used last |

// Only `own` needs all that the modules beside it have.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

#[cfg(not(target_family = "wasm"))]
mod cache;
#[cfg(not(target_family = "wasm"))]
mod chinook;
mod entry;
#[cfg(not(target_family = "wasm"))]
mod folders;
mod index;
mod lookup;
mod memory;
#[cfg(not(target_family = "wasm"))]
mod own;
mod search_values;
mod shape;

use std::sync::Arc;

use crate::game::TablebaseOpener;
#[cfg(not(target_family = "wasm"))]
pub use chinook::{DATABASE_CACHE, DATABASE_PIECES, DatabaseCheck, Databases};
pub use entry::{Counts, Value};
#[cfg(not(target_family = "wasm"))]
pub use folders::FolderTables;
pub use memory::MemoryTables;
#[cfg(not(target_family = "wasm"))]
pub use own::*;
pub use shape::{DISTANCE_PIECES, MAX_PIECES, MIN_PIECES};

pub(super) const OPENER: TablebaseOpener = TablebaseOpener {
    #[cfg(not(target_family = "wasm"))]
    open: |path| {
        let (tables, refused) = FolderTables::open(path)?;
        Ok((Arc::new(tables), refused))
    },
    read: |bytes| Ok(Arc::new(MemoryTables::read(bytes)?)),
};
