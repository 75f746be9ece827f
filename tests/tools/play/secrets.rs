//! Where the secret of the address appears.

use std::os::unix::fs::PermissionsExt;

use super::*;

/// Waits until a file is written, and returns its text.
fn read_soon(path: &Path) -> String {
    let read = || fs::read_to_string(path).unwrap_or_default();
    wait_until(&format!("{path:?} is written"), || read().ends_with('\n'));
    read()
}

/// A server with a browser that only writes its arguments to a file, in an empty home. Returns what
/// it was opened with.
fn open_browser(home: &str, more: &[&str]) -> (Server, String, Vec<u8>) {
    let _ = fs::remove_dir_all(folder(home));
    start_with_browser(home, &[&["--port", "0"], more].concat())
}

/// The same in the home as it is.
fn start_with_browser(home: &str, settings: &[&str]) -> (Server, String, Vec<u8>) {
    let folder = folder(home);
    fs::create_dir_all(&folder).unwrap();
    let (opener, opened) = (folder.join("xdg-open"), folder.join("opened"));
    let environment = folder.join("environment");
    // The file is written whole.
    let script = format!(
        "#!/bin/sh\n/usr/bin/env -0 >{0:?}\necho \"$@\" >{1:?}.part\n/bin/mv {1:?}.part {1:?}\n",
        environment, opened
    );
    fs::write(&opener, script).unwrap();
    fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).unwrap();
    let log = fs::File::create(folder.join("log")).unwrap();
    let mut command = opening_play(home);
    command.args(settings).env("PATH", &folder);
    command.env("RUST_LOG", "trace").stderr(log);
    let server = Server::run(&mut command);
    let opened = read_soon(&opened).trim_end().to_string();
    (server, opened, fs::read(environment).unwrap())
}

#[test]
fn the_browser_is_opened_without_the_lasting_secret() {
    let home = "opened";
    let (server, opened, environment) = open_browser(home, &["--level", "easy", "--white"]);
    let (host, token) = server.host_and_token();
    assert!(!opened.contains(token), "{opened}");
    assert!(!String::from_utf8_lossy(&environment).contains(token));
    let ticket = opened.strip_prefix(&format!("http://{host}")).unwrap();

    let host_header = format!("Host: {host}");
    let get = |path: &str| server.request(&[&format!("GET {path} HTTP/1.1"), &host_header]);
    // A wrong ticket does not use the right one.
    let (path, query) = ticket.split_once('?').unwrap();
    for wrong in [&path[..path.len() - 1], &format!("{path}0"), "/open/", "/open/0123"] {
        let response = get(wrong);
        assert!(response.starts_with("HTTP/1.1 410 Gone\r\n"), "{wrong}: {response}");
        assert!(response.contains("for 30 seconds"), "{wrong}: {response}");
    }
    let post = server.request(&[&format!("POST {ticket} HTTP/1.1"), &host_header]);
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    let foreign = server.request(&[&format!("GET {ticket} HTTP/1.1"), "Host: evil.example"]);
    assert!(foreign.starts_with("HTTP/1.1 403 "), "{foreign}");

    let response = get(ticket);
    assert!(response.starts_with("HTTP/1.1 303 See Other\r\n"), "{response}");
    let location = format!("\r\nlocation: /{token}/?{query}\r\n");
    assert!(response.contains(&location) && location.contains("level=easy&side=white"));
    assert!(response.contains("\r\ncache-control: no-store\r\n"), "{response}");
    assert!(response.contains("\r\nreferrer-policy: no-referrer\r\n"), "{response}");
    // The address of the page stays valid, the ticket does not.
    for _ in 0..2 {
        assert!(server.get("").ends_with("</html>\n"));
        let response = get(ticket);
        assert!(response.starts_with("HTTP/1.1 410 Gone\r\n"), "{response}");
        assert!(response.contains("has been used") && !response.contains(token), "{response}");
    }

    // Nothing that the server logs has the secret.
    assert!(is_ready(&mut server.board()));
    for path in ["main.js", "no.js", "ws"] {
        server.get(path);
    }
    let log = fs::read_to_string(folder(home).join("log")).unwrap();
    assert!(log.contains("refused: ") && !log.contains(token), "{log}");
}

#[test]
fn another_start_opens_the_browser_without_the_lasting_secret() {
    let home = "opened again";
    let _ = fs::remove_dir_all(folder(home));
    let (server, first, _) = start_with_browser(home, &[]);
    let (host, token) = server.host_and_token();
    for settings in [&["--white"][..], &["--level", "hard"]] {
        fs::remove_file(folder(home).join("opened")).unwrap();
        let (mut second, opened, environment) = start_with_browser(home, settings);
        assert_eq!(second.address, server.address);
        assert!(second.process.wait().unwrap().success());
        assert!(opened != first && !opened.contains(token), "{opened}");
        assert!(!String::from_utf8_lossy(&environment).contains(token));
        let (ticket, query) =
            opened.strip_prefix(&format!("http://{host}")).unwrap().split_once('?').unwrap();
        let get = || {
            server.request(&[&format!("GET {ticket}?{query} HTTP/1.1"), &format!("Host: {host}")])
        };
        assert!(get().contains(&format!("\r\nlocation: /{token}/?{query}\r\n")));
        assert!(get().starts_with("HTTP/1.1 410 Gone\r\n"));
    }
    let mode = fs::metadata(folder(home).join("play-server")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_secret_that_others_could_read_is_replaced() {
    let home = "exposed";
    let folder = folder(home);
    let _ = fs::remove_dir_all(&folder);
    let token = || Server::at_any_port(home).host_and_token().1.to_string();
    let first = token();
    assert_eq!(token(), first);
    let file = folder.join("play-token");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let second = token();
    assert_ne!(second, first);
    assert_eq!(token(), second);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
