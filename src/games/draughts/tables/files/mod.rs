//! The tables as files: building, reading and verifying them.
//!
//! `solve` computes the values of a slice from the slices that captures and promotions lead to.
//! `build` runs it slice by slice, and `file` compresses and stores the result.

mod build;
mod cache;
mod directory;
mod error;
mod file;
mod library;
mod solve;
mod verify;

pub use build::{Progress, Step, build, memory_needed};
pub use directory::{Tables, default_dir};
pub use error::TableError;
pub use verify::{Fault, verify};
