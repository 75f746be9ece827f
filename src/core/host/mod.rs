//! What the library takes from the program that contains it: the time and random numbers.
//!
//! Both usually come from the standard library. An embedding program can [`install`] its own
//! functions; WebAssembly in a browser must, as it has neither of them.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod standard;

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use standard::STANDARD;

/// The functions of the embedding program.
pub struct Host {
    /// The time since a fixed moment. It never decreases.
    pub now: fn() -> Duration,
    /// A random number, for seeds. It need not be fit for cryptography.
    pub random: fn() -> u64,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Installs the functions of the embedding program. Call it once, before anything else; later calls
/// have no effect.
pub fn install(host: Host) {
    // An error means that a host is installed already.
    let _ = HOST.set(host);
}

fn host() -> &'static Host {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return HOST.get().unwrap_or(&STANDARD);
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    HOST.get().expect("host::install has been called")
}

/// A random number, for seeds.
pub fn random() -> u64 {
    (host().random)()
}

/// A moment, as in [`std::time`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The current moment.
    pub fn now() -> Self {
        Self((host().now)())
    }

    /// The time from another moment to this one; zero if the other one is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time since this moment.
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
