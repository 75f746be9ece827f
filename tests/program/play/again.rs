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
    let text = fs::read_to_string(folder(home).join("play-server")).unwrap();
    let (host, token) = server.host_and_token();
    let port = host.strip_prefix("127.0.0.1:").unwrap();
    assert_eq!(text, format!("{token} {port}\n"));
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
    let _ = fs::remove_dir_all(folder(other));
    assert_ne!(Server::start(other, &[]).host_and_token().0, server.host_and_token().0);
    assert_eq!(another_start(home, &[]), server.address);
}

/// What the file may name: nothing, no port, a free port, or another program.
#[test]
fn a_file_without_a_server_is_replaced() {
    let home = "again stale";
    drop(first_start(home));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let foreign = listener.local_addr().unwrap().port().to_string();
    let free = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port().to_string()
    };
    let long = "7".repeat(100);
    let secret = "0".repeat(32);
    for text in ["", "no port", "70000", &long, &free, &foreign] {
        let file = folder(home).join("play-server");
        fs::write(&file, format!("{secret} {text}\n")).unwrap();
        let server = Server::start(home, &[]);
        assert!(is_ready(&mut server.board()), "{text}");
        assert_eq!(another_start(home, &[]), server.address, "{text}");
    }
    // No start sends anything to another program.
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    // A folder in its place is an error that does not stop the server.
    let file = folder(home).join("play-server");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(is_ready(&mut Server::start(home, &[]).board()));
    fs::remove_dir(&file).unwrap();
}

/// The running server does not accept another secret.
#[test]
fn a_start_with_another_secret_has_a_server_of_its_own() {
    let home = "again changed";
    let server = first_start(home);
    fs::remove_file(folder(home).join("play-server")).unwrap();
    let second = Server::start(home, &[]);
    assert_ne!(second.address, server.address);
    assert_eq!(another_start(home, &[]), second.address);
}

#[test]
fn the_last_port_is_taken_again() {
    let home = "again port";
    // Occupies the default port, unless it is in use already.
    let _taken = take_default_port();
    let first = first_start(home).host_and_token().0.to_string();
    assert_eq!(Server::start(home, &[]).host_and_token().0, first);
}
