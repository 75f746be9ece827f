//! Standard streams that are full, empty or unreadable, and numbers that are too large.

use std::fs::File;
use std::io;
use std::process::{Output, Stdio};

use crate::programs;

fn soucie(words: &str, output: Stdio) -> Output {
    let mut command = programs::soucie();
    command.args(words.split(' ')).stdin(Stdio::null()).stdout(output);
    command.stderr(Stdio::piped()).output().unwrap()
}

fn check_failure(output: &Output, error: &str, words: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words}: {stderr}");
    assert!(stderr.starts_with(error) && stderr.lines().count() == 1, "{words}: {stderr}");
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    for words in ["perft 2", "bench 1", "rules", "completions bash"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        check_failure(&soucie(words, full.into()), "soucie: No space left on device", words);
    }
}

/// The reader, such as `head`, has what it wants.
#[test]
fn closed_output_ends_a_listing_quietly() {
    for words in ["rules", "openings", "problem list", "tables info", "perft 2"] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = soucie(words, writer.into());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "", "{words}");
    }
}

#[test]
fn input_without_games_is_an_error() {
    for words in ["analyse -", "analyse - --json"] {
        let error = "soucie: no game or position in standard input\n";
        check_failure(&soucie(words, Stdio::null()), error, words);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn input_that_cannot_be_read_is_an_error_after_the_commands_before_it() {
    let folder = File::open("/").unwrap();
    let output = programs::soucie().stdin(folder).output().unwrap();
    check_failure(&output, "soucie: cannot read standard input: ", "a folder");
}

#[test]
fn depths_that_would_not_end_are_refused() {
    for words in ["perft 101", "perft 0", "bench 101"] {
        let output = soucie(words, Stdio::null());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains("expected a whole number from 1 to 100"), "{words}: {stderr}");
    }
}
