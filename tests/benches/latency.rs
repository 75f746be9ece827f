//! The latency for a client of the program: `cargo bench --bench latency`.
//!
//! The times from `stop` to `bestmove`, from `isready` to `readyok` during a search, and to `readyok`
//! after the start, a new size of the transposition table, and a new game with a table in use.

#[path = "../support/programs.rs"]
mod programs;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 100;

/// The duration of a search before the commands, to which each round adds a millisecond.
const SEARCH: Duration = Duration::from_millis(20);

/// A running program.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start() -> Self {
        let mut command = programs::soucie();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let input = child.stdin.take().expect("stdin is piped");
        let output = child.stdout.take().expect("stdout is piped");
        Self { child, input, output: BufReader::new(output) }
    }

    fn end(mut self) {
        self.send("quit");
        self.child.wait().expect("the program ends");
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads its input");
    }

    /// Reads lines up to one that begins with `start`.
    fn read_until(&mut self, start: &str) {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            let length = self.output.read_line(&mut line).expect("the output can be read");
            assert!(length > 0, "the program has ended");
        }
    }

    /// Sends a line and measures the time until the answer.
    fn time(&mut self, line: &str, answer: &str) -> Duration {
        let started = Instant::now();
        self.send(line);
        self.read_until(answer);
        started.elapsed()
    }
}

/// Prints the median, the 99th percentile and the maximum.
fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1].as_secs_f64() * 1e3;
    println!("{what}: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms", at(50), at(99), at(100));
}

/// Measures the time until the engine is ready for a search with a table of `mib` MiB.
fn time_to_ready(mib: usize) {
    const ROUNDS: usize = 10;
    let (mut start, mut size, mut new_game) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut program = Program::start();
        program.time("isready", "readyok");
        start.push(started.elapsed());
        size.push(program.time(&format!("setoption name Hash value {mib}\nisready"), "readyok"));
        program.time("go movetime 20", "bestmove");
        new_game.push(program.time("ucinewgame\nisready", "readyok"));
        program.end();
    }
    print_times("start to readyok", start);
    print_times(&format!("Hash {mib} to readyok"), size);
    print_times(&format!("ucinewgame to readyok, Hash {mib}"), new_game);
}

fn main() {
    for mib in [16, 64, 256, 1024, 4096] {
        time_to_ready(mib);
    }
    for variant in ["linesofaction", "englishdraughts"] {
        for threads in [1, 2] {
            let mut program = Program::start();
            program.send(&format!("setoption name UCI_Variant value {variant}"));
            program.send(&format!("setoption name Threads value {threads}"));
            let (mut ready, mut stop) = (Vec::new(), Vec::new());
            for round in 0..ROUNDS {
                program.send("ucinewgame");
                program.send("go infinite");
                thread::sleep(SEARCH + Duration::from_millis(round as u64));
                ready.push(program.time("isready", "readyok"));
                stop.push(program.time("stop", "bestmove"));
            }
            program.end();
            print_times(&format!("{variant}, {threads} threads: isready to readyok"), ready);
            print_times(&format!("{variant}, {threads} threads: stop to bestmove"), stop);
        }
    }
}
