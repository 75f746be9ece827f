//! A long file of records takes no more memory than a short one.

use std::env;
use std::io::{BufReader, Read, Write};

use soucie::records::RecordReader;

use crate::programs;

/// An input that repeats a game without holding all of it in memory.
struct RepeatedGame<'a> {
    game: &'a [u8],
    games: usize,
    at: usize,
}

impl Read for RepeatedGame<'_> {
    fn read(&mut self, mut into: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.game.len() {
            (self.games, self.at) = (self.games - 1, 0);
        }
        if self.games == 0 {
            return Ok(0);
        }
        let written = into.write(&self.game[self.at..])?;
        self.at += written;
        Ok(written)
    }
}

/// Other tests of this program would change the measurement, so it runs in its own process.
#[test]
fn memory_does_not_grow_with_the_file() {
    let mut command = programs::command(env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "memory::reader_in_its_own_process"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "run by memory_does_not_grow_with_the_file"]
fn reader_in_its_own_process() {
    let sgf = "(;FF[4]GM[9]C[a comment];B[c8-c6](;W[a4-c2];B[d8-b6])(;W[a5-c5]C[no]))\n";
    let pdn =
        "[Event \"x\"]\n[GameType \"21\"]\n\n1. 11-15 {a comment} 23-19 (22-18) 2. 9-13 1-0\n\n";
    for game in [sgf, pdn] {
        let games = 100_000;
        let input = RepeatedGame { game: game.as_bytes(), games, at: 0 };
        let mut reader = RecordReader::new(BufReader::new(input));
        assert_eq!(reader.by_ref().take(1000).filter(|game| game.is_ok()).count(), 1000);
        let resident = || programs::status(std::process::id(), "VmRSS");
        let before = resident();
        assert_eq!(reader.filter(|game| game.is_ok()).count(), games - 1000);
        if let (Some(before), Some(after)) = (before, resident()) {
            let growth = after.saturating_sub(before);
            assert!(growth < 8 << 10, "{growth} KiB more than after a thousand games");
        }
    }
}
