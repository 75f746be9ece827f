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
