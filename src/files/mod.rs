//! Helpers for files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(feature = "cli")]
pub mod atomic_file;
mod error;
#[cfg(feature = "cli")]
pub mod hash;
pub mod json;
pub mod lines;
#[cfg(feature = "cli")]
pub mod paths;
pub mod printable;
#[cfg(feature = "cli")]
pub mod read_at;
pub mod regular;
#[cfg(feature = "cli")]
pub mod temporary;
#[cfg(feature = "cli")]
pub mod user_dirs;

pub use error::named;
