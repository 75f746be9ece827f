//! Soak test: random dialogues with the program. Each line of its output is checked against what
//! the library predicts.
//!
//! `cargo test --test soak` runs for ten seconds, `SOUCIE_SOAK_SECONDS=3600` for an hour.
//! `SOUCIE_SOAK_SEED` is the first dialogue; without `SOUCIE_SOAK_SECONDS` it is the only one.
//!
//! `dialects` has random dialogues in the other dialects: `SOUCIE_SOAK_DIALECTS=10000` runs 10,000
//! of each.

mod dialects;
#[path = "../support/dialogue.rs"]
mod dialogue;
mod judge;
mod memory;
mod mirror;
#[path = "../support/programs.rs"]
mod programs;
mod script;

use std::env;
use std::thread;
use std::time::{Duration, Instant};

use dialogue::Dialogue;
use judge::OutputChecker;
use memory::MemoryMonitor;
use script::{Script, Step};

/// The default duration.
const SECONDS: u64 = 10;

/// One dialogue in this many has its own program and ends it.
const OWN_PROGRAM: u64 = 8;

/// The lines of a dialogue. Prints them on a panic.
struct Transcript {
    seed: u64,
    lines: Vec<String>,
}

impl Transcript {
    fn add(&mut self, sign: char, line: &[u8]) {
        const MAX_LENGTH: usize = 2_000;
        let line = &line[..line.len().min(MAX_LENGTH)];
        self.lines.push(format!("{sign} {}", String::from_utf8_lossy(line).trim_end()));
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}\nto reproduce: SOUCIE_SOAK_SEED={}", self.lines.join("\n"), self.seed);
        }
    }
}

/// A dialogue in progress: the program, the output that is due, and the lines so far.
struct DialogueRun<'a> {
    program: &'a mut Dialogue,
    checker: OutputChecker,
    transcript: Transcript,
}

impl<'a> DialogueRun<'a> {
    fn new(seed: u64, program: &'a mut Dialogue) -> Self {
        let transcript = Transcript { seed, lines: Vec::new() };
        Self { program, checker: OutputChecker::default(), transcript }
    }

    /// Sends lines and `isready`, and checks the output up to the last reply that is due.
    fn send(&mut self, lines: &[Vec<u8>]) {
        let mut bytes = Vec::new();
        for line in lines.iter().chain([&b"isready".to_vec()]) {
            self.transcript.add('>', line);
            self.checker.add_input(line);
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        self.program.send_bytes(&bytes);
        while self.checker.expects_reply() {
            let line = self.program.read_line();
            self.check(line.as_deref());
        }
    }

    /// Checks the output of the stopped searches.
    fn drain(&mut self) {
        while self.checker.expects_search_output() {
            let line = self.program.read_line();
            self.check(line.as_deref());
        }
    }

    fn check(&mut self, line: Option<&str>) {
        let line = line.unwrap_or_else(|| panic!("the program has ended"));
        self.transcript.add('<', line.as_bytes());
        if let Err(fault) = self.checker.check_line(line) {
            panic!("{fault}\nin the line: {line}");
        }
    }

    /// Runs all steps of a script.
    fn run(&mut self, script: &mut Script) {
        self.send(&script.reset_commands());
        while let Some(step) = script.next(&self.checker.model) {
            match step {
                Step::Pause(time) => {
                    thread::sleep(time);
                    self.send(&[]);
                }
                Step::Send(lines) => self.send(&lines),
            }
        }
    }

    /// Ends the program and checks its remaining output.
    fn finish(mut self, script: &mut Script) {
        let (last, all_due) = script.final_input();
        self.transcript.add('>', &last);
        self.checker.add_last_input(&last);
        self.program.send_bytes(&last);
        for line in self.program.close_input() {
            self.check(Some(&line));
        }
        assert!(!self.checker.expects_reply(), "a reply is missing at the end");
        assert!(
            !all_due || !self.checker.expects_search_output(),
            "a best move is missing at the end"
        );
        assert!(self.program.finish(), "the program failed");
    }
}

/// A number from an environment variable.
fn setting(name: &str) -> Option<u64> {
    Some(env::var(name).ok()?.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

#[test]
fn random_dialogues_have_the_predicted_output() {
    let seed = setting("SOUCIE_SOAK_SEED");
    let seconds =
        setting("SOUCIE_SOAK_SECONDS").unwrap_or(if seed.is_some() { 0 } else { SECONDS });
    let first = seed.unwrap_or(1);
    let started = Instant::now();
    let mut shared_program = Dialogue::with_program_in(memory::TRIM_AT_ONCE);
    let mut monitor = MemoryMonitor::default();
    let mut seed = first;
    loop {
        let mut script = Script::new(seed);
        if seed.is_multiple_of(OWN_PROGRAM) {
            let mut program = Dialogue::with_program();
            let mut dialogue = DialogueRun::new(seed, &mut program);
            dialogue.run(&mut script);
            dialogue.finish(&mut script);
        } else {
            let mut dialogue = DialogueRun::new(seed, &mut shared_program);
            dialogue.run(&mut script);
            dialogue.send(&[b"stop".to_vec()]);
            dialogue.drain();
            // With the smallest table, the memory of the program itself remains.
            dialogue.send(&[b"setoption name Hash value 1".to_vec()]);
            monitor.sample(shared_program.process().map(|program| program.id()));
        }
        seed += 1;
        if started.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    assert!(shared_program.finish());
    println!("{} dialogues from seed {first} on; {monitor}", seed - first);
    monitor.check();
}
