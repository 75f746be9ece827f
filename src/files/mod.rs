//! What several rooms need of files and streams.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod lines;
pub mod lock;
