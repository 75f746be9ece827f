//! Soak test: random dialogues with the program, which must never end, hang or lose an answer.
//!
//! `cargo test --test soak` runs a few dialogues, `SOUCIE_SOAK_SECONDS=3600` runs for an hour.
//! `SOUCIE_SOAK_SEED` is the first dialogue; without `SOUCIE_SOAK_SECONDS` it is the only one.
//! `SOUCIE_SOAK_DIALECTS=10000` runs 10,000 dialogues in each dialect.

mod dialects;
#[path = "../support/dialogue.rs"]
mod dialogue;
#[path = "../support/programs.rs"]
mod programs;

use std::time::{Duration, Instant};
use std::{env, thread};

use dialogue::Dialogue;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use soucie::files::lines::LONGEST_LINE;

/// The number of dialogues, unless the environment sets the time.
const DIALOGUES: u64 = 30;

/// Setups of both games.
const SETUPS: [&str; 6] = [
    "8/8/8/3L4/3L4/8/l7/L1l5 b",
    "6Ll/6LL/8/8/8/8/LL6/lL6 b",
    "8/8/8/8/8/1l1l4/8/L6L b",
    "W:WK26:B1,14,15,22,23",
    "B:W10,11,18,19,32:BK7",
    "W:WK14,K15,K18:BK1,K6",
];

/// What is known about the best move of a `go`.
struct Expected {
    /// The legal moves, in both notations.
    legal: Vec<String>,
    /// Whether the `go` may be refused.
    may_fail: bool,
}

/// A random dialogue with the program. The reference is another process, which gets all commands
/// except those for searches, and lists the legal moves.
struct Soak<'a> {
    rng: Xoshiro256PlusPlus,
    program: &'a mut Dialogue,
    reference: &'a mut Dialogue,
    options: Vec<String>,
    expected: Vec<Expected>,
    sent: Vec<String>,
}

impl Soak<'_> {
    fn pick<'b, T: ?Sized>(&mut self, from: &[&'b T]) -> &'b T {
        from.choose(&mut self.rng).unwrap()
    }

    /// Sends a line to the program and, unless it is for a search, to the reference.
    fn send(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let command = words.first().map_or("", |word| word.trim_start_matches('\u{feff}'));
        // The answer to `isready` separates what is read here.
        let is_count = command == "go" && words.contains(&"perft");
        if ["quit", "isready"].contains(&command) || is_count {
            return;
        }
        if command == "go" {
            let legal = legal(self.reference);
            let is_plain = is_plain(&words[1..]);
            let is_too_long = line.len() > LONGEST_LINE;
            self.expected.push(Expected { legal, may_fail: !is_plain || is_too_long });
        }
        let is_search = ["go", "stop", "ponderhit", "analyse", "bench"].contains(&command);
        for engine in [Some(&mut *self.program), Some(&mut *self.reference).filter(|_| !is_search)]
        {
            engine.into_iter().for_each(|engine| engine.send_bytes(&[line, b"\n"].concat()));
        }
        self.sent.push(text.chars().take(200).collect());
    }

    /// Sends a position with some random moves, and sometimes a wrong one.
    fn position(&mut self) {
        let setup = if self.rng.random() { "startpos" } else { self.pick(&SETUPS) };
        let fen = if setup == "startpos" { "" } else { "fen " };
        let mut line = format!("position {fen}{setup} moves");
        for _ in 0..self.rng.random_range(0..12) {
            self.reference.send(&line);
            let Some(mv) = legal(self.reference).choose(&mut self.rng).cloned() else { break };
            line += &format!(" {mv}");
        }
        if self.rng.random_ratio(1, 10) {
            line += " a1a1";
        }
        self.send(line.as_bytes());
    }

    fn go(&mut self) {
        let mut line = "go".to_string();
        for _ in 0..self.rng.random_range(0..4) {
            let (word, most) =
                *[("depth", 8), ("nodes", 30_000), ("movetime", 40), ("btime", 900), ("mate", 4)]
                    .choose(&mut self.rng)
                    .unwrap();
            line += &format!(" {word} {}", self.rng.random_range(-2..=most));
        }
        line += self.pick(&["", "", "", " infinite", " ponder", " wtime 300 winc 9 movestogo 2"]);
        self.send(line.as_bytes());
    }

    /// Sets an option, as `uci` describes it.
    fn option(&mut self) {
        let option = self.options.choose(&mut self.rng).unwrap().clone();
        let (name, kind) = option.split_once(" type ").unwrap();
        let number = |word| kind.split_once(word)?.1.split(' ').next()?.parse::<i64>().ok();
        let values: Vec<&str> = kind.split(" var ").skip(1).collect();
        let value = match (number(" min "), number(" max ")) {
            (Some(min), Some(max)) => self.rng.random_range(min..=max.min(min + 6)).to_string(),
            _ if kind.starts_with("check") => self.pick(&["true", "false"]).to_string(),
            _ if kind.starts_with("combo") => self.pick(&values).to_string(),
            _ => "<empty>".to_string(),
        };
        self.send(format!("setoption name {name} value {value}").as_bytes());
    }

    /// Sends some line.
    fn step(&mut self) {
        match self.rng.random_range(0..20) {
            0..5 => self.go(),
            5..9 => self.position(),
            9..12 => self.option(),
            12..14 => self.send(b"stop"),
            14 => thread::sleep(Duration::from_millis(self.rng.random_range(0..20))),
            15 if self.rng.random_ratio(1, 20) => {
                self.send(&[b"go depth 1", &[b' '; 1 << 20][..]].concat())
            }
            _ => {
                let line = dialects::line(dialects::UCI.lines, &mut self.rng);
                self.send(&line);
            }
        }
    }

    /// Reads the best move of each `go`, and checks it and the last position.
    fn finish(&mut self) -> Result<(), String> {
        self.send(b"stop");
        for Expected { legal, may_fail } in std::mem::take(&mut self.expected) {
            let lines = self.program.read_until("bestmove ");
            let last = lines.last().unwrap();
            let best = last.split(' ').nth(1).unwrap();
            let is_refused = best == "(none)" && (may_fail || legal.is_empty());
            if !is_refused && !legal.iter().any(|mv| mv == best) {
                return Err(format!("'{last}', the legal moves are {legal:?}"));
            }
        }
        let rest = self.program.query("");
        let [own, other] = [&mut *self.program, &mut *self.reference].map(legal);
        if own != other {
            return Err(format!("the legal moves are {own:?} and {other:?}"));
        }
        let is_answer = |line: &&String| line.starts_with("bestmove ");
        rest.iter().find(is_answer).map_or(Ok(()), |line| Err(format!("'{line}' without a go")))
    }
}

/// Whether a `go` with these words is not refused.
fn is_plain(words: &[&str]) -> bool {
    match words {
        [] => true,
        ["infinite" | "ponder", rest @ ..] => is_plain(rest),
        [
            "depth" | "nodes" | "movetime" | "btime" | "wtime" | "winc" | "movestogo",
            number,
            rest @ ..,
        ] => number.parse::<i64>().is_ok() && is_plain(rest),
        _ => false,
    }
}

/// The legal moves of an engine's position, in both notations; none if there is no position.
fn legal(engine: &mut Dialogue) -> Vec<String> {
    let line = engine.query("state").pop().unwrap();
    let state: Value = serde_json::from_str(&line["state ".len()..]).unwrap();
    let moves = state["legal"].as_array().map_or(&[][..], Vec::as_slice);
    let names = moves.iter().flat_map(|mv| [&mv["coordinate"], &mv["standard"]]);
    names.map(|name| name.as_str().unwrap().to_string()).collect()
}

/// A number from an environment variable.
fn setting(name: &str) -> Option<u64> {
    Some(env::var(name).ok()?.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

#[test]
fn random_dialogues_lose_no_answer() {
    let (seed, seconds) = (setting("SOUCIE_SOAK_SEED"), setting("SOUCIE_SOAK_SECONDS"));
    let first = seed.unwrap_or(1);
    let dialogues = if seed.is_some() { 1 } else { DIALOGUES };
    let started = Instant::now();
    let [mut program, mut reference] = [Dialogue::with_program(), Dialogue::with_program()];
    let mut memory = Vec::new();
    for seed in first.. {
        let is_over = seconds.map_or(seed - first >= dialogues, |seconds| {
            started.elapsed() >= Duration::from_secs(seconds)
        });
        if is_over {
            println!("{} dialogues from seed {first} on", seed - first);
            break;
        }
        let options = program.query("uci").into_iter();
        let options: Vec<_> = options
            .filter_map(|line| line.strip_prefix("option name ").map(String::from))
            .collect();
        let mut soak = Soak {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            program: &mut program,
            reference: &mut reference,
            expected: Vec::new(),
            sent: Vec::new(),
            options,
        };
        // No dialogue depends on the one before.
        for option in soak.options.clone() {
            let Some((name, rest)) = option.split_once(" type ") else { continue };
            let Some((_, default)) = rest.split_once(" default ") else { continue };
            let default = default.split(" var ").next().unwrap().split(" min ").next().unwrap();
            soak.send(format!("setoption name {name} value {default}").as_bytes());
        }
        soak.send(b"ucinewgame");
        soak.send(b"position startpos");
        for _ in 0..soak.rng.random_range(5..40) {
            soak.step();
        }
        if let Err(fault) = soak.finish() {
            panic!("{fault}\n{}\nto reproduce: SOUCIE_SOAK_SEED={seed}", soak.sent.join("\n"));
        }
        program.query("setoption name Hash value 1");
        memory.extend(programs::status(program.process().unwrap().id(), "VmRSS"));
    }
    assert!(program.finish() && reference.finish());
    check_memory(&memory);
}

/// The memory after dialogues, in KiB, must not grow. A leak raises its minimum; memory that a
/// search has not yet freed does not. The first quarter is the warm-up. Fewer than 400 samples show nothing.
fn check_memory(samples: &[u64]) {
    const MIN_SAMPLES: usize = 400;
    const TOLERANCE: u64 = 8 << 10;
    let minima: Vec<_> =
        samples.chunks((samples.len() / 4).max(1)).map(|quarter| quarter.iter().min()).collect();
    if let [_, Some(early), _, Some(late), ..] = minima[..]
        && samples.len() >= MIN_SAMPLES
    {
        assert!(*late <= early + TOLERANCE, "the memory grew from {early} to {late} KiB");
        println!("at least {early} KiB in the second quarter, {late} KiB in the last");
    }
}
