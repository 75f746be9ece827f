//! Long input: it is read whole or not at all, and memory does not grow with it.

use super::*;

/// The most memory, in KiB, that a filter has used for a line that came so many times.
#[cfg(target_os = "linux")]
fn peak(line: &str, times: usize) -> u64 {
    let mut command = soucie();
    command.args(["-", "--json", "--depth", "1", "--hash", "1", "--jobs", "2"]);
    command.args(["--variant", "linesofaction", "--option", "Repetition Draw=0"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let line = format!("{}\n", line.trim_end());
    let writer = thread::spawn(move || {
        for _ in 0..times {
            input.write_all(line.as_bytes()).unwrap();
        }
        input
    });
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.by_ref().take(times).filter(|line| line.is_ok()).count(), times);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(writer.join().unwrap());
    child.wait().unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap()
}

const ONE_MOVE: &str = "(;GM[9];B[b8-b6])";

#[test]
#[cfg(target_os = "linux")]
fn many_games_need_no_more_memory_than_few() {
    let (few, many) = (peak(ONE_MOVE, 1_000), peak(ONE_MOVE, 30_000));
    assert!(many < few + 8 * 1024, "{few} KiB for 1,000 games, {many} KiB for 30,000");
}

/// A position holds the game before it: all of them together grow with the square of its length.
#[test]
#[cfg(target_os = "linux")]
fn a_long_game_is_not_in_memory_as_a_whole() {
    let (short, long) = (peak(ONE_MOVE, 1), peak(&to_and_fro(4_000), 1));
    assert!(long < short + 32 * 1024, "{short} KiB for one move, {long} KiB for 4,000");
}

/// A game in which both sides move to and fro, so many plies long.
fn to_and_fro(plies: usize) -> String {
    let moves: Vec<&str> =
        ["b8b6", "a2c2", "b6b8", "c2a2"].into_iter().cycle().take(plies).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

#[test]
fn a_long_line_is_a_long_game_and_a_longer_one_an_error() {
    let input = format!("{}{}{SHORT}\n", to_and_fro(1_100), to_and_fro(210_000));
    let output = analyse(
        "long",
        &input,
        &[
            "--json",
            "--variant",
            "linesofaction",
            "--option",
            "Repetition Draw=0",
            "--depth",
            "1",
            "--hash",
            "1",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    let found = json(&output);
    assert_eq!(found[0]["moves"].as_array().unwrap().len(), 1_100);
    let too_long = "line longer than 1048576 bytes ignored";
    assert_eq!((&found[1]["line"], &found[1]["error"]), (&2.into(), &too_long.into()));
    assert_eq!((&found[2]["line"], &found[2]["game"]), (&3.into(), &3.into()));
    assert_eq!(found.len(), 3);
}
