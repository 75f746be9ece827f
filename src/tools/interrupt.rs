//! The interrupt flag of long-running commands.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Returns a flag that is set by an interrupt. A second interrupt exits at once, without waiting
/// for the work in progress.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let handler_flag = Arc::clone(&flag);
    let handler = move || {
        if handler_flag.swap(true, Relaxed) {
            process::exit(1);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
    flag
}
