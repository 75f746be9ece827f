//! Work done by several threads, its results in the order of the work.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// For each thread so much work is taken from the source ahead of the results.
const AHEAD: usize = 4;

/// Does the work of `source` on so many `threads` and gives the results to `sink` in order, each
/// as soon as all before it are there. It ends early, with the error, where `sink` returns one.
/// No more is kept than a few pieces of work for each thread.
pub fn map<T: Send, U: Send, E>(
    threads: usize,
    source: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> U + Sync,
    mut sink: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    // Every piece of work has a channel of its own for its result, and these stand in line.
    let (line, results) = sync_channel::<Receiver<U>>(AHEAD * threads);
    let (sender, queue) = channel::<(T, Sender<U>)>();
    let queue = Mutex::new(queue);
    let (queue, work) = (&queue, &work);
    thread::scope(|scope| {
        scope.spawn(move || {
            for piece in source {
                let (result, place) = channel();
                if line.send(place).is_err() || sender.send((piece, result)).is_err() {
                    break;
                }
            }
        });
        for _ in 0..threads {
            scope.spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((piece, result)) = next else { break };
                    // Where nobody waits for the result any more, the rest is of no use either.
                    if result.send(work(piece)).is_err() {
                        break;
                    }
                }
            });
        }
        // A worker that died leaves a gap; its panic comes up at the end of the scope.
        results.into_iter().filter_map(|place| place.recv().ok()).try_for_each(&mut sink)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 5] {
            let mut results = Vec::new();
            let work = |n: u64| {
                thread::sleep(Duration::from_micros(n * 7 % 100));
                n * n
            };
            let all: Result<(), ()> = map(threads, 0..200, work, |result| {
                results.push(result);
                Ok(())
            });
            assert_eq!(all, Ok(()));
            assert_eq!(results, (0..200).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_an_endless_source_and_little_is_read_ahead() {
        let read = AtomicUsize::new(0);
        let source = (0..).inspect(|_| {
            read.fetch_add(1, SeqCst);
        });
        let end = map(2, source, |n: usize| n, |n| if n < 10 { Ok(()) } else { Err(n) });
        assert_eq!(end, Err(10));
        assert!(read.load(SeqCst) < 10 + 3 * AHEAD * 2 + 3);
    }
}
