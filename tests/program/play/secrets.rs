//! Where the secret of the address appears.

use std::os::unix::fs::PermissionsExt;

use super::*;

/// Waits until a file is written, and returns its text.
fn read_soon(path: &Path) -> String {
    let read = || fs::read_to_string(path).unwrap_or_default();
    wait_until(&format!("{path:?} is written"), || read().ends_with('\n'));
    read()
}

/// A server with a browser that only writes its arguments and its environment to files, in its home as it
/// is. Returns the page with which it was opened.
fn start_with_browser(home: &str, settings: &[&str]) -> (Server, String) {
    let folder = folder(home);
    fs::create_dir_all(&folder).unwrap();
    let [opener, opened, environment, page] =
        ["xdg-open", "opened", "environment", "play-page.html"].map(|name| folder.join(name));
    let _ = fs::remove_file(&opened);
    // The file is written whole.
    let script = format!(
        "#!/bin/sh\n/usr/bin/env -0 >{environment:?}\n\
         echo \"$@\" >{opened:?}.part\n/bin/mv {opened:?}.part {opened:?}\n"
    );
    fs::write(&opener, script).unwrap();
    fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).unwrap();
    let log = fs::File::create(folder.join("log")).unwrap();
    let mut command = opening_play(home);
    command.args(settings).env("PATH", &folder);
    command.env("RUST_LOG", "trace").stderr(log);
    let server = Server::run(&mut command);
    // Other users can see the arguments, and the environment is of use to none.
    assert_eq!(read_soon(&opened), format!("{}\n", page.display()));
    let environment = fs::read(environment).unwrap();
    let token = server.host_and_token().1;
    assert!(!String::from_utf8_lossy(&environment).contains(token));
    assert_eq!(fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
    (server, fs::read_to_string(page).unwrap())
}

#[test]
fn the_browser_is_opened_with_a_file_that_leads_to_the_page() {
    let home = "opened";
    let _ = fs::remove_dir_all(folder(home));
    // A page of an earlier start that others can read is replaced.
    fs::create_dir_all(folder(home)).unwrap();
    fs::write(folder(home).join("play-page.html"), "old").unwrap();
    let settings = ["--port", "0", "--level", "easy", "--white"];
    let (server, page) = start_with_browser(home, &settings);
    assert_eq!(server.query, "?level=easy&side=white");
    let address = format!("{}?level=easy&amp;side=white", server.address);
    assert!(page.contains(&format!("<meta http-equiv=\"refresh\" content=\"0; url={address}\">")));
    assert!(page.contains(&format!("<a href=\"{address}\">")), "{page}");

    // Nothing that the server logs has the secret.
    assert!(is_ready(&mut server.board()));
    for path in ["main.js", "no.js", "ws"] {
        server.get(path);
    }
    let log = fs::read_to_string(folder(home).join("log")).unwrap();
    let token = server.host_and_token().1;
    assert!(log.contains("refused: ") && !log.contains(token), "{log}");
}

#[test]
fn another_start_opens_the_browser_at_the_running_server() {
    let home = "opened again";
    let _ = fs::remove_dir_all(folder(home));
    let (server, _) = start_with_browser(home, &[]);
    for (settings, query) in
        [(&["--white"][..], "?side=white"), (&["--level", "hard"], "?level=hard")]
    {
        let (mut second, page) = start_with_browser(home, settings);
        assert_eq!(second.address, server.address);
        assert!(second.process.wait().unwrap().success());
        assert!(page.contains(&format!("url={}{query}\"", server.address)), "{page}");
    }
}

#[test]
fn without_its_file_no_browser_is_opened() {
    let home = "not opened";
    let _ = fs::remove_dir_all(folder(home));
    fs::create_dir_all(folder(home).join("play-page.html")).unwrap();
    let mut command = opening_play(home);
    command.args(["--port", "0"]).env("PATH", folder(home));
    let log = folder(home).join("log");
    let server = Server::run(command.stderr(fs::File::create(&log).unwrap()));
    assert!(is_ready(&mut server.board()));
    let text = fs::read_to_string(log).unwrap();
    assert!(text.contains("open the address in a browser yourself: "), "{text}");
    assert!(text.contains("play-page.html: "), "{text}");
}
