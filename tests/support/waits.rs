//! Waits for threads and processes: a test that waits too long fails instead of hanging.
//!
//! `cargo test` has no other limit on the clock of the system. What must happen in time is tested on
//! a clock that only the test advances (`tests/protocol/time_controls.rs`), or measured by
//! `tests/external/clocks` and `cargo bench --bench latency`.

#![allow(dead_code, reason = "each test program uses a part")]

use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// The time after which a wait fails, far above any that is needed.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// Calls a function until it returns a value; `None` if it never does.
fn first<T>(mut value: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    while started.elapsed() < TIMEOUT {
        if let Some(value) = value() {
            return Some(value);
        }
        thread::sleep(Duration::from_millis(5));
    }
    None
}

/// Waits until something holds.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let held = first(|| holds().then_some(()));
    assert!(held.is_some(), "after {TIMEOUT:?} it does not hold that {what}");
}

/// Waits until a process ends.
#[track_caller]
pub fn wait_for_exit(child: &mut Child) -> ExitStatus {
    first(|| child.try_wait().unwrap()).unwrap_or_else(|| {
        let _ = child.kill();
        panic!("the process is still running after {TIMEOUT:?}");
    })
}

/// Waits until a process uses no CPU time any more. Where the system does not report it, waits for a
/// moment.
#[track_caller]
pub fn wait_for_rest(process: u32) {
    // The CPU time has a resolution of ten milliseconds.
    const MOMENT: Duration = Duration::from_millis(300);
    wait_until("the process rests", || {
        let before = cpu_time(process);
        thread::sleep(MOMENT);
        before == cpu_time(process)
    });
}

/// The CPU time of a process, in ticks in the program and in the system.
fn cpu_time(process: u32) -> Option<[u64; 2]> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name, which ends with the last parenthesis, they are the 12th and 13th word: see
    // proc(5).
    let mut words = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || words.next()?.parse().ok();
    Some([ticks()?, ticks()?])
}
