//! Analysis as a filter: a line of JSON for each line of input.

use super::*;

/// The reply to each line is printed before the next line is sent.
#[test]
fn filter_replies_line_by_line() {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "1000", "--jobs", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let game = DRAUGHTS.replace('\n', " ");
    let table = [
        ("8/8/3l4/8/8/3L4/8/8 b", "position"),
        ("hello", "error"),
        (&game, "game"),
        ("(;GM[9];B[b8-b6])", "game"),
        ("(;GM[9];B[b8-b6])(;GM[9];B[b8-b6])", "error"),
        ("(;GM[9]", "error"),
        (SHORT, "game"),
    ];
    for (i, (line, kind)) in table.iter().enumerate() {
        writeln!(input, "{line}").unwrap();
        let mut reply = String::new();
        output.read_line(&mut reply).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert!(!reply[kind].is_null(), "{line}: {reply}");
        assert_eq!(reply["line"], i as u64 + 1, "{reply}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn filter_ends_when_its_output_is_closed() {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "10"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "startpos moves d1b3").unwrap();
    wait_for_exit(&mut child);
    drop(input);
}

/// The replies of a filter to this input.
fn replies_to(input: Stdio, write: impl FnOnce(&mut Option<ChildStdin>)) -> Vec<Value> {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100"]).stdin(input).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    write(&mut child.stdin);
    drop(child.stdin.take());
    json(&child.wait_with_output().unwrap())
}

#[test]
fn filter_continues_after_a_line_that_is_too_long() {
    let found = replies_to(Stdio::piped(), |input| {
        let input = input.as_mut().unwrap();
        for _ in 0..5 {
            input.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        input.write_all(b"\n8/8/3l4/8/8/3L4/8/8 b\n").unwrap();
    });
    let too_long = "line longer than 4194304 bytes ignored";
    assert_eq!((&found[0]["line"], &found[0]["error"]), (&1.into(), &too_long.into()));
    assert_eq!((&found[1]["line"], &found[1]["position"]), (&2.into(), &2.into()));
    assert_eq!(found.len(), 2);
}

#[test]
#[cfg(unix)]
fn input_error_is_reported_once() {
    let found = replies_to(fs::File::open(".").unwrap().into(), |_| {});
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["line"], 1);
}

/// The output of parts that are analysed separately is that of one run, in another order.
#[test]
fn ids_make_the_parts_of_an_input_independent() {
    let game = DRAUGHTS.replace('\n', " ");
    let texts = [
        "8/8/3l4/8/8/3L4/8/8 b",
        "hello",
        &game,
        SHORT,
        "(;GM[9]",
        "W:WK14:BK1,K6",
        "11-15 bad",
        "",
        " ",
    ];
    let lines: Vec<String> =
        (100..).zip(texts).map(|(id, text)| format!("g{id}\t{text}\n")).collect();
    let run = |lines: &[String], jobs: &str| {
        let mut command = soucie();
        command.args(["-", "--json", "--ids", "--nodes", "300", "--jobs", jobs]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.concat().as_bytes()).unwrap();
        text(&child.wait_with_output().unwrap())
    };
    let whole = run(&lines, "2");
    let parts = lines.chunks(3).map(|part| run(part, "1")).collect::<String>();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&parts), sorted(&whole));
    for (line, number) in whole.lines().zip(100..) {
        assert!(line.starts_with(&format!("{{\"id\":\"g{number}\",")), "{line}");
        let object: Value = serde_json::from_str(line).unwrap();
        assert!(["game", "position", "line"].iter().all(|key| object[*key].is_null()), "{line}");
    }
    assert_eq!(whole.lines().count(), lines.len());
    let without = run(&["8/8/3l4/8/8/3L4/8/8 b\n".to_string()], "1");
    assert_eq!(without, "{\"line\":1,\"error\":\"expected an id and a tab\"}\n");
}
