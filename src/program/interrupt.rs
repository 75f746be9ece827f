//! What an interrupt does to long-running commands.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use soucie::files::temporary;

/// The line at the end of a command that was interrupted and goes on where it stopped.
pub const UNFINISHED: &str = "not finished: run the same command again to continue";

/// Lets an interrupt end the process with this line, for work that may stop at any point.
pub fn end_with(line: &'static str) {
    on_interrupt(move || exit(line));
}

/// Returns a flag that is set by an interrupt. A later interrupt exits at once, without waiting
/// for the work in progress.
pub fn flag() -> Arc<AtomicBool> {
    /// Within it several signals are one interrupt: `timeout` sends two, one of them to the group.
    const ONE_INTERRUPT: Duration = Duration::from_millis(300);
    let flag = Arc::new(AtomicBool::new(false));
    let handler_flag = Arc::clone(&flag);
    let mut interrupted_at = None;
    on_interrupt(move || {
        handler_flag.store(true, Relaxed);
        if interrupted_at.get_or_insert_with(Instant::now).elapsed() > ONE_INTERRUPT {
            exit("interrupted again: the work in progress is lost");
        }
    });
    flag
}

/// Ends the process. Destructors do not run, so their files are removed here.
fn exit(line: &str) {
    temporary::remove_all();
    // The line is optional: standard error may be closed.
    let _ = writeln!(io::stderr(), "{line}");
    process::exit(1);
}

fn on_interrupt(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
}
