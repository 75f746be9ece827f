//! Helpers for files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(not(target_family = "wasm"))]
pub mod atomic_file;
mod error;
#[cfg(not(target_family = "wasm"))]
pub mod hash;
pub mod json;
pub mod lines;
#[cfg(not(target_family = "wasm"))]
pub mod paths;
pub mod printable;
#[cfg(not(target_family = "wasm"))]
pub mod read_at;
pub mod regular;
#[cfg(not(target_family = "wasm"))]
pub mod temporary;
#[cfg(not(target_family = "wasm"))]
pub mod user_dirs;

pub use error::named;
