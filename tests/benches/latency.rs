//! How long a client waits: `cargo bench --bench latency`.
//!
//! The time from `stop` to `bestmove`, and from `isready` to `readyok` while a search runs,
//! spoken with the program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 100;

/// A search runs so long before it is disturbed, and every round a little longer.
const SEARCH: Duration = Duration::from_millis(20);

/// A program to speak with.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let input = child.stdin.take().expect("it has an input");
        let output = child.stdout.take().expect("it has an output");
        Self { child, input, output: BufReader::new(output) }
    }

    fn end(mut self) {
        self.say("quit");
        self.child.wait().expect("it ends");
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program listens");
    }

    fn hear(&mut self, start: &str) {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            let length = self.output.read_line(&mut line).expect("the program speaks");
            assert!(length > 0, "the program has ended");
        }
    }

    /// Says a line and measures the time until the answer.
    fn time(&mut self, line: &str, answer: &str) -> Duration {
        let said = Instant::now();
        self.say(line);
        self.hear(answer);
        said.elapsed()
    }
}

/// Prints the median, the 99th of a hundred and the longest.
fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1].as_secs_f64() * 1e3;
    println!("{what}: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms", at(50), at(99), at(100));
}

fn main() {
    for variant in ["linesofaction", "englishdraughts"] {
        for threads in [1, 2] {
            let mut program = Program::start();
            program.say(&format!("setoption name UCI_Variant value {variant}"));
            program.say(&format!("setoption name Threads value {threads}"));
            let (mut ready, mut stop) = (Vec::new(), Vec::new());
            for round in 0..ROUNDS {
                program.say("ucinewgame");
                program.say("go infinite");
                thread::sleep(SEARCH + Duration::from_millis(round as u64));
                ready.push(program.time("isready", "readyok"));
                stop.push(program.time("stop", "bestmove"));
            }
            program.end();
            tell(&format!("{variant}, {threads} threads: isready to readyok"), ready);
            tell(&format!("{variant}, {threads} threads: stop to bestmove"), stop);
        }
    }
}
