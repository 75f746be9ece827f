//! Requests and messages that the server refuses.

use super::*;

/// The headers of a WebSocket handshake, as a browser sends them.
const HANDSHAKE: [&str; 4] = [
    "Connection: keep-alive, Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

#[test]
fn invalid_requests_are_refused() {
    let server = Server::at_any_port("refused requests");
    let (host, token) = server.host_and_token();
    let port = host.strip_prefix("127.0.0.1:").unwrap();
    let wrong_token = "0".repeat(32);
    let page = format!("GET /{token}/ HTTP/1.1");
    let host_header = format!("Host: {host}");
    let wrong_path = "open the whole address that 'soucie play' prints\n";
    let wrong_host = "this server answers to the address of this computer only\n";
    for (request, header, status, text) in [
        (&page, &host_header, "200 OK", "</html>\n"),
        (&page, &format!("Host: localhost:{port}"), "200 OK", "</html>\n"),
        (&"GET / HTTP/1.1".into(), &host_header, "403 Forbidden", wrong_path),
        (&"GET /favicon.ico HTTP/1.1".into(), &host_header, "403 Forbidden", wrong_path),
        (&format!("GET /{wrong_token}/ HTTP/1.1"), &host_header, "403 Forbidden", wrong_path),
        (&format!("GET /{token} HTTP/1.1"), &host_header, "403 Forbidden", wrong_path),
        (&format!("GET /{}/ HTTP/1.1", &token[1..]), &host_header, "403 Forbidden", wrong_path),
        (&format!("GET //{token}/ HTTP/1.1"), &host_header, "403 Forbidden", wrong_path),
        (&page, &"Accept: */*".into(), "403 Forbidden", wrong_host),
        (&page, &"Host: evil.example".into(), "403 Forbidden", wrong_host),
        (&page, &format!("Host: evil.example:{port}"), "403 Forbidden", wrong_host),
        (&page, &format!("Host: [::1]:{port}"), "403 Forbidden", wrong_host),
        (&page, &"Host: 127.0.0.1".into(), "403 Forbidden", wrong_host),
        (&page, &format!("Host: 127.0.0.1:{port}0"), "403 Forbidden", wrong_host),
        (&page, &format!("{host_header}\r\n{host_header}"), "403 Forbidden", wrong_host),
        (
            &format!("GET http://evil.example/{token}/ HTTP/1.1"),
            &host_header,
            "403 Forbidden",
            wrong_host,
        ),
        (&format!("GET /{token}/no.js HTTP/1.1"), &host_header, "404 Not Found", "no such file\n"),
        (&format!("GET /{token}/../ HTTP/1.1"), &host_header, "404 Not Found", "no such file\n"),
        (
            &page.replace("GET", "POST"),
            &host_header,
            "405 Method Not Allowed",
            "expected the method GET\n",
        ),
        (&page.replace("GET", "HEAD"), &host_header, "405 Method Not Allowed", ""),
        (
            &page.replace("GET", "OPTIONS"),
            &host_header,
            "405 Method Not Allowed",
            "expected the method GET\n",
        ),
        (&"nonsense".into(), &host_header, "400 Bad Request", ""),
    ] {
        let response = server.request(&[request, header]);
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status}\r\n")),
            "{request} {header}: {response}"
        );
        assert!(response.ends_with(text), "{request} {header}: {response}");
    }
}

#[test]
fn every_response_has_the_security_headers() {
    let server = Server::at_any_port("headers");
    let (host, _) = server.host_and_token();
    let port = host.strip_prefix("127.0.0.1:").unwrap();
    let headers = [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
        // No address with brackets: browsers report it as an error.
        &format!("; connect-src 'self' ws://{host} ws://localhost:{port}; "),
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
        "x-content-type-options: nosniff\r\n",
        "referrer-policy: no-referrer\r\n",
        "cross-origin-opener-policy: same-origin\r\n",
        "cross-origin-resource-policy: same-origin\r\n",
    ];
    for (response, cache) in [
        (server.get(""), "no-cache"),
        (server.get("main.js"), "no-cache"),
        (server.get("ws"), "no-store"),
        (server.request(&["POST / HTTP/1.1"]), "no-store"),
    ] {
        let (head, _) = response.split_once("\r\n\r\n").unwrap();
        let head = format!("{head}\r\n");
        let cache = format!("cache-control: {cache}\r\n");
        for header in headers.into_iter().chain([cache.as_str()]) {
            assert!(head.contains(header), "{header}: {head}");
        }
        assert_eq!(head.matches("cache-control").count(), 1, "{head}");
        assert!(!head.contains("access-control-"), "{head}");
    }
}

#[test]
fn a_known_file_is_not_sent_again() {
    let server = Server::at_any_port("tags");
    let (host, token) = server.host_and_token();
    let tag = |response: &str| {
        let (_, rest) = response.split_once("\r\netag: ").unwrap();
        rest.split("\r\n").next().unwrap().to_string()
    };
    let (page, script) = (tag(&server.get("")), tag(&server.get("main.js")));
    assert_ne!(page, script);
    for (path, known, status) in [
        ("main.js", script.as_str(), "304 Not Modified"),
        ("main.js", page.as_str(), "200 OK"),
        ("main.js", "nonsense", "200 OK"),
        ("", page.as_str(), "304 Not Modified"),
        ("missing.js", script.as_str(), "404 Not Found"),
    ] {
        let response = server.request(&[
            &format!("GET /{token}/{path} HTTP/1.1"),
            &format!("Host: {host}"),
            &format!("If-None-Match: {known}"),
        ]);
        assert!(response.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{path}: {response}");
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        assert_eq!(body.is_empty(), status.starts_with("304"), "{path}");
    }
    // The page names its files by paths that change with them, so that they need not be asked for again.
    let page = server.get("");
    let (_, rest) = page.split_once("<script type=\"module\" src=\"").unwrap();
    let (named, _) = rest.split_once("all.js\"").unwrap();
    assert!(page.contains(&format!("href=\"{named}page.css\"")), "{named}");
    for (path, cached) in [
        (format!("{named}all.js"), "max-age=31536000, immutable"),
        ("main.js".to_string(), "no-cache"),
        (String::new(), "no-cache"),
    ] {
        let response = server.get(&path);
        assert!(response.contains(&format!("\r\ncache-control: {cached}\r\n")), "{path}");
    }
}

#[test]
fn only_the_page_can_open_a_board() {
    let server = Server::at_any_port("origins");
    let (host, token) = server.host_and_token();
    let port = host.strip_prefix("127.0.0.1:").unwrap();
    let own_origin = format!("http://{host}");
    let wrong_origin = "only the page of this server can connect\n";
    for (token, origin, status, text) in [
        (token, None, "403 Forbidden", wrong_origin),
        (token, Some("null"), "403 Forbidden", wrong_origin),
        (token, Some("http://evil.example"), "403 Forbidden", wrong_origin),
        (token, Some("http://127.0.0.1"), "403 Forbidden", wrong_origin),
        (token, Some(&format!("http://localhost:{port}")), "403 Forbidden", wrong_origin),
        (token, Some(&format!("https://{host}")), "403 Forbidden", wrong_origin),
        (
            token,
            Some(&format!("{own_origin}\r\nOrigin: {own_origin}")),
            "403 Forbidden",
            wrong_origin,
        ),
        ("token", Some(own_origin.as_str()), "403 Forbidden", "'soucie play' prints\n"),
    ] {
        let (request, host) = (format!("GET /{token}/ws HTTP/1.1"), format!("Host: {host}"));
        let origin = origin.map(|origin| format!("Origin: {origin}"));
        let mut head = vec![request.as_str(), &host];
        head.extend(HANDSHAKE);
        head.extend(origin.as_deref());
        let response = server.request(&head);
        assert!(response.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{origin:?}: {response}");
        assert!(response.ends_with(text), "{origin:?}: {response}");
    }
    for missing in 0..HANDSHAKE.len() {
        let (request, host) = (format!("GET /{token}/ws HTTP/1.1"), format!("Host: {host}"));
        let origin = format!("Origin: {own_origin}");
        let mut head = vec![request.as_str(), &host, &origin];
        head.extend(HANDSHAKE.iter().enumerate().filter(|(i, _)| *i != missing).map(|(_, h)| h));
        let response = server.request(&head);
        assert!(response.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{missing}: {response}");
        assert!(
            response.ends_with("\r\n\r\nexpected a WebSocket handshake\n"),
            "{missing}: {response}"
        );
    }
    assert!(is_ready(&mut server.board()));
}

#[test]
fn a_fifth_board_is_refused_until_another_is_closed() {
    let server = Server::at_any_port("five boards");
    let mut boards: Vec<Board> = (0..4).map(|_| server.board()).collect();
    for _ in 0..2 {
        let mut fifth = server.board();
        assert_eq!(close_reason(&mut fifth), "four boards are open already; close one (1013)");
    }
    assert!(boards.iter_mut().all(is_ready));
    drop(boards.pop());
    assert!(is_ready(&mut server.board()));
    assert!(boards.iter_mut().all(is_ready));
}

#[test]
fn invalid_messages_close_the_connection() {
    let server = Server::at_any_port("messages");
    let mut other = server.board();
    let longest = "x".repeat(1 << 20);
    for (message, reason) in [
        (Message::binary(&b"isready"[..]), "binary message; expected a line of text (1003)"),
        (Message::binary(vec![0; 1 << 20]), "binary message; expected a line of text (1003)"),
        (Message::text(longest.clone() + "x"), "line longer than 1048576 bytes (1009)"),
        (Message::text(longest.repeat(2)), "line longer than 1048576 bytes (1009)"),
        (Message::binary(longest.repeat(64)), "line longer than 1048576 bytes (1009)"),
    ] {
        let mut board = server.board();
        assert!(is_ready(&mut board));
        // The server may close the connection before a long message is sent.
        let _ = board.send(message);
        assert_eq!(close_reason(&mut board), reason);
        assert!(is_ready(&mut other));
    }
    // A line of the maximum length is accepted.
    send_line(&mut other, &longest);
    assert!(receive_line(&mut other).starts_with("info string error unknown command 'xxx"));
}

#[test]
fn invalid_frames_close_the_connection() {
    let server = Server::at_any_port("frames");
    for (frame, code) in [
        // Without a mask.
        (&b"\x81\x07isready"[..], 1002),
        // A reserved opcode.
        (b"\x83\x80\0\0\0\0", 1002),
        // Text that is not UTF-8.
        (b"\x81\x81\0\0\0\0\xff", 1007),
        // A fragmented ping.
        (b"\x09\x80\0\0\0\0", 1002),
        // A message of 2^63 bytes.
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 1009),
    ] {
        let mut board = server.board();
        board.get_mut().write_all(frame).unwrap();
        let reason = close_reason(&mut board);
        assert!(reason.ends_with(&format!(" ({code})")), "{frame:?}: {reason}");
    }
    assert!(is_ready(&mut server.board()));
}
