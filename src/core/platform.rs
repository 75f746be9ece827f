//! What the library takes from its platform: the time and random numbers.
//!
//! Both usually come from the standard library. An embedding program can [`install`] its own
//! functions; WebAssembly in a browser must, as it has neither of them.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use standard::STANDARD;

/// The functions of the embedding program.
pub struct Platform {
    /// The time since a fixed moment. It never decreases.
    pub now: fn() -> Duration,
    /// A random number, for seeds. It need not be fit for cryptography.
    pub random: fn() -> u64,
}

static INSTALLED: OnceLock<Platform> = OnceLock::new();

/// Installs the functions of the embedding program. Call it once, before anything else; later calls
/// have no effect.
pub fn install(platform: Platform) {
    // An error means that another one is installed already.
    let _ = INSTALLED.set(platform);
}

fn platform() -> &'static Platform {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return INSTALLED.get().unwrap_or(&STANDARD);
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    INSTALLED.get().expect("platform::install has been called")
}

/// A random number, for seeds.
pub fn random() -> u64 {
    (platform().random)()
}

/// A moment, as in [`std::time`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Self {
        Self((platform().now)())
    }

    /// The time from another moment to this one; zero if the other one is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

/// The time and random numbers of the standard library.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod standard {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    use super::Platform;

    /// The functions of the standard library.
    pub static STANDARD: Platform = Platform { now, random };

    /// The time since the first call.
    fn now() -> Duration {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }

    fn random() -> u64 {
        // The keys of each `RandomState` are random.
        RandomState::new().hash_one(0)
    }
}
