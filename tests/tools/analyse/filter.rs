//! As a filter: a line of JSON for each line of input.

use super::*;

/// A filter answers each line before it hears the next one.
#[test]
fn as_a_filter_it_answers_line_by_line() {
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
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(!answer[kind].is_null(), "{line}: {answer}");
        assert_eq!(answer["line"], i as u64 + 1, "{answer}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// What a filter answers to this input.
fn filtered(input: Stdio, write: impl FnOnce(&mut Option<ChildStdin>)) -> Vec<Value> {
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100"]).stdin(input).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    write(&mut child.stdin);
    drop(child.stdin.take());
    json(&child.wait_with_output().unwrap())
}

#[test]
fn a_filter_passes_over_what_is_too_long_and_goes_on() {
    let found = filtered(Stdio::piped(), |input| {
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
fn an_input_that_fails_is_told_once() {
    let found = filtered(fs::File::open(".").unwrap().into(), |_| {});
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["line"], 1);
}

/// Parts that are analysed apart, joined and sorted, are the bytes of one run.
#[test]
fn ids_make_the_parts_of_an_input_independent() {
    let game = DRAUGHTS.replace('\n', " ");
    let texts =
        ["8/8/3l4/8/8/3L4/8/8 b", "hello", &game, SHORT, "(;GM[9]", "W:WK14:BK1,K6", "", " "];
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
