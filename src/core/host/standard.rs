//! The time and random numbers of the standard library.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::Host;

/// The functions of the standard library.
pub static STANDARD: Host = Host { now, random };

/// The time since the first call.
fn now() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

fn random() -> u64 {
    // The keys of each `RandomState` are random.
    RandomState::new().hash_one(0)
}
