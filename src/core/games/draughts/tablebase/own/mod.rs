//! The tables as files: building, reading and verifying them.
//!
//! `solve` computes the values of a slice from the slices that captures and promotions lead to.
//! `build` runs it slice by slice, and `file` compresses and stores the result. `directory` reads
//! tables, and writes small ones as one file for a program that keeps them in memory.

mod build;
mod directory;
mod file;
mod library;
mod solve;
mod verify;

pub use build::{Progress, Step, build, memory_needed};
pub use directory::{OwnTables, default_dir, export, table_files};
pub(super) use library::in_parallel;
pub use verify::{Fault, verify};
