//! Several starts of `soucie play`: one server, unless another one is requested.

use super::*;

/// A server that another start finds, in an empty home.
fn first_start(home: &str) -> Server {
    let _ = fs::remove_dir_all(folder(home));
    Server::start(home, &[])
}

/// Another start, which ends: the address that it prints.
fn another_start(home: &str, more: &[&str]) -> String {
    let output = play(home).args(more).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("an earlier start has this page"), "{notes}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_string()
}

#[test]
fn another_start_finds_the_server() {
    let home = "again";
    let server = first_start(home);
    let port = fs::read_to_string(folder(home).join("play-server")).unwrap();
    assert!(server.host_and_token().0.ends_with(&format!(":{}", port.trim_end())), "{port}");
    for (settings, query) in [
        (&[][..], ""),
        (&["--variant", "draughts", "--white"], "?variant=englishdraughts&side=white"),
    ] {
        assert_eq!(another_start(home, settings), format!("{}{query}", server.address));
    }
    assert!(is_ready(&mut server.board()));
}

#[test]
fn other_options_and_users_start_servers_of_their_own() {
    let (home, other) = ("again alone", "again other");
    let server = first_start(home);
    assert_ne!(Server::start(home, &["--port", "0"]).address, server.address);
    // Its own tables are read, and there are none.
    let output = play(home).args(["--tables", env!("CARGO_TARGET_TMPDIR")]).output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    // The file leads another user to a server with another token.
    let _ = fs::remove_dir_all(folder(other));
    fs::create_dir_all(folder(other)).unwrap();
    fs::copy(folder(home).join("play-server"), folder(other).join("play-server")).unwrap();
    assert_ne!(Server::start(other, &[]).host_and_token().0, server.host_and_token().0);
    assert_eq!(another_start(home, &[]), server.address);
}

/// What the file may name: nothing, no port, a free port, or another program.
#[test]
fn a_file_without_a_server_is_replaced() {
    let home = "again stale";
    drop(first_start(home));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = listener.local_addr().unwrap().port().to_string();
    let answering = TcpListener::bind("127.0.0.1:0").unwrap();
    let foreign = answering.local_addr().unwrap().port().to_string();
    std::thread::spawn(move || {
        for stream in answering.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 200];
            let _ = stream.read(&mut request);
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}\n", "0".repeat(32));
        }
    });
    let free = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port().to_string()
    };
    let long = "7".repeat(100);
    for text in ["", "no port", "70000", &long, &free, &foreign, &silent] {
        let file = folder(home).join("play-server");
        fs::write(&file, text).unwrap();
        let server = Server::start(home, &[]);
        assert!(is_ready(&mut server.board()), "{text}");
        assert_eq!(another_start(home, &[]), server.address, "{text}");
    }
    // A folder in its place is an error that does not stop the server.
    let file = folder(home).join("play-server");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(is_ready(&mut Server::start(home, &[]).board()));
    fs::remove_dir(&file).unwrap();
}

#[test]
fn the_last_port_is_taken_again() {
    let home = "again port";
    // Occupies the default port, unless it is in use already.
    let _taken = take_default_port();
    let first = first_start(home).host_and_token().0.to_string();
    assert_eq!(Server::start(home, &[]).host_and_token().0, first);
}

#[test]
fn only_a_start_with_the_token_is_answered() {
    let server = Server::at_any_port("again asked");
    let (host, token) = server.host_and_token();
    let signed = "0".repeat(32);
    let wrong = format!("{signed}/{signed}");
    for path in [wrong, format!("{signed}/{token}"), signed, String::new(), "/".to_string()] {
        let head = [format!("GET /find/{path} HTTP/1.1"), format!("Host: {host}")];
        let response = server.request(&head.each_ref().map(String::as_str));
        assert!(response.starts_with("HTTP/1.1 403 "), "{path}: {response}");
        assert!(!response.contains(token), "{path}: {response}");
    }
}
