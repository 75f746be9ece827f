//! Clients that overload the server or disconnect without closing the connection.

use std::io::ErrorKind;
use std::thread;

use super::*;

/// The growth of memory that is accepted, in KiB.
const TOLERANCE: u64 = 16 << 10;

/// The resources of a server process, as Linux reports them.
#[derive(Clone, Copy, Debug)]
struct Status {
    /// The resident memory in KiB.
    memory: u64,
    threads: u64,
}

impl Status {
    /// The status; `None` on other systems.
    fn of(server: &Server) -> Option<Self> {
        let number = |name| programs::status(server.process.id(), name);
        Some(Self { memory: number("VmRSS")?, threads: number("Threads")? })
    }
}

impl Server {
    /// Waits until the server has no more threads and memory than `before`, with a tolerance.
    fn check_status(&self, before: Option<Status>) {
        let is_back = |before: Status| {
            let now = Status::of(self).unwrap();
            now.threads <= before.threads && now.memory <= before.memory + TOLERANCE
        };
        let what = format!("threads and memory are as before, {before:?}");
        wait_until(&what, || before.is_none_or(is_back));
    }

    /// Sends the start of a request.
    fn partial_request(&self) -> TcpStream {
        let mut stream = self.connect();
        write!(stream, "GET /{}/ HTTP/1.1\r\nHost: ", self.host_and_token().1).unwrap();
        stream
    }
}

/// A line in a client frame with the mask zero.
fn frame(line: &str) -> Vec<u8> {
    assert!(line.len() < 126);
    [&[0x81, 0x80 | line.len() as u8, 0, 0, 0, 0], line.as_bytes()].concat()
}

#[test]
fn disconnected_clients_leave_no_threads_or_memory() {
    let server = Server::at_any_port("vanished");
    let before = Status::of(&server);
    let mut long_commands =
        ["go infinite", "go depth 100", "go movetime 600000", "go perft 30", "bench 60"]
            .into_iter()
            .cycle();
    for i in 0..1000 {
        match i % 4 {
            0 => drop(server.connect()),
            1 => drop(server.partial_request()),
            2 => {
                let mut unread = server.partial_request();
                write!(unread, "{}\r\n\r\n", server.host_and_token().0).unwrap();
            }
            _ => {
                let mut board = server.board();
                assert!(is_ready(&mut board));
                send_line(&mut board, long_commands.next().unwrap());
            }
        }
    }
    assert!(is_ready(&mut server.board()));
    server.check_status(before);
}

#[test]
fn partial_requests_time_out() {
    let server = Server::at_any_port("half requests");
    let mut board = server.board();
    let mut streams: Vec<TcpStream> = (0..100).map(|_| server.partial_request()).collect();
    assert!(is_ready(&mut board));
    assert!(server.get("").ends_with("</html>\n"));
    for stream in &mut streams {
        let mut rest = Vec::new();
        assert!(stream.read_to_end(&mut rest).is_ok() && rest.is_empty(), "{rest:?}");
    }
    assert!(is_ready(&mut board));
}

#[test]
fn endless_request_is_cut_off() {
    let server = Server::at_any_port("endless request");
    let before = Status::of(&server);
    let mut stream = server.partial_request();
    let sent = (0..1 << 10).take_while(|_| stream.write_all(&[b'x'; 1 << 16]).is_ok()).count();
    assert!(sent < 1 << 10, "{sent}");
    assert!(server.get("").ends_with("</html>\n"));
    server.check_status(before);
}

#[test]
fn every_line_of_a_flood_is_answered() {
    const LINES: usize = 100_000;
    let server = Server::at_any_port("many lines");
    let mut other = server.board();
    let mut board = server.board();
    assert!(is_ready(&mut other) && is_ready(&mut board));
    let before = Status::of(&server);
    let mut input = board.get_ref().try_clone().unwrap();
    let flood = thread::spawn(move || input.write_all(&frame("isready").repeat(LINES)));
    let wanted = b"\x81\x07readyok";
    let mut output = BufReader::new(board.get_mut());
    for line in 0..LINES {
        let mut read = [0; 9];
        output.read_exact(&mut read).unwrap();
        while read[..2] == [0x89, 0] {
            read.copy_within(2.., 0);
            output.read_exact(&mut read[7..]).unwrap();
        }
        assert_eq!(&read, wanted);
        if line % 10_000 == 0 {
            assert!(is_ready(&mut other));
        }
    }
    assert!(flood.join().unwrap().is_ok());
    server.check_status(before);
}

#[test]
fn client_that_does_not_read_is_disconnected() {
    let server = Server::at_any_port("unread");
    let mut other = server.board();
    assert!(is_ready(&mut other));
    let before = Status::of(&server);
    let mut board = server.board();
    board.get_mut().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let lines = frame("uci").repeat(1_000);
    let mut sent = 0;
    wait_until("the connection is closed", || {
        match board.get_mut().write(&lines[sent..]) {
            Ok(count) => sent = (sent + count) % lines.len(),
            Err(error) if error.kind() == ErrorKind::WouldBlock => assert!(is_ready(&mut other)),
            Err(_) => return true,
        }
        if let (Some(before), Some(now)) = (before, Status::of(&server)) {
            // The engine has a transposition table of 16 MiB.
            assert!(now.memory < before.memory + 3 * TOLERANCE, "{before:?}, {now:?}");
        }
        false
    });
    server.check_status(before);
    assert!(is_ready(&mut other));
}

#[cfg(unix)]
#[test]
fn signal_ends_the_server_and_its_boards() {
    for signal in ["INT", "TERM"] {
        let mut server = Server::at_any_port("signals");
        let mut board = server.board();
        send_line(&mut board, "go infinite");
        receive_until(&mut board, "info depth 5 ");
        programs::signal(&server.process, signal);
        assert_eq!(close_reason(&mut board), "the server has ended (1001)");
        assert!(wait_for_exit(&mut server.process).success());
    }
}
