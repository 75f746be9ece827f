//! What the library takes from the program that contains it: the time and random numbers.
//!
//! Both usually come from the standard library. WebAssembly in a browser has neither of them; there
//! the embedding program installs its own functions as a `Host`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod standard;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use standard::{Instant, random};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod embedded;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use embedded::{Host, Instant, install, random};
