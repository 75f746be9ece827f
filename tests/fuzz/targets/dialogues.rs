//! Whole dialogues in each dialect. The library runs them, so a search runs in a thread of its own.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use soucie::protocol::UciLoop;
use soucie::protocol::command::{self, Purpose, UciCommand};

/// The largest number of nodes of a search.
const NODES: u64 = 1_000;

/// The largest depth of a search, in plies.
const DEPTH: usize = 2;

/// Output that can be read afterwards.
#[derive(Clone, Default)]
struct SharedOutput(Arc<Mutex<Vec<u8>>>);

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The first word of a line.
fn first_word(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default()
}

/// The lines of an input that may be sent.
fn lines(bytes: &[u8], may_be_sent: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = bytes.split(|&byte| byte == b'\n').map(String::from_utf8_lossy);
    lines.map(|line| line.replace('\r', " ")).filter(|line| may_be_sent(line)).collect()
}

/// Runs a dialogue and returns the lines of its output, which have no control characters. Files
/// cannot be named.
fn output(first: &str, lines: &[String]) -> Vec<String> {
    let output = SharedOutput::default();
    let input = Cursor::new(format!("{first}\n{}\n", lines.join("\n")).into_bytes());
    UciLoop::new().without_files().run(input, output.clone()).unwrap();
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')), "{text:?}");
    text.lines().map(String::from).collect()
}

/// The number of lines that begin with this word.
fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| first_word(line) == word).count()
}

/// Whether a value of an option takes little memory and few threads. Of large numbers only those that
/// no option accepts are left.
fn is_small(value: &str) -> bool {
    value.trim().parse().map_or(true, |number: u64| number <= 4 || number > 1 << 20)
}

/// Whether a line of UCI or UGI takes little time.
fn is_short(line: &str) -> bool {
    match command::read(line) {
        Ok(UciCommand::Bench(_) | UciCommand::Quit) => false,
        Ok(UciCommand::Perft(depth)) => depth <= 1,
        Ok(UciCommand::Go { limits, .. }) => {
            limits.is_endless()
                || limits.nodes.is_some_and(|nodes| nodes <= NODES)
                || limits.depth.is_some_and(|depth| depth <= DEPTH)
        }
        Ok(UciCommand::Analyse(request)) => {
            request.nodes.is_some_and(|nodes| nodes.get() <= NODES)
                || request.depth.is_some_and(|depth| depth.get() <= DEPTH)
        }
        Ok(UciCommand::SetOption { name, value }) => {
            let is_large = ["hash", "threads"].iter().any(|n| name.eq_ignore_ascii_case(n));
            !is_large || value.is_none_or(|value| is_small(&value))
        }
        _ => true,
    }
}

/// A dialogue in UCI: every command that is to print something gets its answer, and every `go` one best
/// move, whatever comes before and after.
pub fn uci(bytes: &[u8]) {
    in_uci("uci", bytes);
}

/// A dialogue in UGI, as in UCI.
pub fn ugi(bytes: &[u8]) {
    in_uci("ugi", bytes);
}

fn in_uci(first: &str, bytes: &[u8]) {
    let lines = lines(bytes, is_short);
    let mut expected: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        if let Purpose::Search(answer) | Purpose::Print(answer) | Purpose::Import(answer) =
            command::purpose(line)
        {
            *expected.entry(first_word(answer)).or_default() += 1;
        }
    }
    let output = output(first, &lines);
    for (word, expected) in expected {
        let found = count(&output, word);
        // An analysis has a line for each move, and `help` begins lines with the names of commands.
        let is_right = if word == "bestmove" { found == expected } else { found >= expected };
        assert!(is_right, "{found} lines '{word}', expected {expected}: {lines:?}\n{output:#?}");
    }
}

/// A dialogue in Hub: every `go` and every `ping` that can be read gets one answer.
pub fn hub(bytes: &[u8]) {
    let may_be_sent = |line: &str| {
        let is_large =
            first_word(line) == "set-param" && !line.split('=').skip(1).all(is_small_word);
        first_word(line) != "quit" && !is_large
    };
    let mut sent = Vec::new();
    for line in lines(bytes, may_be_sent) {
        if first_word(&line) == "go" {
            sent.push(format!("level depth={DEPTH}"));
        }
        sent.push(line);
    }
    let output = output("hub", &sent);
    assert_eq!(count(&output, "done"), count(&sent, "go"), "{sent:?}\n{output:#?}");
    let pings = sent.iter().filter(|line| line.trim() == "ping").count();
    assert!(count(&output, "pong") >= pings, "{sent:?}\n{output:#?}");
}

fn is_small_word(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).all(|word| word.is_empty() || is_small(word))
}

/// A dialogue in the Chess Engine Communication Protocol: every `ping` with a word gets one answer.
pub fn cecp(bytes: &[u8]) {
    let may_be_sent = |line: &str| match first_word(line) {
        "quit" | "sd" => false,
        "memory" | "cores" | "option" => is_small_word(line),
        _ => true,
    };
    let depth = format!("sd {DEPTH}");
    let mut sent = vec![depth.clone()];
    for line in lines(bytes, may_be_sent) {
        // It removes the limit.
        let is_new = first_word(&line) == "new";
        sent.push(line);
        sent.extend(is_new.then(|| depth.clone()));
    }
    // The end of an analysis.
    sent.extend(["?".to_string(), "exit".to_string(), "force".to_string()]);
    let output = output("xboard", &sent);
    let pings = sent
        .iter()
        .filter(|line| first_word(line) == "ping" && line.split_whitespace().nth(1).is_some());
    assert!(count(&output, "pong") >= pings.count(), "{sent:?}\n{output:#?}");
}
