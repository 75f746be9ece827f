//! `soucie play`: the server of the board page.

mod again;
mod faults;
mod refusals;
#[cfg(target_os = "linux")]
mod secrets;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{fs, thread};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

use crate::programs;
use crate::programs::waits::{TIMEOUT, wait_for_exit, wait_until};

/// The WebSocket connection between a page and its engine.
type Board = WebSocket<TcpStream>;

/// The command with its own home directory.
fn play(home: &str) -> Command {
    let mut command = opening_play(home);
    command.arg("--no-open");
    command
}

/// The command with its own home directory, which opens the browser.
fn opening_play(home: &str) -> Command {
    let mut command = programs::soucie();
    command.arg("play").env("SOUCIE_HOME", folder(home));
    command
}

/// The home directory of a test.
fn folder(home: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("play").join(home)
}

/// A server process, which is killed at the end of the test.
struct Server {
    process: Child,
    /// The address without the query.
    address: String,
    /// The query, with its question mark.
    query: String,
}

impl Server {
    /// Starts a server with its own home directory.
    fn start(home: &str, more: &[&str]) -> Self {
        Self::run(play(home).args(more).stderr(Stdio::null()))
    }

    /// Starts a command.
    fn run(command: &mut Command) -> Self {
        // Lets the C library of Linux return the memory of freed tables at once.
        command.env("MALLOC_MMAP_THRESHOLD_", "262144").env("MALLOC_TRIM_THRESHOLD_", "262144");
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(output.by_ref().lines().next()));
        let line = receiver.recv_timeout(TIMEOUT);
        if line.is_err() {
            let _ = process.kill();
        }
        let line = line.expect("an address in time").unwrap().unwrap();
        let (address, query) = line.trim_end().split_at(line.rfind('/').unwrap() + 1);
        Self { process, address: address.to_string(), query: query.to_string() }
    }

    fn at_any_port(home: &str) -> Self {
        Self::start(home, &["--port", "0"])
    }

    /// The host with its port, and the token in the path of the page.
    fn host_and_token(&self) -> (&str, &str) {
        let (host, token) = self.address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host, token.trim_end_matches('/'))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host_and_token().0).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends a request with these lines and returns the response.
    fn request(&self, head: &[&str]) -> String {
        let mut stream = self.connect();
        write!(stream, "{}\r\n\r\n", head.join("\r\n")).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// Requests a file and returns the response.
    fn get(&self, path: &str) -> String {
        let (host, token) = self.host_and_token();
        self.request(&[&format!("GET /{token}/{path} HTTP/1.1"), &format!("Host: {host}")])
    }

    /// Opens a board, as the page does.
    fn board(&self) -> Board {
        let (host, token) = self.host_and_token();
        let mut request = format!("ws://{host}/{token}/ws").into_client_request().unwrap();
        let origin = format!("http://{host}").parse().unwrap();
        request.headers_mut().insert("origin", origin);
        tungstenite::client(request, self.connect()).unwrap().0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a line.
fn send_line(board: &mut Board, line: &str) {
    board.send(Message::text(line)).unwrap();
}

/// Whether the engine answers `isready`.
fn is_ready(board: &mut Board) -> bool {
    send_line(board, "isready");
    !receive_until(board, "readyok").is_empty()
}

/// The next message. A read with a timeout is interrupted when the system suspends the process.
fn next_message(board: &mut Board) -> Message {
    loop {
        match board.read() {
            Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
            message => return message.unwrap(),
        }
    }
}

/// The reason and the code with which the server closes a board.
fn close_reason(board: &mut Board) -> String {
    loop {
        match next_message(board) {
            Message::Close(Some(frame)) => return frame.to_string(),
            Message::Close(None) => panic!("no reason"),
            _ => {}
        }
    }
}

/// The next line.
fn receive_line(board: &mut Board) -> String {
    loop {
        match next_message(board) {
            Message::Text(line) => return line.to_string(),
            Message::Ping(_) | Message::Pong(_) => {}
            message => panic!("{message:?}"),
        }
    }
}

/// All lines up to the first that starts with `start`.
fn receive_until(board: &mut Board, start: &str) -> Vec<String> {
    let mut lines = vec![receive_line(board)];
    while !lines.last().is_some_and(|line| line.starts_with(start)) {
        lines.push(receive_line(board));
    }
    lines
}

#[test]
fn every_file_of_the_page_is_served() {
    let server = Server::at_any_port("files");
    for entry in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/program/web/page")).unwrap()
    {
        let path = entry.unwrap().path();
        if path.to_str().unwrap().ends_with(".d.ts") {
            continue;
        }
        let media_type = match path.extension().unwrap().to_str().unwrap() {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{other}"),
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        let response = server.get(if name == "index.html" { "" } else { name });
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{name}: {head}");
        assert!(head.contains(&format!("content-type: {media_type}\r\n")), "{name}: {head}");
        if name == "index.html" {
            assert!(body.contains("id=\"grid-numbered\"") && !body.contains(" -->"));
        } else {
            assert_eq!(body, fs::read_to_string(&path).unwrap(), "{name}");
        }
    }
    let all = server.get("all.js");
    let is_module = |line: &str| line.starts_with("import ") || line.starts_with("export ");
    assert!(all.contains("class Play") && !all.lines().any(is_module));
}

#[test]
#[cfg(target_os = "linux")]
fn unusable_tables_in_the_default_folder_do_not_stop_the_server() {
    let tables = Path::new(env!("CARGO_TARGET_TMPDIR")).join("play/unusable/tables");
    fs::create_dir_all(tables).unwrap();
    assert!(is_ready(&mut Server::at_any_port("unusable").board()));
}

#[test]
fn each_board_has_its_own_engine() {
    let server = Server::at_any_port("engines");
    let mut boards = [server.board(), server.board()];
    send_line(&mut boards[0], "setoption name UCI_Variant value draughts");
    for board in &mut boards {
        for line in ["uci", "position startpos", "moves", "go infinite", "stop"] {
            send_line(board, line);
        }
        let lines = receive_until(board, "uciok");
        assert!(lines.contains(&"id author the Soucie authors".to_string()), "{lines:?}");
    }
    let moves = boards.each_mut().map(receive_line);
    assert!(moves[0].starts_with("moves ") && moves[0].contains(" b6a5 "), "{moves:?}");
    assert!(moves[1].starts_with("moves ") && moves[1].contains(" b1b3 "), "{moves:?}");
    for board in &mut boards {
        receive_until(board, "bestmove ");
        send_line(board, "setoption name EvalFile value /etc/passwd");
        assert!(receive_line(board).ends_with("this client may not name files"));
        send_line(board, "quit");
        assert_eq!(close_reason(board), "the engine has quit (1000)");
    }
}

#[test]
fn settings_are_in_the_address() {
    for (settings, query) in [
        (&[][..], ""),
        (&["--variant", "draughts"], "?variant=englishdraughts"),
        (&["--level", "easy", "--white"], "?level=easy&side=white"),
        (
            &["--variant", "LOA", "--elo", "900", "--black"],
            "?variant=linesofaction&elo=900&side=black",
        ),
    ] {
        let settings = [&["--port", "0"], settings].concat();
        assert_eq!(Server::start("settings", &settings).query, query);
    }
    for (settings, error) in [
        (&["--variant", "chess"][..], "expected one of linesofaction"),
        (&["--tables", "no such directory"], "no such directory"),
        (&["--black", "--white"], "cannot be used with"),
        (&["--elo", "900", "--level", "easy"], "cannot be used with"),
    ] {
        let output = play("settings").args(settings).output().unwrap();
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(error), "{text}");
    }
}

/// Occupies the default port. Servers of other tests use it for a moment, a program of the user for
/// longer: then it is taken as well.
fn take_default_port() -> Option<TcpListener> {
    let taken = || {
        TcpListener::bind("127.0.0.1:7411").ok().or_else(|| {
            thread::sleep(Duration::from_millis(50));
            None
        })
    };
    (0..400).find_map(|_| taken())
}

#[test]
fn default_port_may_be_in_use_but_a_given_one_may_not() {
    let _taken = take_default_port();
    let server = Server::start("ports", &[]);
    let port = server.host_and_token().0.strip_prefix("127.0.0.1:").unwrap();
    assert_ne!(port, "7411");

    let second = play("ports").args(["--port", port]).output().unwrap();
    assert!(!second.status.success() && second.stdout.is_empty());
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(error.starts_with(&format!("soucie: cannot listen on 127.0.0.1:{port}: ")), "{error}");
}

#[cfg(unix)]
#[test]
fn token_is_kept_if_it_can_be_stored() {
    let token = |home: &str| Server::at_any_port(home).host_and_token().1.to_string();
    let first = token("tokens");
    assert_eq!(first.len(), 32);
    assert_eq!(token("tokens"), first);
    assert_ne!(token("other tokens"), first);
    // With a file in place of the home directory, the token cannot be stored.
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("play/no directory");
    fs::write(&home, "").unwrap();
    assert_ne!(token("no directory"), token("no directory"));
}

#[test]
fn the_page_names_no_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/program/web/page");
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphabetic()).collect();
        for variant in soucie::games::variants() {
            assert!(!text.contains(&variant.title.to_lowercase()), "{path:?}: {}", variant.title);
            for name in variant.aliases.iter().chain([&variant.name]) {
                assert!(!words.contains(name), "{path:?}: {name}");
            }
        }
    }
}
