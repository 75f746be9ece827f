//! Standard input for a reader that may stop waiting.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often a waiting reader checks whether its input is still needed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Standard input, which ends early once it is not needed: after the output is closed, for example.
pub struct StdinReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    is_needed: Arc<AtomicBool>,
}

impl StdinReader {
    /// Starts a thread that reads standard input.
    pub fn new(is_needed: Arc<AtomicBool>) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(1);
        // Detached: it may wait for input that never comes.
        thread::Builder::new().name("stdin".into()).spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let chunk = stdin.fill_buf().map(<[u8]>::to_vec);
                let length = chunk.as_ref().map_or(0, Vec::len);
                let is_last = chunk.is_ok() && length == 0;
                stdin.consume(length);
                if sender.send(chunk).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Cursor::default(), is_needed })
    }
}

impl Read for StdinReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.is_needed.load(Relaxed) {
            let length = self.chunk.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.chunks.recv_timeout(POLL_INTERVAL) {
                Ok(Ok(chunk)) if chunk.is_empty() => break,
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(0)
    }
}
