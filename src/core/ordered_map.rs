//! A parallel map whose results keep the order of the input.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

use crate::search::STACK_SIZE;

/// The number of items read ahead of the results, for each thread.
const AHEAD: usize = 4;

/// Applies `work` to the items of `source` on `threads` threads, and passes the results to `sink`
/// in order, each as soon as all earlier ones are complete.
///
/// Ends early with the error if `sink` returns one. At any time, only a few items for each thread
/// are in memory. If the system refuses the threads, no item is read.
pub fn map<T: Send, U: Send, E: From<io::Error>>(
    threads: usize,
    source: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> U + Sync,
    mut sink: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    // Each item has its own result channel; the receivers are queued in the order of the items.
    let (queued, results) = sync_channel::<Receiver<U>>(AHEAD * threads);
    let (sender, queue) = channel::<(T, Sender<U>)>();
    let queue = Mutex::new(queue);
    let (queue, work) = (&queue, &work);
    let thread = || thread::Builder::new().stack_size(STACK_SIZE);
    let refused = |error| io::Error::other(format!("cannot start {threads} threads: {error}"));
    // The channels move into the scope: the threads end if it returns early.
    thread::scope(move |scope| {
        for _ in 0..threads {
            let work_on_items = move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((item, result)) = next else { break };
                    // If the receiver is gone, `sink` has failed and the remaining work is not
                    // needed.
                    if result.send(work(item)).is_err() {
                        break;
                    }
                }
            };
            thread().spawn_scoped(scope, work_on_items).map_err(refused)?;
        }
        let read = move || {
            for item in source {
                let (result, receiver) = channel();
                if queued.send(receiver).is_err() || sender.send((item, result)).is_err() {
                    break;
                }
            }
        };
        thread().spawn_scoped(scope, read).map_err(refused)?;
        // A worker that panicked leaves a gap, which ends the map; the scope propagates its panic.
        results.into_iter().map_while(|receiver| receiver.recv().ok()).try_for_each(&mut sink)
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_keep_the_order_of_the_input() {
        for threads in [1, 2, 5] {
            let mut results = Vec::new();
            let work = |n: u64| {
                thread::sleep(Duration::from_micros(n * 7 % 100));
                n * n
            };
            let all: io::Result<()> = map(threads, 0..200, work, |result| {
                results.push(result);
                Ok(())
            });
            all.unwrap();
            assert_eq!(results, (0..200).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_ends_the_map_at_its_item() {
        for threads in [1, 3] {
            let mut results = Vec::new();
            let work = |n: u64| if n == 20 { panic::resume_unwind(Box::new("a fault")) } else { n };
            let sink = |result| {
                results.push(result);
                io::Result::Ok(())
            };
            let map = AssertUnwindSafe(|| map(threads, 0..1000, work, sink));
            assert!(panic::catch_unwind(map).is_err());
            assert_eq!(results, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_map_and_read_ahead_is_bounded() {
        let read = AtomicUsize::new(0);
        let source = (0..).inspect(|_| {
            read.fetch_add(1, SeqCst);
        });
        let sink = |n: usize| if n < 10 { Ok(()) } else { Err(io::Error::other(n.to_string())) };
        let end = map(2, source, |n| n, sink);
        assert_eq!(end.unwrap_err().to_string(), "10");
        assert!(read.load(SeqCst) < 10 + 3 * AHEAD * 2 + 3);
    }
}
