//! Checks that the memory of a process does not grow.

use std::fmt::{self, Display};
use std::fs;

/// The accepted growth of the memory of a process, in KiB.
const TOLERANCE: u64 = 4 << 10;

/// Environment variables that let glibc return each freed table to the system at once. By default
/// it keeps up to a few hundred MiB for later allocations.
pub const TRIM_AT_ONCE: &[(&str, &str)] =
    &[("MALLOC_MMAP_THRESHOLD_", "262144"), ("MALLOC_TRIM_THRESHOLD_", "262144")];

/// The minimum number of samples for a check.
const MIN_SAMPLES: usize = 400;

/// Samples of the resident memory of a process, in KiB; empty if the system does not report it.
#[derive(Default)]
pub struct MemoryMonitor(Vec<u64>);

impl MemoryMonitor {
    /// Adds a sample.
    pub fn sample(&mut self, process: Option<u32>) {
        let read = |id| fs::read_to_string(format!("/proc/{id}/status")).ok();
        let resident: Option<u64> = process.and_then(read).and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        self.0.extend(resident);
    }

    /// The minima of the second and the last quarter of the samples. A leak raises the minimum,
    /// memory that a search has not yet freed does not. The first quarter is the warm-up.
    fn quarters(&self) -> (u64, u64) {
        let quarter = self.0.len() / 4;
        let minimum = |from: usize| self.0.iter().skip(from).take(quarter).min().copied();
        (minimum(quarter).unwrap_or(0), minimum(3 * quarter).unwrap_or(0))
    }

    /// Panics if the minimum of the last quarter exceeds that of the second.
    pub fn check(&self) {
        let (early, late) = self.quarters();
        assert!(
            self.0.len() < MIN_SAMPLES || late <= early + TOLERANCE,
            "the memory grew from {early} to {late} KiB: {:?}",
            self.0
        );
    }
}

impl Display for MemoryMonitor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.len() < MIN_SAMPLES {
            return write!(f, "memory not checked: {} samples", self.0.len());
        }
        let (early, late) = self.quarters();
        write!(f, "minimum memory {early} KiB in their second quarter, {late} KiB in their last")
    }
}
