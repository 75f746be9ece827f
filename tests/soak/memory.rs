//! Whether the memory of a process stays what it is.

use std::fmt::{self, Display};
use std::fs;

/// What a process holds may differ by so much between two looks, in KiB: threads come and go.
const TOLERANCE: u64 = 8 << 10;

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

    /// The most that was held in the second and in the last of four quarters; the first one is to
    /// get warm.
    fn quarters(&self) -> (u64, u64) {
        let quarter = self.0.len() / 4;
        let most = |from: usize| self.0.iter().skip(from).take(quarter).max().copied();
        (most(quarter).unwrap_or(0), most(3 * quarter).unwrap_or(0))
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
        write!(f, "at most {early} KiB in their second quarter, {late} in their last")
    }
}
