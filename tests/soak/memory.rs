//! Whether the memory of a process stays what it is.

use std::fmt::{self, Display};
use std::fs;

/// What a process holds may grow by so much, in KiB.
const TOLERANCE: u64 = 4 << 10;

/// Lets the C library of Linux give every freed table back at once. Left to itself it keeps some
/// of them, up to a few hundred MiB, for later.
pub const EXACT: &[(&str, &str)] =
    &[("MALLOC_MMAP_THRESHOLD_", "262144"), ("MALLOC_TRIM_THRESHOLD_", "262144")];

/// The fewest looks that say anything.
const ENOUGH: usize = 400;

/// Looks at the resident memory of a process, in KiB; none where the system does not tell.
#[derive(Default)]
pub struct Watch(Vec<u64>);

impl Watch {
    /// Looks once more.
    pub fn look(&mut self, process: Option<u32>) {
        let read = |id| fs::read_to_string(format!("/proc/{id}/status")).ok();
        let resident: Option<u64> = process.and_then(read).and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        self.0.extend(resident);
    }

    /// The least that was held in the second and in the last of four quarters: what is lost stays,
    /// what a search has not yet given back does not. The first quarter is to get warm.
    fn quarters(&self) -> (u64, u64) {
        let quarter = self.0.len() / 4;
        let least = |from: usize| self.0.iter().skip(from).take(quarter).min().copied();
        (least(quarter).unwrap_or(0), least(3 * quarter).unwrap_or(0))
    }

    /// The last quarter must not hold more than the second.
    pub fn check(&self) {
        let (early, late) = self.quarters();
        assert!(
            self.0.len() < ENOUGH || late <= early + TOLERANCE,
            "the memory grew from {early} to {late} KiB: {:?}",
            self.0
        );
    }
}

impl Display for Watch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (early, late) = self.quarters();
        write!(f, "at least {early} KiB held in their second quarter, {late} in their last")
    }
}
