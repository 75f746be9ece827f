//! Endurance: random dialogues with the program, each line of its answers held against what the
//! library says it must be.
//!
//! `dialects` holds noisy dialogues in the other languages: `SOUCIE_SOAK_DIALECTS=10000` so many each.
//!
//! `cargo test --test soak` talks for ten seconds. `SOUCIE_SOAK_SECONDS=3600` does so for an
//! hour, from the dialogue `SOUCIE_SOAK_SEED` on; a seed alone holds that one dialogue again.

mod dialects;
#[path = "../support/dialogue.rs"]
mod dialogue;
mod judge;
mod memory;
mod mirror;
mod script;

use std::env;
use std::thread;
use std::time::{Duration, Instant};

use dialogue::Dialogue;
use judge::Judge;
use memory::Watch;
use script::{Script, Step};

/// How long it lasts unless somebody says otherwise.
const SECONDS: u64 = 10;

/// One dialogue in so many has a program of its own, which it ends.
const OWN_PROGRAM: u64 = 8;

/// Says what happened, should it go wrong.
struct Record {
    seed: u64,
    lines: Vec<String>,
}

impl Record {
    fn note(&mut self, sign: char, line: &[u8]) {
        const LONGEST: usize = 2_000;
        let line = &line[..line.len().min(LONGEST)];
        self.lines.push(format!("{sign} {}", String::from_utf8_lossy(line).trim_end()));
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "{}\nto hold it again: SOUCIE_SOAK_SEED={}",
                self.lines.join("\n"),
                self.seed
            );
        }
    }
}

/// One conversation: what is said, what was heard, and what is still to come.
struct Talk<'a> {
    program: &'a mut Dialogue,
    judge: Judge,
    record: Record,
}

impl<'a> Talk<'a> {
    fn begin(seed: u64, program: &'a mut Dialogue) -> Self {
        let record = Record { seed, lines: Vec::new() };
        Self { program, judge: Judge::default(), record }
    }

    /// Says lines, and makes sure that the program still listens.
    fn say(&mut self, lines: &[Vec<u8>]) {
        let mut bytes = Vec::new();
        for line in lines.iter().chain([&b"isready".to_vec()]) {
            self.record.note('>', line);
            self.judge.told(line);
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        self.program.say_bytes(&bytes);
        while self.judge.awaits_answer() {
            let line = self.program.hear();
            self.hear(line.as_deref());
        }
    }

    /// Hears what the searches that were stopped have to say.
    fn drain(&mut self) {
        while self.judge.awaits_search() {
            let line = self.program.hear();
            self.hear(line.as_deref());
        }
    }

    fn hear(&mut self, line: Option<&str>) {
        let line = line.unwrap_or_else(|| panic!("the program has ended"));
        self.record.note('<', line.as_bytes());
        if let Err(fault) = self.judge.heard(line) {
            panic!("{fault}\nin the answer: {line}");
        }
    }

    /// Plays a script to its last line.
    fn play(&mut self, script: &mut Script) {
        self.say(&script.beginning());
        while let Some(step) = script.next(&self.judge.mirror) {
            match step {
                Step::Pause(time) => {
                    thread::sleep(time);
                    self.say(&[]);
                }
                Step::Say(lines) => self.say(&lines),
            }
        }
    }

    /// Ends the program and hears its last words.
    fn leave(mut self, script: &mut Script) {
        let (last, all_due) = script.ending();
        self.record.note('>', &last);
        self.judge.left(&last);
        self.program.say_bytes(&last);
        for line in self.program.end() {
            self.hear(Some(&line));
        }
        assert!(!self.judge.awaits_answer(), "an answer is missing at the end");
        assert!(!all_due || !self.judge.awaits_search(), "a best move is missing at the end");
        assert!(self.program.leave(), "the program ended badly");
    }
}

/// A number from the environment.
fn setting(name: &str) -> Option<u64> {
    Some(env::var(name).ok()?.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_dialogues_are_answered() {
    let seed = setting("SOUCIE_SOAK_SEED");
    let seconds =
        setting("SOUCIE_SOAK_SECONDS").unwrap_or(if seed.is_some() { 0 } else { SECONDS });
    let first = seed.unwrap_or(1);
    let started = Instant::now();
    let mut steady = Dialogue::with_program_in(memory::EXACT);
    let mut watch = Watch::default();
    let mut seed = first;
    loop {
        let mut script = Script::new(seed);
        if seed.is_multiple_of(OWN_PROGRAM) {
            let mut program = Dialogue::with_program();
            let mut talk = Talk::begin(seed, &mut program);
            talk.play(&mut script);
            talk.leave(&mut script);
        } else {
            let mut talk = Talk::begin(seed, &mut steady);
            talk.play(&mut script);
            talk.say(&[b"stop".to_vec()]);
            talk.drain();
            // With the smallest table, what is left is what the program itself holds.
            talk.say(&[b"setoption name Hash value 1".to_vec()]);
            watch.look(steady.process().map(|program| program.id()));
        }
        seed += 1;
        if started.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    assert!(steady.leave());
    println!("{} dialogues from seed {first} on; {watch}", seed - first);
    watch.check();
}
