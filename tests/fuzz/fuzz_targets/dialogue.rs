//! Whole dialogues: every `go` but `go perft` gets one best move, whatever comes before and after.
// cargo install cargo-fuzz
// cargo +nightly fuzz run --fuzz-dir tests/fuzz dialogue -- -max_total_time=300 (stable: RUSTC_BOOTSTRAP=1 cargo fuzz ...)

#![no_main]

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use soucie::protocol::command::{self, UciCommand};

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

/// Whether a line takes little time. Of large numbers only invalid ones are left.
fn is_short(line: &str) -> bool {
    match command::read(line) {
        Ok(UciCommand::Bench(_) | UciCommand::Quit) => false,
        Ok(UciCommand::Perft(depth)) => depth <= 1,
        Ok(UciCommand::Go { limits, .. }) => {
            limits.is_endless()
                || limits.nodes.is_some_and(|nodes| nodes <= 1_000)
                || limits.depth.is_some_and(|depth| depth <= 2)
        }
        Ok(UciCommand::SetOption { name, value }) => {
            let number = value.and_then(|value| value.trim().parse::<u64>().ok()).unwrap_or(0);
            let large = ["hash", "threads"].iter().any(|n| name.eq_ignore_ascii_case(n));
            !large || number <= 4 || number > 1 << 20
        }
        _ => true,
    }
}

/// Whether a line gets a best move: every `go` does, even an invalid one.
fn gets_best_move(line: &str) -> bool {
    match command::read(line) {
        Ok(UciCommand::Go { .. }) => true,
        Ok(_) => false,
        Err(_) => line.split_whitespace().next() == Some("go"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| String::from_utf8_lossy(line)).filter(|line| is_short(line));
    let lines: Vec<String> = lines.map(|line| line.replace('\r', " ")).collect();
    let expected = lines.iter().filter(|line| gets_best_move(line)).count();
    let output = SharedOutput::default();
    // The first line selects UCI.
    let input = Cursor::new(format!("uci\n{}", lines.join("\n")).into_bytes());
    soucie::protocol::run(input, output.clone()).unwrap();
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let found = text.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(found, expected, "{text}");
});
