//! Long input: lines are read up to a maximum length, and memory does not grow with the input.

use super::*;

/// The peak memory, in KiB, of a filter that reads a line this many times.
#[cfg(target_os = "linux")]
fn peak(line: &str, times: usize) -> u64 {
    let mut command = soucie();
    // Without the caches of threads, which tear holes into the memory that is measured.
    command.env("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");
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
    let memory = programs::status(child.id(), "VmHWM").unwrap();
    drop(writer.join().unwrap());
    child.wait().unwrap();
    memory
}

const ONE_MOVE: &str = "(;GM[9];B[b8-b6])";

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_games() {
    let (few, many) = (peak(ONE_MOVE, 500), peak(ONE_MOVE, 5_000));
    assert!(many < few + 2 * 1024, "{few} KiB for 500 games, {many} KiB for 5,000");
}

/// A position holds the game before it: all positions of a game would need memory that grows with
/// the square of its length.
#[test]
#[cfg(target_os = "linux")]
fn long_game_needs_little_memory() {
    let (short, long) = (peak(ONE_MOVE, 1), peak(&to_and_fro(2_000), 1));
    assert!(long < short + 16 * 1024, "{short} KiB for one move, {long} KiB for 2,000");
}

/// A game of `plies` plies, in which both sides move to and fro.
fn to_and_fro(plies: usize) -> String {
    let moves: Vec<&str> =
        ["b8b6", "a2c2", "b6b8", "c2a2"].into_iter().cycle().take(plies).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

#[test]
fn line_beyond_the_maximum_length_is_an_error() {
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
    assert_eq!(output.code, Some(1));
    let found = output.json();
    assert_eq!(found[0]["moves"].as_array().unwrap().len(), 1_100);
    let too_long = "line longer than 1048576 bytes ignored";
    assert_eq!((&found[1]["line"], &found[1]["error"]), (&2.into(), &too_long.into()));
    assert_eq!((&found[2]["line"], &found[2]["game"]), (&3.into(), &3.into()));
    assert_eq!(found.len(), 3);
}
