//! How long work hears that it is to end.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that is set when somebody wants the program to end. Who asks a second time does not
/// want to wait for what is under way.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&flag);
    let handler = move || {
        if heard.swap(true, Relaxed) {
            process::exit(1);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("signals end the program at once: {error}");
    }
    flag
}
