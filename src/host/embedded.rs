//! The time and random numbers of the program that embeds the library.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

/// The functions of the embedding program.
pub struct Host {
    /// The time since a fixed moment. It never decreases.
    pub now: fn() -> Duration,
    /// A random number, for seeds.
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
    HOST.get().expect("host::install has been called")
}

/// A random number, for seeds.
///
/// # Panics
///
/// If no [`Host`] is installed.
pub fn random() -> u64 {
    (host().random)()
}

/// A moment, as in [`std::time`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The current moment.
    ///
    /// # Panics
    ///
    /// If no [`Host`] is installed.
    pub fn now() -> Self {
        Self((host().now)())
    }

    /// The time since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}
