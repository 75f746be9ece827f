//! The time and random numbers of the standard library.

use std::hash::{BuildHasher, RandomState};
pub use std::time::Instant;

/// A random number, for seeds. It is not fit for cryptography.
pub fn random() -> u64 {
    // The keys of each `RandomState` are random.
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_differ() {
        assert_ne!(random(), random());
    }
}
