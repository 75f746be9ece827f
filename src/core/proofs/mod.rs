//! Proofs that a side can or cannot force a win: found by the search ([`prove`]), written to files
//! ([`Proof`]), and checked by other code with the rules alone ([`verify()`]).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod certifier;
mod error;
pub mod file;
pub mod prove;
pub mod verify;

pub use certifier::Certifier;
pub use error::ProofError;
pub use file::Proof;
pub use verify::verify;
