//! The workers of a search, one thread each.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::event::{BestMove, SearchEvent};
use super::request::SearchRequest;
use super::searcher::SearchContext;
use super::signals::Signals;
use super::time::TimeManager;
use super::tt::TtView;
use super::worker::Worker;
use crate::game::{Features, Heuristics};

/// The stack size of a thread that searches, in bytes: enough for the deepest line of unoptimised
/// code.
pub const STACK_SIZE: usize = 32 << 20;

/// Searches with all requested threads until a limit ends the search.
pub(super) fn search_on_threads<P: Heuristics + Features>(
    request: &SearchRequest<P>,
    tt: TtView,
    time: &TimeManager,
    on_event: &mut dyn FnMut(SearchEvent<P::Move>),
) -> Option<BestMove<P::Move>> {
    let halt = AtomicBool::new(false);
    let tablebase = request.game_tablebase();
    let path_key = request.path_key();
    let context = SearchContext { request, tt, time, halt: &halt, tablebase, path_key };
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        for id in 1..request.options.threads {
            let search = move || {
                let _guard = StopOnPanic(request.signals);
                Worker::new(context, id, &mut |_| {}).search();
            };
            let thread = thread::Builder::new().stack_size(STACK_SIZE);
            match thread.spawn_scoped(scope, search) {
                Ok(helper) => helpers.push(helper),
                Err(error) => {
                    log::warn!(
                        "the search uses {id} threads: starting another one failed: {error}"
                    );
                    break;
                }
            }
        }
        let _guard = StopOnPanic(request.signals);
        let best = Worker::new(context, 0, on_event).search();
        halt.store(true, Relaxed);
        // The scope waits for what the threads do, but not for their end. A library may be unloaded then.
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        best
    })
}

/// Stops the search if its worker panics, because the scope waits for all workers.
struct StopOnPanic<'a>(&'a Signals);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_thread_stops_the_search() {
        let signals = Signals::new(false);
        thread::scope(|scope| {
            drop(StopOnPanic(&signals));
            assert!(!signals.is_stopped());
            let panics = || {
                let _guard = StopOnPanic(&signals);
                std::panic::resume_unwind(Box::new("a fault"));
            };
            assert!(scope.spawn(panics).join().is_err());
        });
        assert!(signals.is_stopped());
    }
}
