//! The engine of one connection: the protocol on its own threads, with bounded queues of lines.

use std::io::{self, BufRead, Cursor, Read, Write};
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use soucie::games::Tablebases;
use soucie::protocol::UciLoop;

/// The maximum number of lines that wait in each direction. The protocol itself reads some more
/// ahead.
const LINES_AHEAD: usize = 16;

/// The ends of a running engine. Dropping them ends the engine at once, also during a search.
pub struct HostedEngine {
    /// The lines to the engine. Sending waits while the engine is busy.
    pub input: Sender<Utf8Bytes>,
    /// The lines of the engine. The engine waits until they are received.
    pub output: Receiver<String>,
    /// The result of the protocol, when it has ended.
    pub result: oneshot::Receiver<io::Result<()>>,
}

impl HostedEngine {
    /// Starts an engine, which keeps `slot` until it has ended.
    pub fn start(tables: Tablebases, slot: Arc<OwnedSemaphorePermit>) -> io::Result<Self> {
        let (input, lines) = channel(LINES_AHEAD);
        let (sender, output) = channel(LINES_AHEAD);
        let (end, result) = oneshot::channel();
        let run = move || {
            let input = LineReader { lines, line: Cursor::default(), ended: false };
            let output = LineWriter { lines: sender, partial: Vec::new() };
            let uci = UciLoop::new().with_tables(tables).without_files();
            // An error means that the connection is closed.
            let _ = end.send(uci.run(input, output));
            drop(slot);
        };
        thread::Builder::new().name("engine".into()).spawn(run)?;
        Ok(Self { input, output, result })
    }
}

/// Reads the lines from the socket. The end of the connection reads as `quit`: the end of input
/// alone would let pending searches finish.
struct LineReader {
    lines: Receiver<Utf8Bytes>,
    line: Cursor<Vec<u8>>,
    ended: bool,
}

impl BufRead for LineReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let is_read = self.line.position() == self.line.get_ref().len() as u64;
        if is_read && !self.ended {
            let line = self.lines.blocking_recv();
            self.ended = line.is_none();
            self.line =
                Cursor::new([line.as_deref().unwrap_or("quit"), "\n"].concat().into_bytes());
        }
        self.line.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.line.consume(amount);
    }
}

impl Read for LineReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Sends each written line to the socket.
struct LineWriter {
    lines: Sender<String>,
    partial: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial.extend_from_slice(part);
            if self.partial.pop_if(|byte| *byte == b'\n').is_some() {
                let line = String::from_utf8_lossy(&self.partial).into_owned();
                self.partial.clear();
                self.lines.blocking_send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_lines_and_the_end_as_quit() {
        let (sender, lines) = channel(4);
        for line in ["uci", "", "isready\ngo"] {
            sender.blocking_send(line.into()).unwrap();
        }
        drop(sender);
        let mut text = String::new();
        let mut reader = LineReader { lines, line: Cursor::default(), ended: false };
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "uci\n\nisready\ngo\nquit\n");
    }

    #[test]
    fn written_lines_are_sent_as_messages() {
        let (lines, mut output) = channel(8);
        let mut writer = LineWriter { lines, partial: Vec::new() };
        for part in ["readyok\n", "id name ", "Soucie\nuciok\n\n", "partial"] {
            writer.write_all(part.as_bytes()).unwrap();
        }
        drop(writer);
        let lines: Vec<String> = std::iter::from_fn(|| output.blocking_recv()).collect();
        assert_eq!(lines, ["readyok", "id name Soucie", "uciok", ""]);
    }
}
